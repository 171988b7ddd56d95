import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openEngine } from '../test/testkit/engine.ts';
import { echoWorld } from './echo.ts';
import { type Figure, holds, median, printFigure } from './report.ts';

// A run of one step, alone and beside 10,000 waiting steps of another user (docs/decisions/0044).

const RUNS = Number(process.env['BENCH_RUNS'] ?? 50);
const STEPS_PER_RUN = 200;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const PLACES = Number(process.env['BENCH_PLACES'] ?? 32);
/** In the first minute after a start, most of Neo4j's processor time is its compiler's. */
const WARM_UP_SECONDS = Number(process.env['BENCH_WARM_UP'] ?? 60);
/** Time until all of the many steps are queued. */
const QUEUEING_SECONDS = 15;
/** Calls of 120 ms keep two cores busy; calls of 1,000 ms leave some of their time free. */
const CALL_MS = Number(process.env['BENCH_CALL_MS'] ?? 120);

async function main(): Promise<void> {
  const engine = await openEngine({ poolSize: PLACES });
  await migrate(engine.graph);
  const [many, one] = await Promise.all([1, 2].map(() => echoWorld(engine, CALL_MS)));
  if (many === undefined || one === undefined) throw new Error('The users could not be made.');
  const crowd = await many.createProcess('parallel', STEPS_PER_RUN);
  const single = await one.createProcess('sequential', 1);
  const singleMs = async (): Promise<number> => {
    await one.stayHealthy();
    const startedMs = performance.now();
    const { status } = await engine.run(one.viewer, single, { q: 'single' });
    if (status !== 'completed') throw new Error(`The single run is ${status}.`);
    return performance.now() - startedMs;
  };
  const untilMs = performance.now() + WARM_UP_SECONDS * 1_000;
  while (performance.now() < untilMs) {
    await many.stayHealthy();
    await Promise.all(
      Array.from({ length: 8 }, () => engine.run(many.viewer, crowd, { q: 'warm up' })),
    );
    await singleMs();
  }
  const callsWarm = many.calls();
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS + 3; round++) alone.push(await singleMs());
  await many.stayHealthy();
  await Promise.all(
    Array.from({ length: RUNS }, () =>
      engine.start(many.viewer, { processId: crowd.id, context: { q: 'crowd' } }),
    ),
  );
  await setTimeout(QUEUEING_SECONDS * 1_000);
  const beside: number[] = [];
  const [callsBefore, startedMs] = [many.calls(), performance.now()];
  for (let round = 0; round < ROUNDS; round++) beside.push(await singleMs());
  const perSecond = ((many.calls() - callsBefore) * 1_000) / (performance.now() - startedMs);
  const waiting = RUNS * STEPS_PER_RUN + callsWarm - many.calls();
  if (waiting <= 0) throw new Error('The other steps ended before the measurement did.');
  const figure: Figure = {
    name:
      `a run of one step of ${CALL_MS} ms beside ${RUNS * STEPS_PER_RUN} waiting steps of ` +
      'another user, against alone',
    value: median(beside) / median(alone.slice(3)),
    unit: 'x',
    bound: 2,
    keep: 'at most',
    detail:
      `${median(beside).toFixed(0)} / ${median(alone.slice(3)).toFixed(0)} ms; ${waiting} still ` +
      `wait; ${perSecond.toFixed(0)} of them a second over ${PLACES} places`,
  };
  printFigure(figure);
  // The other user's runs would go on for minutes; they end with the bench's own servers.
  process.exit(holds(figure) ? 0 : 1);
}

await main();
