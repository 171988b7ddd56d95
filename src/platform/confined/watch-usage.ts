import type { ProcessUsage } from './usage.ts';

/** Most work ends within this time in ms and is not measured. */
const UNWATCHED_MS = 50;
/** The limit on a machine that gives the process no processor time, as a factor. */
const WAIT_FACTOR = 10;
/** A process that allocates as fast as it can grows by some 100 MB in this time. */
const MEMORY_EVERY_MS = 100;

export interface UsageLimits {
  readonly workMs: number;
  readonly residentMb: number;
}

/**
 * Calls `stop` once, after a process has used `workMs` of processor time or holds more memory than
 * `residentMb`. Waiting for a busy machine does not count as work.
 * @returns a function that ends the watch
 * @param usage since the start of the process; rejects when the process has ended
 */
export function watchUsage(
  { workMs, residentMb }: UsageLimits,
  usage: () => Promise<ProcessUsage>,
  stop: (reason: 'time' | 'memory') => void,
): () => void {
  const last = setTimeout(() => end('time'), WAIT_FACTOR * workMs);
  let timer = setTimeout(() => void begin(), UNWATCHED_MS);
  let isOver = false;

  async function begin(): Promise<void> {
    const before = await usage().catch(() => null);
    // A process that ended reports it by itself.
    if (before !== null && !isOver) look(before.workedMs - UNWATCHED_MS, before);
  }
  function look(beforeMs: number, { workedMs, residentMb: held }: ProcessUsage): void {
    const leftMs = workMs - (workedMs - beforeMs);
    if (held > residentMb) end('memory');
    else if (leftMs <= 0) end('time');
    else timer = setTimeout(() => void again(beforeMs), Math.min(leftMs, MEMORY_EVERY_MS));
  }
  async function again(beforeMs: number): Promise<void> {
    const now = await usage().catch(() => null);
    if (now !== null && !isOver) look(beforeMs, now);
  }
  function end(reason: 'time' | 'memory'): void {
    if (isOver) return;
    unwatch();
    stop(reason);
  }
  function unwatch(): void {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(last);
  }
  return unwatch;
}
