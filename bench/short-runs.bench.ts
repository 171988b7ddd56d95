import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { client } from '../test/testkit/client.ts';
import type { RestServer } from '../test/testkit/rest-server.ts';
import { runWorld } from '../test/testkit/run-world.ts';
import { openInstallation, openInstantRest } from './installation.ts';
import { cpuSeconds } from './processes.ts';
import { type Figure, holds, median, percentile, printFigure } from './report.ts';

// Runs of three REST steps over the API of a whole installation: runs a second, how long one takes,
// and the processor time of a run in the product, Neo4j and Temporal. Each client starts a run,
// follows it to its end and starts the next one. `npm run bench -- short-runs --seconds 60
// --clients 12`

const RUNS_PER_SECOND_MIN = 28;
const CPU_MS_MAX = 70;
/** Neo4j's compiler takes half of its processor time in the first minute, and a tenth after two. */
const WARM_UP_SECONDS = Number(process.env['BENCH_WARM_UP'] ?? 120);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      clients: { type: 'string', default: '12' },
    },
  });
  const rest = await openInstantRest();
  const installation = await openInstallation();
  try {
    const pids = await installation.pids();
    const { url } = installation;
    const tookMs: number[] = [];
    let isOver = false;
    const clients = Array.from({ length: Number(values.clients) }, async (_, number) => {
      const user = client(`short-${number}-${randomUUID().slice(0, 8)}`, { url });
      const world = await runWorld(user, rest as RestServer, '/work');
      const processId = await world.createsProcess([
        { stepId: 'a' },
        { stepId: 'b' },
        { stepId: 'c' },
      ]);
      while (!isOver) {
        const startedMs = performance.now();
        const { status } = await world.finishes(await world.starts(processId));
        if (status !== 'COMPLETED') throw new Error(`A run ended as ${status}.`);
        tookMs.push(performance.now() - startedMs);
      }
    });
    const work = Promise.all(clients);
    await Promise.race([work, sleep(WARM_UP_SECONDS * 1_000)]);
    tookMs.length = 0;
    const before = await cpuSeconds(pids);
    const startedMs = performance.now();
    await Promise.race([work, sleep(Number(values.seconds) * 1_000)]);
    const after = await cpuSeconds(pids);
    const seconds = (performance.now() - startedMs) / 1_000;
    const runs = tookMs.length;
    isOver = true;
    await work;
    const cpuOf = (name: keyof typeof pids) => ((after[name] - before[name]) * 1_000) / runs;
    const names = Object.keys(pids) as (keyof typeof pids)[];
    const figures: Figure[] = [
      {
        name: 'runs of three REST steps',
        value: runs / seconds,
        unit: 'a second',
        bound: RUNS_PER_SECOND_MIN,
        keep: 'at least',
        detail:
          `${values.clients} clients; p50 ${median(tookMs).toFixed(0)}, p99 ` +
          `${percentile(tookMs, 99).toFixed(0)} ms`,
      },
      {
        name: 'processor time of a run',
        value: names.reduce((sum, name) => sum + cpuOf(name), 0),
        unit: 'ms',
        bound: CPU_MS_MAX,
        keep: 'at most',
        detail: names.map((name) => `${name} ${cpuOf(name).toFixed(1)}`).join(', '),
      },
    ];
    for (const figure of figures) printFigure(figure);
    process.exitCode = figures.every(holds) ? 0 : 1;
  } finally {
    await installation.close();
    rest.close();
  }
}

await main();
