import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Stack } from '../src/host/ensure.ts';
import { freePort } from '../src/host/ports.ts';
import { newKeyRingEntry } from '../src/platform/vault/vault.ts';
import { findRedisServer, type RedisServer, startRedis } from '../test/testkit/redis-server.ts';
import { type Started, start } from '../test/testkit/started.ts';
import { openTcpProxy, type TcpProxy } from '../test/testkit/tcp-proxy.ts';
import { type Disk, mountDisk } from './disk.ts';

export const PROCESSES = ['api-1', 'api-2', 'worker'] as const;
export type ProcessName = (typeof PROCESSES)[number];
export type ServerName = 'neo4j' | 'temporal';
const BLOBS_MB = 192;

/** A version of the product. */
export interface Build {
  readonly env?: Readonly<Record<string, string>>;
  /** Its checkout. Default: this one. */
  readonly checkout?: string | undefined;
}

interface LaunchSettings extends Build {
  readonly clockOffsetSeconds?: number;
  readonly port?: number;
}

/**
 * Two API processes and a Worker process on one Neo4j, Temporal and Redis, all of which may be
 * killed. Neo4j and Temporal are reached through proxies that cut connections.
 */
export class Installation {
  readonly folder: string;
  readonly blobs: string;
  readonly redis: RedisServer | null;
  /** Disks of the blobs, and of Neo4j and Temporal. Null: none of their own. */
  readonly disks: Readonly<Record<'blobs' | 'servers', Disk | null>>;
  readonly #stack: Stack;
  readonly #proxies: Readonly<Record<ServerName, TcpProxy>>;
  readonly #env: Readonly<Record<string, string>>;
  readonly #ports: Record<ProcessName, number>;
  readonly #running = new Map<ProcessName, Started>();
  /** Names of processes that ended, by a fault of the load or by themselves. */
  readonly ended: string[] = [];
  #isClosing = false;

  constructor(parts: {
    readonly stack: Stack;
    readonly folder: string;
    readonly disks: Readonly<Record<'blobs' | 'servers', Disk | null>>;
    readonly redis: RedisServer | null;
    readonly proxies: Readonly<Record<ServerName, TcpProxy>>;
    readonly ports: Readonly<Record<ProcessName, number>>;
    readonly env?: Readonly<Record<string, string>>;
  }) {
    const { stack, folder, redis, proxies, ports } = parts;
    this.#stack = stack;
    this.folder = folder;
    this.disks = parts.disks;
    this.redis = redis;
    this.#proxies = proxies;
    this.#ports = { ...ports };
    this.blobs = pathToFileURL(join(folder, 'blobs')).href;
    this.#env = {
      ...stack.env,
      NEO4J_URI: `bolt://${proxies.neo4j.address}`,
      TEMPORAL_ADDRESS: proxies.temporal.address,
      AIDEN_AUTH: 'dev',
      AIDEN_SECRET_KEYS: newKeyRingEntry(),
      AIDEN_BLOBS: this.blobs,
      AIDEN_EVENT_BUS: redis?.url ?? 'memory',
      AIDEN_LOCAL_LLM: 'off',
      AIDEN_EXTRACTION_QUIET_SECONDS: '3600',
      AIDEN_WORKERS_REST_CALL: '12',
      AIDEN_WORKERS_GRAPH_QUERY: '1',
      AIDEN_WORKERS_LLM_CALL: '2',
      AIDEN_WORKERS_MCP_CALL: '1',
      MEMORY_GRPC_PORT: '0',
      // After so long no client sends to an address that was taken away.
      AIDEN_DRAIN_SECONDS: '5',
      ...parts.env,
    };
  }

  get urls(): string[] {
    return [`http://127.0.0.1:${this.#ports['api-1']}`, `http://127.0.0.1:${this.#ports['api-2']}`];
  }

  /** Starts a process and waits until it serves. A death is followed by a new start. */
  async launch(name: ProcessName, settings: LaunchSettings = {}): Promise<void> {
    const { clockOffsetSeconds = 0, port = this.#ports[name], env = {}, checkout } = settings;
    const isWorker = name === 'worker';
    const flags = ['--no-tour', '--role', isWorker ? 'worker' : 'api'];
    const launched = {
      ...this.#env,
      ...env,
      [isWorker ? 'AIDEN_WORKER_PORT' : 'AIDEN_PORT']: String(port),
      AIDEN_DATA_DIR: join(this.folder, name),
      AIDEN_LOG_FILE: this.#logOf(name),
      AIDEN_CLOCK_OFFSET_SECONDS: String(clockOffsetSeconds),
    };
    const started = start(flags, launched, checkout === undefined ? {} : { checkout });
    this.#running.set(name, started);
    void started.exit.then(async (code) => {
      if (this.#isClosing || this.#running.get(name) !== started) return;
      this.ended.push(`${name} (${code ?? 'by a signal'})`);
      await sleep(500);
      if (!this.#isClosing) await this.launch(name, { port, env, checkout }).catch(() => {});
    });
    await started.until(isWorker ? '/health' : 'Ctrl-C stops everything');
    this.#ports[name] = port;
  }

  /** Starts another process beside the one of this name, which ends when the other serves. */
  async exchange(name: ProcessName, build: Build): Promise<void> {
    const before = this.#running.get(name);
    try {
      await this.launch(name, { ...build, port: await freePort(0, new Set()) });
    } finally {
      // A start that failed ends the trial, and must leave no process behind.
      before?.child.kill('SIGTERM');
    }
    await before?.exit;
  }

  /** @returns the id of the process; undefined while it is being started again */
  pidOf(name: ProcessName): number | undefined {
    const { child } = this.#running.get(name) ?? {};
    return child?.exitCode === null && child.signalCode === null ? child.pid : undefined;
  }

  async serverPid(name: ServerName): Promise<number | undefined> {
    const text = await readFile(join(this.#stack.folder, name, 'server.pid'), 'utf8').catch(
      () => '',
    );
    return Number(text) || undefined;
  }

  proxy(name: ServerName): TcpProxy {
    return this.#proxies[name];
  }

  /** Ends the process, as an operator would, and starts it with another clock. */
  async restartWithClock(name: ProcessName, offsetSeconds: number): Promise<void> {
    const started = this.#running.get(name);
    this.#running.delete(name);
    started?.child.kill('SIGKILL');
    await started?.exit;
    await this.launch(name, { clockOffsetSeconds: offsetSeconds });
  }

  /** The API process that wrote last that it holds the relay's lease. */
  async relayHolder(): Promise<ProcessName> {
    const lasts = await Promise.all(
      (['api-1', 'api-2'] as const).map(async (name) => {
        const text = await readFile(this.#logOf(name), 'utf8').catch(() => '');
        const line = text.split('\n').findLast((one) => one.includes('This process relays now'));
        return { name, at: line === undefined ? '' : String(JSON.parse(line).time) };
      }),
    );
    return lasts.reduce((left, right) => (right.at > left.at ? right : left)).name;
  }

  #logOf(name: ProcessName): string {
    return join(this.folder, `${name}.log`);
  }

  /** Entries of the logs of all processes. */
  async lines(): Promise<string[]> {
    const texts = await Promise.all(
      PROCESSES.map((name) => readFile(this.#logOf(name), 'utf8').catch(() => '')),
    );
    return texts.flatMap((text) => text.split('\n'));
  }

  /** Entries of level error of all processes. */
  async errors(): Promise<string[]> {
    return (await this.lines()).filter((line) => line.startsWith('{"level":50'));
  }

  /** Stops the Worker process alone. */
  async stopWorker(): Promise<void> {
    this.#isClosing = true;
    const worker = this.#running.get('worker');
    worker?.child.kill('SIGINT');
    await worker?.exit;
  }

  /** Stops the processes of the product. Neo4j stays for the checks. */
  async stopProduct(): Promise<void> {
    this.#isClosing = true;
    for (const { child } of this.#running.values()) child.kill('SIGINT');
    await Promise.all([...this.#running.values()].map(({ exit }) => exit));
  }

  /** Ends and removes all without waiting, for the end of this process. */
  abandon(): void {
    this.#isClosing = true;
    for (const { child } of this.#running.values()) child.kill('SIGKILL');
    void this.redis?.kill();
    this.disks.blobs?.unmount();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.redis?.kill();
    await Promise.all(Object.values(this.#proxies).map((proxy) => proxy.close()));
    this.abandon();
  }
}

/** Opens an installation on this stack and starts its processes. */
export async function openInstallation(
  stack: Stack,
  serverDisk: Disk | null,
  env: Readonly<Record<string, string>> = {},
  first: Build = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-faults-'));
  const blobs = join(folder, 'blobs');
  await mkdir(blobs);
  const command = findRedisServer();
  const taken = new Set<number>();
  const neo4j = await openTcpProxy(new URL(stack.env.NEO4J_URI).host);
  const temporal = await openTcpProxy(stack.env.TEMPORAL_ADDRESS);
  const installation = new Installation({
    stack,
    folder,
    disks: { blobs: mountDisk(blobs, BLOBS_MB), servers: serverDisk },
    redis: command === null ? null : await startRedis(command),
    proxies: { neo4j, temporal },
    env,
    ports: {
      'api-1': await freePort(0, taken),
      'api-2': await freePort(0, taken),
      worker: await freePort(0, taken),
    },
  });
  process.once('exit', () => installation.abandon());
  // One after the other: the first migrates the graph and loads the examples.
  for (const name of PROCESSES) await installation.launch(name, first);
  return installation;
}
