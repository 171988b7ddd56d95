import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { execute, parse } from 'graphql';
import type { RequestContext } from '../schema/context.ts';
import { buildSchema } from '../schema/index.ts';
import { openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { type Figure, holds, interleave, median, pairedRatio, printFigure } from './report.ts';

// The cost of callGraph of a run with 1,000 calls over the database: all fields of all calls
// through the schema, against one hand-written Cypher for the same data through the driver. Both
// parse the payloads.

const CALLS = 1_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15);

const { env } = process;
const graph = openGraph({
  uri: env['NEO4J_URI'] ?? '',
  user: env['NEO4J_USER'] ?? 'neo4j',
  password: env['NEO4J_PASSWORD'] ?? '',
});
const ownerId = randomUUID();
const runId = randomUUID();
const CREATE = /* cypher */ `
  // benchCalls
  CREATE (root:CallGraphNode {id: randomUUID(), requestId: $runId, rootRunId: $runId, ownerId:
    $ownerId, origin: 'user', operationId: 'p',
    status: 'completed', identity: $identity, input: $payload, output: $payload, createdAt:
      datetime(), updatedAt: datetime(),
    startedAt: datetime(), completedAt: datetime()})
  WITH root
  UNWIND range(1, $calls - 1) AS i
  CREATE (n:CallGraphNode {id: randomUUID(), requestId: $runId + '/s' + i + '/1', rootRunId:
    $runId, ownerId: $ownerId, origin: 'user',
    operationId: 't', status: 'completed', parentRequestId: $runId, identity: $identity,
    input: $payload, output: $payload,
    createdAt: datetime(), updatedAt: datetime(), startedAt: datetime(), completedAt: datetime()})
  CREATE (root)-[:CALL_EDGE {id: randomUUID(), sourceId: root.id, targetId: n.id, edgeType:
    'triggered', createdAt: datetime()}]->(n)
`;
const BY_HAND = /* cypher */ `
  // benchCallGraph
  MATCH (n:CallGraphNode {rootRunId: $runId}) WHERE n.ownerId = $ownerId
  OPTIONAL MATCH (n)-[r:CALL_EDGE]->(m:CallGraphNode {rootRunId: $runId})
  RETURN n {.id, .requestId, .operationId, .parentRequestId, .identity, .status, .input, .output,
    .error, .startedAt,
    .completedAt, .createdAt, .updatedAt} AS call,
    collect(r {.id, .sourceId, .targetId, .edgeType, .createdAt}) AS edges
`;
const document = parse(/* GraphQL */ `
  query ($runId: String!) {
    callGraph(requestId: $runId) {
      nodes {
        id requestId operationId parentRequestId identity status input output error startedAt
        completedAt createdAt updatedAt
      }
      edges { id: edgeId source target edgeType createdAt }
    }
  }
`);

await migrate(graph);
const payload = JSON.stringify({ question: 'why?', rows: Array.from({ length: 10 }, (_, n) => n) });
const identity = JSON.stringify({ id: ownerId, scopes: ['user'] });
await graph.write((tx) => tx.run(CREATE, { runId, ownerId, payload, identity, calls: CALLS }));

const parsed = (text: unknown) => (typeof text === 'string' ? JSON.parse(text) : null);
let statements = 0;
const times = await interleave(
  {
    schema: async () => {
      const contextValue = {
        graph,
        viewer: { userId: ownerId, name: 'bench', roles: ['user'], workspace: ownerId },
      } as unknown as RequestContext;
      const counted = await graph.counting(async () =>
        execute({ schema: buildSchema(), document, contextValue, variableValues: { runId } }),
      );
      statements = counted.statements.length;
      const { data, errors } = counted.value;
      const nodes = (data?.['callGraph'] as { nodes: unknown[] } | undefined)?.nodes ?? [];
      if (errors !== undefined || nodes.length !== CALLS)
        throw new Error(`Not the whole graph: ${nodes.length} ${JSON.stringify(errors)}`);
      return JSON.stringify(data);
    },
    byHand: async () => {
      const rows = await graph.read((tx) => tx.run(BY_HAND, { runId, ownerId }));
      const nodes = rows.map((row) => {
        const call = row['call'] as Record<string, unknown>;
        const { input, output, error, identity: who } = call;
        return {
          ...call,
          input: parsed(input),
          output: parsed(output),
          error: parsed(error),
          who: parsed(who),
        };
      });
      return JSON.stringify({ nodes, edges: rows.flatMap((row) => row['edges']) });
    },
  },
  { rounds: ROUNDS, warmUp: 4 },
);
const figures: Figure[] = [
  {
    name: `callGraph of a run with ${CALLS} calls, against hand-written Cypher`,
    value: pairedRatio(times.schema, times.byHand),
    unit: 'x',
    bound: 2,
    keep: 'at most',
    detail: `${median(times.schema).toFixed(0)} / ${median(times.byHand).toFixed(0)} ms`,
  },
  {
    name: 'Cypher statements of it',
    value: statements,
    unit: 'x',
    bound: 3,
    keep: 'at most',
    detail: 'one for the calls, one for the edges, one for the payloads',
  },
];
for (const figure of figures) printFigure(figure);
await graph.write((tx) =>
  tx.run('// benchForget\n MATCH (n:CallGraphNode {rootRunId: $runId}) DETACH DELETE n', { runId }),
);
await graph.close();
process.exitCode = figures.every(holds) ? 0 : 1;
