import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { sizeOnHub } from '../../packages/gguf-llm/src/fetch-model.ts';
import { parseModelSource } from '../../packages/gguf-llm/src/model-source.ts';
import type { Config } from './config/config.ts';

/** Reads and writes many languages, fills schemas and calls tools; needs 3 GB of memory. */
const OFFERED = 'hf:Qwen/Qwen3-1.7B-GGUF:Qwen3-1.7B-Q8_0.gguf';
const OFFERED_NAME = 'Qwen3 1.7B';
/** The hub has this time to say that it is there; a start without a network waits no longer. */
const HUB_MS = 1_500;
/** A start waits no longer for an answer. */
const ANSWER_MS = 60_000;

/** The answer to the offer. `model` is a value of AIDEN_LLM; null: no model. */
const Choice = z.object({ model: z.string().nullable() });

/** A terminal that a person sits at. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

type Settings = Pick<Config, 'llm' | 'llmUrl' | 'localLlm' | 'role' | 'hubUrl' | 'hubToken'>;

/**
 * The settings with the model that a person chose at an earlier start. Where there was no choice
 * and no model is set, the offer is made once: a yes or a no is kept in `model-choice.json` in the
 * data folder, and no answer leaves the question for the next start. Nothing is fetched unasked.
 * @param terminal null: nothing is asked
 */
export async function withChosenModel<T extends Settings>(
  settings: T,
  dataDir: string,
  terminal: Terminal | null,
  stopping: AbortSignal,
): Promise<T> {
  const hasModel = settings.llm !== undefined || settings.llmUrl !== undefined;
  if (hasModel || !settings.localLlm || settings.role === 'worker') return settings;
  const file = join(dataDir, 'model-choice.json');
  const choice = await readChoice(file);
  if (choice !== undefined) return choice === null ? settings : { ...settings, llm: choice };
  if (terminal === null) return settings;
  const source = parseModelSource(OFFERED);
  if (source.kind !== 'hf') return settings;
  const hub = { url: settings.hubUrl, token: settings.hubToken ?? null };
  const bytes = await sizeOnHub(hub, source, HUB_MS);
  if (bytes === null || stopping.aborted) return settings;
  const isWanted = await asked(terminal, questionOf(bytes, settings.hubUrl), stopping);
  if (isWanted === null) return settings;
  const model = isWanted ? OFFERED : null;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify({ model })}\n`, { mode: 0o600 });
  terminal.output.write(`Kept in ${file}; delete it to be asked again.\n`);
  return model === null ? settings : { ...settings, llm: model };
}

/** Undefined: no choice was made. */
async function readChoice(file: string): Promise<string | null | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return undefined;
  try {
    const { model } = Choice.parse(JSON.parse(text));
    if (model !== null) parseModelSource(model);
    return model;
  } catch {
    throw new Error(`${file} is damaged. Delete it: the next start asks again.`);
  }
}

const questionOf = (bytes: number, hubUrl: string) =>
  [
    '',
    'Answers are quotations of your own words until a real model is connected.',
    `Aiden can fetch ${OFFERED_NAME} (${(bytes / 1e9).toFixed(1)} GB, Apache 2.0) from`,
    `${new URL(hubUrl).host} and run it here, with 3 GB of memory and no key.`,
    'Fetch it now? y = yes, n = never ask again, Enter = ask at the next start: ',
  ].join('\n');

/** Null: neither yes nor no. */
async function asked(
  { input, output }: Terminal,
  question: string,
  stopping: AbortSignal,
): Promise<boolean | null> {
  const lines = createInterface({ input, output });
  // The terminal gives Ctrl-C to the question; it means the start.
  lines.once('SIGINT', () => void process.kill(process.pid, 'SIGINT'));
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const answer = (await lines.question(question, { signal })).trim().toLowerCase();
    if (/^(y|yes)$/.test(answer)) return true;
    return /^(n|no|never)$/.test(answer) ? false : null;
  } catch {
    output.write('\n');
    return null;
  } finally {
    lines.close();
  }
}
