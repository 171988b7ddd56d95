import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openEngine } from '../test/testkit/engine.ts';
import { echoWorld } from './echo.ts';
import { type Figure, holds, median, printFigure } from './report.ts';

// A run of one step of 120 ms, alone and beside 10,000 waiting steps of another user (docs/decisions/0044).

const RUNS = Number(process.env['BENCH_RUNS'] ?? 50);
const STEPS_PER_RUN = 200;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const PLACES = 32;
const CALL_MS = 120;

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
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS + 3; round++) alone.push(await singleMs());
  await many.stayHealthy();
  await Promise.all(
    Array.from({ length: RUNS }, () =>
      engine.start(many.viewer, { processId: crowd.id, context: { q: 'crowd' } }),
    ),
  );
  while (many.calls() < PLACES * 2) await setTimeout(50);
  const beside: number[] = [];
  const [callsBefore, startedMs] = [many.calls(), performance.now()];
  for (let round = 0; round < ROUNDS; round++) beside.push(await singleMs());
  const perSecond = ((many.calls() - callsBefore) * 1_000) / (performance.now() - startedMs);
  const waiting = RUNS * STEPS_PER_RUN - many.calls();
  if (waiting <= 0) throw new Error('The other steps ended before the measurement did.');
  const figure: Figure = {
    name: `a run of one step beside ${RUNS * STEPS_PER_RUN} waiting steps of another user, against alone`,
    value: median(beside) / median(alone.slice(3)),
    unit: 'x',
    bound: 2,
    keep: 'at most',
    detail: `${median(beside).toFixed(0)} / ${median(alone.slice(3)).toFixed(0)} ms; ${waiting} still wait; ${perSecond.toFixed(0)} of them a second over ${PLACES} places`,
  };
  printFigure(figure);
  // The other user's runs would go on for minutes; they end with the bench's own servers.
  process.exit(holds(figure) ? 0 : 1);
}

await main();
