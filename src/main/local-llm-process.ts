import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startServer, waitUntil } from '../../stack/child.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const READY_MS_MAX = 30_000;

export interface LocalLlmProcess {
  /** The OpenAI-compatible base address, with /v1. */
  readonly url: string;
  /** False when another process of ours already serves this port; then it is not ours to stop. */
  readonly isOurs: boolean;
  stop(): Promise<void>;
}

/**
 * The bundled model server, in a process of its own: it loads large word lists and must not make the API wait.
 * @throws when the port belongs to something else, naming the setting
 */
export async function startLocalLlmProcess(
  dataDir: string,
  port: number,
): Promise<LocalLlmProcess> {
  const url = `http://127.0.0.1:${port}/v1`;
  if (await servesOurModel(url)) return { url, isOurs: false, stop: async () => {} };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  const server = await startServer(
    process.execPath,
    [join(CHECKOUT, 'local-llm', 'main.ts'), '--port', String(port)],
    {
      log: join(dataDir, 'local-llm.log'),
      pid: join(dataDir, 'local-llm.pid'),
      cwd: CHECKOUT,
      // It needs nothing of ours, least of all our secrets.
      env: { PATH, HOME, ...(XDG_CACHE_HOME === undefined ? {} : { XDG_CACHE_HOME }) },
    },
  );
  try {
    await waitUntil(
      `local-llm (AIDEN_LOCAL_LLM_PORT=${port})`,
      () => servesOurModel(url),
      server,
      READY_MS_MAX,
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { url, isOurs: true, stop: () => server.stop() };
}

async function servesOurModel(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(1_000) });
    return response.ok && (await response.text()).includes('local-extractive');
  } catch {
    return false;
  }
}
