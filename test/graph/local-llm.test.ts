import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany, generateText, jsonSchema, Output, streamText } from 'ai';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalLlm, startLocalLlm } from '../../packages/local-llm/src/server.ts';
import { freePort } from '../../src/host/ports.ts';
import { startLocalLlmProcess } from '../../src/main/local-llm-process.ts';

const TEXT =
  'Marie Curie was born in Warsaw in 1867. She moved to Paris. Acme Corp. acquired Globex.';
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['entities', 'summary'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    entities: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'type'],
        properties: {
          name: { type: 'string' },
          type: { enum: ['Person', 'Place', 'Organization', 'Other'] },
        },
      },
    },
  },
} as const;

let server: LocalLlm;
let slow: LocalLlm;
beforeAll(async () => {
  server = await startLocalLlm();
  slow = await startLocalLlm({ wordDelayMs: 20 });
});
afterAll(async () => {
  await Promise.all([server.close(), slow.close()]);
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
const chat = (extra: object = {}) => ({
  model: 'local-extractive-1',
  messages: [{ role: 'user', content: `<context>${TEXT}</context>\nWhere was Marie Curie born?` }],
  ...extra,
});

describe('the local model over HTTP', () => {
  it('answers a chat completion in the form of OpenAI, the same each time', async () => {
    const first = await post('/v1/chat/completions', chat());
    const second = await post('/v1/chat/completions', chat());
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      object: 'chat.completion',
      model: 'local-extractive-1',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'Marie Curie was born in Warsaw in 1867.' },
        },
      ],
    });
    const { prompt_tokens, completion_tokens, total_tokens } = first.body.usage;
    expect(prompt_tokens).toBeGreaterThan(completion_tokens);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect({ ...second.body, created: 0 }).toEqual({ ...first.body, created: 0 });
  });

  it('streams a word a chunk, the usage when asked, and [DONE]', async () => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chat({ stream: true, stream_options: { include_usage: true } })),
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')));
    const words = chunks.flatMap(({ choices }) =>
      choices.flatMap((choice: { delta: { content?: string } }) => choice.delta.content ?? []),
    );
    expect(words.filter((word) => word !== '')).toEqual([
      'Marie',
      ' Curie',
      ' was',
      ' born',
      ' in',
      ' Warsaw',
      ' in',
      ' 1867.',
    ]);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: expect.any(Number) },
    });
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop');
  });

  it('stops at max_tokens and at stop sequences', async () => {
    const short = await post('/v1/chat/completions', chat({ max_tokens: 3 }));
    expect(short.body.choices[0]).toMatchObject({
      finish_reason: 'length',
      message: { content: 'Marie Cur' },
    });
    expect(short.body.usage.completion_tokens).toBe(3);
    const stopped = await post('/v1/chat/completions', chat({ stop: ' in ' }));
    expect(stopped.body.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: 'Marie Curie was born' },
    });
  });

  it('lists its models and is healthy', async () => {
    const models = await (await fetch(`${server.url}/v1/models`)).json();
    expect(models.data.map(({ id }: { id: string }) => id)).toEqual([
      'local-extractive-1',
      'local-embedding-100',
    ]);
    expect((await fetch(`${server.url}/v1/models/local-extractive-1`)).status).toBe(200);
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({
      status: 'ok',
      name: null,
      streams: 0,
    });
  });

  it.each([
    ['an unknown model', '/v1/chat/completions', chat({ model: 'gpt-5' }), 404, 'model_not_found'],
    ['no messages', '/v1/chat/completions', chat({ messages: [] }), 400, 'invalid_value'],
    [
      'a recording',
      '/v1/chat/completions',
      chat({
        messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: '' } }] }],
      }),
      400,
      'unsupported_content',
    ],
    [
      'a forced tool call',
      '/v1/chat/completions',
      chat({ tools: [], tool_choice: 'required' }),
      400,
      'unsupported_parameter',
    ],
    ['several answers', '/v1/chat/completions', chat({ n: 3 }), 400, 'unsupported_value'],
    [
      'too much text',
      '/v1/chat/completions',
      chat({ messages: [{ role: 'user', content: 'x '.repeat(150_000) }] }),
      400,
      'context_length_exceeded',
    ],
    ['what is no JSON', '/v1/chat/completions', '{"model":', 400, 'invalid_json'],
    [
      'other dimensions',
      '/v1/embeddings',
      { model: 'local-embedding-100', input: 'a', dimensions: 1536 },
      400,
      'unsupported_value',
    ],
    [
      'an empty text',
      '/v1/embeddings',
      { model: 'local-embedding-100', input: ['a', ''] },
      400,
      'invalid_value',
    ],
    [
      'token numbers',
      '/v1/embeddings',
      { model: 'local-embedding-100', input: [1, 2] },
      400,
      'unsupported_value',
    ],
    ['an unknown path', '/v1/images', {}, 404, 'not_found'],
    ['an unknown method', '/v1/models', {}, 405, 'method_not_allowed'],
  ])('refuses %s with a clear error', async (_what, path, body, status, code) => {
    const refused = await post(path, body);
    expect(refused.status).toBe(status);
    expect(refused.body.error).toMatchObject({
      type: 'invalid_request_error',
      code,
      message: expect.stringMatching(/\w{3}/),
    });
  });

  it('refuses web pages, forms and bodies over the limit', async () => {
    expect(
      (await post('/v1/chat/completions', chat(), { origin: 'https://example.org' })).status,
    ).toBe(403);
    expect(
      (await post('/v1/chat/completions', chat(), { 'content-type': 'text/plain' })).status,
    ).toBe(415);
    expect((await post('/v1/chat/completions', `"${'x'.repeat(9 * 1024 * 1024)}"`)).status).toBe(
      413,
    );
  });

  it('stops speaking when the client leaves, and goes on answering others', async () => {
    const text = Array.from(
      { length: 400 },
      (_, index) => `Point ${index} tells of the telescope number ${index}.`,
    ).join(' ');
    const body = JSON.stringify({
      model: 'local-extractive-1',
      stream: true,
      messages: [{ role: 'user', content: `Summarise in 100 sentences: ${text}` }],
    });
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(
        `${slow.url}/v1/chat/completions`,
        { method: 'POST', headers: { 'content-type': 'application/json' } },
        (response) => {
          response.once('data', () => {
            outgoing.destroy();
            resolve();
          });
          response.on('error', () => {});
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    // Spoken to the end it would take 16 s.
    await expect
      .poll(async () => (await (await fetch(`${slow.url}/health`)).json()).streams, {
        timeout: 12_000,
      })
      .toBe(0);
  });
});

describe('the local model behind the ai SDK', () => {
  const provider = (server_: LocalLlm) =>
    createOpenAICompatible({
      name: 'local',
      baseURL: `${server_.url}/v1`,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });

  it('streams text as it speaks, with usage', async () => {
    const result = streamText({
      model: provider(slow)('local-extractive-1'),
      prompt: `<context>${TEXT}</context>\nWhere was Marie Curie born?`,
    });
    const words: { text: string; atMs: number }[] = [];
    for await (const text of result.textStream) words.push({ text, atMs: performance.now() });
    expect(words.map(({ text }) => text).join('')).toBe('Marie Curie was born in Warsaw in 1867.');
    // Eight words 20 ms apart: they come one by one, not at the end.
    expect((words.at(-1)?.atMs ?? 0) - (words[0]?.atMs ?? 0)).toBeGreaterThan(80);
    expect((await result.usage).outputTokens).toBeGreaterThan(5);
  });

  it('fills a schema with what is valid by ajv', async () => {
    const { output } = await generateText({
      model: provider(server)('local-extractive-1'),
      system: 'Extract what the text says.',
      prompt: TEXT,
      output: Output.object({
        schema: jsonSchema<{ entities: { name: string; type: string }[]; summary: string }>(
          SCHEMA as never,
        ),
      }),
    });
    const ajv = new Ajv2020({ ownProperties: true });
    expect(ajv.validate(SCHEMA, output), ajv.errorsText()).toBe(true);
    expect(output.entities).toContainEqual({ name: 'Warsaw', type: 'Place' });
  });

  it('embeds a batch in 100 dimensions, near where the meaning is near', async () => {
    const { embeddings } = await embedMany({
      model: provider(server).embeddingModel('local-embedding-100'),
      values: [
        'A maker of telescopes',
        'company building optical instruments',
        'We had pasta for dinner',
      ],
    });
    const [maker = [], builder = [], pasta = []] = embeddings;
    const cosine = (left: number[], right: number[]) =>
      left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
    expect(maker).toHaveLength(100);
    expect(Math.hypot(...maker)).toBeCloseTo(1, 4);
    expect(cosine(maker, builder)).toBeGreaterThan(0.5);
    expect(cosine(maker, pasta)).toBeLessThan(0.3);
    // On a machine where nobody has yet, it makes its compact word vectors first.
  });
});

describe('the local model of an installation', () => {
  it('is shared by its processes, and left alone by another installation on the machine', async () => {
    const [home, other] = await Promise.all([newFolder(), newFolder()]);
    const port = await freePort(0, new Set());
    const first = await startLocalLlmProcess(home, port);
    const [again, second] = await Promise.all([
      startLocalLlmProcess(home, port),
      startLocalLlmProcess(other, port),
    ]);
    try {
      expect([first.isOurs, again.isOurs, second.isOurs]).toEqual([true, false, true]);
      expect([again.port, second.port > port]).toEqual([port, true]);
      // The first installation stops: the other's goes on.
      await first.stop();
      expect((await fetch(`${second.url}/models`)).status).toBe(200);
      await expect(fetch(`${first.url}/models`)).rejects.toThrow();
    } finally {
      await Promise.all([first.stop(), second.stop()]);
      await Promise.all([home, other].map((folder) => rm(folder, { recursive: true })));
    }
  });
});

const newFolder = () => mkdtemp(join(tmpdir(), 'aiden-local-llm-'));
