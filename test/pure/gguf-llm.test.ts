import { afterAll, describe, expect, it } from 'vitest';
import { grammarSchemaOf } from '../../packages/gguf-llm/src/grammar-schema.ts';
import type { ChatJob, ChatModel } from '../../packages/gguf-llm/src/model.ts';
import { type GgufServer, startGgufServer } from '../../packages/gguf-llm/src/server.ts';
import { ApiError } from '../../packages/local-llm/src/api-error.ts';

const opened: GgufServer[] = [];
afterAll(() => Promise.all(opened.map((server) => server.close())));

/** A model that a test answers for. */
function chatModel(answer: (job: ChatJob) => Promise<void> | void): ChatModel {
  return {
    name: 'small',
    contextTokens: 100,
    async chat(job) {
      await answer(job);
      return { finishReason: 'stop', promptTokens: 5, completionTokens: 2 };
    },
  };
}

async function serve(answer: (job: ChatJob) => Promise<void> | void, queueLimit = 32) {
  const server = await startGgufServer({
    chat: chatModel(answer),
    embeddings: {
      name: 'small-embed',
      dimensions: 2,
      embed: async (text) => ({ vector: [text.length, 0.5], tokens: 3 }),
    },
    name: 'here',
    queueLimit,
  });
  opened.push(server);
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...init,
    });
  const chat = (more: object = {}, init: RequestInit = {}) =>
    post(
      '/v1/chat/completions',
      { model: 'small', messages: [{ role: 'user', content: 'Hi' }], ...more },
      init,
    );
  return { url: server.url, post, chat };
}

describe('gguf-llm', () => {
  it('answers whole and streamed, with usage and reasoning apart', async () => {
    const { chat } = await serve(({ onText, onReasoning }) => {
      onReasoning('hm');
      onText('Hel');
      onText('lo');
    });
    expect(await (await chat()).json()).toMatchObject({
      object: 'chat.completion',
      model: 'small',
      choices: [{ message: { content: 'Hello', reasoning_content: 'hm' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
    const streamed = await chat({ stream: true, stream_options: { include_usage: true } });
    expect(streamed.headers.get('content-type')).toContain('text/event-stream');
    const events = (await streamed.text()).trim().split('\n\n');
    expect(events.at(-1)).toBe('data: [DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)));
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { reasoning_content: 'hm' },
      { content: 'Hel' },
      { content: 'lo' },
      {},
      undefined,
    ]);
    expect(chunks.at(-1).usage.total_tokens).toBe(7);
  });

  it('gives the model roles, schema, limits and sampling', async () => {
    const jobs: ChatJob[] = [];
    const { chat } = await serve((job) => {
      jobs.push(job);
    });
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    await chat({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: 'Yes?' },
      ],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
      max_completion_tokens: 9,
      temperature: 0.2,
      stop: 'END',
    });
    expect(jobs[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?' },
      ],
      schema,
      maxTokens: 9,
      temperature: 0.2,
      stop: ['END'],
    });
  });

  it('embeds texts, also as base64', async () => {
    const { post } = await serve(() => {});
    const asked = { model: 'small-embed', input: ['four', 'seven77'] };
    expect(await (await post('/v1/embeddings', asked)).json()).toMatchObject({
      data: [{ embedding: [4, 0.5] }, { index: 1, embedding: [7, 0.5] }],
      usage: { total_tokens: 6 },
    });
    const { data } = await (
      await post('/v1/embeddings', { ...asked, encoding_format: 'base64' })
    ).json();
    const bytes = Buffer.from(data[0].embedding, 'base64');
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([4, 0.5]);
  });

  it('lets a limited number wait, in order, and tells others when to come again', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const order: string[] = [];
    const { url, chat } = await serve(async ({ messages }) => {
      order.push(messages[0]?.content ?? '');
      begin();
      await gate;
    }, 1);
    const say = (content: string) => chat({ messages: [{ role: 'user', content }] });
    const first = say('first');
    await begun;
    const second = say('second');
    const queued = async () => (await (await fetch(`${url}/health`)).json()).queues.chat;
    await expect.poll(queued).toEqual({ running: 1, waiting: 1, limit: 1 });
    const refused = await say('third');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await refused.json()).error.code).toBe('queue_full');
    open();
    expect((await first).status).toBe(200);
    expect((await second).status).toBe(200);
    expect(order).toEqual(['first', 'second']);
  });

  it('stops for a caller that left, and goes on with the next', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    let isFirst = true;
    const { chat } = await serve(async ({ signal, onText }) => {
      if (!isFirst) return onText('next');
      isFirst = false;
      begin();
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stop();
          reject(signal.reason);
        });
      });
    });
    const leaver = new AbortController();
    const left = chat({ stream: true }, { signal: leaver.signal }).catch(() => null);
    await begun;
    leaver.abort();
    await stopped;
    await left;
    expect((await (await chat()).json()).choices[0].message.content).toBe('next');
  });

  it('refuses in the form of OpenAI, also in the middle of a stream', async () => {
    const { url, post, chat } = await serve(({ onText, stop }) => {
      if (stop.includes('half')) onText('Half');
      throw new ApiError(400, 'context_length_exceeded', 'Too long.', 'messages');
    });
    const codeOf = async (response: Promise<Response>) => {
      const answered = await response;
      return [answered.status, (await answered.json()).error.code];
    };
    expect(await codeOf(chat())).toEqual([400, 'context_length_exceeded']);
    expect(await codeOf(chat({ model: 'other' }))).toEqual([404, 'model_not_found']);
    expect(await codeOf(chat({ n: 2 }))).toEqual([400, 'unsupported_value']);
    expect(await codeOf(chat({ messages: [] }))).toEqual([400, 'invalid_value']);
    const tools = [{ type: 'function', function: { name: 'now' } }];
    expect(await codeOf(chat({ tools }))).toEqual([400, 'unsupported_parameter']);
    expect(await codeOf(chat({ tool_choice: 'required' }))).toEqual([400, 'unsupported_parameter']);
    const picture = [{ role: 'user', content: [{ type: 'image_url' }] }];
    expect(await codeOf(chat({ messages: picture }))).toEqual([400, 'unsupported_content']);
    expect(await codeOf(post('/v1/embeddings', { model: 'small-embed', input: '' }))).toEqual([
      400,
      'invalid_value',
    ]);
    expect(await codeOf(fetch(`${url}/v1/none`))).toEqual([404, 'not_found']);
    expect(await codeOf(fetch(`${url}/v1/chat/completions`))).toEqual([405, 'method_not_allowed']);
    expect(
      await codeOf(fetch(`${url}/health`, { headers: { origin: 'https://web.example' } })),
    ).toEqual([403, 'forbidden']);
    expect(await codeOf(chat({}, { body: '{' }))).toEqual([400, 'invalid_json']);
    const half = await (await chat({ stream: true, stop: ['half'] })).text();
    expect(half).toContain('"content":"Half"');
    expect(half).toContain('"code":"context_length_exceeded"');
    expect(half).not.toContain('[DONE]');
  });

  it('says its model, its context and its queues', async () => {
    const { url } = await serve(() => {});
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
      status: 'ok',
      name: 'here',
      model: 'small',
      contextTokens: 100,
      embeddings: 'small-embed',
    });
    const { data } = await (await fetch(`${url}/v1/models`)).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual(['small', 'small-embed']);
  });
});

describe('the grammar of a schema', () => {
  it('keeps the keywords that llama.cpp can bind an answer to', () => {
    expect(
      grammarSchemaOf({
        type: 'object',
        required: ['name'],
        $defs: { when: { type: ['string', 'null'], format: 'date-time' } },
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 5_000, pattern: '^A' },
          kind: { enum: ['Person', null] },
          at: { $ref: '#/$defs/when' },
          facts: { type: 'array', maxItems: 500, items: { type: 'integer' } },
          facets: { type: 'object', additionalProperties: { type: 'array' } },
        },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        kind: { enum: ['Person', null] },
        at: { oneOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        facts: { type: 'array', items: { type: 'integer' }, maxItems: 30 },
        facets: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'string' }, maxItems: 30 },
          maxProperties: 30,
        },
      },
    });
  });

  it('ends where a schema names itself', () => {
    const schema = {
      $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } },
      $ref: '#/$defs/a',
    };
    expect(JSON.stringify(grammarSchemaOf(schema)).length).toBeLessThan(2_000);
  });
});
