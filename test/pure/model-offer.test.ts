import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withChosenModel } from '../../src/main/model-offer.ts';
import { type ModelHub, openModelHub } from '../testkit/model-hub.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const FILE = 'Qwen/Qwen3-1.7B-GGUF/resolve/main/Qwen3-1.7B-Q8_0.gguf';
const MODEL = 'hf:Qwen/Qwen3-1.7B-GGUF:Qwen3-1.7B-Q8_0.gguf';
let hub: ModelHub;
beforeAll(async () => {
  hub = await openModelHub({ [FILE]: Buffer.alloc(1_000) });
});
afterAll(() => hub.close());

const settings = () => ({
  llm: undefined,
  llmUrl: undefined,
  localLlm: true,
  role: 'all' as const,
  hubUrl: hub.url,
  hubToken: undefined,
});
const choiceIn = (folder: string) => join(folder, 'model-choice.json');

/** A start at a terminal where these words are typed; the model, and all that was printed. */
async function start(folder: string, typed: string, more: { hubUrl?: string; llm?: string } = {}) {
  const terminal = { input: new PassThrough(), output: new PassThrough() };
  terminal.input.write(typed);
  const never = new AbortController().signal;
  const { llm } = await withChosenModel({ ...settings(), ...more }, folder, terminal, never);
  terminal.output.end();
  return { llm, printed: await text(terminal.output) };
}

describe('the offer of a real model at a start', () => {
  it('names the model and the hub, and a yes holds for later starts', async () => {
    const folder = tempFolder('offer');
    const { llm, printed } = await start(folder, 'y\n');
    expect(llm).toBe(MODEL);
    expect(printed).toContain(`from\n${new URL(hub.url).host} and run it here`);
    expect(printed).toContain(choiceIn(folder));
    expect(await start(folder, '')).toEqual({ llm: MODEL, printed: '' });
  });

  it('is not made again after a no', async () => {
    const folder = tempFolder('offer');
    expect((await start(folder, 'N\n')).llm).toBeUndefined();
    expect(await start(folder, 'y\n')).toEqual({ llm: undefined, printed: '' });
  });

  it('is made again at the next start after any other answer', async () => {
    const folder = tempFolder('offer');
    expect((await start(folder, '\n')).llm).toBeUndefined();
    expect((await start(folder, 'what?\n')).llm).toBeUndefined();
    expect((await start(folder, 'yes\n')).llm).toBe(MODEL);
  });

  it('is not made without a hub, a terminal, or beside a model of the settings', async () => {
    const folder = tempFolder('offer');
    const away = { hubUrl: 'http://127.0.0.1:9' };
    expect(await start(folder, 'y\n', away)).toEqual({ llm: undefined, printed: '' });
    const given = { llm: 'gguf:/models/mine.gguf' };
    expect(await start(folder, 'n\n', given)).toEqual({ llm: given.llm, printed: '' });
    const never = new AbortController().signal;
    expect((await withChosenModel(settings(), folder, null, never)).llm).toBeUndefined();
    await expect(readFile(choiceIn(folder))).rejects.toThrow('ENOENT');
  });

  it('names a damaged choice and the way out', async () => {
    const folder = tempFolder('offer');
    for (const damaged of ['{', '{"model":"qwen"}', '{}']) {
      await writeFile(choiceIn(folder), damaged);
      await expect(start(folder, '')).rejects.toThrow(`${choiceIn(folder)} is damaged. Delete it`);
    }
  });
});
