import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// Bad input to conversations that test/graph/conversations.test.ts does not try.

const graph = testGraph();
let ada: TestClient;
let talk: TalkWorld;
let speaker: Speaker;
let disabled: Speaker;
/** A conversation with one question of two versions, the second active. */
let here: { id: string; turnId: string; inactive: string; active: string };
let elsewhere: typeof here;
let archived: typeof here;

const MUTATIONS = {
  sendMessage: 'userTurn { id } agentTurn { id } run { id }',
  generateTurn: 'turn { id }',
  forkConversation: 'conversation { id }',
} as const;
type Mutation = keyof typeof MUTATIONS;

beforeAll(async () => {
  ada = client(freshName('ada'));
  talk = await talkWorld(ada);
  [speaker, disabled] = await Promise.all([talk.speaker(), talk.speaker()]);
  await ada.mutate('updateProcess', { id: disabled.processId, enabled: false });
  const asks = async () => {
    const id = await talk.starts();
    const { turn } = await ada.mutate<{ turn: { id: string; activeAlternative: { id: string } } }>(
      'appendTurn',
      { conversationId: id, content: 'Hello?' },
      'turn { id activeAlternative { id } }',
    );
    const alternativeId = turn.activeAlternative.id;
    return { id, turnId: turn.id, inactive: alternativeId, active: alternativeId };
  };
  const [first, other, old] = await Promise.all([asks(), asks(), asks()]);
  const { alternative } = await ada.mutate<{ alternative: { id: string } }>(
    'addAlternative',
    { turnId: first.turnId, content: 'Hello, you?' },
    'alternative { id }',
  );
  here = { ...first, active: alternative.id };
  elsewhere = other;
  archived = old;
  await ada.mutate('updateConversation', { id: old.id, status: 'ARCHIVED' });
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

const NOWHERE = '01900000-0000-7000-8000-000000000000';
const by = ({ processId }: Speaker) => ({ processId });
const below = (parentAlternativeId: string, more: object) => ({
  conversationId: here.id,
  parentAlternativeId,
  ...more,
});

/** The fault, the mutation, its input, and `CODE path` of each problem. */
type Fault = readonly [string, Mutation, () => object, ...string[]];
const PARENTS: readonly (readonly [string, () => string, string])[] = [
  ['of another conversation', () => elsewhere.active, 'NOT_FOUND'],
  ['that is not active', () => here.inactive, 'STATE'],
  ['that is not there', () => NOWHERE, 'NOT_FOUND'],
];
const FAULTS: readonly Fault[] = [
  ...PARENTS.flatMap(([which, parent, code]): Fault[] => [
    [
      `a message below a parent ${which}`,
      'sendMessage',
      () => below(parent(), { content: 'x', ...by(speaker) }),
      `${code} parentAlternativeId`,
    ],
    [
      `an answer below a parent ${which}`,
      'generateTurn',
      () => below(parent(), by(speaker)),
      `${code} parentAlternativeId`,
    ],
  ]),
  [
    'an answer in an archive',
    'generateTurn',
    () => ({ ...below(archived.active, by(speaker)), conversationId: archived.id }),
    'STATE conversationId',
  ],
  [
    'a message to a disabled Process',
    'sendMessage',
    () => ({ conversationId: here.id, content: 'x', ...by(disabled) }),
    'DISABLED processId',
  ],
  [
    'an answer of a disabled Process',
    'generateTurn',
    () => below(here.active, by(disabled)),
    'DISABLED processId',
  ],
  [
    'an empty message, with an empty key',
    'sendMessage',
    () => ({ conversationId: here.id, content: '', idempotencyKey: '', ...by(speaker) }),
    'REQUIRED content',
    'INVALID idempotencyKey',
  ],
  [
    'a message of 300 KiB',
    'sendMessage',
    () => ({ conversationId: here.id, content: 'x'.repeat(300 * 1024), ...by(speaker) }),
    'INVALID content',
  ],
  [
    'a fork of a turn elsewhere',
    'forkConversation',
    () => ({ conversationId: here.id, turnId: elsewhere.turnId, alternativeId: elsewhere.active }),
    'NOT_FOUND turnId',
  ],
];

it('each fault is refused with its code and path, and nothing is half-written', async () => {
  const before = await everything();
  for (const [title, name, input, ...expected] of FAULTS) {
    const { userErrors, ...rest } = await ada.mutate<Record<string, unknown>>(
      name,
      input(),
      MUTATIONS[name],
    );
    const problems = userErrors.map(({ code, path }) => `${code} ${path.join('.')}`);
    expect(problems, title).toEqual(expected.map((one) => one.replace(' ', ' input.')));
    expect(Object.values(rest), title).toEqual(Object.values(rest).map(() => null));
  }
  expect(await everything()).toEqual(before);
});
