import { describe, expect, it } from 'vitest';
import { lineOf, needsNoStack, tallyOf } from '../../stack/test.ts';

const report = (over: object) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [],
  ...over,
});

describe('the closing line of npm test', () => {
  it('counts what passed and failed, and names skips only where there are any', () => {
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

  it('starts no servers for tests that need none', () => {
    expect(needsNoStack(['test/pure/plan.test.ts'])).toBe(true);
    expect(needsNoStack(['--project', 'pure', '--project=house'])).toBe(true);
    expect(needsNoStack(['--project', 'pure', '--project=graph'])).toBe(false);
    expect(needsNoStack(['test/pure/plan.test.ts', 'test/api'])).toBe(false);
    expect(needsNoStack([])).toBe(false);
    expect(needsNoStack(['-t', 'a sentence'])).toBe(false);
  });
});
