import { createHash, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { access, chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { runTool, type Say, type Server, startServer, waitUntil } from '../child.ts';
import { cacheFolder, hasRoom } from '../folders.ts';
import { installOnce } from '../install.ts';
import { isAlive } from '../lock.ts';
import { answers, listeningPorts, type PortClaims, saysPortTaken } from '../ports.ts';
import { type Supervised, supervise } from '../supervise.ts';
import { type Lack, versionOf } from '../tools.ts';
import { openUiGuard } from './ui-guard.ts';

/** Equals the version in go.mod; change both together. */
const TEMPORAL_VERSION = '1.5.1';
/** Files that the binary is built from, also with Docker (see the Dockerfile beside them). */
const MODULES = ['go.mod', 'go.sum'].map((name) => ({
  name,
  path: fileURLToPath(new URL(name, import.meta.url)),
}));
const GO_MINOR_MIN = 11;
const READY_MS = 180_000;
const PORT_TRIES_MAX = 3;

/**
 * By default the dev server polls its queues 20 times a second and looks up to a second ahead for
 * timers. These settings reduce a sequential step from about 100 ms to under 10. docker-compose.yml
 * has them too.
 */
export const TUNED = [
  'history.transferProcessorMaxPollRPS=10000',
  'history.timerProcessorMaxPollRPS=10000',
  'history.timerProcessorMaxTimeShift="10ms"',
  'system.enableActivityEagerExecution=true',
] as const;

/**
 * The HTTP API takes simple POSTs of any web page and any Host. No part of the product uses it, so
 * it answers to a name only that no request has. docker-compose.yml has it too.
 */
export const CLOSED = ['frontend.httpAllowedHosts=["only.invalid"]'] as const;

/**
 * Takes steps in turn by owner (docs/decisions/0044). The server keeps waiting steps in other
 * tables then, and does not move those that wait already. So an installation that began without it
 * goes on without it.
 */
export const FAIR = ['matching.useNewMatcher=true', 'matching.enableFairness=true'] as const;

export interface RunningTemporal {
  readonly address: string;
  readonly ui: string;
  /** All ports of the server, so that no Tool may call one; see `portsOf`. */
  readonly ports: readonly number[];
  /** Calls `listener` with all ports after each restart: the internal ones are new then. */
  onPorts(listener: (ports: readonly number[]) => void): void;
  readonly server: Supervised | null;
}

/** Wished ports of Temporal; 0 = any free port. */
export interface TemporalPorts {
  readonly port: number;
  readonly uiPort: number;
  /** The HTTP API. The dev server always opens one, on a random port by default. */
  readonly httpPort: number;
  readonly metricsPort: number;
}

/** Path of Temporal's binary. Each set of modules has its own folder. */
export function temporalBinary(): string {
  const digest = createHash('sha256');
  for (const { path } of MODULES) digest.update(readFileSync(path));
  const build = `temporal-${TEMPORAL_VERSION}-${digest.digest('hex').slice(0, 8)}`;
  return join(cacheFolder(), build, 'temporal');
}

/**
 * Builds Temporal's binary from the Go module proxy once per machine (about 2.5 minutes, 240 MB).
 */
const installTemporal = async (say: Say): Promise<string> =>
  installOnce(
    temporalBinary(),
    {
      say,
      work: 'building Temporal',
      title: `Building Temporal ${TEMPORAL_VERSION} with Go (2 to 5 minutes, once)`,
    },
    async (parts) => {
      for (const { name, path } of MODULES) await copyFile(path, join(parts, name));
      const go = await findGo(parts);
      // The folder of temporary files may be a small one in memory: Go fills more than 1 GB.
      const work = join(parts, 'work');
      await mkdir(work);
      await runTool(
        go.command,
        ['build', '-o', join(parts, 'temporal'), 'github.com/temporalio/cli/cmd/temporal'],
        { cwd: parts, env: { ...go.env, GOTMPDIR: work } },
      );
    },
  );

/** Go's minor version (0: Go is missing) and the platform that it builds for. */
async function goVersion(): Promise<{ minor: number; os: string; arch: string }> {
  const text = (await versionOf('go', ['version'])) ?? '';
  const [, minor = '0', os = '', arch = ''] = /go1\.(\d+)\S* (\w+)\/(\w+)/.exec(text) ?? [];
  return { minor: Number(minor), os, arch };
}

/** The programs that Temporal needs and this machine lacks: Go while there is no binary. */
export async function lacksForTemporal(): Promise<Lack[]> {
  if (existsSync(temporalBinary())) return [];
  const { minor } = await goVersion();
  if (minor >= GO_MINOR_MIN) return [];
  const found = minor === 0 ? '' : ` 1.${GO_MINOR_MIN} or later (this one is 1.${minor})`;
  return [{ program: `Go${found}`, debian: 'golang-go' }];
}

/**
 * A go command of the version in go.mod. From 1.21 on Go downloads that version itself. For an
 * older Go (Debian 12 has 1.19) we download the same toolchain module and run its go.
 */
async function findGo(parts: string): Promise<{ command: string; env: Record<string, string> }> {
  const { minor, os, arch } = await goVersion();
  if (minor >= 21) return { command: 'go', env: {} };
  const [, version = ''] = /^go (\S+)$/m.exec(await readFile(join(parts, 'go.mod'), 'utf8')) ?? [];
  const module = `golang.org/toolchain@v0.0.1-go${version}.${os}-${arch}`;
  const answer = await runTool('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
  const [, root = ''] = /"Dir": "([^"]+)"/.exec(answer) ?? [];
  // Files of a module zip have no modes, so they are not executable yet.
  const tools = join(root, 'pkg', 'tool', `${os}_${arch}`);
  const programs = [
    join(root, 'bin', 'go'),
    ...(await readdir(tools)).map((name) => join(tools, name)),
  ];
  for (const program of programs) await chmod(program, 0o755);
  return { command: join(root, 'bin', 'go'), env: { GOTOOLCHAIN: 'local', GOROOT: root } };
}

async function isServing(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 10_000 });
    try {
      // The port opens before the default namespace is registered.
      await connection.withDeadline(Date.now() + 10_000, () =>
        connection.workflowService.describeNamespace({ namespace: 'default' }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

/**
 * Finds this instance's running Temporal, or starts it: on the ports of the last start, else on the
 * wished ones, else on the next free ones (0 = any). It is started again when it ends by itself.
 */
export async function startTemporal(
  folder: string,
  wished: TemporalPorts,
  claims: PortClaims,
  say: Say,
): Promise<RunningTemporal> {
  const home = join(folder, 'temporal');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const kept = await keptTemporalPorts(folder);
  const [port0 = 0, ui0 = 0, http0 = 0, metrics0 = 0] = kept;
  const pid = Number(await readFile(join(home, 'server.pid'), 'utf8').catch(() => '0'));
  if (pid > 0 && isAlive(pid) && port0 > 0 && (await isServing(`127.0.0.1:${port0}`))) {
    say(`Temporal of this instance already runs at 127.0.0.1:${port0}; using it.`);
    return {
      address: `127.0.0.1:${port0}`,
      ui: `http://127.0.0.1:${ui0}`,
      ports: await portsOf(pid, kept),
      onPorts: () => {},
      server: null,
    };
  }

  const binary = await installTemporal(say);
  const database = join(home, 'temporal.db');
  const dynamic = [...TUNED, ...CLOSED, ...((await isFair(home, database)) ? FAIR : [])];
  for (let attempt = 1; ; attempt++) {
    const isFirst = attempt === 1;
    const chosen = {
      port: await claims.take(wished.port, isFirst ? port0 : 0),
      uiPort: await claims.take(wished.uiPort, isFirst ? ui0 : 0),
      httpPort: await claims.take(wished.httpPort, isFirst ? http0 : 0),
      metricsPort: await claims.take(wished.metricsPort, isFirst ? metrics0 : 0),
    };
    const expected = port0 > 0 ? port0 : wished.port;
    if (expected !== 0 && chosen.port !== expected)
      say(`Port ${expected} is taken; Temporal goes to ${chosen.port}.`);
    const innerUi = { host: innerHost(), port: await claims.take(0, 0) };
    const launch = launchOf({ folder, home, binary, database, dynamic, innerUi }, chosen);
    const server = await launch.spawn();
    try {
      await launch.untilReady(server);
      const guard = await openUiGuard(chosen.uiPort, innerUi);
      const supervised = supervise(server, { ...launch, say });
      return {
        address: `127.0.0.1:${chosen.port}`,
        ui: `http://127.0.0.1:${chosen.uiPort}`,
        ports: launch.ports(),
        onPorts: launch.onPorts,
        server: {
          onEnded: (listener) => supervised.onEnded(listener),
          failed: supervised.failed,
          async stop(graceMs) {
            await Promise.all([guard.stop(), supervised.stop(graceMs)]);
          },
        },
      };
    } catch (error) {
      await server.stop();
      // Another process took a port between the check and Temporal's bind.
      const areTaken = await Promise.all(Object.values(chosen).map((one) => answers(one)));
      const wasTaken = saysPortTaken(error) || areTaken.includes(true);
      if (!wasTaken || attempt === PORT_TRIES_MAX) throw error;
    }
  }
}

/** Whether this database was made with FAIR. A new one is. */
async function isFair(home: string, database: string): Promise<boolean> {
  const marker = join(home, 'fair');
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  if (await exists(marker)) return true;
  if (await exists(database)) return false;
  await writeFile(marker, '');
  return true;
}

/** The ports of this instance's last start: frontend, UI, HTTP, metrics. Empty = none. */
export async function keptTemporalPorts(folder: string): Promise<number[]> {
  const text = await readFile(portFileOf(folder), 'utf8').catch(() => '');
  return text
    .split(' ')
    .map(Number)
    .filter((port) => port > 0);
}

const portFileOf = (folder: string) => join(folder, 'temporal', 'server.port');

/** How Temporal is started on its ports, the first time and again. */
function launchOf(
  start: {
    readonly folder: string;
    readonly home: string;
    readonly binary: string;
    readonly database: string;
    /** Dynamic configuration, as `name=value`. */
    readonly dynamic: readonly string[];
    /** Where Temporal's UI listens, behind its guard. */
    readonly innerUi: { readonly host: string; readonly port: number };
  },
  { port, uiPort, httpPort, metricsPort }: TemporalPorts,
) {
  const { folder, home, binary, database, dynamic, innerUi } = start;
  const log = join(folder, 'temporal.log');
  const pidFile = join(home, 'server.pid');
  const chosen = [port, uiPort, httpPort, metricsPort];
  const address = `127.0.0.1:${port}`;
  let ports: readonly number[] = chosen;
  const listeners = new Set<(ports: readonly number[]) => void>();
  return {
    name: 'Temporal',
    log,
    ports: () => ports,
    onPorts: (listener: (ports: readonly number[]) => void) => void listeners.add(listener),
    hasRoom: () => hasRoom(folder),
    async spawn(): Promise<Server> {
      await writeFile(portFileOf(folder), chosen.join(' '));
      await rm(pidFile, { force: true });
      const args = flagsOf({ port, innerUi, httpPort, metricsPort }, database, dynamic);
      return startServer(binary, args, { log, pid: pidFile, cwd: home });
    },
    async untilReady(server: Server): Promise<void> {
      // `server` is the guard's shell; the file has the server's own id.
      const pid = async () => Number(await readFile(pidFile, 'utf8').catch(() => '0'));
      const isReady = async () =>
        (await answers(port)) && isAlive(await pid()) && (await isServing(address));
      await waitUntil('Temporal', isReady, server, READY_MS);
      ports = await portsOf(await pid(), chosen);
      for (const listener of listeners) listener(ports);
    },
  };
}

const flagsOf = (
  ports: Omit<TemporalPorts, 'uiPort'> & {
    readonly innerUi: { readonly host: string; readonly port: number };
  },
  database: string,
  dynamic: readonly string[],
): string[] => [
  'server',
  'start-dev',
  '--ip',
  '127.0.0.1',
  '--port',
  String(ports.port),
  '--ui-ip',
  ports.innerUi.host,
  '--ui-port',
  String(ports.innerUi.port),
  '--http-port',
  String(ports.httpPort),
  '--metrics-port',
  String(ports.metricsPort),
  '--log-level',
  'warn',
  '--db-filename',
  database,
  '--sqlite-pragma',
  'journal_mode=WAL',
  '--sqlite-pragma',
  'synchronous=NORMAL',
  ...dynamic.flatMap((value) => ['--dynamic-config-value', value]),
];

/**
 * An address for the UI behind its guard. Linux has 16 million loopback addresses, so that no web
 * page can try them all; others have one.
 */
function innerHost(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `127.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`;
}

/** Ports that the dev server chooses itself, for its history and matching services. */
const INNER_PORTS = 2;
const INNER_PORTS_MS = 10_000;

/**
 * The chosen ports and the two internal ones. No flag sets the internal ones, so they are read from
 * the process; they may open later than the frontend.
 */
async function portsOf(pid: number, chosen: readonly number[]): Promise<readonly number[]> {
  const endMs = performance.now() + INNER_PORTS_MS;
  for (;;) {
    const listening = await listeningPorts(pid);
    const areAll = listening.length >= chosen.length + INNER_PORTS;
    // Without /proc the ports are unknown.
    if (areAll || listening.length === 0 || performance.now() > endMs)
      return [...new Set([...chosen, ...listening])].filter((port) => port > 0);
    await sleep(50);
  }
}
