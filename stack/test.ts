import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { ensureStack, type Stack } from '../src/host/ensure.ts';
import { cacheFolder } from '../src/host/folders.ts';
import { SLOW_TESTS } from './slow-tests.ts';

/** The part of vitest's JSON report that is used. */
const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string().default(''),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string().default(''),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Whether a file failed without any test: it could not be loaded. */
function isBroken({ status, assertionResults }: z.infer<typeof Report>['testResults'][number]) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

/** The result of a run. A file that could not be loaded counts as one failure. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function tallyOf(report: unknown): Tally {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    Report.parse(report);
  return {
    passed: numPassedTests,
    failed: numFailedTests + testResults.filter(isBroken).length,
    skipped: numPendingTests + numTodoTests,
  };
}

export function sumOf(left: Tally, right: Tally): Tally {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

const MAX_LINES_OF_TROUBLE = 16;

/** The path from the checkout. */
const fileOf = (name: string) => name.replace(/^.*\/(?=test\/)/, '');

/**
 * Lines that name failed tests, and tests that passed only on a retry. They are printed at the end
 * of the log. Empty when all tests passed at once.
 */
export function troubleOf(report: unknown): string[] {
  return Report.parse(report).testResults.flatMap((result) => {
    const file = fileOf(result.name);
    const tests = result.assertionResults.flatMap((test) => {
      const messages = test.failureMessages ?? [];
      if (test.status !== 'failed' && messages.length === 0) return [];
      const verdict = test.status === 'failed' ? 'Failed' : 'Passed at a later try';
      return [`${verdict}: ${file} > ${test.fullName}`, ...messages.flatMap(linesOf)];
    });
    return isBroken(result) ? [`Failed: ${file}`, ...linesOf(result.message), ...tests] : tests;
  });
}

/** A test that takes longer names its reason in slow-tests.ts. */
const SLOW_SECONDS = 10;
const NO_REASON = 'Slow, and without a reason in stack/slow-tests.ts';
/** Tasks per core that run or wait to run while `npm test` has the machine to itself. */
const TASKS_PER_CORE = 3;

/** How many times slower this machine was in the last five minutes, by its load. */
function slowness(): number {
  const [, tasks = 0] = loadavg();
  return Math.max(1, tasks / (TASKS_PER_CORE * availableParallelism()));
}

/**
 * Lines that name slow tests without a reason, fault tests left out. They fail no run: a time on a
 * machine that does other things too says little of the test.
 */
export function slowOf(report: unknown, timesSlower: number): string[] {
  const limitMs = SLOW_SECONDS * 1_000 * timesSlower;
  return Report.parse(report).testResults.flatMap(({ name, assertionResults }) => {
    const file = fileOf(name);
    if (file.startsWith('test/faults/')) return [];
    return assertionResults
      .filter(({ duration }) => (duration ?? 0) > limitMs)
      .filter(
        ({ fullName }) =>
          !SLOW_TESTS.some(([of, title]) => of === file && fullName.includes(title)),
      )
      .map(({ fullName, duration }) => {
        const seconds = Math.round((duration ?? 0) / 1_000);
        return `${NO_REASON}: ${file} > ${fullName} (${seconds} s)`;
      });
  });
}

function linesOf(message: string): string[] {
  const lines = stripVTControlCharacters(message).split('\n');
  const ours = lines.filter(
    (line) => !/^ +at .*(?:node_modules|node:internal|new Promise)/.test(line),
  );
  return ours.slice(0, MAX_LINES_OF_TROUBLE).map((line) => `  ${line.slice(0, 300)}`);
}

export function lineOf({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const SMALL = ['pure', 'house', 'replay', 'clients', 'foreign'];
const NEEDS_NOTHING = [...SMALL, 'native', 'installations'];
const USUAL = [...SMALL, 'native', 'indexes', 'graph', 'temporal'];
/** One app serves both. */
const OF_THE_APP = ['api', 'browser'];
/** Projects of one pass may run at the same time; the passes follow each other. */
const PASSES = [[...USUAL, 'faults'], ['installations'], OF_THE_APP];
/** A machine of two cores can start two installations at once. */
const AT_ONCE = new Map([['installations', ['--maxWorkers=2']]]);

/**
 * The passes of one run. Tests that stop and start whole installations read how long that takes, so
 * nothing runs beside them. The api and the browser tests share an app whose relay takes every
 * requested run of the database. Tests with their own relay and starter therefore run in an earlier
 * pass, even when files of several are named. The fault suite runs only where it is named.
 */
export function passesOf(args: readonly string[]): string[][] {
  const named = namedIn(args);
  const wanted = named.length > 0 ? named : [...USUAL, ...OF_THE_APP];
  const passes = PASSES.map((pass) => pass.filter((name) => wanted.includes(name))).filter(
    (pass) => pass.length > 0,
  );
  const areFiles = !args.some((arg) => arg === '--project' || arg.startsWith('--project='));
  if (named.length > 0 && (!areFiles || passes.length < 2)) return [[...args]];
  return passes.map((pass) => [
    ...args,
    ...pass.map((name) => `--project=${name}`),
    ...pass.flatMap((name) => AT_ONCE.get(name) ?? []),
  ]);
}

/** The name of a pass in the list of times: its projects, else its arguments. */
export function partOf(pass: readonly string[]): string {
  const projects = [...new Set(namedIn(pass))];
  const names = projects.length > 0 ? projects : pass;
  return names.length > 3 ? `${names[0]} to ${names.at(-1)}` : names.join(', ');
}

/** Whether the vitest arguments name only tests that need neither Neo4j nor Temporal. */
export function needsNoStack(args: readonly string[]): boolean {
  const named = namedIn(args);
  return named.length > 0 && named.every((name) => NEEDS_NOTHING.includes(name));
}

/** Folders whose project has another name. */
const FOLDERS = [
  ['test/conformance/', 'api'],
  ['test/foreign/app/', 'api'],
  ['test/faults/installations/', 'installations'],
] as const;

/** The projects that the vitest arguments name, directly or by their files. */
function namedIn(args: readonly string[]): string[] {
  const projects = args.flatMap((arg, index) =>
    arg.startsWith('--project=')
      ? [arg.slice('--project='.length)]
      : args[index - 1] === '--project'
        ? [arg]
        : [],
  );
  const files = args
    .filter((arg) => arg.startsWith('test/'))
    .map(
      (arg) => FOLDERS.find(([folder]) => arg.startsWith(folder))?.[1] ?? arg.split('/')[1] ?? '',
    );
  return projects.length > 0 ? projects : files;
}

interface VitestEnd {
  readonly code: number;
  /** Whether this process was told to stop meanwhile, as Ctrl-C does. */
  readonly isStopped: boolean;
}

function vitest(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<VitestEnd> {
  const command = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, 'run', ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      // Compiled packages and stripped types of the processes that tests start: a fifth of their
      // time.
      env: { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'), ...process.env, ...env },
    });
    // On Ctrl-C the terminal signals vitest too; this process stays to stop the servers.
    let isStopped = false;
    const pass = (signal: NodeJS.Signals) => {
      isStopped = true;
      child.kill(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, isStopped }));
  });
}

/**
 * `npm test [-- <vitest arguments>]`: finds or starts the servers, runs the tests and ends with a
 * one-line result. Fails when no test ran.
 */
export async function runTests(args: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-report-'));
  const file = join(folder, 'report.json');
  let stack: Stack | null = null;
  let code = 0;
  let tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  const trouble: string[] = [];
  const slow: string[] = [];
  const times: string[] = [];
  let isStopped = false;
  try {
    if (!needsNoStack(args))
      stack = await ensureStack({ instance: 'test', onProgress: (line) => console.log(line) });
    for (const pass of passesOf(args)) {
      await rm(file, { force: true });
      const startedMs = performance.now();
      const ended = await vitest(
        [...pass, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
        stack?.env ?? {},
      );
      isStopped = ended.isStopped;
      if (isStopped) throw new Error('The tests were stopped before their end.');
      code ||= ended.code;
      times.push(`${partOf(pass)} ${Math.round((performance.now() - startedMs) / 1_000)} s`);
      const report: unknown = JSON.parse(await readFile(file, 'utf8'));
      tally = sumOf(tally, tallyOf(report));
      trouble.push(...troubleOf(report));
      slow.push(...slowOf(report, slowness()));
    }
  } catch (error) {
    code ||= 1;
    console.error(error instanceof Error ? error.message : error);
  } finally {
    await stack?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  for (const line of [...slow, ...trouble]) console.log(line);
  if (isStopped) return 1;
  if (tally.failed === 0 && tally.passed === 0) console.error('No test ran.');
  else if (tally.failed === 0 && code !== 0)
    console.error('Every test passed, and yet the run failed: see the errors above.');
  if (times.length > 0) console.log(`Times: ${times.join('; ')}.`);
  console.log(lineOf(tally));
  return tally.failed > 0 || tally.passed === 0 ? 1 : code;
}

if (import.meta.main) process.exitCode = await runTests(process.argv.slice(2));
