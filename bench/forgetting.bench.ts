import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { DELETION_PAUSE_SHARE } from '../src/common/limits.ts';
import { openBlobStore } from '../src/platform/blobs/blob-store.ts';
import { openGraph } from '../src/platform/neo4j/graph.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { forgetExpired } from '../src/retention/forgetting.job.ts';
import { SETTINGS_DEFAULT } from '../src/settings/settings.ts';
import { fixedSettings } from '../test/testkit/fixed.ts';
import { type Figure, holds, printFigure } from './report.ts';

// Days of steps with a retention of one day, their times simulated: the size of the graph after
// each day, and the 95th percentile of 20 readers while a day is deleted. With its pauses the job
// takes an hour for a day, so after some minutes of readers it is cut off, and ends without them.

const STEPS = Number(process.env['BENCH_STEPS'] ?? 100_000);
const STEPS_PER_RUN = 10;
const DAYS = 3;
const READERS = 20;
const READ_SECONDS = Number(process.env['BENCH_READ_SECONDS'] ?? 120);
const PAUSE_MS = 100;
const START_MS = Date.parse('2001-01-01T00:00:00.000Z');
const DAY_MS = 86_400_000;

const { env } = process;
const graph = openGraph({
  uri: env['NEO4J_URI'] ?? '',
  user: env['NEO4J_USER'] ?? 'neo4j',
  password: env['NEO4J_PASSWORD'] ?? '',
  poolSize: 60,
});
await migrate(graph);
const folder = await mkdtemp(join(tmpdir(), 'aiden-bench-'));
const blobs = openBlobStore(pathToFileURL(folder).href);
const READER = `bench-${randomUUID()}`;
const owner = randomUUID();

// A step leaves its record and two entries; a run its record, two entries, and a session with
// events.
const WRITE_RUNS = /* cypher */ `
  // benchRuns
  UNWIND range(0, $runs - 1) AS r
  WITH randomUUID() AS id, datetime($day) + duration({seconds: r % 80000}) AS at, $seq + r * 100 AS
    seq
  CREATE (run:ProcessRun:Resource {id: id, rootRunId: id, runPath: [id], depth: 0, origin: 'user',
    status: 'completed',
    ownerId: $owner, workspace: $owner, snapshotHash: 'bench', context: '{}', output: 'done',
      createdAt: at, startedAt: at, completedAt: at})
  CREATE (s:Session:RootSession {node_id: id, workspace: $owner, owner_id: $owner, origin: 'user',
    started_at: at})
  WITH run, s, id, at, seq
  UNWIND range(1, $steps) AS i
  CREATE (run)-[:HAS_STEP_RUN]->(:StepRun {key: id + '/' + i, runId: id, rootRunId: id, ownerId:
    $owner, stepId: 's' + i,
    status: 'completed', inputs: '{"text":"some input of a step"}',
    output: '"some output of a step"', completedAt: at})
  CREATE (:OutboxEntry {id: randomUUID(), seq: seq + 2 * i, kind: 'step.started', rootRunId: id,
    runId: id, runPath: [id],
    ownerId: $owner, at: at, payload: '{"inputs":{"text":"some input of a step"}}'})
  CREATE (:OutboxEntry {id: randomUUID(), seq: seq + 2 * i + 1, kind: 'step.ended', rootRunId: id,
    runId: id, runPath: [id],
    ownerId: $owner, at: at, payload: '{"output":"some output of a step"}'})
  CREATE (s)-[:HAS_EVENT]->(:Event {node_id: id + '/' + i, session_id: id, workspace: $owner,
    owner_id: $owner,
    occurred_at: at, data: '{"text":"some output of a step"}'})
`;
// Numbers below those of every real entry, and other ones in each run of the bench.
let seq = -1e12 - Math.floor(Math.random() * 1e12);
async function aDay(day: number, steps: number): Promise<void> {
  for (let left = steps / STEPS_PER_RUN; left > 0; left -= 500) {
    const runs = Math.min(left, 500);
    const at = new Date(START_MS + day * DAY_MS).toISOString();
    const params = { runs, day: at, owner, steps: STEPS_PER_RUN, seq };
    await graph.write((tx) => tx.run(WRITE_RUNS, params));
    seq += runs * 100;
  }
}
const COUNT = `// benchCount\n MATCH (n) RETURN count(n) AS count`;
const size = async () => Number((await graph.read((tx) => tx.run(COUNT)))[0]?.['count']);

const READ = /* cypher */ `
  // benchRead
  MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(ownerId, id)
  WHERE run.ownerId = $owner AND run.id > $from
  WITH run ORDER BY run.ownerId, run.id LIMIT 20
  MATCH (run)-[:HAS_STEP_RUN]->(s:StepRun)
  RETURN run {.*} AS run, collect(s {.*}) AS steps
`;
async function readUntil(isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      while (!isOver()) {
        const startedMs = performance.now();
        await graph.read((tx) => tx.run(READ, { owner, from: randomUUID() }));
        times.push(performance.now() - startedMs);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }),
  );
  return times;
}
const after = (ms: number) => {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
};
const p95 = (times: readonly number[]) =>
  [...times].sort((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? Number.NaN;

await graph.write((tx) =>
  tx.run('// benchReader\n CREATE (:Checkpoint {name: $name, seq: 0})', { name: READER }),
);
const settings = fixedSettings({
  ...SETTINGS_DEFAULT,
  runRetentionDays: 1,
  callGraphRetentionDays: 3_650,
  sessionRetentionDays: 1,
});
const forget = (day: number, pauseShare = 0, signal = new AbortController().signal) =>
  forgetExpired(
    { graph, blobs, settings, clock: { nowMs: () => START_MS + day * DAY_MS }, pauseShare },
    { names: [READER], queueReaders: [] },
    { checkpoint: '-3000000000000', signal, progress: async () => {} },
  );

const empty = await size();
const sizes: number[] = [];
const before: number[] = [];
const during: number[] = [];
let perSecond = 0;
for (let day = 0; day < DAYS; day++) {
  await aDay(day, STEPS);
  const now = day + 0.95;
  // On the first day nothing is due yet.
  if (day > 0) {
    await readUntil(after(3_000));
    before.push(...(await readUntil(after(8_000))));
    const [full, startedMs] = [await size(), performance.now()];
    const cut = new AbortController();
    let isOver = false;
    const forgetting = forget(now, DELETION_PAUSE_SHARE, cut.signal).finally(() => {
      isOver = true;
    });
    const isCut = after(READ_SECONDS * 1_000);
    during.push(...(await readUntil(() => isOver || isCut())));
    cut.abort();
    await forgetting;
    perSecond = ((full - (await size())) * 1_000) / (performance.now() - startedMs);
  }
  await forget(now);
  sizes.push((await size()) - empty);
  console.log(`     day ${day + 1}: ${sizes.at(-1)} nodes`);
}
before.push(...(await readUntil(after(8_000))));

const [, second = 0, third = 0] = sizes;
const figures: Figure[] = [
  {
    name: `nodes after day 3 of ${STEPS} steps a day, against day 2`,
    value: third / second,
    unit: 'x',
    bound: 1.01,
    keep: 'at most',
    detail:
      `${sizes.join(', ')} nodes after each day; at its own pace the job deletes ` +
      `${perSecond.toFixed(0)} nodes a second`,
  },
  {
    name: `the 95th percentile of ${READERS} readers while a day is deleted, against without`,
    value: p95(during) / p95(before),
    unit: 'x',
    bound: 1.5,
    keep: 'at most',
    detail: `${p95(during).toFixed(1)} / ${p95(before).toFixed(1)} ms; ${during.length} queries`,
  },
];
for (const figure of figures) printFigure(figure);
await forget(10_000);
await graph.write((tx) =>
  tx.run('// benchForget\n MATCH (c:Checkpoint {name: $name}) DELETE c', { name: READER }),
);
await graph.close();
await rm(folder, { recursive: true, force: true });
process.exitCode = figures.every(holds) ? 0 : 1;
