import { type ChildProcess, spawn } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../testkit/temp-folder.ts';

const MAIN = fileURLToPath(new URL('../../packages/gguf-llm/src/main.ts', import.meta.url));
const MODEL = process.env['AIDEN_TEST_GGUF'];
const WHY = 'set AIDEN_TEST_GGUF to a GGUF file to run a real model';
const START_MS_MAX = 600_000;

const started: ChildProcess[] = [];
const folder = tempFolder('gguf-model');
afterAll(() => {
  for (const child of started) child.kill();
});

/** Starts gguf-llm; answers its address, or its message when it ends. */
function start(...flags: readonly string[]): Promise<{ url: string } | { fault: string }> {
  const child = spawn(process.execPath, [MAIN, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let fault = '';
  child.stderr.on('data', (chunk: Buffer) => {
    fault += chunk.toString('utf8');
  });
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /listens on (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve({ url });
    });
    child.once('close', () => resolve({ fault }));
  });
}

const schema = {
  type: 'object',
  required: ['people', 'year'],
  additionalProperties: false,
  properties: {
    people: { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 30 } },
    year: { type: 'integer' },
  },
};

describe.skipIf(MODEL === undefined)(`a real model in gguf-llm (${WHY})`, () => {
  let url = '';
  let name = '';
  beforeAll(async () => {
    const source = `gguf:${MODEL}`;
    const server = await start('--model', source, '--embeddings', source, '--context', '1024');
    if ('fault' in server) throw new Error(server.fault);
    url = server.url;
    name = (await (await fetch(`${url}/health`)).json()).model;
  }, START_MS_MAX);

  const post = (path: string, body: object) =>
    fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const chat = (content: string, more: object = {}) =>
    post('chat/completions', { model: name, messages: [{ role: 'user', content }], ...more });

  it('answers, counts tokens and keeps to max_tokens', async () => {
    const body = await (await chat('Count from one to a hundred.', { max_tokens: 8 })).json();
    expect(body.choices[0].message.content).not.toBe('');
    expect(body.usage.completion_tokens).toBeLessThanOrEqual(8);
    expect(body.usage.prompt_tokens).toBeGreaterThan(5);
    expect(body.choices[0].finish_reason).toBe('length');
  });

  it('streams its answer in pieces', async () => {
    const answered = await chat('Say where Rome is.', { max_tokens: 12, stream: true });
    const events = (await answered.text()).trim().split('\n\n');
    expect(events.length).toBeGreaterThan(4);
    expect(events.at(-1)).toBe('data: [DONE]');
  });

  it('is bound to a JSON schema by a grammar', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const said = 'Ada met Bob in 1987. Name the people and the year.';
    const body = await (await chat(said, { response_format, max_tokens: 200 })).json();
    const validate = new Ajv2020().compile(schema);
    expect(validate(JSON.parse(body.choices[0].message.content))).toBe(true);
  });

  it('refuses messages longer than its context, and goes on', async () => {
    const refused = await chat('a long story '.repeat(2_000));
    expect(refused.status).toBe(400);
    expect((await refused.json()).error.code).toBe('context_length_exceeded');
    expect((await chat('Hi.', { max_tokens: 2 })).status).toBe(200);
  });

  it('embeds texts of equal meaning near each other', async () => {
    const input = ['The dog sleeps.', 'The dog sleeps.', 'Interest rates rose in March.'];
    const { data } = await (await post('embeddings', { model: name, input })).json();
    const [a, b, c] = data.map(({ embedding }: { embedding: number[] }) => embedding);
    const dot = (left: number[], right: number[]) =>
      left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
    expect(dot(a, a)).toBeCloseTo(1, 3);
    expect(dot(a, b)).toBeGreaterThan(dot(a, c));
  });

  it('names the fault of a damaged file', async () => {
    const path = join(folder, 'damaged.gguf');
    await writeFile(path, 'GGUF\u0003\0\0\0');
    await truncate(path, 4_096);
    expect(await start('--model', `gguf:${path}`)).toEqual({
      fault: expect.stringContaining(`${path} can not be loaded`),
    });
  });
});
