import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startServer, waitUntil } from '../../stack/child.ts';
import { answers } from '../../stack/ports.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const READY_MS_MAX = 120_000;

export interface LocalLlmProcess {
  readonly port: number;
  /** The OpenAI-compatible base URL, with /v1. */
  readonly url: string;
  /** False when another process of this installation serves it; then `stop` does nothing. */
  readonly isOurs: boolean;
  stop(): Promise<void>;
}

/** Maximum number of ports to try, one per installation on this machine. */
const INSTALLATIONS_MAX = 20;

/**
 * Starts the bundled model server in its own process, because it loads large word lists. Processes
 * of one installation share a server. When another installation uses the port, the next port is
 * tried.
 * @param dataDir identifies the installation
 * @throws Error naming the setting when no port from `wishedPort` on is free
 */
export async function startLocalLlmProcess(
  dataDir: string,
  wishedPort: number,
): Promise<LocalLlmProcess> {
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16);
  for (let port = wishedPort; port < wishedPort + INSTALLATIONS_MAX; port++) {
    const url = `http://127.0.0.1:${port}/v1`;
    if ((await nameOfServer(port)) === name)
      return { port, url, isOurs: false, stop: async () => {} };
    if (await answers(port)) continue;
    const stop = await startOn(port, name, dataDir);
    return { port, url, isOurs: true, stop };
  }
  throw new Error(
    `No free port for local-llm on 127.0.0.1 from ${wishedPort} to ${wishedPort + INSTALLATIONS_MAX - 1}: set AIDEN_LOCAL_LLM_PORT.`,
  );
}

async function startOn(port: number, name: string, dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  const server = await startServer(
    process.execPath,
    [
      join(CHECKOUT, 'packages', 'local-llm', 'src', 'main.ts'),
      '--port',
      String(port),
      '--name',
      name,
    ],
    {
      log: join(dataDir, 'local-llm.log'),
      pid: join(dataDir, 'local-llm.pid'),
      cwd: CHECKOUT,
      // Only these variables: the server must not get our secrets.
      env: { PATH, HOME, ...(XDG_CACHE_HOME === undefined ? {} : { XDG_CACHE_HOME }) },
    },
  );
  try {
    await waitUntil(
      `local-llm (AIDEN_LOCAL_LLM_PORT=${port})`,
      async () => (await nameOfServer(port)) === name,
      server,
      READY_MS_MAX,
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
  return () => server.stop();
}

/** Name of the installation whose local-llm listens on the port; null when there is none. */
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
