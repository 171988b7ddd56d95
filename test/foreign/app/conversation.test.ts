import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshName, client as signsIn, type TestClient } from '../../testkit/client.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../../testkit/talk-world.ts';
import { type Sent, TALKS } from '../conversation.cases.ts';

// docs/decisions/0091: one message is written once, whatever its client repeats.

let ada: TestClient;
let talk: TalkWorld;
beforeAll(async () => {
  ada = signsIn(freshName('ada'));
  talk = await talkWorld(ada);
});
afterAll(() => talk.close());

function openai(more: object = {}): OpenAI {
  const apiKey = ada.authorization.replace('Bearer ', '');
  return new OpenAI({ apiKey, baseURL: `${new URL(ada.url).origin}/v1`, ...more });
}

const FAILURE = { status: 401, errorMessage: 'No such key.' };

async function outcome(conversationId: string, { processId }: Speaker) {
  const { conversation, processRuns } = await ada.query<{
    conversation: { activePath: { speaker: string; activeAlternative: { content: string } }[] };
    processRuns: { totalCount: number };
  }>(
    `query ($id: ID!, $processId: ID!) {
      conversation(id: $id) { activePath { speaker activeAlternative { content } } }
      processRuns(first: 1, processId: $processId) { totalCount } }`,
    { id: conversationId, processId },
  );
  const said = conversation.activePath
    .filter(({ speaker }) => speaker === 'USER')
    .map(({ activeAlternative }) => activeAlternative.content);
  return { said, runs: processRuns.totalCount };
}

/** The status of the answer; 0 where the client hung up. */
async function sends(conversation: string, speaker: Speaker, sent: Sent): Promise<number> {
  const abort = new AbortController();
  const headers = {
    ...(sent.retryCount === undefined
      ? {}
      : { 'x-stainless-retry-count': String(sent.retryCount) }),
    ...(sent.key === undefined ? {} : { 'idempotency-key': `${conversation}-${sent.key}` }),
  };
  const before = talk.llm.requestsOf(speaker.model).length;
  const answer = openai().chat.completions.create(
    {
      model: speaker.processName,
      messages: [...(sent.history ?? []), { role: 'user', content: sent.says }],
      metadata: { conversation },
    },
    { headers, signal: abort.signal },
  );
  if (sent.hangsUp === true) {
    answer.catch(() => {});
    await expect
      .poll(() => talk.llm.requestsOf(speaker.model).length, { timeout: 60_000 })
      .toBeGreaterThan(before);
    abort.abort();
    return 0;
  }
  return answer.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof APIError && error.status !== undefined) return error.status;
      throw error;
    },
  );
}

describe('a conversation of /v1', () => {
  it.concurrent.each(TALKS)('$title ($source)', async ({ input, right }) => {
    const speaker = await talk.speaker();
    let asked = 0;
    const hangsUp = input.requests.some((sent) => sent.hangsUp === true);
    talk.llm.answers(speaker.model, () => {
      asked++;
      if (input.model === 'fails' || (input.model === 'fails once' && asked === 1)) return FAILURE;
      return { text: ['Ans', 'wered.'], delayMs: hangsUp ? 1_000 : 20 };
    });
    const conversation = await talk.starts();
    const statuses: number[] = [];
    for (const sent of input.requests) {
      const { times = 1 } = sent;
      const all = Array.from({ length: times }, () => sends(conversation, speaker, sent));
      statuses.push(...(await Promise.all(all)));
    }
    expect(statuses).toEqual(right.statuses ?? input.requests.map(() => 200));
    const { said, runs } = right;
    expect(await outcome(conversation, speaker)).toEqual({ said, runs });
  });
});

it('a client that times out and retries by itself gets the answer of one run', async () => {
  const speaker = await talk.speaker();
  talk.llm.answers(speaker.model, () => ({ text: ['At ', 'last.'], delayMs: 2_000 }));
  const conversation = await talk.starts();
  const patient = openai({ timeout: 1_500, maxRetries: 20 });
  const answer = await patient.chat.completions.create({
    model: speaker.processName,
    messages: [{ role: 'user', content: 'hello' }],
    metadata: { conversation },
  });
  expect(answer.choices[0]?.message.content).toBe('At last.');
  expect(await outcome(conversation, speaker)).toEqual({ said: ['hello'], runs: 1 });
});

it('without a conversation a client that hangs up and asks again joins its run', async () => {
  const speaker = await talk.speaker();
  talk.llm.answers(speaker.model, () => ({ text: ['At ', 'last.'], delayMs: 1_500 }));
  const body = {
    model: speaker.processName,
    messages: [{ role: 'user' as const, content: 'hello' }],
  };
  const abort = new AbortController();
  const first = openai().chat.completions.create(body, { signal: abort.signal });
  first.catch(() => {});
  await expect.poll(() => talk.llm.requestsOf(speaker.model).length, { timeout: 60_000 }).toBe(1);
  abort.abort();
  const answer = await openai().chat.completions.create(body);
  expect(answer.choices[0]?.message.content).toBe('At last.');
  const processRuns = await ada.one<{ totalCount: number }>(
    'query ($id: ID!) { processRuns(first: 1, processId: $id) { totalCount } }',
    { id: speaker.processId },
  );
  expect(processRuns.totalCount).toBe(1);
});

it('says that a run that has ended is final', async () => {
  const speaker = await talk.speaker();
  talk.llm.answers(speaker.model, () => FAILURE);
  const error = await openai()
    .chat.completions.create({
      model: speaker.processName,
      messages: [{ role: 'user', content: 'hello' }],
    })
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  expect(error).toBeInstanceOf(APIError);
  const { status, headers, code } = error as APIError;
  expect([status, headers?.get('x-should-retry')]).toEqual([422, 'false']);
  expect(code).toMatch(/^[A-Z_]+$/);
  expect(talk.llm.requestsOf(speaker.model)).toHaveLength(1);
});
