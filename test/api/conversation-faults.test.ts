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
let elsewhere: typeof here;
let archived: typeof here;

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
    const alternativeId = turn.activeAlternative.id;
    return { id, turnId: turn.id, inactive: alternativeId, active: alternativeId };
  };
  const [first, other, old] = await Promise.all([asks(), asks(), asks()]);
  const { alternative } = await talk.does<{ alternative: { id: string } }>(
    documentOf('addAlternative'),
    { turnId: first.turnId, content: 'Hello, you?' },
  );
  here = { ...first, active: alternative.id };
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
type Place = typeof here;
const by = ({ processId }: Speaker) => ({ processId });
const said = (where: Place, more: object = {}) => ({
  conversationId: where.id,
  content: 'x',
  ...more,
});
const below = (where: Place, parentAlternativeId: string, more: object = {}) => ({
  conversationId: where.id,
  parentAlternativeId,
  ...more,
});
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** The fault, the mutation, its input, and `CODE path` of each problem. */
type Fault = readonly [string, Mutation, () => object, ...string[]];
const PARENTS = (['appendTurn', 'sendMessage', 'generateTurn'] as const).flatMap(
  (name): Fault[] => {
    const more = () => ({
      ...(name === 'generateTurn' ? {} : { content: 'x' }),
      ...(name === 'appendTurn' ? {} : by(speaker)),
    });
    const under = (parent: () => string) => () => below(here, parent(), more());
    const path = 'parentAlternativeId';
    return [
      [
        `${name} below another conversation`,
        name,
        under(() => elsewhere.active),
        `NOT_FOUND ${path}`,
      ],
      [`${name} below an inactive parent`, name, under(() => here.inactive), `STATE ${path}`],
      [`${name} below an unknown parent`, name, under(() => NOWHERE), `NOT_FOUND ${path}`],
    ];
  },
);
const ARCHIVED: readonly Fault[] = [
  ['an archived turn', 'appendTurn', () => said(archived), 'STATE conversationId'],
  ['an archived message', 'sendMessage', () => said(archived, by(speaker)), 'STATE conversationId'],
  [
    'an archived answer',
    'generateTurn',
    () => below(archived, archived.active, by(speaker)),
    'STATE conversationId',
  ],
  [
    'an archived version',
    'addAlternative',
    () => ({ turnId: archived.turnId, content: 'x' }),
    'STATE turnId',
  ],
];
const PROCESSES: readonly Fault[] = [
  ['a message', 'sendMessage', () => said(here, by(disabled)), 'DISABLED processId'],
  ['an answer', 'generateTurn', () => below(here, here.active, by(disabled)), 'DISABLED processId'],
  [
    'a new default',
    'createConversation',
    () => ({ defaultProcessId: disabled.processId }),
    'DISABLED defaultProcessId',
  ],
  [
    'another default',
    'updateConversation',
    () => ({ id: here.id, defaultProcessId: disabled.processId }),
    'DISABLED defaultProcessId',
  ],
  ['no Process to answer', 'sendMessage', () => said(here), 'REQUIRED processId'],
];
const CONTENTS: readonly Fault[] = [
  ['an empty turn', 'appendTurn', () => said(here, { content: ' \n' }), 'REQUIRED content'],
  [
    'an empty message, with an empty key',
    'sendMessage',
    () => said(here, { content: '', idempotencyKey: '', ...by(speaker) }),
    'REQUIRED content',
    'INVALID idempotencyKey',
  ],
  [
    'an empty version',
    'addAlternative',
    () => ({ turnId: here.turnId, content: '' }),
    'REQUIRED content',
  ],
  ['a turn of tomorrow', 'appendTurn', () => said(here, { saidAt: tomorrow() }), 'INVALID saidAt'],
  ['a turn of 300 KiB', 'appendTurn', () => said(here, { content: LARGE }), 'INVALID content'],
  [
    'a message of 300 KiB',
    'sendMessage',
    () => said(here, { content: LARGE, ...by(speaker) }),
    'INVALID content',
  ],
  [
    'a fork of a turn elsewhere',
    'forkConversation',
    () => ({ conversationId: here.id, turnId: elsewhere.turnId, alternativeId: elsewhere.active }),
    'NOT_FOUND turnId',
  ],
];

describe('refused, with nothing half-written:', () => {
  const faults = [...ARCHIVED, ...PARENTS, ...PROCESSES, ...CONTENTS];
  it.each(faults.map((fault) => [`${fault[0]}: ${fault[1]}`, fault] as const))(
    '%s',
    async (_title, [, name, input, ...expected]) => {
      const before = await everything();
      const { userErrors, ...rest } = await talk.does<Record<string, unknown>>(
        documentOf(name),
        input(),
      );
      expect(userErrors.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(
        expected.map((one) => one.replace(' ', ' input.')),
      );
      expect(Object.values(rest).every((value) => value === null)).toBe(true);
      expect(await everything()).toEqual(before);
    },
  );
});
