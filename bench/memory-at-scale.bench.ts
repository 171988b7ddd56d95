import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';
import {
  createIndexStatements,
  indexOptions,
  saveEmbeddingState,
} from '../src/memory-graph/embeddings/embedding.cypher.ts';
import { openEmbeddings } from '../src/memory-graph/embeddings/embeddings.service.ts';
import { sentenceKey } from '../src/memory-graph/entities/name-match.ts';
import { userGroupOf } from '../src/memory-graph/group.ts';
import { searchMemory } from '../src/memory-graph/search/search-memory.service.ts';
import { findUnread } from '../src/memory-graph/search/unread.cypher.ts';
import { listKnownStatements } from '../src/memory-graph/statements/statement.cypher.ts';
import { type Graph, openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openLog } from '../src/platform/telemetry/log.ts';
import { SETTINGS_DEFAULT } from '../src/settings/settings.ts';
import type { Viewer } from '../src/users/user.ts';
import { recall } from '../src/working-memory/recall/recall.cypher.ts';
import { cpuSeconds, pidOn } from './processes.ts';
import { type Figure, holds, median, percentile, printFigure } from './report.ts';

// What a person with many turns waits for, and what it costs Neo4j: a search, a recall, and the
// statements that a new one is compared with. `npm run bench -- memory-at-scale --turns 100000
// --per-conversation 100`; `--per-conversation 100000` has them in one conversation.

const CPU_MS_MAX = 20;
const SEARCH_MS_MAX = 25;
const ROUNDS = 60;
const WARM_UP = 60;
const BATCH = 1_000;
const DIMENSION = 128;
const STRETCH_TURNS = 10;
/** One turn of so many is one that a question asks for. */
const NEEDLE_EVERY = 997;
/** A fact between two entities for each so many turns, and an entity for each so many. */
const TURNS_PER_FACT = 4;
const TURNS_PER_ENTITY = 20;

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '20000' },
    'per-conversation': { type: 'string', default: '100' },
  },
});
const TURNS = Number(values.turns);
const PER_CONVERSATION = Number(values['per-conversation']);

const { env } = process;
const graph = openGraph({
  uri: String(env['NEO4J_URI']),
  user: env['NEO4J_USER'] ?? 'neo4j',
  password: env['NEO4J_PASSWORD'] ?? '',
});

let seed = 11;
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
const vectorsOfWords = new Map<string, readonly number[]>();
function vectorOfWord(one: string): readonly number[] {
  const known = vectorsOfWords.get(one);
  if (known !== undefined) return known;
  const made = Array.from({ length: DIMENSION }, () => random() - 0.5);
  vectorsOfWords.set(one, made);
  return made;
}
/** Texts with words in common are near each other. */
function vectorOf(text: string): number[] {
  const all = text.toLowerCase().split(/\W+/).map(vectorOfWord);
  return Array.from({ length: DIMENSION }, (_, at) =>
    all.reduce((sum, one) => sum + (one[at] ?? 0), 0),
  );
}
// A few words are common and most are rare, as in any language.
const word = () => `word${Math.floor(random() ** 3 * 20_000)}`;
const words = (count: number) => Array.from({ length: count }, word).join(' ');
const needle = (turn: number) => `the copper kettle of engine${turn} stands in town${turn}`;
const isNeedle = (turn: number) => turn % NEEDLE_EVERY === 1;

const userId = randomUUID();
const owner = userGroupOf(userId);
const viewer: Viewer = { userId, name: 'bench', roles: ['user'], workspace: userId };
const START_MS = Date.now() - TURNS * 60_000;
const timeOf = (turn: number) => new Date(START_MS + turn * 60_000).toISOString();
const conversationOf = (turn: number) => `${userId}-c${Math.floor(turn / PER_CONVERSATION)}`;

const BUILD = /* cypher */ `
  // benchTurns
  UNWIND $rows AS row
  MERGE (c:Conversation:Resource {id: row.conversationId})
    ON CREATE SET c.ownerId = $userId, c.status = 'active', c.title = 'bench',
      c.createdAt = datetime(row.at), c.rootTurnId = row.id
  SET c.updatedAt = datetime(row.at)
  CREATE (c)-[:HAS_TURN {sequence: row.number}]->(t:ConversationTurn:Resource {id: row.id,
    conversationId: c.id, ownerId: $userId, speaker: row.speaker, turnType: 'message',
    timestamp: datetime(row.at)})
  CREATE (t)-[:HAS_ALTERNATIVE {isActive: true, sequence: 1}]->(a:Alternative:Resource {
    id: row.id + '-a', turnId: t.id, conversationId: c.id, ownerId: $userId,
    respondsToId: row.before + '-a', outcome: 'completed', content: row.text,
    createdAt: datetime(row.at)})
  CREATE (a)-[:HAS_CONTENT {source: 'message', alternativeId: a.id,
    createdAt: datetime(row.at)}]->(ep:Episodic {uuid: row.id + '-e', name: 'Turn:' + a.id,
    content: row.text, group_id: c.id, source: 'message', source_description: '',
    entity_edges: [], valid_at: datetime(row.at), created_at: datetime(row.at)})
  CREATE (p:EpisodeText {key: ep.uuid + '/0', episodeUuid: ep.uuid, index: 0, text: row.text,
    window: row.text, owner: $owner, group_id: c.id})-[:TEXT_OF]->(ep)
  MERGE (s:EpisodeStretch {key: row.stretch})
    ON CREATE SET s.owner = $owner, s.group_id = c.id, s.text = ''
  SET s.text = s.text + row.text
  CREATE (p)-[:PART_OF]->(s)
  WITH row, p, t, a
  CALL db.create.setNodeVectorProperty(p, 'vectorA', row.vector)
  WITH row, t, a
  OPTIONAL MATCH (above:ConversationTurn {id: row.before})-[:HAS_ALTERNATIVE]->(answered)
  FOREACH (one IN CASE WHEN above IS NULL THEN [] ELSE [above] END |
    CREATE (t)-[:CHILD_OF]->(one) CREATE (one)-[:ON_SCREEN]->(t)
    CREATE (a)-[:RESPONDS_TO]->(answered))
`;
const BUILD_STATEMENTS = /* cypher */ `
  // benchStatements
  UNWIND $rows AS row
  MATCH (ep:Episodic {uuid: row.id + '-e'})
  CREATE (:TemporalFact {uuid: row.id + '-s', text: row.text, key: row.key, owner: $owner,
    group_id: $owner, episodes: [ep.uuid], said_by: 'user', subject: 'i',
    attribute: row.attribute, said_at: datetime(row.at), valid_at: datetime(row.at),
    created_at: datetime(row.at), invalid_at: datetime(row.over)})-[:STATED_IN]->(ep)
`;
const BUILD_ENTITIES = /* cypher */ `
  // benchEntities
  UNWIND $rows AS row
  CREATE (e:Entity {uuid: row.uuid, name: row.name, summary: row.summary, group_id: $owner,
    created_at: datetime()})-[:HAS_PROFILE]->(p:EntityProfile {entityUuid: row.uuid,
    owner: $owner, nameKey: row.name})
  WITH e, p, row
  MATCH (ep:Episodic {uuid: row.turn + '-e'})
  CREATE (ep)-[:MENTIONS]->(e)
  WITH p, row
  CALL db.create.setNodeVectorProperty(p, 'vectorA', row.vector)
`;
const BUILD_FACTS = /* cypher */ `
  // benchFacts
  UNWIND $rows AS row
  MATCH (s:Entity {uuid: row.from}), (t:Entity {uuid: row.to})
  CREATE (s)-[:RELATES_TO {uuid: row.uuid, name: 'KNOWS', fact: row.fact, group_id: $owner,
    episodes: [row.turn + '-e'], created_at: datetime()}]->(t)
  CREATE (f:FactRef {edgeUuid: row.uuid, owner: $owner, group_id: $owner})
  WITH f, row
  CALL db.create.setNodeVectorProperty(f, 'vectorA', row.vector)
`;

async function build(opened: Graph): Promise<void> {
  const space = { slot: 'A', model: 'bench', url: 'bench:', dimension: DIMENSION } as const;
  for (const statement of createIndexStatements('A'))
    await opened.write((tx) => tx.run(statement, indexOptions(space)));
  await opened.write((tx) =>
    saveEmbeddingState(tx, { was: null, state: { current: space, next: null, left: null } }),
  );
  await opened.write((tx) =>
    tx.run("// benchUser\nCREATE (:User:Resource {id: $userId, name: 'bench'})", { userId }),
  );
  const inBatches = async (text: string, count: number, rowOf: (at: number) => object | null) => {
    for (let from = 0; from < count; from += BATCH) {
      const ats = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => from + at);
      const rows = ats.flatMap((at) => rowOf(at) ?? []);
      await opened.write((tx) => tx.run(text, { rows, owner, userId }));
    }
  };
  const idOf = (turn: number) => `${userId}-t${turn}`;
  const textOf = (turn: number) => (isNeedle(turn) ? needle(turn) : words(14));
  const texts = Array.from({ length: TURNS }, (_, turn) => textOf(turn));
  await inBatches(BUILD, TURNS, (turn) => ({
    id: idOf(turn),
    before: turn % PER_CONVERSATION === 0 ? null : idOf(turn - 1),
    conversationId: conversationOf(turn),
    number: (turn % PER_CONVERSATION) + 1,
    speaker: turn % 2 === 1 ? 'user' : 'agent',
    stretch: idOf(turn - (turn % Math.min(STRETCH_TURNS, PER_CONVERSATION))),
    text: texts[turn],
    at: timeOf(turn),
    vector: vectorOf(texts[turn] ?? ''),
  }));
  await inBatches(BUILD_STATEMENTS, TURNS, (turn) => {
    if (turn % 2 === 0) return null;
    // A person has a home for a time, and tastes for long.
    const attribute = turn % 50 === 1 ? 'home' : turn % 10 === 1 ? `likes ${word()}` : null;
    const text = attribute === 'home' ? `I live in town${turn}` : (texts[turn] ?? '');
    const over = attribute === 'home' && turn + 100 < TURNS ? timeOf(turn + 50) : null;
    return { id: idOf(turn), at: timeOf(turn), text, key: sentenceKey(text), attribute, over };
  });
  const entities = Array.from({ length: Math.floor(TURNS / TURNS_PER_ENTITY) }, () => randomUUID());
  const names = entities.map(() => words(2));
  await inBatches(BUILD_ENTITIES, entities.length, (at) => ({
    uuid: entities[at],
    name: names[at],
    summary: words(12),
    turn: idOf(at * TURNS_PER_ENTITY),
    vector: vectorOf(names[at] ?? ''),
  }));
  const any = () => entities[Math.floor(random() * entities.length)];
  await inBatches(BUILD_FACTS, Math.floor(TURNS / TURNS_PER_FACT), (at) => ({
    ...{ uuid: randomUUID(), from: any(), to: any(), fact: texts[at * TURNS_PER_FACT] },
    ...{ turn: idOf(at * TURNS_PER_FACT), vector: vectorOf(texts[at * TURNS_PER_FACT] ?? '') },
  }));
  await opened.read((tx) => tx.run('// benchAwait\nCALL db.awaitIndexes(600)'));
}

async function main(): Promise<void> {
  await migrate(graph);
  const builtMs = performance.now();
  await build(graph);
  const seconds = ((performance.now() - builtMs) / 1_000).toFixed(0);
  console.log(`${TURNS} turns, ${PER_CONVERSATION} in a conversation, written in ${seconds} s`);
  const model = {
    ...{ model: 'bench', url: 'bench:' },
    embed: async (texts: readonly string[]) => texts.map(vectorOf),
  };
  const embeddings = openEmbeddings({
    ...{ graph, log: openLog('error'), embedder: model, openFormer: () => model },
  });
  const deps = {
    ...{ graph, clock: { nowMs: () => Date.now() }, embeddings, newId: randomUUID },
    settings: { current: async () => SETTINGS_DEFAULT, forget: () => {} },
    memoryMode: { mode: 'separate', agentId: null },
  } as const;
  const neo4j = await pidOn(Number(new URL(String(env['NEO4J_URI'])).port));
  const needles = Array.from({ length: TURNS }, (_, turn) => turn).filter(isNeedle);
  const anyNeedle = () => needles[Math.floor(random() * needles.length)] ?? 1;
  let asked = 0;
  let first = 0;
  const question = (turn: number) => `Where does the kettle of engine${turn} stand?`;
  const search = async (query: string, turn: number) => {
    const { hits } = await searchMemory(deps, viewer, { query });
    asked++;
    if (hits[0]?.uuid.startsWith(`${userId}-t${turn}-`)) first++;
  };
  const here = conversationOf(TURNS - 1);
  const ops: Record<string, () => Promise<unknown>> = {
    'search by a question': () => {
      const turn = anyNeedle();
      return search(question(turn), turn);
    },
    'search by common words': () => searchMemory(deps, viewer, { query: words(4) }),
    'search by an attribute': () => searchMemory(deps, viewer, { query: 'Where do I live?' }),
    recall: () =>
      graph.read((tx) =>
        recall(tx, {
          ...{ viewerId: userId, conversationId: here, message: question(anyNeedle()), path: [] },
          ...{ active: [], shown: [{ episodeId: null, content: '' }], store: null },
          ...{ tokens: 2_000, otherConversations: true },
        }),
      ),
    'what a new statement is compared with': () =>
      graph.read((tx) =>
        listKnownStatements(
          tx,
          { ownerId: userId, saidAt: new Date().toISOString() },
          { statements: [], ended: new Map() },
        ),
      ),
    'unread turns, none': () => graph.read((tx) => findUnread(tx, userId)),
  };
  let kept = true;
  for (const [name, make] of Object.entries(ops)) {
    for (let round = 0; round < WARM_UP; round++) await make();
    const ms: number[] = [];
    const byStatement = new Map<string, number>();
    const stop = graph.onStatement(({ name: statement, ms: took }) => {
      byStatement.set(statement, (byStatement.get(statement) ?? 0) + took);
    });
    const before = (await cpuSeconds({ neo4j })).neo4j;
    for (let round = 0; round < ROUNDS; round++) {
      const startedMs = performance.now();
      await make();
      ms.push(performance.now() - startedMs);
    }
    const cpuMs = (((await cpuSeconds({ neo4j })).neo4j - before) * 1_000) / ROUNDS;
    stop();
    const slowest = [...byStatement]
      .sort((left, right) => right[1] - left[1])
      .slice(0, 4)
      .map(([statement, total]) => `${statement} ${(total / ROUNDS).toFixed(1)}`)
      .join(', ');
    const figures: Figure[] = [
      {
        ...{ name, value: median(ms), unit: 'ms', bound: SEARCH_MS_MAX, keep: 'at most' },
        detail: `p95 ${percentile(ms, 95).toFixed(0)} ms; ${slowest}`,
      },
      {
        ...{ name: `${name}, Neo4j`, value: cpuMs, unit: 'ms', bound: CPU_MS_MAX, keep: 'at most' },
        detail: 'of processor time',
      },
    ];
    for (const figure of figures) printFigure(figure);
    kept &&= figures.every(holds);
  }
  console.log(`${first} of ${asked} questions had their turn first`);
  process.exitCode = kept ? 0 : 1;
}

await main();
await graph.close();
