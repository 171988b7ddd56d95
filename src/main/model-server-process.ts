import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Say, type Server, startServer, waitUntil } from '../host/child.ts';
import { answers } from '../host/ports.ts';
import { type Supervised, supervise } from '../host/supervise.ts';

export const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** A model server of this installation, in a process of its own. */
export interface ModelServerProcess {
  readonly port: number;
  /** The OpenAI-compatible base URL, with /v1. */
  readonly url: string;
  /** False when another process of this installation serves it; then `stop` does nothing. */
  readonly isOurs: boolean;
  /** @param graceMs time before it is killed; default 20 s */
  stop(graceMs?: number): Promise<void>;
}

export interface ModelServerSpec {
  /** Name of the package, its log and its pid file. */
  readonly kind: 'local-llm' | 'gguf-llm';
  readonly wishedPort: number;
  /** Environment name of the port's setting, for errors. */
  readonly portSetting: string;
  /** Further flags. A server with other flags is another server. */
  readonly flags: readonly string[];
  readonly readyMsMax: number;
  /** Gets a line when the server ended by itself and is started again. */
  readonly say: Say;
}

/** Maximum number of ports to try, one per installation on this machine. */
const INSTALLATIONS_MAX = 20;

/**
 * Starts a model server. Processes of one installation share a server with equal flags. When
 * another installation uses the port, the next port is tried.
 * @param dataDir identifies the installation
 * @throws Error naming the setting when no port from `wishedPort` on is free, or with the server's
 * own message
 */
export async function startModelServer(
  dataDir: string,
  spec: ModelServerSpec,
): Promise<ModelServerProcess> {
  const { kind, wishedPort, flags } = spec;
  const identity = [resolve(dataDir), ...flags].join('\n');
  const name = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  for (let port = wishedPort; port < wishedPort + INSTALLATIONS_MAX; port++) {
    const url = `http://127.0.0.1:${port}/v1`;
    if ((await nameOfServer(port)) === name)
      return { port, url, isOurs: false, stop: async () => {} };
    if (await answers(port)) continue;
    const { failed, stop } = await startOn(port, name, dataDir, spec);
    // Without its model the product goes on: only steps and memories that ask it wait.
    void failed.then(({ message }) => spec.say(message));
    return { port, url, isOurs: true, stop };
  }
  throw new Error(
    `No free port for ${kind} on 127.0.0.1 from ${wishedPort} to ` +
      `${wishedPort + INSTALLATIONS_MAX - 1}: set ${spec.portSetting}.`,
  );
}

async function startOn(
  port: number,
  name: string,
  dataDir: string,
  { kind, portSetting, flags, readyMsMax, say }: ModelServerSpec,
): Promise<Supervised> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const main = join(CHECKOUT, 'packages', kind, 'src', 'main.ts');
  const log = join(dataDir, `${kind}.log`);
  const launch = {
    name: kind,
    log,
    say,
    spawn: () =>
      startServer(process.execPath, [main, '--port', String(port), '--name', name, ...flags], {
        log,
        pid: join(dataDir, `${kind}.pid`),
        cwd: CHECKOUT,
        env: modelServerEnv(),
      }),
    untilReady: (server: Server) =>
      waitUntil(
        `${kind} (${portSetting}=${port})`,
        async () => (await nameOfServer(port)) === name,
        server,
        readyMsMax,
      ),
  };
  const server = await launch.spawn();
  try {
    await launch.untilReady(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return supervise(server, launch);
}

/** Only these variables: a model server must not get our secrets. */
export function modelServerEnv(): Record<string, string> {
  const names = ['PATH', 'HOME', 'XDG_CACHE_HOME'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Name of the installation whose model server listens on the port; null when there is none. */
async function nameOfServer(port: number): Promise<string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, {
      signal: AbortSignal.timeout(1_000),
    });
    const body = (await response.json()) as { name?: unknown };
    return typeof body.name === 'string' ? body.name : null;
  } catch {
    return null;
  }
}
