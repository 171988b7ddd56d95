import { randomUUID } from 'node:crypto';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { type Graph, openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { readWorkingMemory } from '../src/working-memory/working-memory.cypher.ts';
import { holds, interleave, median, printFigure } from './report.ts';

// Cost of working memory on a path of 1,000 turns, without recall: over one hand-written Cypher for
// the same texts and counting their tokens, and with four times as many alternatives beside the
// path.

const TURNS = 1_000;
const viewerId = randomUUID();
const { env } = process;
const graph = openGraph({
  uri: String(env['NEO4J_URI']),
  user: env['NEO4J_USER'] ?? 'neo4j',
  password: env['NEO4J_PASSWORD'] ?? '',
});

// By id of the last turn and up, which is the least that any reader of the path has to do.
const FLOOR = /* cypher */ `
  // benchPath
  MATCH path = (:ConversationTurn {id: $lastId})-[:CHILD_OF*0..]->(:ConversationTurn {id: $rootId})
  UNWIND nodes(path) AS t
  MATCH (t)-[h:HAS_ALTERNATIVE]->(a:Alternative) WHERE h.isActive
  RETURN t.speaker AS speaker, a.content AS content
`;

const BUILD = /* cypher */ `
  // benchBuild
  CREATE (c:Conversation:Resource {id: $id, ownerId: $viewerId, status: 'active', createdAt:
    datetime(), updatedAt: datetime(),
    rootTurnId: $id + '-0', recallTokens: 0})
  WITH c
  UNWIND range(0, $turns - 1) AS i
  CREATE (c)-[:HAS_TURN {sequence: i + 1}]->(t:ConversationTurn:Resource {id: $id + '-' + i,
    conversationId: c.id,
    ownerId: $viewerId, speaker: CASE WHEN i % 2 = 0 THEN 'user' ELSE 'agent' END, turnType:
      'message', timestamp: datetime()})
  CREATE (t)-[:HAS_ALTERNATIVE {isActive: true, sequence: 1}]->(:Alternative:Resource {id: $id +
    '-a-' + i, turnId: t.id,
    conversationId: c.id, ownerId: $viewerId, outcome: 'completed', createdAt: datetime(),
    respondsToId: CASE WHEN i = 0 THEN null ELSE $id + '-a-' + (i - 1) END,
    content: 'Turn ' + i
      + ' says something that is about as long as what people say to each other. '
      + randomUUID()})
`;
const LINK = /* cypher */ `
  // benchLink
  UNWIND range(1, $turns - 1) AS i
  MATCH (t:ConversationTurn {id: $id + '-' + i}), (p:ConversationTurn {id: $id + '-' + (i - 1)})
  MATCH (a:Alternative {id: $id + '-a-' + i}), (b:Alternative {id: $id + '-a-' + (i - 1)})
  CREATE (t)-[:CHILD_OF {viaAlternative: b.id}]->(p), (p)-[:ON_SCREEN]->(t), (a)-[:RESPONDS_TO]->(b)
`;
// Branches that are not on screen: a turn below each of the path's, with the alternatives that are
// wanted.
const BESIDE = /* cypher */ `
  // benchBeside
  MATCH (c:Conversation {id: $id})
  UNWIND range(0, $turns - 2) AS i
  MATCH (p:ConversationTurn {id: $id + '-' + i}), (b:Alternative {id: $id + '-a-' + i})
  CREATE (c)-[:HAS_TURN {sequence: i + 2}]->(t:ConversationTurn:Resource {id: randomUUID(),
    conversationId: c.id,
    ownerId: $viewerId, speaker: 'user', turnType: 'message',
    timestamp: datetime() - duration('P1D')})
  CREATE (t)-[:CHILD_OF {viaAlternative: b.id}]->(p)
  WITH t, b, c
  UNWIND range(1, $versions) AS n
  CREATE (t)-[:HAS_ALTERNATIVE {isActive: n = 1, sequence: n}]->(a:Alternative:Resource {id:
    randomUUID(), turnId: t.id,
    conversationId: c.id, ownerId: $viewerId, outcome: 'completed', content: 'beside', createdAt:
      datetime()})
  CREATE (a)-[:RESPONDS_TO]->(b)
`;

async function build(opened: Graph, versions: number): Promise<string> {
  const id = randomUUID();
  const params = { id, viewerId, turns: TURNS, versions };
  for (const statement of [BUILD, LINK, BESIDE])
    await opened.write((tx) => tx.run(statement, params));
  return id;
}

async function hasInMind(conversationId: string): Promise<number> {
  const memory = await graph.read((tx) => readWorkingMemory(tx, viewerId, { conversationId }));
  if ('missing' in memory) throw new Error(`No ${memory.missing}`);
  return memory.totalTokens;
}

async function byHand(id: string): Promise<number> {
  const params = { rootId: `${id}-0`, lastId: `${id}-${TURNS - 1}` };
  const rows = await graph.read((tx) => tx.run(FLOOR, params));
  return rows.reduce((sum, { content }) => sum + countTokens(String(content)), 0);
}

let kept = true;
try {
  await migrate(graph);
  const small = await build(graph, 4);
  const large = await build(graph, 19);
  if ((await hasInMind(small)) !== (await byHand(small)))
    throw new Error('The two do not count the same.');
  const times = await interleave(
    { ours: () => hasInMind(small), floor: () => byHand(small), wide: () => hasInMind(large) },
    { rounds: 15, warmUp: 4 },
  );
  const [ours, floor, wide] = [times.ours, times.floor, times.wide].map(median) as [
    number,
    number,
    number,
  ];
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  for (const figure of [
    {
      name: `workingMemory of ${TURNS} turns over hand-written Cypher and counting`,
      value: ours / floor,
      bound: 1.5,
      detail: `${ms(ours)} against ${ms(floor)}`,
    },
    {
      name: 'workingMemory with 20,000 alternatives over 5,000',
      value: wide / ours,
      bound: 1.1,
      detail: `${ms(wide)} against ${ms(ours)}`,
    },
  ]) {
    const measured = { ...figure, unit: 'x', keep: 'at most' } as const;
    printFigure(measured);
    kept = holds(measured) && kept;
  }
} finally {
  await graph.write((tx) =>
    tx.run(
      '// benchClean\nMATCH (n:Resource) WHERE n.ownerId = $viewerId CALL (n) { DETACH DELETE n }',
      { viewerId },
    ),
  );
  await graph.close();
}
process.exitCode = kept ? 0 : 1;
