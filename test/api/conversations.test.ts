import { execute, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

// S4-CONV, S4-TURN, S4-ALT, S4-WM over the API, with the shipped Process `chat` on real Workers and
// the bundled model.

const ERRORS = 'userErrors { code path }';
const SEND = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  userTurn { id sequence content } agentTurn { id activeAlternative { id cacheStatus content } }
  run { id status } ${ERRORS} } }`;
const FRAGMENT = '... on TurnAdded { turn { id } } ... on AlternativeAdded { alternative { id } }';
const EVENTS = `subscription ($id: ID!, $after: Cursor) {
  conversationEvents(conversationId: $id, after: $after, includeText: false) {
  __typename cursor ${FRAGMENT}
  ... on AlternativeActivated { alternative { id } staleAlternativeIds }
  ... on AlternativeCompleted { alternative { id content cacheStatus run { status } } } } }`;

interface Sent {
  sendMessage: {
    userTurn: { id: string; content: string } | null;
    agentTurn: {
      id: string;
      activeAlternative: { id: string; cacheStatus: string; content: string };
    } | null;
    run: { id: string } | null;
    userErrors: { code: string; path: string[] }[];
  };
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
  // Other tests import the shipped bundles for people of theirs; the system's own is meant.
  const processes = await ada.one<{
    nodes: { id: string; name: string; owner: { name: string } }[];
  }>('{ processes(query: "chat", first: 200) { nodes { id name owner { name } } } }');
  const shipped = processes.nodes.find(
    ({ name, owner }) => name === 'chat' && owner.name === 'system',
  );
  chatId = shipped?.id ?? '';
});

async function starts(input: object = {}): Promise<string> {
  const createConversation = await ada.mutate<{ conversation: { id: string } | null }>(
    'createConversation',
    input,
    `conversation { id }`,
  );
  return createConversation.conversation?.id ?? '';
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
    const { sendMessage } = await ada.query<Sent>(SEND, { input });
    expect(sendMessage.userErrors).toEqual([]);
    expect(sendMessage.agentTurn?.activeAlternative.cacheStatus).toBe('GENERATING');
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
      { id: sendMessage.run?.id },
    ))
      streamed += runEvents.content ?? '';
    expect(streamed).toBe(answer?.content);

    const conversation = await ada.one<object>(
      `query ($id: ID!) { conversation(id: $id) { defaultProcess { id } activePath { sequence
        speaker content }
        workingMemory { totalTokens messages { role tokens } immediatePath { turnId } } } }`,
      { id },
    );
    expect(conversation).toMatchObject({
      defaultProcess: { id: chatId },
      activePath: [
        { sequence: 1, speaker: 'USER', content: input.content },
        { sequence: 2, speaker: 'AGENT', content: answer?.content },
      ],
      workingMemory: { messages: [{ role: 'USER' }, { role: 'ASSISTANT' }] },
    });
    const processRun = await ada.one<object>(
      'query ($id: ID!) { processRun(id: $id) { conversation { id } alternative { id } } }',
      { id: sendMessage.run?.id },
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
  const { sendMessage } = await ada.query<Sent>(SEND, {
    input: { conversationId: id, content: 'hello', processId },
  });
  expect(sendMessage.userErrors).toEqual([]);
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
    currentTurnId: sendMessage.agentTurn?.id,
    messages: [{ content: 'hello' }],
  });
});

it('S4-TURN: turns on screen with alternatives and cache status are three statements', async () => {
  const id = await starts();
  for (let turn = 0; turn < 12; turn++) {
    await ada.mutate('appendTurn', { conversationId: id, content: `turn ${turn}` }, 'turn { id }');
  }
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  const document = parse(`{ conversation(id: "${id}") { activePath { sequence speaker content
    alternatives { id isActive cacheStatus hasChildren content } activeAlternative { id } } } }`);
  const graph = testGraph();
  const contextValue = {
    graph,
    viewer: { userId: viewer.id, name: 'ada', roles: ['user'], workspace: viewer.id },
  } as unknown as RequestContext;
  const { value, statements } = await graph.counting(async () =>
    execute({ schema: buildSchema(), document, contextValue }),
  );
  await graph.close();
  expect(value.errors).toBeUndefined();
  const { conversation } = value.data as unknown as {
    conversation: { activePath: { sequence: number }[] };
  };
  expect(conversation.activePath.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 12 }, (_, n) => n + 1),
  );
  expect(statements.map(({ name }) => name)).toEqual([
    'findConversations',
    'listActivePath',
    'listAlternatives',
  ]);
});

it('run and turns of a message are the same by id alone, by more fields, or by both', async () => {
  const conversationId = await starts({ defaultProcessId: chatId });
  const sendMessage = await ada.one<Record<string, Record<string, string>>>(
    `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
      run { id } sameRun: run { __typename id processName }
      userTurn { id } sameTurn: userTurn { ...Said } agentTurn { __typename id speaker }
      ${ERRORS} } }
    fragment Said on ConversationTurn { id speaker }`,
    { input: { conversationId, content: 'Hello?' } },
  );
  const { run, sameRun, userTurn, sameTurn, agentTurn } = sendMessage;
  expect(sameRun).toEqual({ ...run, __typename: 'ProcessRun', processName: 'chat' });
  expect(sameTurn).toEqual({ ...userTurn, speaker: 'USER' });
  expect(agentTurn).toMatchObject({ __typename: 'ConversationTurn', speaker: 'AGENT' });
  await untilCompleted(conversationId);
});

describe('an answer', () => {
  it('keeps a verdict with a word, which is listed and removed', async () => {
    const eve = client(freshName('eve'));
    const { conversation } = await eve.mutate<{ conversation: { id: string } }>(
      'createConversation',
      {},
      'conversation { id }',
    );
    const said = { conversationId: conversation.id, content: 'Rye.', speaker: 'AGENT' };
    await eve.mutate('appendTurn', { ...said, content: 'Which bread is best?', speaker: 'USER' });
    const { turn } = await eve.mutate<{ turn: { activeAlternative: { id: string } } }>(
      'appendTurn',
      said,
      'turn { activeAlternative { id } }',
    );
    const { id } = turn.activeAlternative;
    const rates = (input: object) =>
      eve.mutate<{ alternative: object | null }>(
        'rateAlternative',
        { id, ...input },
        'alternative { id rating { value comment } }',
      );
    const rating = { value: 'DOWN', comment: 'I asked for white bread.' };
    expect((await rates(rating)).alternative).toEqual({ id, rating });
    const list = `{ ratedAlternatives(value: DOWN) { totalCount nodes {
      id content rating { value comment } turn { conversation { id } } } } }`;
    expect(await eve.query(list)).toEqual({
      ratedAlternatives: {
        totalCount: 1,
        nodes: [{ id, content: 'Rye.', rating, turn: { conversation: { id: conversation.id } } }],
      },
    });
    expect((await rates({})).userErrors).toMatchObject([{ path: ['input', 'value'] }]);
    expect((await rates({ value: null })).alternative).toMatchObject({ rating: null });
    expect(await eve.query(list)).toMatchObject({ ratedAlternatives: { totalCount: 0 } });
  });
});
