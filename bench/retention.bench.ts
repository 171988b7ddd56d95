import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { findCallGraph, listCalls } from '../src/call-graph/call-read.cypher.ts';
import { deleteExpiredCalls } from '../src/call-graph/retention.job.ts';
import { openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { SETTINGS_DEFAULT } from '../src/settings/settings.ts';
import type { Viewer } from '../src/users/user.ts';
import { fixedSettings } from '../test/testkit/fixed.ts';
import { type Figure, holds, printFigure } from './report.ts';

// Retention of 100,000 expired calls while 20 readers query: its effect on their 95th percentile.

const EXPIRED = Number(process.env['BENCH_CALLS'] ?? 100_000);
const READERS = 20;
/** A person at a screen rather than a loop: the wait is measured, not the machine at its limit. */
const PAUSE_MS = 100;

const { env } = process;
const graph = openGraph({
  uri: env['NEO4J_URI'] ?? '',
  user: env['NEO4J_USER'] ?? 'neo4j',
  password: env['NEO4J_PASSWORD'] ?? '',
  poolSize: 60,
});
await migrate(graph);

const CREATE = /* cypher */ `
  // benchExpired
  UNWIND range(1, $runs) AS r
  WITH randomUUID() AS runId, datetime($at) + duration({seconds: $from + r}) AS at
  CREATE (root:CallGraphNode {id: randomUUID(), requestId: runId, rootRunId: runId, ownerId:
    $ownerId, origin: 'user', operationId: 'p',
    status: 'completed', input: '{}', output: '{}', createdAt: at, updatedAt: at, startedAt: at,
    completedAt: at, _retentionExpiresAt: datetime($expires)})
  WITH root, runId, at
  UNWIND range(1, 9) AS i
  CREATE (n:CallGraphNode {id: randomUUID(), requestId: runId + '/s' + i + '/1', rootRunId: runId,
    ownerId: $ownerId, origin: 'user',
    operationId: 't' + i, status: 'completed', parentRequestId: runId, input: '{}', output: '{}',
      createdAt: at,
    updatedAt: at, startedAt: at, completedAt: at, _retentionExpiresAt: datetime($expires)})
  CREATE (root)-[:CALL_EDGE {id: randomUUID(), sourceId: root.id, targetId: n.id, edgeType:
    'triggered', createdAt: at}]->(n)
  RETURN DISTINCT runId
`;
const YEARS_AGO = '2001-01-01T00:00:00.000Z';
async function create(ownerId: string, calls: number, expires: string): Promise<string[]> {
  const runIds: string[] = [];
  for (let left = calls / 10; left > 0; left -= 500) {
    const runs = Math.min(left, 500);
    const from = runIds.length;
    const at = YEARS_AGO;
    const rows = await graph.write((tx) => tx.run(CREATE, { runs, ownerId, at, from, expires }));
    runIds.push(...rows.map((row) => String(row['runId'])));
  }
  return runIds;
}

const viewer: Viewer = { userId: randomUUID(), name: 'bench', roles: ['user'], workspace: 'bench' };
const mine = await create(viewer.userId, 2_000, '2999-01-01T00:00:00.000Z');
await create(randomUUID(), EXPIRED, '2001-04-01T00:00:00.000Z');

/** Milliseconds of every query of 20 readers, until `isOver`. */
async function readUntil(isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: READERS }, async (_, reader) => {
      for (let turn = 0; !isOver(); turn++) {
        const startedMs = performance.now();
        await graph.read(async (tx) => {
          if ((turn + reader) % 2 === 0) await listCalls(tx, viewer, {}, { first: 50 });
          else await findCallGraph(tx, viewer, mine[(turn * READERS + reader) % mine.length] ?? '');
        });
        times.push(performance.now() - startedMs);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }),
  );
  return times;
}
const p95 = (times: readonly number[]) =>
  [...times].sort((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? Number.NaN;
const after = (ms: number) => {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
};

await readUntil(after(30_000));
const before = await readUntil(after(10_000));
let isSwept = false;
const startedMs = performance.now();
const sweeping = deleteExpiredCalls({
  graph,
  clock: { nowMs: () => Date.parse('2002-01-01T00:00:00.000Z') },
  settings: fixedSettings(SETTINGS_DEFAULT),
}).then((count) => {
  isSwept = true;
  return count;
});
const during = await readUntil(() => isSwept);
const swept = await sweeping;
const seconds = (performance.now() - startedMs) / 1_000;
const later = await readUntil(after(10_000));
const without = Math.max(p95(before), p95(later));
const figure: Figure = {
  name:
    `the 95th percentile of ${READERS} readers while ${swept} expired calls go, ` +
    'against without',
  value: p95(during) / without,
  unit: 'x',
  bound: 1.5,
  keep: 'at most',
  detail:
    `${p95(during).toFixed(1)} / ${p95(before).toFixed(1)} before, ${p95(later).toFixed(1)} ms ` +
    `after; ${during.length} queries in ${seconds.toFixed(0)} s`,
};
printFigure(figure);
await graph.write((tx) =>
  tx.run('// benchForget\n MATCH (n:CallGraphNode {ownerId: $id}) DETACH DELETE n', {
    id: viewer.userId,
  }),
);
await graph.close();
process.exitCode = holds(figure) ? 0 : 1;
