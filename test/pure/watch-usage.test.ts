import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProcessUsage } from '../../src/platform/confined/usage.ts';
import { watchUsage } from '../../src/platform/confined/watch-usage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMITS = { workMs: 1_000, residentMb: 700 };

/**
 * When a process that is given this share of a processor is stopped, in ms; null where it never is.
 */
async function stoppedAfterMs(
  share: number,
  {
    endsAfterMs = 60_000,
    residentMb = () => 50,
  }: { endsAfterMs?: number; residentMb?: (ms: number) => number } = {},
): Promise<{ ms: number; reason: string } | null> {
  const startedMs = Date.now();
  let stopped: { ms: number; reason: string } | null = null;
  const usage = async (): Promise<ProcessUsage> => {
    const ms = Date.now() - startedMs;
    return { workedMs: 70 + ms * share, residentMb: residentMb(ms) };
  };
  const unwatch = watchUsage(LIMITS, usage, (reason) => {
    stopped ??= { ms: Date.now() - startedMs, reason };
  });
  await vi.advanceTimersByTimeAsync(endsAfterMs);
  unwatch();
  await vi.advanceTimersByTimeAsync(60_000);
  return stopped;
}

describe('a process at work', () => {
  it('is stopped when it has worked a second, not when a second went by', async () => {
    expect(await stoppedAfterMs(1)).toEqual({ ms: 1_000, reason: 'time' });
    const half = (await stoppedAfterMs(0.5))?.ms ?? 0;
    expect(half).toBeGreaterThanOrEqual(1_900);
    expect(half).toBeLessThanOrEqual(2_100);
  });

  it('is stopped after ten seconds by a machine that gives it no time', async () => {
    expect(await stoppedAfterMs(0.01)).toEqual({ ms: 10_000, reason: 'time' });
  });

  it('is stopped soon after it holds too much memory', async () => {
    const residentMb = (ms: number) => (ms < 300 ? 100 : 701);
    expect(await stoppedAfterMs(1, { residentMb })).toEqual({ ms: 350, reason: 'memory' });
  });

  it('that was done before is left alone', async () => {
    expect(await stoppedAfterMs(1, { endsAfterMs: 20 })).toBeNull();
    expect(await stoppedAfterMs(1, { endsAfterMs: 900 })).toBeNull();
    expect(await stoppedAfterMs(0.5, { endsAfterMs: 1_800 })).toBeNull();
  });

  it('that ended reports it by itself', async () => {
    const stop = vi.fn();
    const unwatch = watchUsage(LIMITS, () => Promise.reject(new Error('It ended.')), stop);
    await vi.advanceTimersByTimeAsync(5_000);
    unwatch();
    expect(stop).not.toHaveBeenCalled();
  });
});
