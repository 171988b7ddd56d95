import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { openBus } from '../src/outbox/local-bus.service.ts';
import type { Projection } from '../src/outbox/projector.service.ts';
import { openRelay } from '../src/outbox/relay.service.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openEngine } from '../test/testkit/engine.ts';
import { echoWorld } from './echo.ts';
import { productParts } from './product-relay.ts';
import { type Figure, holds, printFigure } from './report.ts';

// How many entries of real runs the relay numbers and delivers a second, with all projections of
// the product beside it, and where twice as many arrive: how far a live reader falls behind, and
// that it gets each entry once and in order.

const RUNS = Number(process.env['BENCH_RUNS'] ?? 300);
const STEPS = 20;
const AT_ONCE = 20;
const SLICE_MS = 100;
/** Three times the engine's largest output: some 94 steps of three entries a second. */
const LIVE_PER_SECOND_MIN = 850;
const ALL_PER_SECOND_MIN = 280;

const engine = await openEngine({ poolSize: 50 });
const { graph, temporal } = engine;
await migrate(graph);
const { viewer, deps, stayHealthy, ...echo } = await echoWorld(engine);
const definition = await echo.createProcess('sequential', STEPS);
const parts = productParts(engine, deps);

/**
 * Runs of which no entry is numbered: there is no relay yet. Answers the ids of their entries in
 * order, none of them pending.
 */
async function recordedEntries(): Promise<string[]> {
  for (let done = 0; done < RUNS; done += AT_ONCE) {
    await stayHealthy();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const { id } = await engine.start(viewer, {
          processId: definition.id,
          context: { q: 'x' },
        });
        await temporal.client.workflow.getHandle(id).result();
      }),
    );
  }
  const rows = await graph.write((tx) =>
    tx.run(`// benchHold
      MATCH (o:PendingEntry) REMOVE o:PendingEntry RETURN o.id AS id ORDER BY id`),
  );
  return rows.map(({ id }) => String(id));
}

/** Makes these entries pending, as the commit of their writer does. */
async function release(ids: readonly string[]): Promise<void> {
  await graph.write((tx) =>
    tx.run(
      '// benchRelease\n UNWIND $ids AS id MATCH (o:OutboxEntry {id: id}) SET o:PendingEntry',
      {
        ids,
      },
    ),
  );
}

const held = await recordedEntries();
const half = Math.floor(held.length / 2);
const [first, second] = [held.slice(0, half), held.slice(half)];

const delivered: string[] = [];
const handled = new Map<string, number>();
const bus = openBus({ graph });
const relay = openRelay(
  { graph, clock: engine.deps.clock, newId: engine.deps.newId, bus, log: parts.log },
  {
    projections: parts.projections.map(
      (one): Projection => ({
        ...one,
        name: `${one.name}-${randomUUID()}`,
        startsAt: 'now',
        async handle(entries) {
          await one.handle(entries);
          handled.set(one.name, entries.at(-1)?.seq ?? 0);
        },
      }),
    ),
    periodicTasks: parts.periodicTasks,
    settings: { leaseName: `bench-${randomUUID()}` },
  },
);
await relay.ready;
while (!relay.isHolder) await setTimeout(20);
let lastSeq = 0;
const publish = bus.publish.bind(bus);
bus.publish = (entries) => {
  for (const { id, seq } of entries) {
    delivered.push(id);
    lastSeq = seq;
  }
  publish(entries);
};

/** Waits until so many entries were delivered. @throws Error when nothing more arrives for 30 s */
async function untilDelivered(count: number): Promise<number> {
  let [seen, changedMs] = [delivered.length, performance.now()];
  while (delivered.length < count) {
    await setTimeout(2);
    if (delivered.length > seen) [seen, changedMs] = [delivered.length, performance.now()];
    if (performance.now() - changedMs > 30_000)
      throw new Error(`${count - delivered.length} entries were lost.`);
  }
  return performance.now();
}

/** Waits until each projection of the runs' entries has handled them. */
async function untilHandled(): Promise<number> {
  const kinds = await graph.read((tx) =>
    tx.run(
      `// benchKinds
       MATCH (o:OutboxEntry) WHERE o.id IN $ids RETURN o.kind AS kind, max(o.seq) AS seq`,
      { ids: delivered.slice(-half) },
    ),
  );
  const expected = parts.projections.map(({ name, kinds: own }) => ({
    name,
    seq: Math.max(
      0,
      ...kinds
        .filter(({ kind }) => own === undefined || own.includes(String(kind)))
        .map(({ seq }) => Number(seq)),
    ),
  }));
  while (expected.some(({ name, seq }) => (handled.get(name) ?? 0) < seq)) await setTimeout(10);
  return performance.now();
}

const startedMs = performance.now();
await release(first);
const releasedMs = performance.now();
const liveMs = (await untilDelivered(first.length)) - releasedMs;
const allMs = (await untilHandled()) - releasedMs;
const rate = (first.length * 1_000) / liveMs;

const perSlice = Math.ceil((rate * 2 * SLICE_MS) / 1_000);
let backlogMax = 0;
const doubleMs = performance.now();
for (let at = 0; at < second.length; at += perSlice) {
  const dueMs = doubleMs + (at / perSlice) * SLICE_MS;
  await setTimeout(Math.max(0, dueMs - performance.now()));
  await release(second.slice(at, at + perSlice));
  backlogMax = Math.max(
    backlogMax,
    Math.min(at + perSlice, second.length) - (delivered.length - half),
  );
}
const arrivedMs = performance.now();
const caughtUpMs = (await untilDelivered(held.length)) - arrivedMs;
await untilHandled();
const isInOrder = delivered.length === held.length && new Set(delivered).size === held.length;
if (!isInOrder) throw new Error('An entry was delivered twice.');

const figures: Figure[] = [
  {
    name: `entries numbered and delivered to readers, ${first.length} at once`,
    value: rate,
    unit: 'a second',
    bound: LIVE_PER_SECOND_MIN,
    keep: 'at least',
    detail: `${liveMs.toFixed(0)} ms; released in ${(releasedMs - startedMs).toFixed(0)} ms`,
  },
  {
    name: 'the same entries handled by all projections',
    value: (first.length * 1_000) / allMs,
    unit: 'a second',
    bound: ALL_PER_SECOND_MIN,
    keep: 'at least',
    detail: `${allMs.toFixed(0)} ms, the rests of quiet projections included`,
  },
  {
    name: `the way back after ${second.length} entries at twice that rate, over their arrival`,
    value: caughtUpMs / (arrivedMs - doubleMs),
    unit: 'x',
    bound: 1.5,
    keep: 'at most',
    detail:
      `arrived in ${(arrivedMs - doubleMs).toFixed(0)} ms, at most ${backlogMax} behind, caught ` +
      `up ${caughtUpMs.toFixed(0)} ms later; last number ${lastSeq}; each delivered once`,
  },
];
for (const figure of figures) printFigure(figure);
await relay.close();
await parts.close();
await engine.close();
echo.close();
process.exit(figures.every(holds) ? 0 : 1);
