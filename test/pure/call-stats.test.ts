import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addTallies,
  BUCKET_GROWTH,
  bucketOf,
  type CallTally,
  durationOf,
  NO_CALLS,
  statsOf,
  tallyOf,
} from '../../src/call-graph/stats.ts';

const total = (calls: readonly CallTally[]) => calls.reduce(addTallies, NO_CALLS);
const call = (ms: number | null, status = 'completed') => tallyOf({ status, ms });

describe('the statistics of an operation', () => {
  it('count calls, failures of those that ended, and durations', () => {
    const tally = total([
      ...Array.from({ length: 98 }, () => call(10)),
      call(500, 'failed'),
      call(900, 'aborted'),
      call(null, 'running'),
    ]);
    expect(statsOf('o', tally)).toEqual({
      operationId: 'o',
      calls: 101,
      errorRate: 0.01,
      averageMs: (980 + 500 + 900) / 100,
      p50Ms: 10,
      p99Ms: 500,
    });
    expect(statsOf('o', NO_CALLS)).toMatchObject({
      calls: 0,
      errorRate: 0,
      averageMs: 0,
      p99Ms: 0,
    });
  });

  it('keep a duration to the millisecond up to a second, and within 1 % beyond', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), (ms) => {
        const kept = durationOf(bucketOf(ms));
        if (ms <= 1_000) expect(kept).toBe(ms);
        else {
          expect(kept).toBeGreaterThanOrEqual(ms - 1);
          expect(kept).toBeLessThanOrEqual(ms * BUCKET_GROWTH + 1);
        }
      }),
    );
  });

  it('are the same however calls were added up, which is how they outlive their calls', () => {
    const calls = fc.array(
      fc.record({
        ms: fc.option(fc.nat(5_000)),
        status: fc.constantFrom('completed', 'failed', 'aborted', 'running'),
      }),
    );
    fc.assert(
      fc.property(calls, calls, (left, right) => {
        const apart = addTallies(total(left.map(tallyOf)), total(right.map(tallyOf)));
        const together = total([...right, ...left].map(tallyOf));
        expect(statsOf('o', apart)).toEqual(statsOf('o', together));
      }),
    );
  });
});
