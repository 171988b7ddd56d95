import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { openBus } from '../src/outbox/local-bus.service.ts';
import type { PeriodicTask } from '../src/outbox/periodic-task.service.ts';
import type { Projection } from '../src/outbox/projector.service.ts';
import { openRelay } from '../src/outbox/relay.service.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openEngine } from '../test/testkit/engine.ts';
import { echoWorld } from './echo.ts';
import { productParts } from './product-relay.ts';
import { type Figure, holds, interleave, median, pairedRatio, printFigure } from './report.ts';

// The cost of recording for a run: a 20-step Process while the relay numbers entries only, against
// while it does all that the product has it do: every projection and periodic task.

const STEPS = 20;
const AT_ONCE = 4;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 13);
/** Unmeasured runs that warm up the servers. */
const WARM_UP = 8;

const engine = await openEngine();
const { graph, temporal } = engine;
await migrate(graph);
const { viewer, deps, stayHealthy, ...echo } = await echoWorld(engine);
const definition = await echo.createProcess('sequential', STEPS);

const parts = productParts(engine, deps);
const projections = { on: parts.projections, off: [] as Projection[] };
const periodicTasks = { on: parts.periodicTasks, off: [] as PeriodicTask[] };
const leaseName = `bench-${randomUUID()}`;

/** The wall time of some runs at once. */
async function runSome(): Promise<number> {
  const walls = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const startedMs = performance.now();
      const asked = { processId: definition.id, context: { q: 'start' } };
      const { id } = await engine.start(viewer, asked);
      // Looking again and again whether it is over would cost both sides.
      await temporal.client.workflow.getHandle(id).result();
      const wallMs = performance.now() - startedMs;
      const { status } = await engine.wait(viewer, id);
      if (status !== 'completed') throw new Error(`A run is ${status}.`);
      return wallMs;
    }),
  );
  return median(walls);
}

/**
 * The wall time of some runs under a relay of their own, while the entries of earlier runs are
 * still being recorded.
 */
const measured = (which: 'on' | 'off', own: number[]) => async () => {
  await stayHealthy();
  const relay = openRelay(
    {
      graph,
      clock: engine.deps.clock,
      newId: engine.deps.newId,
      bus: openBus({ graph }),
      log: parts.log,
    },
    {
      projections: projections[which].map((one) => ({
        ...one,
        // A checkpoint of its own each round, or it would first catch up with the rounds without
        // it.
        name: `${one.name}-${randomUUID()}`,
        startsAt: 'now' as const,
      })),
      periodicTasks: periodicTasks[which],
      settings: { leaseName },
    },
  );
  while (!relay.isHolder) await new Promise((resolve) => setTimeout(resolve, 20));
  await runSome();
  own.push(await runSome());
  await relay.close();
};
const own: Record<'on' | 'off', number[]> = { on: [], off: [] };
await interleave(
  { on: measured('on', own.on), off: measured('off', own.off) },
  { rounds: ROUNDS, warmUp: WARM_UP },
);
const [on, off] = [own.on.slice(WARM_UP), own.off.slice(WARM_UP)];
const figure: Figure = {
  name: `${STEPS} steps, ${AT_ONCE} runs at once, with all projections against without`,
  value: pairedRatio(on, off),
  unit: 'x',
  bound: 1.15,
  keep: 'at most',
  detail: `${median(on).toFixed(0)} / ${median(off).toFixed(0)} ms`,
};
printFigure(figure);
await parts.close();
await engine.close();
echo.close();
process.exit(holds(figure) ? 0 : 1);
