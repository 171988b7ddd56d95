/** Exponential backoff after consecutive failures. */
export interface Backoff {
  /** The wait after the first failure, in ms. */
  readonly firstMs: number;
  /** The longest wait, in ms. */
  readonly maxMs: number;
  /** The factor by which each wait grows; default 2. */
  readonly factor?: number;
}

/**
 * The wait in ms after `failures` consecutive failures (1 or more), rounded, without jitter.
 * Workflows use it too. The result depends only on the arguments, so a replay waits equally long.
 */
export function backoffMs({ firstMs, maxMs, factor = 2 }: Backoff, failures: number): number {
  return Math.min(maxMs, Math.round(firstMs * factor ** (failures - 1)));
}
