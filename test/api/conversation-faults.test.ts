import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// Bad input to conversations: each is refused with its code and its path, and leaves nothing
// half-written.

const graph = testGraph();
let ada: TestClient;
let talk: TalkWorld;
let speaker: Speaker;
let disabled: Speaker;
/** A conversation with one question of two versions, the second active. */
let here: { id: string; turnId: string; inactive: string; active: string };
let elsewhere: { id: string; turnId: string; alternative: string };
let archived: { id: string; turnId: string; alternative: string };

const ERRORS = 'userErrors { code message path }';
const MUTATIONS = {
  appendTurn: 'turn { id }',
  sendMessage: 'userTurn { id } agentTurn { id } run { id }',
  generateTurn: 'turn { id }',
  addAlternative: 'alternative { id }',
  createConversation: 'conversation { id }',
  updateConversation: 'conversation { id }',
  forkConversation: 'conversation { id }',
} as const;
type Mutation = keyof typeof MUTATIONS;
const documentOf = (name: Mutation) =>
  `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { it:
    ${name}(input: $input) { ${MUTATIONS[name]} ${ERRORS} } }`;

beforeAll(async () => {
  ada = client(freshName('ada'));
  talk = await talkWorld(ada);
  [speaker, disabled] = await Promise.all([talk.speaker(), talk.speaker()]);
  await talk.does(
    `mutation ($input: UpdateProcessInput!) { it: updateProcess(input: $input) { process { id }
      ERRORS } }`,
    { id: disabled.processId, enabled: false },
  );
  const asks = async () => {
    const id = await talk.starts();
    const { turn } = await talk.does<{
      turn: { id: string; activeAlternative: { id: string } };
    }>(
      `mutation ($input: AppendTurnInput!) { it: appendTurn(input: $input) { turn { id
        activeAlternative { id } } ERRORS } }`,
      { conversationId: id, content: 'Hello?' },
    );
    return { id, turnId: turn.id, alternative: turn.activeAlternative.id };
  };
  const [first, other, old] = await Promise.all([asks(), asks(), asks()]);
  const { alternative } = await talk.does<{ alternative: { id: string } }>(
    documentOf('addAlternative'),
    { turnId: first.turnId, content: 'Hello, you?' },
  );
  here = { ...first, inactive: first.alternative, active: alternative.id };
  elsewhere = other;
  archived = old;
  await talk.does(documentOf('updateConversation'), { id: old.id, status: 'ARCHIVED' });
});
afterAll(async () => {
  await talk.close();
  await graph.close();
});

/**
 * Everything of ada's conversations in the database, but for the memory that follows in its own
 * time: Episodes, entities, the runs of the system's Processes.
 */
async function everything(): Promise<unknown> {
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  return graph.read((tx) =>
    tx.run(
      `// testEverything
      MATCH (n) WHERE n.ownerId = $owner AND (n:Conversation OR n:ConversationTurn OR n:Alternative
        OR n:ProcessRun OR n:OutboxEntry)
        AND (NOT n:OutboxEntry OR any(noun IN ['turn.', 'alternative.', 'conversation.'] WHERE
          n.kind STARTS WITH noun))
        AND (NOT n:ProcessRun OR EXISTS { (:Process {id: n.processId})-[:OWNED_BY]->(:User {id:
          $owner}) })
      RETURN n.id AS id, n.updatedAt AS updatedAt,
        [(n)-[e:!HAS_CONTENT&!HAS_ACTIVE_ENTITY&!HAS_SUMMARY]->() | [type(e), e.isActive]] AS edges
          ORDER BY id`,
      { owner: viewer.id },
    ),
  );
}

const LARGE = 'x'.repeat(300 * 1024);
const NOWHERE = '01900000-0000-7000-8000-000000000000';
/** The fault, the mutation, its input, and `CODE path` of each problem. */
const FAULTS: readonly [string, Mutation, () => object, readonly string[]][] = [
  [
    'a turn in an archived conversation',
    'appendTurn',
    () => ({ conversationId: archived.id, content: 'x' }),
    ['STATE input.conversationId'],
  ],
  [
    'a message in an archived conversation',
    'sendMessage',
    () => ({ conversationId: archived.id, content: 'x', processId: speaker.processId }),
    ['STATE input.conversationId'],
  ],
  [
    'an answer in an archived conversation',
    'generateTurn',
    () => ({
      conversationId: archived.id,
      parentAlternativeId: archived.alternative,
      processId: speaker.processId,
    }),
    ['STATE input.conversationId'],
  ],
  [
    'another version in an archived conversation',
    'addAlternative',
    () => ({ turnId: archived.turnId, content: 'x' }),
    ['STATE input.turnId'],
  ],
  ...(['appendTurn', 'sendMessage', 'generateTurn'] as const).flatMap(
    (name): [string, Mutation, () => object, readonly string[]][] => {
      const said = () => (name === 'generateTurn' ? {} : { content: 'x' });
      const by = () => (name === 'appendTurn' ? {} : { processId: speaker.processId });
      const below = (parent: () => string) => () => ({
        conversationId: here.id,
        parentAlternativeId: parent(),
        ...said(),
        ...by(),
      });
      return [
        [
          `${name} below a parent of another conversation`,
          name,
          below(() => elsewhere.alternative),
          ['NOT_FOUND input.parentAlternativeId'],
        ],
        [
          `${name} below an inactive parent, without saying so`,
          name,
          below(() => here.inactive),
          ['STATE input.parentAlternativeId'],
        ],
        [
          `${name} below a parent that is not there`,
          name,
          below(() => NOWHERE),
          ['NOT_FOUND input.parentAlternativeId'],
        ],
      ];
    },
  ),
  [
    'a message to a disabled Process',
    'sendMessage',
    () => ({ conversationId: here.id, content: 'x', processId: disabled.processId }),
    ['DISABLED input.processId'],
  ],
  [
    'an answer by a disabled Process',
    'generateTurn',
    () => ({
      conversationId: here.id,
      parentAlternativeId: here.active,
      processId: disabled.processId,
    }),
    ['DISABLED input.processId'],
  ],
  [
    'a disabled Process as the default',
    'createConversation',
    () => ({ defaultProcessId: disabled.processId }),
    ['DISABLED input.defaultProcessId'],
  ],
  [
    'a change to a disabled Process as the default',
    'updateConversation',
    () => ({ id: here.id, defaultProcessId: disabled.processId }),
    ['DISABLED input.defaultProcessId'],
  ],
  [
    'a message that nobody is named to answer',
    'sendMessage',
    () => ({ conversationId: here.id, content: 'x' }),
    ['REQUIRED input.processId'],
  ],
  [
    'an empty turn',
    'appendTurn',
    () => ({ conversationId: here.id, content: ' \n' }),
    ['REQUIRED input.content'],
  ],
  [
    'an empty message, with a key that is none',
    'sendMessage',
    () => ({
      conversationId: here.id,
      content: '',
      processId: speaker.processId,
      idempotencyKey: '',
    }),
    ['REQUIRED input.content', 'INVALID input.idempotencyKey'],
  ],
  [
    'an empty version',
    'addAlternative',
    () => ({ turnId: here.turnId, content: '' }),
    ['REQUIRED input.content'],
  ],
  [
    'a turn that was said tomorrow',
    'appendTurn',
    () => ({
      conversationId: here.id,
      content: 'x',
      saidAt: new Date(Date.now() + 86_400_000).toISOString(),
    }),
    ['INVALID input.saidAt'],
  ],
  [
    'a turn of 300 KiB',
    'appendTurn',
    () => ({ conversationId: here.id, content: LARGE }),
    ['INVALID input.content'],
  ],
  [
    'a message of 300 KiB',
    'sendMessage',
    () => ({ conversationId: here.id, content: LARGE, processId: speaker.processId }),
    ['INVALID input.content'],
  ],
  [
    'a fork of a turn of another conversation',
    'forkConversation',
    () => ({
      conversationId: here.id,
      turnId: elsewhere.turnId,
      alternativeId: elsewhere.alternative,
    }),
    ['NOT_FOUND input.turnId'],
  ],
];

describe('refused, with nothing half-written:', () => {
  it.each(FAULTS)('%s', async (_what, name, input, expected) => {
    const before = await everything();
    const { userErrors, ...rest } = await talk.does<Record<string, unknown>>(
      documentOf(name),
      input(),
    );
    expect(userErrors.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(expected);
    expect(Object.values(rest).every((value) => value === null)).toBe(true);
    expect(await everything()).toEqual(before);
  });

  it('5 MB of content: the body is too large, whatever it asks', async () => {
    const before = await everything();
    for (const name of ['appendTurn', 'sendMessage'] as const) {
      const answer = await ada.ask(documentOf(name), {
        input: { conversationId: here.id, content: 'x'.repeat(5_000_000) },
      });
      expect([answer.status, answer.errors[0]?.extensions.code]).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
      ]);
    }
    expect(await everything()).toEqual(before);
  });

  it("anything in another user's conversation, as if it were not there", async () => {
    const eve = client(freshName('eve'));
    const before = await everything();
    const { active, inactive, turnId, id } = here;
    const tries: [Mutation, object, string][] = [
      ['appendTurn', { conversationId: id, content: 'x' }, 'conversationId'],
      ['sendMessage', { conversationId: id, content: 'x' }, 'conversationId'],
      [
        'generateTurn',
        { conversationId: id, parentAlternativeId: active, processId: speaker.processId },
        'conversationId',
      ],
      ['addAlternative', { turnId, content: 'x' }, 'turnId'],
      ['updateConversation', { id, title: 'x' }, 'id'],
      ['forkConversation', { conversationId: id, turnId, alternativeId: active }, 'conversationId'],
    ];
    for (const [name, input, path] of tries) {
      const answer = await eve.one<{ userErrors: { code: string; path: string[] }[] }>(
        documentOf(name),
        { input },
      );
      expect([name, answer.userErrors]).toMatchObject([
        name,
        [{ code: 'NOT_FOUND', path: ['input', path] }],
      ]);
    }
    const activateAlternative = await eve.one<{ userErrors: { code: string; path: string[] }[] }>(
      `mutation ($id: ID!) { activateAlternative(input: { id: $id }) { alternative { id }
        ${ERRORS} } }`,
      {
        id: inactive,
      },
    );
    expect(activateAlternative.userErrors).toMatchObject([
      { code: 'NOT_FOUND', path: ['input', 'id'] },
    ]);
    const conversation = await eve.one<null>('query ($id: ID!) { conversation(id: $id) { id } }', {
      id,
    });
    expect(conversation).toBeNull();
    expect(await everything()).toEqual(before);
  });

  it('a cursor that is none, and one of nowhere', async () => {
    const events = `subscription ($id: ID!, $after: Cursor) {
      conversationEvents(conversationId: $id, after: $after) { __typename } }`;
    for (const after of ['nonsense', '', 'AAAA']) {
      await expect(ada.subscribeSse(events, { id: here.id, after }).next()).rejects.toThrow(
        /BAD_USER_INPUT.*after/,
      );
      await expect(ada.subscribeWs(events, { id: here.id, after }).next()).rejects.toThrow(
        /BAD_USER_INPUT.*after/,
      );
    }
  });
});
