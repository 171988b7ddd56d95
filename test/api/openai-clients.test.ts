import OpenAI, { APIError, NotFoundError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls, toolResultsIn, toolsIn } from '../testkit/agents.ts';
import { freshName, client as signsIn, type TestClient } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// docs/decisions/0069, with the official client of OpenAI against the running product.

let ada: TestClient;
let talk: TalkWorld;
let openai: OpenAI;
let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
  ada = signsIn(freshName('ada'));
  talk = await talkWorld(ada);
  openai = clientOf(ada);
});
afterAll(() => Promise.all([talk.close(), rest.close()]));

const originOf = ({ url }: TestClient) => new URL(url).origin;

function clientOf(api: TestClient, more: object = {}): OpenAI {
  const apiKey = api.authorization.replace('Bearer ', '');
  return new OpenAI({ apiKey, baseURL: `${originOf(api)}/v1`, maxRetries: 0, ...more });
}

const hello = [{ role: 'user' as const, content: 'Hello?' }];

async function statusOf(runId: string): Promise<string> {
  const processRun = await ada.find<{ status: string }>('processRun', runId, 'status');
  return processRun.status;
}

/** A Process with a Tool that greets, offered to its model, beside the speaker it answers by. */
async function agent(): Promise<Speaker> {
  const speaker = await talk.speaker();
  const { toolId } = await runWorld(ada, rest);
  const step = {
    stepId: 'answer',
    calls: { toolId: speaker.toolId },
    inputs: { messages: '{context.messages}' },
    output: { variable: 'answer' },
    tools: [{ toolId, name: 'greet' }],
  };
  const { userErrors } = await ada.mutate('updateProcess', {
    id: speaker.processId,
    steps: [step],
  });
  expect(userErrors).toEqual([]);
  return speaker;
}

describe('models', () => {
  it('are the Processes that answer messages and that the caller may run', async () => {
    const { processName } = await talk.speaker();
    const models = (await openai.models.list()).data;
    const ids = models.map(({ id }) => id);
    expect(ids).toContain(processName);
    expect(ids).toContain('chat');
    expect(ids).toContain('assistant');
    expect(ids).not.toContain('introspect');
    expect(models.find(({ id }) => id === 'chat')).toMatchObject({
      object: 'model',
      owned_by: 'system',
    });
    const others = (await clientOf(signsIn(freshName('bob'))).models.list()).data;
    expect(others.map(({ id }) => id)).not.toContain(processName);
    expect(await openai.models.retrieve(processName)).toMatchObject({ id: processName });
    await expect(openai.models.retrieve('none')).rejects.toThrow(NotFoundError);
  });
});

describe('a completion', () => {
  it('answers whole, with usage, from the messages of the caller', async () => {
    const speaker = await talk.speaker();
    speaker.says({ text: 'Hello, Ada.', usage: { input: 12, output: 5 } });
    const answer = await openai.chat.completions.create({
      model: speaker.processName,
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'I am Ada.' }] },
        { role: 'assistant', content: 'Noted.' },
        ...hello,
      ],
    });
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model: speaker.processName,
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello, Ada.' } },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
    });
    const [asked] = talk.llm.requestsOf(speaker.model);
    expect(asked?.system).toContain('Be brief.');
    expect(asked?.messages.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['I am Ada.', 'Noted.', 'Hello?']),
    );
    expect(await statusOf(answer.id.replace('chatcmpl-', ''))).toBe('COMPLETED');
  });

  it('streams piece by piece, and the usage where it is asked for', async () => {
    const speaker = await talk.speaker();
    speaker.says({ text: ['Slow', 'ly ', 'said.'], delayMs: 300 });
    const stream = await openai.chat.completions.create({
      model: speaker.processId,
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    const finished: (string | null)[] = [];
    let usage: object | null | undefined;
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? '');
      if (chunk.choices[0]?.finish_reason) finished.push(chunk.choices[0].finish_reason);
      usage = chunk.usage ?? usage;
    }
    expect(pieces.join('')).toBe('Slowly said.');
    expect(pieces.filter((text) => text !== '').length).toBeGreaterThan(1);
    expect(finished).toEqual(['stop']);
    expect(usage).toMatchObject({ completion_tokens: expect.any(Number) });
  });

  it('names the parameter of a conversation that is none', async () => {
    const { processName } = await talk.speaker();
    const given = { model: processName, messages: hello, metadata: { conversation: 'none' } };
    await expect(openai.chat.completions.create(given)).rejects.toMatchObject({
      status: 404,
      param: 'metadata.conversation',
    });
  });

  it('tells that the model was stopped before the end of its answer', async () => {
    const speaker = await talk.speaker();
    const cut = { text: ['Half ', 'an ans'], finish: 'length' as const };
    speaker.says([cut, cut]);
    const given = { model: speaker.processName, messages: hello };
    const answer = await openai.chat.completions.create(given);
    expect(answer.choices).toMatchObject([
      { finish_reason: 'length', message: { content: 'Half an ans' } },
    ]);
    const ends: (string | null | undefined)[] = [];
    for await (const { choices } of await openai.chat.completions.create({
      ...given,
      stream: true,
    }))
      ends.push(choices[0]?.finish_reason);
    expect(ends.filter((end) => end != null)).toEqual(['length']);
    const processRun = await ada.find<object>(
      'processRun',
      answer.id.replace('chatcmpl-', ''),
      'outputTruncated steps { outputTruncated }',
    );
    expect(processRun).toEqual({ outputTruncated: true, steps: [{ outputTruncated: true }] });
  });

  it('hides the calls of tools, or tells them as the reasoning', async () => {
    const speaker = await agent();
    talk.llm.answers(speaker.model, (request) =>
      toolsIn(request).length === 0 || toolResultsIn(request).length > 0
        ? { text: 'Greeted.' }
        : { text: 'Let me see.', ...calls(['greet', { name: 'Grace' }]) },
    );
    const model = speaker.processName;
    const hidden = await openai.chat.completions.create({ model, messages: hello });
    expect(hidden.choices[0]?.message).toEqual({
      role: 'assistant',
      content: 'Greeted.',
      refusal: null,
    });
    const metadata = { tool_events: 'shown' };
    const shown = await openai.chat.completions.create({ model, messages: hello, metadata });
    expect(shown.choices[0]?.message).toMatchObject({
      content: 'Greeted.',
      reasoning_content: expect.stringContaining(' {"name":"Grace"}'),
    });
    const streamed = { content: '', reasoning: '' };
    const stream = await openai.chat.completions.create({
      ...{ model, messages: hello, metadata },
      stream: true,
    });
    for await (const { choices } of stream) {
      const delta: { content?: string | null; reasoning_content?: string } =
        choices[0]?.delta ?? {};
      streamed.content += delta.content ?? '';
      streamed.reasoning += delta.reasoning_content ?? '';
    }
    expect(streamed.content).toBe('Let me see.\n\nGreeted.');
    expect(streamed.reasoning).toContain('answered: {');
  });

  it('goes on with a conversation where one is named', async () => {
    const speaker = await talk.speaker();
    const id = await talk.starts();
    const metadata = { conversation: id };
    for (const text of ['One.', 'Two.']) {
      speaker.says({ text });
      const answer = await openai.chat.completions.create({
        model: speaker.processName,
        messages: [{ role: 'user', content: `Say ${text}` }],
        metadata,
      });
      expect(answer.choices[0]?.message.content).toBe(text);
    }
    const conversation = await ada.find<{
      activePath: { activeAlternative: { content: string } }[];
    }>('conversation', id, 'activePath { activeAlternative { content } }');
    expect(conversation.activePath.map((turn) => turn.activeAlternative.content)).toEqual([
      'Say One.',
      'One.',
      'Say Two.',
      'Two.',
    ]);
    const bob = clientOf(signsIn(freshName('bob')));
    await expect(
      bob.chat.completions.create({ model: 'chat', messages: hello, metadata }),
    ).rejects.toThrow(NotFoundError);
  });

  it.each(['streams', 'waits'] as const)(
    'cancels the run where the client that %s hangs up',
    async (how) => {
      const speaker = await talk.speaker();
      talk.llm.answers(speaker.model, () => ({
        text: Array.from({ length: 400 }, () => 'on and on '),
        delayMs: 500,
      }));
      const abort = new AbortController();
      const id = Promise.withResolvers<string>();
      const body = { model: speaker.processName, messages: hello };
      const ended =
        how === 'streams'
          ? (async () => {
              const stream = await openai.chat.completions.create(
                { ...body, stream: true },
                { signal: abort.signal },
              );
              for await (const chunk of stream) id.resolve(chunk.id.replace('chatcmpl-', ''));
            })()
          : openai.chat.completions.create(body, { signal: abort.signal });
      ended.catch(() => {});
      if (how === 'waits') {
        await expect
          .poll(() => talk.llm.requestsOf(speaker.model).length, { timeout: 60_000 })
          .toBe(1);
        const processRuns = await ada.one<{ nodes: { id: string }[] }>(
          'query ($id: ID!) { processRuns(first: 1, processId: $id) { nodes { id } } }',
          { id: speaker.processId },
        );
        id.resolve(processRuns.nodes[0]?.id ?? '');
      }
      const runId = await id.promise;
      abort.abort();
      await expect.poll(() => statusOf(runId), { timeout: 60_000 }).toBe('CANCELLED');
    },
  );
});

describe('a request that is refused', () => {
  const codeOf = (request: Promise<unknown>) =>
    request.then(
      () => 'answered',
      (error: unknown) => (error instanceof APIError ? `${error.status} ${error.code}` : error),
    );

  it('is answered in the shape of OpenAI', async () => {
    const { processName: model } = await talk.speaker();
    const asks = (more: object) =>
      codeOf(openai.chat.completions.create({ model, messages: hello, ...more }));
    expect(await asks({ model: 'none' })).toBe('404 model_not_found');
    expect(await asks({ model: 'introspect' })).toBe('404 model_not_found');
    expect(await asks({ messages: [] })).toBe('400 invalid_value');
    expect(await asks({ n: 2 })).toBe('400 unsupported_parameter');
    const tool = { type: 'function', function: { name: 'x', parameters: {} } };
    expect(await asks({ tools: [tool] })).toBe('400 unsupported_parameter');
    expect(await asks({ messages: [{ role: 'assistant', content: 'So.' }] })).toMatch(/^400/);
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    expect(await asks({ messages: [{ role: 'user', content: [image] }] })).toMatch(/^400/);
    const large = 'x'.repeat(1_100_000);
    expect(await asks({ messages: [{ role: 'user', content: large }] })).toMatch(/^413/);
    const stranger = clientOf(ada, { apiKey: 'wrong' });
    expect(await codeOf(stranger.models.list())).toBe('401 invalid_api_key');
    const elsewhere = { headers: { origin: 'https://evil.example' } };
    expect(await codeOf(openai.models.list(elsewhere))).toMatch(/^403/);
  });

  it('is told why its run failed, also in the middle of a stream', async () => {
    const speaker = await talk.speaker();
    talk.llm.answers(speaker.model, () => ({ status: 401, errorMessage: 'No such key.' }));
    const body = { model: speaker.processName, messages: hello };
    expect(await codeOf(openai.chat.completions.create(body))).toMatch(/^422 [A-Z_]+$/);
    const stream = await openai.chat.completions.create({ ...body, stream: true });
    const reads = async () => {
      for await (const _chunk of stream);
    };
    await expect(reads()).rejects.toThrow(/401|No such key/);
  });
});
