import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { modelNameOf, parseModelSource } from '../../packages/gguf-llm/src/model-source.ts';
import { lastChars } from '../common/well-formed.ts';
import type { Say } from '../host/child.ts';
import type { Config } from './config/config.ts';
import {
  CHECKOUT,
  type ModelServerProcess,
  modelServerEnv,
  startModelServer,
} from './model-server-process.ts';

/** A large model is read from the disk at the start. */
const READY_MS_MAX = 600_000;

type GgufConfig = Pick<
  Config,
  | 'llm'
  | 'embeddings'
  | 'ggufPort'
  | 'llmThreads'
  | 'llmContext'
  | 'llmQueue'
  | 'hubUrl'
  | 'hubToken'
>;

/** Whether the settings name a GGUF model, so that gguf-llm has to run. */
export function wantsGguf({ llm, embeddings }: Pick<Config, 'llm' | 'embeddings'>): boolean {
  return llm !== undefined || embeddings !== undefined;
}

/**
 * Installs llama.cpp and fetches the models where needed, then starts gguf-llm.
 * @param say gets the progress
 * @throws Error with gguf-llm's own message
 */
export async function startGgufProcess(
  dataDir: string,
  config: GgufConfig,
  say: Say,
): Promise<ModelServerProcess> {
  const flags = [
    ...(config.llm === undefined ? [] : ['--model', config.llm]),
    ...(config.embeddings === undefined ? [] : ['--embeddings', config.embeddings]),
    ...['--threads', String(config.llmThreads), '--context', String(config.llmContext)],
    ...['--queue', String(config.llmQueue), '--hub-url', config.hubUrl],
  ];
  await prepare(flags, config.hubToken, say);
  return startModelServer(dataDir, {
    say,
    kind: 'gguf-llm',
    wishedPort: config.ggufPort,
    portSetting: 'AIDEN_GGUF_PORT',
    flags,
    readyMsMax: READY_MS_MAX,
  });
}

/**
 * The settings with gguf-llm's address in place of the models that it serves.
 * @param url its base URL, with /v1
 */
export function withGguf(config: Config, url: string): Config {
  const { llm, embeddings } = config;
  return {
    ...config,
    ...(llm === undefined ? {} : { llmUrl: url, llmModel: modelNameOf(parseModelSource(llm)) }),
    ...(embeddings === undefined
      ? {}
      : { embeddingsUrl: url, embeddingsModel: modelNameOf(parseModelSource(embeddings)) }),
  };
}

/** Runs gguf-llm's preparation, whose lines are the progress. */
const prepare = (flags: readonly string[], hubToken: string | undefined, say: Say): Promise<void> =>
  new Promise((resolve, reject) => {
    const main = join(CHECKOUT, 'packages', 'gguf-llm', 'src', 'main.ts');
    const child = spawn(process.execPath, [main, ...flags, '--prepare'], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...modelServerEnv(), ...(hubToken === undefined ? {} : { HF_TOKEN: hubToken }) },
    });
    let fault = '';
    createInterface({ input: child.stdout }).on('line', say);
    child.stderr.on('data', (chunk: Buffer) => {
      fault = lastChars(fault + chunk.toString('utf8'), 4_000);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(fault.trim() || `gguf-llm ended with ${code ?? 'a signal'}.`));
    });
  });
