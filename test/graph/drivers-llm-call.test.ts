import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import type { ToolFault } from '../../src/common/tool-fault.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { llmDriver } from '../../src/platform/drivers/llm-call.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import { openScriptedLlm } from '../testkit/scripted-llm.ts';

type LlmOperation = Extract<DriverCall['operation'], { type: 'llm_call' }>;

const renderer = openRenderer();
let count = 0;

const llm = await openScriptedLlm();
const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
const driver = llmDriver({ egress, renderer });
afterAll(async () => {
  await Promise.all([egress.close(), renderer.close()]);
  await llm.close();
});

const KEY = 'sk-CANARY-0123456789';
const schema: JsonObject = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
};

/** A call to a model of its own, so that tests can run side by side. */
function world(api: 'openai' | 'anthropic' = 'openai', params: JsonObject = {}) {
  const model = `model-${++count}`;
  const connectionParams = {
    endpoint: llm[api],
    model,
    ...(api === 'anthropic' ? { api } : {}),
    ...params,
  };
  const target = { connectionParams, secret: { value: KEY, scope: null } };
  const spoken: string[] = [];
  const call = (operation: Partial<LlmOperation>, given: Partial<DriverCall<LlmOperation>> = {}) =>
    driver.invoke(
      driverCall(
        { type: 'llm_call', promptTemplate: 'Say {{word}}', ...operation } as LlmOperation,
        target,
        {
          inputs: { word: 'hello' },
          onText: (delta) => spoken.push(delta),
          onReset: () => spoken.push('<reset>'),
          ...given,
        },
      ),
    );
  const failure = (operation: Partial<LlmOperation>, given?: Partial<DriverCall<LlmOperation>>) =>
    call(operation, given).then(
      () => Promise.reject(new Error('It did not fail.')),
      (error: ToolFault) => error,
    );
  return { model, target, call, failure, spoken, requests: () => llm.requestsOf(model) };
}

describe.each(['openai', 'anthropic'] as const)('llm_call over %s (S4-TOOL-12)', (api) => {
  it('sends prompts, parameters and the Secret, and streams the answer', async () => {
    const { call, spoken, requests, model } = world(api, { temperature: 0.7, maxTokens: 4096 });
    llm.script({ text: ['Hel', 'lo ', 'there'], usage: { input: 12, output: 3 } }, model);
    const result = await call({ systemPrompt: 'You are {{word}}.' });
    expect(result).toEqual({
      output: 'Hello there',
      usage: { inputTokens: 12, outputTokens: 3, costUsd: null, llmCalls: 1, toolCalls: 0 },
    });
    expect(spoken).toEqual(['Hel', 'lo ', 'there']);
    const [request] = requests();
    expect(request).toMatchObject({
      api,
      system: 'You are hello.',
      messages: [{ role: 'user', content: 'Say hello' }],
      body: { temperature: 0.7, max_tokens: 4096, stream: true },
    });
    expect(request?.headers[api === 'openai' ? 'authorization' : 'x-api-key']).toBe(
      api === 'openai' ? `Bearer ${KEY}` : KEY,
    );
    expect(request?.headers[api === 'openai' ? 'x-api-key' : 'authorization']).toBeUndefined();
  });

  // S4-SEC-08
  it('shares a model between owners, and sends with each exchange its own Secret', async () => {
    const { call, target, requests } = world(api);
    const words = ['one', 'two', 'three', 'four'];
    await Promise.all(
      words.map((word) => {
        const secret = { value: `sk-of-${word}`, scope: null };
        return call(
          {},
          { inputs: { word }, target: driverTarget('llm_call', { ...target, secret }) },
        );
      }),
    );
    const name = api === 'openai' ? 'authorization' : 'x-api-key';
    const sent = requests().map(({ messages, headers }) => [messages[0]?.content, headers[name]]);
    expect(new Map(sent as [string, string][])).toEqual(
      new Map(
        words.map((word) => [`Say ${word}`, `${api === 'openai' ? 'Bearer ' : ''}sk-of-${word}`]),
      ),
    );
  });

  it('puts the messages between the prompts, and the output budget below maxTokens', async () => {
    const { call, requests } = world(api, { maxTokens: 500 });
    const history = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'One' },
      { role: 'agent', content: 'Two' },
      { role: 'assistant', content: '' },
    ];
    await call(
      { messages: 'history', systemPrompt: 'Count.' },
      { inputs: { word: 'three', history }, maxOutputTokens: 40 },
    );
    expect(requests()[0]).toMatchObject({
      system: 'Count.\n\nBe brief.',
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Two' },
        { role: 'user', content: 'Say three' },
      ],
      body: { max_tokens: 40 },
    });
  });

  it('gives the object of responseSchema, coerced', async () => {
    const { call, model } = world(api);
    llm.script({ text: ['{"name": "Ada", ', '"age": "36"}'] }, model);
    expect((await call({ responseSchema: schema })).output).toEqual({ name: 'Ada', age: 36 });
  });

  it('states a schema in words only where the server refuses it', async () => {
    const { call, model, requests } = world(api);
    const refused = { status: 400, errorMessage: 'Invalid schema for response_format: age' };
    const answer = { text: '{"name":"Ada","age":36}' };
    llm.script([refused, answer, answer], model);
    expect((await call({ responseSchema: schema })).output).toEqual({ name: 'Ada', age: 36 });
    expect((await call({ responseSchema: schema })).output).toEqual({ name: 'Ada', age: 36 });
    const formats = requests().map(({ body }) =>
      api === 'openai' ? body['response_format'] : body['tools'],
    );
    expect(formats).toEqual([expect.anything(), undefined, undefined]);
    // A server that is sent the schema is told its shape only.
    expect(requests()[0]?.system).toContain('{name: string, age: number}');
    expect(requests()[0]?.system).not.toContain('"age"');
    expect(requests()[1]?.system).toContain(JSON.stringify(schema));
    // Any server takes the schema without strict mode, which wants every property to be required.
    if (api === 'openai') expect(formats[0]).toMatchObject({ json_schema: { strict: false } });
  });

  it.each([
    ['not JSON', { text: 'I would say Ada.' }, /not valid JSON/],
    ['empty', { text: '' }, /empty/],
    ['cut off', { text: '{"name": "A', finish: 'length' as const }, /cut off/],
    ['unfitting', { text: '{"name": "Ada"}' }, /age/],
  ])('repairs an answer that is %s, once, counting both rounds', async (_what, bad, why) => {
    const { call, model, requests, spoken } = world(api, {
      pricing: { inputPerMillion: 1_000, outputPerMillion: 2_000 },
    });
    llm.script(
      [
        { ...bad, usage: { input: 10, output: 5 } },
        { text: '{"name":"Ada","age":36}', usage: { input: 30, output: 7 } },
      ],
      model,
    );
    const { output, usage } = await call({ responseSchema: schema });
    expect(output).toEqual({ name: 'Ada', age: 36 });
    expect(usage).toEqual({
      inputTokens: 40,
      outputTokens: 12,
      costUsd: 0.064,
      llmCalls: 2,
      toolCalls: 0,
    });
    expect(requests()[1]?.messages.at(-1)?.content).toMatch(why);
    expect(spoken.join('')).toMatch(/<reset>\{"name":"Ada","age":36\}$/);
  });

  it('gives up after one repair, and the usage of both rounds is not lost', async () => {
    const { failure, model, requests } = world(api);
    llm.script(
      [
        { text: 'no', usage: { input: 10, output: 5 } },
        { text: 'still no', usage: { input: 20, output: 6 } },
        { text: '{}' },
      ],
      model,
    );
    expect(await failure({ responseSchema: schema })).toMatchObject({
      code: 'OUTPUT_INVALID',
      retryable: false,
      usage: { inputTokens: 30, outputTokens: 11, llmCalls: 2 },
    });
    expect(requests()).toHaveLength(2);
  });

  it('tells by the status whether another attempt helps', async () => {
    for (const status of [429, 503, 529, 408, 400, 401, 404]) {
      const { failure, model, requests } = world(api);
      const errorMessage = 'the provider says no';
      llm.script({ status, errorMessage, headers: { 'retry-after': '7' } }, model);
      expect(await failure({})).toMatchObject({
        code: 'TOOL_FAILED',
        retryable: [429, 503, 529, 408].includes(status),
        retryAfterMs: 7_000,
        usage: { llmCalls: 1, inputTokens: 0 },
        message: expect.stringContaining(errorMessage),
      });
      expect(requests()).toHaveLength(1);
    }
  });

  it('counts tokens itself where the answer breaks off or the provider says nothing', async () => {
    const { failure, call, model } = world(api);
    llm.script({ text: ['Once upon ', 'a time'], cutAfter: 1 }, model);
    const fault = await failure({});
    expect(fault).toMatchObject({ code: 'TOOL_FAILED', retryable: true });
    expect(fault.usage?.inputTokens).toBeGreaterThan(2);
    expect(fault.usage?.outputTokens).toBeGreaterThan(1);
    llm.script({ text: 'Once upon a time', usage: null }, model);
    const { usage } = await call({});
    expect(usage.outputTokens).toBeGreaterThanOrEqual(4);
    expect(usage.inputTokens).toBeGreaterThan(2);
  });

  it('takes a stream without its last event for an answer that broke off', async () => {
    const { failure, model } = world(api);
    llm.script({ text: ['Once upon ', 'a time'], endsEarly: true }, model);
    expect(await failure({})).toMatchObject({ code: 'TOOL_FAILED', retryable: true });
  });

  it('an abort stops the stream, closes the socket and counts the tokens so far', async () => {
    const { failure, model, spoken } = world(api);
    llm.script({ text: Array.from({ length: 1_000 }, () => 'word '), delayMs: 50 }, model);
    const abort = new AbortController();
    const before = llm.openSockets();
    const failed = failure({}, { signal: abort.signal });
    await expect.poll(() => spoken.length).toBeGreaterThan(2);
    abort.abort();
    const fault = await failed;
    expect(fault.code).toBe('CANCELLED');
    expect(fault.usage?.outputTokens).toBeGreaterThan(1);
    await expect.poll(() => llm.openSockets()).toBeLessThanOrEqual(before);
  });

  it('a model that says nothing is worth another attempt', async () => {
    const { failure, model } = world(api);
    llm.script({ text: '', usage: { input: 9, output: 1 } }, model);
    const expected = { code: 'TOOL_FAILED', retryable: true, usage: { inputTokens: 9 } };
    expect(await failure({})).toMatchObject(expected);
  });

  it('the Secret never comes back in a text, in pieces of a stream or in an error', async () => {
    const { call, failure, model, spoken } = world(api);
    llm.script(
      [
        { text: ['your key is sk-CAN', 'ARY-0123', '456789!'] },
        { status: 400, errorMessage: `bad key ${KEY}` },
      ],
      model,
    );
    expect((await call({})).output).toBe('your key is [REDACTED]!');
    expect(spoken.join('')).toBe('your key is [REDACTED]!');
    const fault = await failure({});
    expect(`${fault.stack} ${JSON.stringify(fault)}`).not.toContain('CANARY');
  });
});

describe('llm_call', () => {
  it('tells reasoning apart from text', async () => {
    const { call, model, spoken } = world();
    llm.script({ reasoning: 'Let me think.', text: 'Four.' }, model);
    const thought: string[] = [];
    expect((await call({}, { onReasoning: (delta) => thought.push(delta) })).output).toBe('Four.');
    expect([thought.join(''), spoken.join('')]).toEqual(['Let me think.', 'Four.']);
  });

  it('refuses messages that are none, and a prompt of nothing', async () => {
    const { failure } = world();
    expect(
      await failure({ messages: 'history' }, { inputs: { word: '', history: [{ role: 'god' }] } }),
    ).toMatchObject({ code: 'INPUT_INVALID' });
    expect(await failure({ promptTemplate: '{{word}}' }, { inputs: {} })).toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('goes through egress: no metadata service, no dead port', async () => {
    expect(
      await world('openai', { endpoint: 'http://169.254.169.254/v1' }).failure({}),
    ).toMatchObject({ code: 'EGRESS_DENIED', retryable: false });
    expect(await world('openai', { endpoint: 'http://127.0.0.1:1/v1' }).failure({})).toMatchObject({
      code: 'TOOL_FAILED',
      retryable: true,
    });
  });

  it('probes GET /models, never a completion', async () => {
    const { target, requests } = world();
    const signal = new AbortController().signal;
    const probe = () => driver.probe(driverTarget('llm_call', target), signal);
    expect(await probe()).toEqual({ status: 'healthy', errorMessage: null });
    llm.setModelsStatus(500);
    expect(await probe()).toMatchObject({ status: 'down' });
    llm.setModelsStatus(401);
    expect(await probe()).toMatchObject({ status: 'down' });
    // It answers, and has no list: whether it knows the model is unknown.
    llm.setModelsStatus(404);
    expect(await probe()).toEqual({ status: 'healthy', errorMessage: null, tells: 'answer' });
    llm.setModelsStatus(200);
    expect(requests()).toHaveLength(0);
  });

  it('tells of a model that the provider neither lists nor finds', async () => {
    const { signal } = new AbortController();
    const statusOf = (model: string) => {
      const target = { connectionParams: { endpoint: llm.openai, model } };
      return driver.probe(driverTarget('llm_call', target), signal);
    };
    expect(await statusOf('scripted')).toEqual({ status: 'healthy', errorMessage: null });
    expect(await statusOf('an-alias')).toEqual({ status: 'healthy', errorMessage: null });
    expect(await statusOf('unknown-1')).toEqual({
      status: 'degraded',
      errorMessage: 'The provider does not know the model unknown-1. It lists scripted.',
    });
  });
});
