import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ensureStack, type Stack } from '../src/host/ensure.ts';
import { type Graph, openGraph } from '../src/platform/neo4j/graph.ts';
import { runTests } from '../stack/test.ts';
import {
  checkCalls,
  checkLog,
  checkRuns,
  checkSubscribers,
  checkTurns,
  runsOf,
  shown,
} from './checks.ts';
import { type Disk, mountDisk } from './disk.ts';
import { type ForeignSettings, foreign } from './foreign.ts';
import { type Injury, injure } from './injuries.ts';
import { type Build, type Installation, openInstallation } from './installation.ts';
import { type Failures, load, openPerson, type Person } from './load.ts';
import { type Random, randomOf } from './random.ts';
import { checkRebuilt } from './rebuild.ts';
import { buildsOf, roll } from './rolling.ts';
import { openTarget, type Target } from './target.ts';

const startedMs = performance.now();

function say(line: string): void {
  console.log(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}

/** Time for all runs to end and all projections to catch up after the last fault. */
const SETTLE_MS_MAX = 10 * 60_000;
const ANSWER_MS_MAX = 250;
const NUMBERED_MS_MAX = 30_000;
const STACK_CHARS = 600;
/** The address of local-llm, which these installations have not: work that needs it fails. */
const NO_MODEL = '127.0.0.1:11500: ECONNREFUSED';
/** Neo4j reserves two logs of 256 MB, and one more when a log is full. */
const SERVERS_MB = 1_024;

/**
 * `npm run faults [-- --seeds 1,2,3 --clients 8 --faults 13]`: runs test/faults, then kills, stops
 * and cuts off the parts of an installation under load, and checks afterwards that nothing was
 * lost, repeated or miscounted. A seed repeats the same faults; the moments at which they meet the
 * load differ. `-- --only tests` and `-- --only load` run one of the two. `-- --foreign [--minutes
 * 30 --seeds 1]` sends odd values instead; see foreign.ts. `-- --rolling [--clients 3]` exchanges
 * all processes for those of another build instead, and back; see rolling.ts. `--older DIR` rolls
 * from the version in that checkout, whose packages are installed, to this one.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1,2,3' },
      clients: { type: 'string', default: '8' },
      faults: { type: 'string', default: '13' },
      only: { type: 'string', default: '' },
      foreign: { type: 'boolean', default: false },
      rolling: { type: 'boolean', default: false },
      older: { type: 'string' },
      minutes: { type: 'string', default: '30' },
      'silent-seconds': { type: 'string', default: '5' },
    },
  });
  if (values.foreign) {
    const [seed = 1] = values.seeds.split(',').map(Number);
    return sendForeign({
      seed,
      minutes: Number(values.minutes),
      silentSeconds: Number(values['silent-seconds']),
      say,
    });
  }
  if (values.rolling) {
    const clients = Math.min(8, Math.max(1, Number(values.clients)));
    return rollOnce(clients, values.older === undefined ? undefined : resolve(values.older));
  }
  if (!['', 'tests', 'load'].includes(values.only))
    throw new Error(`--only takes "tests" or "load", not "${values.only}".`);
  const testsCode = values.only === 'load' ? 0 : await faultTests();
  if (values.only === 'tests') return testsCode;
  const clients = Math.min(20, Math.max(1, Number(values.clients)));
  const seeds = values.seeds.split(',').map(Number);
  const failed: number[] = [];
  let runs = 0;
  let faultCount = 0;
  for (const seed of seeds) {
    // Each seed gets its own servers, so that leftovers of one seed do not change the next.
    const { stack, disk, stop } = await openServers();
    try {
      const count = Number(values.faults);
      const result = await trySeed(stack, disk, {
        ...{ seed, clients },
        what: `${count} faults`,
        afflict: (installation, random) => injure(installation, random, count, say),
      });
      runs += result.runs;
      faultCount += result.faults;
      if (result.problems.length > 0) failed.push(seed);
    } finally {
      await stop();
    }
  }
  console.log(
    failed.length === 0
      ? `Whole: ${runs} runs under ${faultCount} faults, seeds ${seeds.join()}.`
      : `BROKEN with seed ${failed.join()} (npm run faults -- --seeds ${failed[0]}): see above.`,
  );
  return failed.length === 0 ? testsCode : 1;
}

/** A load without faults, under which each process is exchanged for one of another build. */
async function rollOnce(clients: number, older: string | undefined): Promise<number> {
  const builds = buildsOf(older);
  const { stack, disk, stop } = await openServers();
  try {
    const { problems, runs } = await trySeed(stack, disk, {
      ...{ seed: 1, clients },
      what: 'rolled forward, back and forward',
      first: builds.older,
      failuresMax: 0,
      // An exchange is no fault: it explains no failed request and no repeated call.
      async afflict(installation) {
        await roll(installation, builds, say);
        return [];
      },
    });
    console.log(
      problems.length === 0
        ? `Whole: ${runs} runs while builds were exchanged, and no request failed.`
        : 'BROKEN: see above.',
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

/** Runs test/faults: first those that start whole installations, which run by themselves. */
async function faultTests(): Promise<number> {
  const installations = await runTests(['--project=installations', '--maxWorkers=2']);
  const others = await runTests(['--project=faults']);
  return installations || others;
}

async function sendForeign(settings: ForeignSettings): Promise<number> {
  const stack = await ensureStack({ instance: 'bench', onProgress: say });
  try {
    const problems = await foreign(stack, settings);
    for (const problem of problems) console.log(`         PROBLEM  ${problem}`);
    const { minutes, seed } = settings;
    console.log(
      problems.length === 0
        ? `Whole: ${minutes} minutes of odd values, seed ${seed}: no process ended, each run ` +
            'has an end.'
        : `BROKEN with seed ${seed} (npm run faults -- --foreign --seeds ${seed}): see above.`,
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

/** Neo4j and Temporal with a small disk of their own, where one can be mounted. */
async function openServers(): Promise<{
  readonly stack: Stack;
  readonly disk: Disk | null;
  stop(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-faults-servers-'));
  const disk = mountDisk(folder, SERVERS_MB);
  const { TMPDIR: usual } = process.env;
  const remove = () => {
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  const close = () => {
    process.off('exit', remove);
    remove();
  };
  // The folder of temporary servers is made in it.
  if (disk !== null) process.env['TMPDIR'] = folder;
  try {
    const stack = await ensureStack({ instance: 'bench', onProgress: say });
    return { stack, disk, stop: () => stack.stop().finally(close) };
  } catch (error) {
    close();
    throw error;
  } finally {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  }
}

interface Trial {
  readonly seed: number;
  readonly clients: number;
  /** For the log. */
  readonly what: string;
  /** The version that begins; default: this one. */
  readonly first?: Build;
  /** Failed requests that the load may see; default: any number. */
  readonly failuresMax?: number;
  afflict(installation: Installation, random: Random): Promise<Injury[]>;
}

async function trySeed(
  stack: Stack,
  disk: Disk | null,
  { seed, clients, what, first, failuresMax = Number.POSITIVE_INFINITY, afflict }: Trial,
): Promise<{ problems: string[]; runs: number; faults: number }> {
  say(`seed ${seed}: ${clients} clients, ${what}`);
  const random = randomOf(seed);
  const { NEO4J_URI: uri, NEO4J_USER: user, NEO4J_PASSWORD: password } = stack.env;
  const graph = openGraph({ uri, user, password });
  // The target answers at moments of the load, so its numbers must not come from those of the
  // faults.
  const answering = randomOf(seed + 500);
  const target = await openTarget(() => answering.between(10, ANSWER_MS_MAX));
  const installation = await openInstallation(stack, disk, {}, first);
  try {
    const [url = ''] = installation.urls;
    const people = await Promise.all(
      Array.from({ length: clients }, (_, index) =>
        openPerson(`faults-${seed}-${index}`, url, target.origin),
      ),
    );
    const failures: Failures = new Map();
    const stopping = new AbortController();
    const ending = new AbortController();
    const loads = people.map((person, index) =>
      load(person, {
        get urls() {
          return installation.urls;
        },
        random: randomOf(seed * 1_000 + index),
        failures,
        ...(failuresMax === 0 && { onFailure: say }),
        stopping: stopping.signal,
        settled: ending.signal,
      }),
    );
    const ended = Promise.all(loads);
    // A defect of the load itself ends the seed at once.
    const injuries = await Promise.race([afflict(installation, random), failure(ended)]);
    stopping.abort();
    await ended;
    const accepted = people.flatMap((person) => person.runs).length;
    say(`load ended: ${accepted} runs accepted; failed requests: ${summary(failures)}`);
    await settled(graph, people);
    ending.abort();
    await Promise.all(people.flatMap(({ following }) => following));
    const [now = ''] = installation.urls;
    const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
    const problems = [
      ...(failed > failuresMax ? [`${failed} requests failed: ${summary(failures)}`] : []),
      ...(await check({ graph, people, target, injuries, failures, installation, url: now })),
    ];
    for (const problem of problems) console.log(`         PROBLEM  ${problem}`);
    say(`seed ${seed}: ${problems.length === 0 ? 'whole' : 'BROKEN'}`);
    return { problems, runs: accepted, faults: injuries.length };
  } finally {
    await installation.close();
    await target.close();
    await graph.close();
  }
}

/** Never resolves; rejects with the failure of the load. */
function failure(work: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => void work.catch(reject));
}

function summary(failures: Failures): string {
  return [...failures].map(([code, times]) => `${code} ${times}`).join(', ') || 'none';
}

/** Waits until all runs have ended and every projection has passed the last entry. */
async function settled(graph: Graph, people: readonly Person[]): Promise<void> {
  const endMs = performance.now() + SETTLE_MS_MAX;
  let open = Number.NaN;
  let behind = Number.NaN;
  while (performance.now() < endMs) {
    const [row] = await graph
      .read((tx) => tx.run(UNSETTLED, { processIds: people.map(({ processId }) => processId) }))
      .catch(() => []);
    open = Number(row?.['open'] ?? Number.NaN);
    behind = Number(row?.['behind'] ?? Number.NaN);
    if (open === 0 && behind === 0) return;
    await sleep(2_000);
  }
  say(
    `not settled after ${SETTLE_MS_MAX / 1_000} s: ${open} runs open, ${behind} projections behind`,
  );
}

const Logged = z.object({
  time: z.string(),
  msg: z.string(),
  error: z.looseObject({ code: z.string().optional(), stack: z.string().optional() }).optional(),
});

/** Time, message and code of an entry, and the beginning of its stack. */
function inShort(line: string): string {
  const { time, msg, error } = Logged.parse(JSON.parse(line));
  return `${time} ${msg} ${error?.code ?? ''} ${error?.stack?.slice(0, STACK_CHARS) ?? ''}`;
}

/** Waits until the relay has numbered all entries. */
async function numbered(graph: Graph): Promise<void> {
  const endMs = performance.now() + NUMBERED_MS_MAX;
  while (performance.now() < endMs) {
    const [row] = await graph.read((tx) =>
      tx.run('// faultsPending\n RETURN COUNT { (:PendingEntry) } AS pending'),
    );
    if (row?.['pending'] === 0) return;
    await sleep(250);
  }
}

// Entries of background work go on for ever, so projections count up to the last entry of a run.
const UNSETTLED = /* cypher */ `
  // faultsUnsettled
  MATCH (r:ProcessRun) WHERE r.processId IN $processIds
  WITH count(CASE WHEN r.completedAt IS NULL THEN 1 END) AS open, collect(r.id) AS runIds
  OPTIONAL MATCH (o:OutboxEntry) WHERE o.runId IN runIds
  WITH open, max(o.seq) AS lastSeq, count(CASE WHEN o.seq IS NULL THEN o END) AS unnumbered
  OPTIONAL MATCH (c:Checkpoint) WHERE c.seq IS NOT NULL AND c.seq < lastSeq
  WITH open, unnumbered, count(c) AS late
  RETURN open, late + unnumbered AS behind
`;

async function check(parts: {
  readonly graph: Graph;
  readonly people: readonly Person[];
  readonly target: Target;
  readonly injuries: readonly Injury[];
  readonly failures: Failures;
  readonly installation: Installation;
  readonly url: string;
}): Promise<string[]> {
  const { graph, people, target, injuries, failures, installation, url } = parts;
  const problems: string[] = [];
  const runs = (await Promise.all(people.map((person) => runsOf(graph, person)))).flat();
  for (const person of people) {
    const own = await runsOf(graph, person);
    problems.push(...shown(checkRuns(person, own)));
    problems.push(...shown(await checkTurns(person, url)));
    problems.push(...shown(await checkSubscribers(person, url)));
  }
  const { faults, repeated, left } = checkCalls(runs, target, injuries);
  problems.push(...shown(faults));
  const internal = failures.get('INTERNAL') ?? 0;
  if (internal > 0) problems.push(`${internal} requests failed INTERNAL instead of UNAVAILABLE`);
  const errors = (await installation.errors()).filter((line) => !line.includes(NO_MODEL));
  problems.push(...shown(errors.map((line) => `logged: ${inShort(line)}`)));
  // The relay in the API numbers the last entries of the Worker, so the API ends later.
  await installation.stopWorker();
  await numbered(graph);
  await installation.stopProduct();
  problems.push(...shown(await checkLog(graph)));
  for (const person of people)
    problems.push(...shown(await checkRebuilt(graph, person, installation.blobs)));
  say(
    `${runs.length} runs, ${target.calls.size} steps, ${repeated} calls repeated, ` +
      `${left} of them after the caller left`,
  );
  return problems;
}

// Else the children of this process would outlive it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
process.exitCode = await main();
// A library's open timer must not keep the process alive.
process.exit();
