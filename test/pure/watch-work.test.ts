import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchWork } from '../../src/platform/renderer/watch-work.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** When a thread that is given this share of a processor is stopped, in ms; null where it never is. */
async function stoppedAfterMs(share: number, endsAfterMs = 60_000): Promise<number | null> {
  const startedMs = Date.now();
  let stoppedMs: number | null = null;
  const unwatch = watchWork(
    async () => 70 + (Date.now() - startedMs) * share,
    () => {
      stoppedMs ??= Date.now() - startedMs;
    },
  );
  await vi.advanceTimersByTimeAsync(endsAfterMs);
  unwatch();
  await vi.advanceTimersByTimeAsync(60_000);
  return stoppedMs;
}

describe('a thread at work', () => {
  it('is stopped when it has worked a second, not when a second went by', async () => {
    expect(await stoppedAfterMs(1)).toBe(1_000);
    const half = (await stoppedAfterMs(0.5)) ?? 0;
    expect(half).toBeGreaterThanOrEqual(1_900);
    expect(half).toBeLessThanOrEqual(2_100);
  });

  it('is stopped after ten seconds by a machine that gives it no time', async () => {
    expect(await stoppedAfterMs(0.01)).toBe(10_000);
  });

  it('that was done before is left alone', async () => {
    expect(await stoppedAfterMs(1, 20)).toBeNull();
    expect(await stoppedAfterMs(1, 900)).toBeNull();
    expect(await stoppedAfterMs(0.5, 1_800)).toBeNull();
  });

  it('that ended, so that nobody knows what it worked, says so itself', async () => {
    const stop = vi.fn();
    const unwatch = watchWork(() => Promise.reject(new Error('It ended.')), stop);
    await vi.advanceTimersByTimeAsync(5_000);
    unwatch();
    expect(stop).not.toHaveBeenCalled();
  });
});
