import { beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { countedBy } from '../testkit/counted.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';
import { shipped } from '../testkit/shipped.ts';

// S4-CONV, S4-TURN, S4-ALT, S4-WM over the API, with the shipped Process `chat` on real Workers and
// the bundled model.

const FRAGMENT = '... on TurnAdded { turn { id } } ... on AlternativeAdded { alternative { id } }';
const EVENTS = `subscription ($id: ID!, $after: Cursor) {
  conversationEvents(conversationId: $id, after: $after, includeText: false) {
  __typename cursor ${FRAGMENT}
  ... on AlternativeActivated { alternative { id } staleAlternativeIds }
  ... on AlternativeCompleted { alternative { id content cacheStatus run { status } } } } }`;

interface Sent {
  userTurn: { id: string };
  agentTurn: { id: string; activeAlternative: { cacheStatus: string } };
  run: { id: string };
}
interface Told {
  conversationEvents: {
    __typename: string;
    cursor: string;
    turn?: { id: string };
    alternative?: { id: string; content: string; cacheStatus: string; run: { status: string } };
    staleAlternativeIds?: string[];
  };
}

let ada: TestClient;
let chatId: string;
beforeAll(async () => {
  ada = client(freshName('ada'));
  chatId = (await shipped(ada)).processId('chat');
});

const starts = (input: object = {}) => ada.creates('conversation', input);
async function sends(input: object): Promise<Sent> {
  const field = 'userTurn { id } agentTurn { id activeAlternative { cacheStatus } } run { id }';
  const { userErrors, ...sent } = await ada.mutate<Sent>('sendMessage', input, field);
  expect(userErrors).toEqual([]);
  return sent;
}

/** The events up to the one that says the answer is there. */
async function untilCompleted(
  id: string,
  after: string | null = null,
): Promise<Told['conversationEvents'][]> {
  const told: Told['conversationEvents'][] = [];
  for await (const { conversationEvents } of ada.subscribeSse<Told>(EVENTS, { id, after })) {
    // The Episode of a turn is written at any time, and its event comes in between.
    if (conversationEvents.__typename !== 'EpisodeBound') told.push(conversationEvents);
    if (conversationEvents.__typename === 'AlternativeCompleted') break;
  }
  return told;
}

describe('the shipped Process chat', () => {
  it('S4-CONV-07, SX-06: answers a message with the text of its run, live', async () => {
    const id = await starts({ defaultProcessId: chatId });
    const input = {
      conversationId: id,
      content: 'Marie Curie was born in Warsaw. Where was she born?',
    };
    const { agentTurn, run } = await sends(input);
    expect(agentTurn.activeAlternative.cacheStatus).toBe('GENERATING');
    const told = await untilCompleted(id);
    expect(told.map(({ __typename }) => __typename)).toEqual([
      'TurnAdded',
      'TurnAdded',
      'AlternativeCompleted',
    ]);
    const answer = told.at(-1)?.alternative;
    expect(answer).toMatchObject({ cacheStatus: 'VALID', run: { status: 'COMPLETED' } });
    expect(answer?.content).toMatch(/Warsaw/);

    let streamed = '';
    for await (const { runEvents } of ada.subscribeSse<{ runEvents: { content?: string } }>(
      'subscription ($id: ID!) { runEvents(runId: $id) { ... on TextEvent { content } } }',
      { id: run.id },
    ))
      streamed += runEvents.content ?? '';
    expect(streamed).toBe(answer?.content);

    const conversation = await ada.find<object>(
      'conversation',
      id,
      `defaultProcess { id } activePath { sequence speaker content } workingMemory { totalTokens
        messages { role tokens } immediatePath { turnId } }`,
    );
    expect(conversation).toMatchObject({
      defaultProcess: { id: chatId },
      activePath: [
        { sequence: 1, speaker: 'USER', content: input.content },
        { sequence: 2, speaker: 'AGENT', content: answer?.content },
      ],
      workingMemory: { messages: [{ role: 'USER' }, { role: 'ASSISTANT' }] },
    });
    const processRun = await ada.find<object>(
      'processRun',
      run.id,
      'conversation { id } alternative { id }',
    );
    expect(processRun).toEqual({ conversation: { id }, alternative: { id: answer?.id } });
  });
});

it('a run that fails leaves an answer that says so, which no model is given', async () => {
  const rest = await openRestServer();
  const world = await runWorld(ada, rest);
  const processId = await world.createsProcess(
    [
      {
        stepId: 'greet',
        inputs: { name: '{context.message}' },
        execution: { retry: { maximumAttempts: 1 } },
      },
    ],
    { initialContext: ['message'], outputTemplate: '{{greet}}' },
  );
  await rest.close();
  const id = await starts();
  const { agentTurn } = await sends({ conversationId: id, content: 'hello', processId });
  const told = await untilCompleted(id);
  expect(told.at(-1)?.alternative).toMatchObject({
    content: '',
    cacheStatus: 'VALID',
    run: { status: 'FAILED' },
  });
  const workingMemory = await ada.one<object>(
    `query ($id: ID!) { workingMemory(conversationId: $id) { currentTurnId messages { content }
      } }`,
    { id },
  );
  expect(workingMemory).toEqual({
    currentTurnId: agentTurn.id,
    messages: [{ content: 'hello' }],
  });
});

it('S4-TURN: turns on screen with alternatives and cache status are three statements', async () => {
  const id = await starts();
  for (let turn = 0; turn < 12; turn++) {
    await ada.mutate('appendTurn', { conversationId: id, content: `turn ${turn}` });
  }
  const { data, names } = await countedBy(
    ada,
    `{ conversation(id: "${id}") { activePath { sequence speaker content
      alternatives { id isActive cacheStatus hasChildren content } activeAlternative { id } } } }`,
  );
  const { conversation } = data as unknown as {
    conversation: { activePath: { sequence: number }[] };
  };
  expect(conversation.activePath.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 12 }, (_, n) => n + 1),
  );
  expect(names).toEqual(['findConversations', 'listActivePath', 'listAlternatives']);
});

it('run and turns of a message are the same by id alone, by more fields, or by both', async () => {
  const conversationId = await starts({ defaultProcessId: chatId });
  const sendMessage = await ada.mutate<Record<string, Record<string, string>>>(
    'sendMessage',
    { conversationId, content: 'Hello?' },
    `run { id } sameRun: run { __typename id processName } userTurn { id }
    sameTurn: userTurn { ... on ConversationTurn { id speaker } }
    agentTurn { __typename id speaker }`,
  );
  const { run, sameRun, userTurn, sameTurn, agentTurn } = sendMessage;
  expect(sameRun).toEqual({ ...run, __typename: 'ProcessRun', processName: 'chat' });
  expect(sameTurn).toEqual({ ...userTurn, speaker: 'USER' });
  expect(agentTurn).toMatchObject({ __typename: 'ConversationTurn', speaker: 'AGENT' });
  await untilCompleted(conversationId);
});

it('conversations are found by text of their titles and messages, page by page', async () => {
  const eve = client(freshName('eve'));
  const made = async (title: string | null, content: string, status = 'ACTIVE') => {
    const id = await eve.creates('conversation', { title });
    await eve.mutate('appendTurn', { conversationId: id, content, speaker: 'USER' });
    if (status !== 'ACTIVE') await eve.mutate('updateConversation', { id, status });
    return id;
  };
  const titled = await made('A walk by the CANAL', 'We go on Friday.');
  const said = await made(null, 'The canal is 100% frozen_over.');
  const archived = await made('Old plans', 'Ask about canals.', 'ARCHIVED');
  const finds = async (of: TestClient, query: string, more = '') => {
    type Found = { conversations: { totalCount: number; nodes: { id: string }[] } };
    const { conversations } = await of.query<Found>(
      `query ($query: String) { conversations(query: $query ${more}) { totalCount nodes { id } } }`,
      { query },
    );
    return [conversations.totalCount, ...conversations.nodes.map(({ id }) => id)];
  };
  expect(await finds(eve, ' canal ')).toEqual([2, said, titled]);
  expect(await finds(eve, 'canal', 'first: 1')).toEqual([2, said]);
  expect(await finds(eve, 'canal', 'status: null')).toEqual([3, archived, said, titled]);
  expect(await finds(eve, 'canal', 'status: ARCHIVED')).toEqual([1, archived]);
  // Signs of other languages of patterns are text.
  expect(await finds(eve, '100% frozen_')).toEqual([1, said]);
  expect(await finds(eve, '.*')).toEqual([0]);
  expect(await finds(eve, ' ')).toEqual([2, said, titled]);
  expect(await finds(client(freshName('mal')), 'canal', 'status: null')).toEqual([0]);
});
