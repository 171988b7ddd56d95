import type { Say } from '../host/child.ts';
import { type ModelServerProcess, startModelServer } from './model-server-process.ts';

const READY_MS_MAX = 120_000;

/**
 * Starts the bundled model server in its own process, because it loads large word lists and a
 * sentence model.
 * @param say gets a line when the server ended and is started again
 * @throws Error as startModelServer
 */
export function startLocalLlmProcess(
  dataDir: string,
  wishedPort: number,
  say: Say = () => {},
): Promise<ModelServerProcess> {
  return startModelServer(dataDir, {
    say,
    kind: 'local-llm',
    wishedPort,
    portSetting: 'AIDEN_LOCAL_LLM_PORT',
    flags: [],
    readyMsMax: READY_MS_MAX,
  });
}
