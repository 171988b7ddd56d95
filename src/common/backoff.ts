/** Exponential backoff: how long to wait after each failure in a row. */
export interface Backoff {
  /** The wait after the first failure, in ms. */
  readonly firstMs: number;
  /** The longest wait, in ms. */
  readonly maxMs: number;
  /** How much longer each wait is than the one before; default 2. */
  readonly factor?: number;
}

/**
 * The wait after `failures` failures in a row (1 or more), in whole ms, without jitter.
 * Workflows use it too: the result depends on the arguments alone, so a replay waits as long.
 */
export function backoffMs({ firstMs, maxMs, factor = 2 }: Backoff, failures: number): number {
  return Math.min(maxMs, Math.round(firstMs * factor ** (failures - 1)));
}
