import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { fetchModel, type Hub } from './fetch-model.ts';
import { checkGguf } from './gguf-file.ts';
import { openLlama } from './llama.ts';
import { modelNameOf, parseModelSource } from './model-source.ts';
import { installRuntime } from './runtime.ts';
import { startGgufServer } from './server.ts';

const USAGE = `usage: aiden-gguf-llm --model SOURCE [--embeddings SOURCE] [--port N]
         [--host ADDRESS] [--threads N] [--context TOKENS] [--queue N] [--cache-folder PATH]
         [--hub-url URL] [--name TEXT] [--prepare]

An OpenAI-compatible server for GGUF models, run by llama.cpp on the CPU (Metal on a Mac).
SOURCE is gguf:/path/model.gguf or hf:owner/name[@revision]:file.gguf, which is fetched once.
--prepare installs llama.cpp, fetches the models and ends. Listens on 127.0.0.1 and any free port
unless told otherwise. HF_TOKEN is sent to the hub for models behind a licence.`;

const CONTEXT_TOKENS = '8192';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      embeddings: { type: 'string' },
      port: { type: 'string', default: '0' },
      host: { type: 'string' },
      threads: { type: 'string', default: '0' },
      context: { type: 'string', default: CONTEXT_TOKENS },
      queue: { type: 'string', default: '32' },
      'cache-folder': { type: 'string', default: defaultCacheFolder() },
      'hub-url': { type: 'string', default: 'https://huggingface.co' },
      name: { type: 'string' },
      prepare: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return void console.log(USAGE);
  if (values.model === undefined && values.embeddings === undefined)
    throw new Error(`Name a model.\n${USAGE}`);
  const hub: Hub = { url: values['hub-url'], token: process.env['HF_TOKEN'] ?? null };
  const cacheFolder = values['cache-folder'];
  const runtimeFolder = await installRuntime(cacheFolder, say);
  const chat = await located(values.model, hub, cacheFolder);
  const embeddings = await located(values.embeddings, hub, cacheFolder);
  if (values.prepare) return;

  const llama = await openLlama(runtimeFolder, {
    threads: wholeNumber('--threads', values.threads, 0, 1_024),
    contextTokens: wholeNumber('--context', values.context, 256, 1_048_576),
  });
  const server = await startGgufServer({
    chat: chat === null ? null : await llama.openChatModel(chat.path, chat.name),
    embeddings:
      embeddings === null ? null : await llama.openEmbeddingModel(embeddings.path, embeddings.name),
    host: values.host,
    port: wholeNumber('--port', values.port, 0, 65_535),
    name: values.name,
    queueLimit: wholeNumber('--queue', values.queue, 0, 10_000),
  });
  say(`gguf-llm listens on ${server.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().finally(() => process.exit(0)));
  }
}

/** The checked file of a source, fetched where needed; null without a source. */
async function located(
  source: string | undefined,
  hub: Hub,
  cacheFolder: string,
): Promise<{ readonly path: string; readonly name: string } | null> {
  if (source === undefined) return null;
  const parsed = parseModelSource(source);
  const path =
    parsed.kind === 'gguf' ? parsed.path : await fetchModel(hub, parsed, cacheFolder, say);
  await checkGguf(path);
  return { path, name: modelNameOf(parsed) };
}

function defaultCacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'aiden');
}

function say(line: string): void {
  console.log(line);
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  if (/^\d{1,8}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new Error(`${flag} has to be a whole number from ${least} to ${most}, not "${text}".`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
