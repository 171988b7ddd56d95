import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from '../../src/common/backoff.ts';

it('a wait doubles after each failure, or grows by its factor, up to the longest', () => {
  const after = [1, 2, 3, 4, 5];
  expect(after.map((failures) => backoffMs({ firstMs: 100, maxMs: 1_000 }, failures))).toEqual([
    100, 200, 400, 800, 1_000,
  ]);
  expect(
    after.map((failures) => backoffMs({ firstMs: 10, maxMs: 100, factor: 1.55 }, failures)),
  ).toEqual([10, 16, 24, 37, 58]);
});

it('a wait never shrinks and never passes the longest, however many failures came before', () => {
  const ms = fc.integer({ min: 1, max: 100_000 });
  const failures = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(ms, ms, failures, (firstMs, maxMs, count) => {
      const [wait, next] = [count, count + 1].map((n) => backoffMs({ firstMs, maxMs }, n));
      return wait !== undefined && next !== undefined && wait <= next && next <= maxMs;
    }),
  );
});
