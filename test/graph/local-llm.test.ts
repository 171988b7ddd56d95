import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startLocalLlm } from '../../packages/local-llm/src/server.ts';
import { freePort } from '../../src/host/ports.ts';
import { startLocalLlmProcess } from '../../src/main/local-llm-process.ts';

const TEXT =
  'Marie Curie was born in Warsaw in 1867. She moved to Paris. Acme Corp. acquired Globex.';

const server = await startLocalLlm();
const slow = await startLocalLlm({ wordDelayMs: 20 });
afterAll(async () => {
  await Promise.all([server.close(), slow.close()]);
});

const CHAT = '/v1/chat/completions';
const MODEL = 'local-extractive-1';
const json = { 'content-type': 'application/json' };
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
async function post(...given: Parameters<typeof send>) {
  const response = await send(...given);
  return { status: response.status, body: await response.json() };
}
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const QUESTION = `<context>${TEXT}</context>\nWhere was Marie Curie born?`;
const ANSWER = 'Marie Curie was born in Warsaw in 1867.';
const chat = (extra: object = {}) => ({ model: MODEL, ...user(QUESTION), ...extra });

describe('the local model over HTTP', () => {
  it('answers a chat completion in the form of OpenAI, the same each time', async () => {
    const [first, second] = [await post(CHAT, chat()), await post(CHAT, chat())];
    expect(first.status).toBe(200);
    const message = { role: 'assistant', content: ANSWER };
    expect(first.body).toMatchObject({
      object: 'chat.completion',
      model: MODEL,
      choices: [{ index: 0, finish_reason: 'stop', message }],
    });
    const { prompt_tokens, completion_tokens, total_tokens } = first.body.usage;
    expect(prompt_tokens).toBeGreaterThan(completion_tokens);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect({ ...second.body, created: 0 }).toEqual({ ...first.body, created: 0 });
  });

  it('streams a word a chunk, the usage when asked, and [DONE]', async () => {
    const body = chat({ stream: true, stream_options: { include_usage: true } });
    const response = await send(CHAT, body);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const lines = (await response.text()).split('\n\n').filter((line) => line !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')));
    const words = chunks.flatMap(({ choices }) =>
      choices.flatMap((choice: { delta: { content?: string } }) => choice.delta.content ?? []),
    );
    expect(words.filter((word) => word !== '')).toEqual(ANSWER.split(/(?= )/));
    const usage = { completion_tokens: expect.any(Number) };
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop');
  });

  it('stops at max_tokens and at stop sequences', async () => {
    const cut = (await post(CHAT, chat({ max_tokens: 3 }))).body;
    const expected = { finish_reason: 'length', message: { content: 'Marie Cur' } };
    expect(cut.choices[0]).toMatchObject(expected);
    expect(cut.usage.completion_tokens).toBe(3);
    const stopped = await post(CHAT, chat({ stop: ' in ' }));
    const content = 'Marie Curie was born';
    expect(stopped.body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content } });
  });

  it('lists its models and is healthy', async () => {
    const get = (path: string) => fetch(server.url + path);
    const models = await (await get('/v1/models')).json();
    const expected = [MODEL, 'local-embedding-512'];
    expect(models.data.map(({ id }: { id: string }) => id)).toEqual(expected);
    expect((await get(`/v1/models/${MODEL}`)).status).toBe(200);
    const health = await (await get('/health')).json();
    expect(health).toEqual({ status: 'ok', name: null, streams: 0 });
  });

  const recording = [{ type: 'input_audio', input_audio: { data: '' } }];
  const embed = (input: unknown, more: object = {}) => ({
    model: 'local-embedding-512',
    input,
    ...more,
  });
  it('embeds a batch in 512 dimensions, near where the meaning is near', async () => {
    const texts = ['A maker of telescopes', 'company building optical instruments', 'We had pasta'];
    const { body } = await post('/v1/embeddings', embed(texts));
    const vectors: number[][] = body.data.map(
      ({ embedding }: { embedding: number[] }) => embedding,
    );
    const [maker = [], builder = [], pasta = []] = vectors;
    const cosine = (left: number[], right: number[]) =>
      left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
    expect(maker).toHaveLength(512);
    expect(Math.hypot(...maker)).toBeCloseTo(1, 4);
    expect(cosine(maker, builder)).toBeGreaterThan(0.3);
    expect(cosine(maker, pasta)).toBeLessThan(0.2);
  });

  it.each([
    ['an unknown model', CHAT, chat({ model: 'gpt-5' }), 404, 'model_not_found'],
    ['no messages', CHAT, chat({ messages: [] }), 400, 'invalid_value'],
    ['a recording', CHAT, chat(user(recording)), 400, 'unsupported_content'],
    [
      'a forced call',
      CHAT,
      chat({ tools: [], tool_choice: 'required' }),
      400,
      'unsupported_parameter',
    ],
    ['several answers', CHAT, chat({ n: 3 }), 400, 'unsupported_value'],
    ['too much text', CHAT, chat(user('x '.repeat(150_000))), 400, 'context_length_exceeded'],
    ['text that is no JSON', CHAT, '{"model":', 400, 'invalid_json'],
    ['other dimensions', '/v1/embeddings', embed('a', { dimensions: 9 }), 400, 'unsupported_value'],
    ['an empty text', '/v1/embeddings', embed(['a', '']), 400, 'invalid_value'],
    ['token numbers', '/v1/embeddings', embed([1, 2]), 400, 'unsupported_value'],
    ['an unknown path', '/v1/images', {}, 404, 'not_found'],
    ['an unknown method', '/v1/models', {}, 405, 'method_not_allowed'],
  ])('refuses %s with a clear error', async (_, path, body, status, code) => {
    const refused = await post(path, body);
    expect(refused.status).toBe(status);
    const message = expect.stringMatching(/\w{3}/);
    expect(refused.body.error).toMatchObject({ type: 'invalid_request_error', code, message });
  });

  it('refuses web pages, forms and bodies over the limit', async () => {
    for (const [headers, body, status] of [
      [{ origin: 'https://example.org' }, chat(), 403],
      [{ 'content-type': 'text/plain' }, chat(), 415],
      [{}, `"${'x'.repeat(9 * 1024 * 1024)}"`, 413],
    ] as const)
      expect((await send(CHAT, body, { ...headers })).status).toBe(status);
  });

  it('stops speaking when the client leaves, and goes on answering others', async () => {
    const points = Array.from({ length: 400 }, (_, n) => `Point ${n} is of the telescope ${n}.`);
    const prompt = `Summarise in 100 sentences: ${points.join(' ')}`;
    const body = JSON.stringify({ model: MODEL, stream: true, ...user(prompt) });
    await new Promise<void>((resolve, reject) => {
      const outgoing = request(slow.url + CHAT, { method: 'POST', headers: json }, (response) => {
        response.once('data', () => {
          outgoing.destroy();
          resolve();
        });
        response.on('error', () => {});
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    // Spoken to the end it would take 16 s.
    const streams = async () => (await (await fetch(`${slow.url}/health`)).json()).streams;
    await expect.poll(streams, { timeout: 12_000 }).toBe(0);
  });
});

describe('the local model of an installation', () => {
  it('is shared by its processes, and no other installation touches it', async () => {
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
