import { randomUUID } from 'node:crypto';
import {
  createIndexStatements,
  indexOptions,
  saveEmbeddingState,
} from '../src/memory-graph/embeddings/embedding.cypher.ts';
import { openEmbeddings } from '../src/memory-graph/embeddings/embeddings.service.ts';
import { userGroupOf } from '../src/memory-graph/group.ts';
import { searchMemory } from '../src/memory-graph/search/search-memory.service.ts';
import { type Graph, openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openLog } from '../src/platform/telemetry/log.ts';
import { SETTINGS_DEFAULT } from '../src/settings/settings.ts';
import type { Viewer } from '../src/users/user.ts';
import { holds, interleave, median, printFigure } from './report.ts';

// The cost of a search over 20,000 facts and 5,000 entities over its bare index queries, run by
// hand in one round trip.

const ENTITIES = 5_000;
const FACTS = 20_000;
const DIMENSION = 100;
const WORDS = 2_000;
const { env } = process;
const graph = openGraph({
  uri: String(env['NEO4J_URI']),
  user: env['NEO4J_USER'] ?? 'neo4j',
  password: env['NEO4J_PASSWORD'] ?? '',
});
const userId = randomUUID();
const viewer: Viewer = { userId, name: 'bench', roles: ['user'], workspace: userId };
const conversationId = randomUUID();
const owner = userGroupOf(userId);

let seed = 7;
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
const vector = () => Array.from({ length: DIMENSION }, () => random() - 0.5);
const word = () => `word${Math.floor(random() * random() * WORDS)}`;
const words = (count: number) => Array.from({ length: count }, word).join(' ');

const model = {
  model: 'bench',
  url: 'bench:',
  embed: async (texts: readonly string[]) => texts.map(vector),
};
const embeddings = openEmbeddings({
  graph,
  log: openLog('error'),
  embedder: model,
  openFormer: () => model,
});

const BUILD_ENTITIES = /* cypher */ `
  // benchEntities
  UNWIND $rows AS row
  CREATE (e:Entity {uuid: row.uuid, name: row.name, summary: row.summary, group_id:
    $conversationId, created_at: datetime()})
  CREATE (e)-[:HAS_PROFILE]->(p:EntityProfile {entityUuid: row.uuid, owner: $owner, nameKey:
    row.name})
  CREATE (p)-[:HAS_SOURCE]->(:EntitySource {key: row.uuid, type: 'user', createdAt: datetime()})
  WITH p, row
  CALL db.create.setNodeVectorProperty(p, 'vectorA', row.vector)
`;
const BUILD_FACTS = /* cypher */ `
  // benchFacts
  UNWIND $rows AS row
  MATCH (s:Entity {uuid: row.source}), (t:Entity {uuid: row.target})
  CREATE (s)-[r:RELATES_TO {uuid: row.uuid, name: 'KNOWS', fact: row.fact, group_id:
    $conversationId, episodes: [$episodeUuid],
    created_at: datetime()}]->(t)
  CREATE (f:FactRef {edgeUuid: row.uuid, owner: $owner, group_id: $conversationId})
  WITH f, row
  CALL db.create.setNodeVectorProperty(f, 'vectorA', row.vector)
`;
// A conversation of one turn, whose Episode tells of all of it.
const BUILD_CONVERSATION = /* cypher */ `
  // benchConversation
  CREATE (c:Conversation:Resource {id: $conversationId, ownerId: $userId, status: 'active',
    createdAt: datetime(),
    updatedAt: datetime(), rootTurnId: $conversationId + '-t'})
  CREATE (c)-[:HAS_TURN {sequence: 1}]->(t:ConversationTurn:Resource {id: $conversationId + '-t',
    conversationId: c.id,
    ownerId: $userId, speaker: 'user', turnType: 'message', timestamp: datetime()})
  CREATE (t)-[:HAS_ALTERNATIVE {isActive: true, sequence: 1}]->(a:Alternative:Resource {id:
    $conversationId + '-a',
    turnId: t.id, conversationId: c.id, ownerId: $userId, outcome: 'completed', content:
      'all of it', createdAt: datetime()})
  CREATE (a)-[:HAS_CONTENT {source: 'message', alternativeId: a.id, createdAt:
    datetime()}]->(:Episodic {uuid: $episodeUuid,
    name: 'Turn:' + a.id, content: 'all of it', group_id: c.id, source: 'message',
    source_description: '', entity_edges: [],
    valid_at: datetime(), created_at: datetime()})
`;
const FLOOR = /* cypher */ `
  // benchIndexes
  CALL () {
    CALL db.index.fulltext.queryRelationships('edge_name_and_fact', $query, {limit: 20})
      YIELD relationship, score
    RETURN relationship.uuid AS uuid, score
    UNION ALL
    CALL db.index.fulltext.queryNodes('node_name_and_summary', $query, {limit: 20})
      YIELD node, score
    RETURN node.uuid AS uuid, score
    UNION ALL
    CALL db.index.vector.queryNodes('fact_vector_a', 20, $vector) YIELD node, score
    RETURN node.edgeUuid AS uuid, score
    UNION ALL
    CALL db.index.vector.queryNodes('entity_vector_a', 20, $vector) YIELD node, score
    RETURN node.entityUuid AS uuid, score
  }
  RETURN uuid, score
`;

async function build(opened: Graph): Promise<void> {
  const episodeUuid = randomUUID();
  const common = { conversationId, userId, owner, episodeUuid };
  const space = { slot: 'A', model: 'bench', url: 'bench:', dimension: DIMENSION } as const;
  for (const statement of createIndexStatements('A'))
    await opened.write((tx) => tx.run(statement, indexOptions(space)));
  await opened.write((tx) =>
    saveEmbeddingState(tx, { was: null, state: { current: space, next: null, left: null } }),
  );
  await opened.write((tx) => tx.run(BUILD_CONVERSATION, common));
  const uuids = Array.from({ length: ENTITIES }, () => randomUUID());
  for (let from = 0; from < ENTITIES; from += 500) {
    const rows = uuids
      .slice(from, from + 500)
      .map((uuid) => ({ uuid, name: words(2), summary: words(12), vector: vector() }));
    await opened.write((tx) => tx.run(BUILD_ENTITIES, { ...common, rows }));
  }
  const any = () => uuids[Math.floor(random() * ENTITIES)];
  for (let from = 0; from < FACTS; from += 500) {
    const rows = Array.from({ length: 500 }, () => ({
      uuid: randomUUID(),
      source: any(),
      target: any(),
      fact: words(10),
      vector: vector(),
    }));
    await opened.write((tx) => tx.run(BUILD_FACTS, { ...common, rows }));
  }
  await opened.read((tx) => tx.run('// benchAwait\nCALL db.awaitIndexes(300)'));
}

await migrate(graph);
await build(graph);
const clock = { nowMs: () => Date.now() };
const deps = {
  ...{ graph, clock, embeddings, newId: randomUUID },
  settings: { current: async () => SETTINGS_DEFAULT, forget: () => {} },
  memoryMode: { mode: 'separate', agentId: null },
} as const;
let hits = 0;
const ms = await interleave(
  {
    search: async () => {
      const found = await searchMemory(deps, viewer, {
        query: words(4),
        conversationId,
        kinds: ['entity', 'fact'],
      });
      hits += found.hits.length;
    },
    floor: async () => {
      const query = `+(group_id:"${conversationId}") +(${words(4)})`;
      await graph.read((tx) => tx.run(FLOOR, { query, vector: vector() }));
    },
  },
  { rounds: 100, warmUp: 60 },
);
const [search, floor] = [median(ms.search), median(ms.floor)];
const figure = {
  name: 'search over 20,000 facts and 5,000 entities, over its bare index queries',
  value: search / floor,
  unit: 'x',
  bound: 1.5,
  keep: 'at most',
  detail: `search ${search.toFixed(1)} ms, index queries ${floor.toFixed(1)} ms, ${hits} hits`,
} as const;
printFigure(figure);
process.exitCode = holds(figure) && hits > 0 ? 0 : 1;
await graph.close();
