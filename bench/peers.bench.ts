import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ended } from './peers/child.ts';
import { openStepsSeen } from './peers/steps-seen.ts';
import { SUBJECTS, type Subject } from './peers/subjects.ts';
import { treeSeconds } from './processes.ts';
import { type Figure, holds, percentile, printFigure } from './report.ts';

// Aiden beside other engines: runs of three REST steps by one load, one engine after the other.
// Each client starts a run, waits for its end and starts the next one. `npm run bench -- peers
// [--only Aiden,DBOS] [--clients 1,12,64] [--seconds 20] [--warm-up 20]`

const FOLDER = fileURLToPath(new URL('peers/', import.meta.url));
/** Neo4j plans and compiles for two minutes, with half of its processor time. */
const LONGER_FOR_AIDEN = 6;
/** Aiden against Temporal by hand, 12 clients. */
const BOUNDS = { cpu: 1.25, rate: 1, p50: 1 };
const COMPARED_CLIENTS = 12;

interface Measured {
  readonly rate: number;
  readonly wholeMs: number[];
  /** From the client's request to the first step's. */
  readonly firstMs: number[];
  /** From a step's answer to the next step's request. */
  readonly betweenMs: number[];
  /** The whole run without its steps. */
  readonly overheadMs: number[];
  /** Processor time of a run by process, in ms. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

type Steps = Awaited<ReturnType<typeof openStepsSeen>>;

async function measure(
  subject: Subject,
  steps: Steps,
  load: { readonly clients: number; readonly seconds: number; readonly warmUp: number },
): Promise<Measured> {
  const runs: Array<{ key: string; startedMs: number; endedMs: number }> = [];
  let isOver = false;
  const clients = Array.from({ length: load.clients }, async () => {
    const start = await subject.client();
    while (!isOver) {
      const key = `k${randomUUID()}`;
      const startedMs = performance.now();
      await start(key);
      runs.push({ key, startedMs, endedMs: performance.now() });
    }
  });
  const work = Promise.all(clients);
  await Promise.race([work, sleep(load.warmUp * 1_000)]);
  for (const { key } of runs.splice(0)) steps.take(key);
  const before = await treeSeconds(subject.pids);
  const startedMs = performance.now();
  await Promise.race([work, sleep(load.seconds * 1_000)]);
  const after = await treeSeconds(subject.pids);
  const seconds = (performance.now() - startedMs) / 1_000;
  const done = [...runs];
  isOver = true;
  await work;
  const seen = done.map((run) => ({ ...run, ...steps.take(run.key) }));
  for (const { key, askedMs } of seen)
    if (askedMs.length !== 3) throw new Error(`Run ${key} made ${askedMs.length} calls.`);
  return {
    rate: done.length / seconds,
    wholeMs: seen.map((run) => run.endedMs - run.startedMs),
    firstMs: seen.map((run) => (run.askedMs[0] ?? Number.NaN) - run.startedMs),
    betweenMs: seen.flatMap(({ askedMs, answeredMs }) =>
      askedMs.slice(1).map((ms, index) => ms - (answeredMs[index] ?? Number.NaN)),
    ),
    overheadMs: seen.map(
      ({ startedMs, endedMs, askedMs, answeredMs }) =>
        endedMs - startedMs - sum(answeredMs) + sum(askedMs),
    ),
    cpuMs: Object.fromEntries(
      Object.keys(subject.pids).map((name) => [
        name,
        (((after[name] ?? 0) - (before[name] ?? 0)) * 1_000) / done.length,
      ]),
    ),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const cpuOf = ({ cpuMs }: Measured) => sum(Object.values(cpuMs));
const spread = (values: readonly number[]) =>
  [50, 90, 99]
    .map((percent) => percentile(values, percent).toFixed(percent < 99 ? 1 : 0))
    .join(' / ');

function rowOf(name: string, clients: number, measured: Measured): string {
  const { rate, wholeMs, firstMs, betweenMs, overheadMs, cpuMs } = measured;
  const parts = Object.entries(cpuMs).map(([part, ms]) => `${part} ${ms.toFixed(1)}`);
  const cells = [
    name,
    clients,
    rate.toFixed(1),
    ...[wholeMs, firstMs, betweenMs, overheadMs].map(spread),
    `${cpuOf(measured).toFixed(1)}: ${parts.join(', ')}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function figuresOf(aiden: Measured, byHand: Measured): Figure[] {
  const compared = (
    name: string,
    of: (measured: Measured) => number,
    bound: number,
    keep: Figure['keep'],
  ): Figure => ({
    name: `${name}, against Temporal by hand`,
    value: of(aiden) / of(byHand),
    unit: 'x',
    bound,
    keep,
    detail: `${of(aiden).toFixed(1)} and ${of(byHand).toFixed(1)}`,
  });
  return [
    compared('processor ms of a run', cpuOf, BOUNDS.cpu, 'at most'),
    compared('runs a second', ({ rate }) => rate, BOUNDS.rate, 'at least'),
    compared('p50 of a run in ms', (it) => percentile(it.wholeMs, 50), BOUNDS.p50, 'at most'),
  ];
}

/** The engines are no dependencies of the product: this folder has a lockfile of its own. */
async function installEngines(): Promise<void> {
  const isThere = await access(`${FOLDER}node_modules`).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  console.log('Installing the other engines in bench/peers.');
  await ended(spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: Object.keys(SUBJECTS).join(',') },
      clients: { type: 'string', default: '1,12,64' },
      seconds: { type: 'string', default: '20' },
      'warm-up': { type: 'string', default: '20' },
    },
  });
  const names = (Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[]).filter((name) =>
    values.only.split(',').includes(name),
  );
  if (names.length === 0)
    throw new Error(`--only takes names of: ${Object.keys(SUBJECTS).join(', ')}`);
  await installEngines();
  const steps = await openStepsSeen();
  const all = new Map<string, Measured>();
  console.log('Milliseconds as p50 / p90 / p99.');
  console.log(
    '| | clients | runs/s | whole run | to the first step | step to step | without the steps ' +
      '| processor ms a run |\n|---|---|---|---|---|---|---|---|',
  );
  try {
    for (const name of names) {
      const subject = await SUBJECTS[name](steps.origin);
      let warmUp = Number(values['warm-up']) * (name === 'Aiden' ? LONGER_FOR_AIDEN : 1);
      try {
        for (const clients of values.clients.split(',').map(Number)) {
          const load = { clients, seconds: Number(values.seconds), warmUp };
          const measured = await measure(subject, steps, load);
          all.set(`${name} ${clients}`, measured);
          console.log(rowOf(name, clients, measured));
          // The next load meets a warm engine.
          warmUp = 3;
        }
      } finally {
        await subject.close();
      }
    }
  } finally {
    steps.close();
  }
  const aiden = all.get(`Aiden ${COMPARED_CLIENTS}`);
  const byHand = all.get(`Temporal by hand ${COMPARED_CLIENTS}`);
  if (aiden === undefined || byHand === undefined) return;
  const figures = figuresOf(aiden, byHand);
  for (const figure of figures) printFigure(figure);
  process.exitCode = figures.every(holds) ? 0 : 1;
}

await main();
