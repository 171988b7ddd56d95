import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SLOW_TESTS } from '../../stack/slow-tests.ts';
import {
  lineOf,
  needsNoStack,
  partOf,
  passesOf,
  slowOf,
  sumOf,
  tallyOf,
  troubleOf,
} from '../../stack/test.ts';

const report = (over: object) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...over,
});

describe('the closing line of npm test', () => {
  it('counts passed and failed tests, and names skips only where there are any', () => {
    expect(lineOf(tallyOf(report({ numPassedTests: 12 })))).toBe('12 passed, 0 failed');
    expect(
      lineOf(tallyOf(report({ numPassedTests: 1, numPendingTests: 2, numTodoTests: 1 }))),
    ).toBe('1 passed, 0 failed, 3 skipped');
  });

  it('counts a file that could not be loaded as a failure', () => {
    const broken = { status: 'failed', assertionResults: [] };
    const counted = { status: 'failed', assertionResults: [{ status: 'failed' }] };
    const tally = tallyOf(report({ numFailedTests: 1, testResults: [broken, counted] }));
    expect(lineOf(tally)).toBe('0 passed, 2 failed');
  });

  it('comes after failures and second tries, each with its reason', () => {
    const test = (status: string, fullName: string, ...failureMessages: string[]) => ({
      status,
      fullName,
      failureMessages,
    });
    const of = (name: string, status: string, ...assertionResults: object[]) => ({
      name: `/a/checkout/test/${name}.test.ts`,
      status,
      message: status === 'failed' ? 'SyntaxError: no' : '',
      assertionResults,
    });
    const testResults = [
      of('pure/a', 'passed', test('passed', 'is well')),
      of('graph/b', 'failed', test('failed', 'is not', '\u001b[31mError: 1\u001b[39m\n    at b')),
      of('graph/c', 'passed', test('passed', 'is late', 'Error: timed out')),
      of('api/d', 'failed'),
    ];
    expect(troubleOf(report({ testResults }))).toEqual([
      'Failed: test/graph/b.test.ts > is not',
      '  Error: 1',
      '      at b',
      'Passed at a later try: test/graph/c.test.ts > is late',
      '  Error: timed out',
      'Failed: test/api/d.test.ts',
      '  SyntaxError: no',
    ]);
    expect(troubleOf(report({}))).toEqual([]);
  });

  it('adds up the counts of its passes', () => {
    const one = { passed: 3, failed: 1, skipped: 0 };
    expect(lineOf(sumOf(one, { passed: 2, failed: 0, skipped: 1 }))).toBe(
      '5 passed, 1 failed, 1 skipped',
    );
  });

  it('names slow tests that have no reason in the list, by how slow the machine was', () => {
    const took = (name: string, fullName: string, seconds: number) => ({
      name: `/a/checkout/${name}`,
      status: 'passed',
      assertionResults: [{ status: 'passed', fullName, duration: seconds * 1_000 }],
    });
    const testResults = [
      took('test/graph/recall.test.ts', 'finds the nearest', 14.6),
      took('test/graph/relay.test.ts', 'keeps its lease', 9.9),
      took('test/browser/making.test.ts', 'makes a scheduled Process, and more', 48),
    ];
    const line = 'test/graph/recall.test.ts > finds the nearest (15 s)';
    expect(slowOf(report({ testResults }), 1)).toEqual([
      `Slow, and without a reason in stack/slow-tests.ts: ${line}`,
    ]);
    expect(slowOf(report({ testResults }), 1.5)).toEqual([]);
  });

  it('lists slow tests that exist', async () => {
    for (const [file, title] of SLOW_TESTS)
      expect(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(title);
  });

  it('has one pass for named files, else each project once, those of the app by themselves', () => {
    expect(passesOf(['test/pure/plan.test.ts'])).toEqual([['test/pure/plan.test.ts']]);
    expect(passesOf(['--project', 'api'])).toEqual([['--project', 'api']]);
    const passes = passesOf(['-t', 'a sentence']);
    expect(
      passes
        .flat()
        .filter((arg) => arg.startsWith('--project='))
        .sort(),
    ).toEqual(
      'api browser clients foreign graph house indexes native pure replay temporal'
        .split(' ')
        .map((name) => `--project=${name}`),
    );
    expect(passes.at(-1)).toEqual(['-t', 'a sentence', '--project=api', '--project=browser']);
  });

  it('keeps the api tests by themselves where files of both are named', () => {
    const files = [
      'test/graph/relay.test.ts',
      'test/api/runs.test.ts',
      'test/graph/recall.test.ts',
    ];
    expect(passesOf(files)).toEqual([
      [...files, '--project=graph'],
      [...files, '--project=api'],
    ]);
    expect(passesOf(['test/api/runs.test.ts'])).toEqual([['test/api/runs.test.ts']]);
    const document = 'test/conformance/003-call-graph.test.ts';
    expect(passesOf([document, 'test/graph/relay.test.ts'])).toHaveLength(2);
    const pages = ['test/browser/axe.test.ts', 'test/api/runs.test.ts'];
    expect(passesOf(pages)).toEqual([pages]);
  });

  it('runs the fault suite only where it is named, its installations by themselves', () => {
    expect(passesOf([]).flat().join(' ')).not.toMatch(/faults|installations/);
    const files = ['test/faults/relay-faults.test.ts', 'test/faults/installations/backup.test.ts'];
    expect(passesOf(files)).toEqual([
      [...files, '--project=faults'],
      [...files, '--project=installations', '--maxWorkers=2'],
    ]);
  });

  it('names the parts whose times it prints', () => {
    expect(passesOf([]).map(partOf)).toEqual(['pure to temporal', 'api, browser']);
    expect(partOf(['test/pure/plan.test.ts'])).toBe('pure');
  });

  it('starts no servers for tests that need none', () => {
    expect(needsNoStack(['test/pure/plan.test.ts'])).toBe(true);
    expect(needsNoStack(['--project', 'pure', '--project=house'])).toBe(true);
    expect(needsNoStack(['--project', 'pure', '--project=graph'])).toBe(false);
    expect(needsNoStack(['test/pure/plan.test.ts', 'test/api'])).toBe(false);
    expect(needsNoStack([])).toBe(false);
    expect(needsNoStack(['-t', 'a sentence'])).toBe(false);
  });
});

it('ends at the first Ctrl-C, with a line that says so', async () => {
  // Two passes; neither needs servers.
  const projects = ['--project=house', '--project=installations'];
  const { CI: _, ...env } = process.env;
  const child = spawn(process.execPath, ['stack/test.ts', ...projects], { env });
  let printed = '';
  const began = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes('RUN')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await began;
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(printed.trimEnd()).toMatch(/The tests were stopped before their end\.$/);
  expect(printed.match(/RUN/g)).toHaveLength(1);
});
