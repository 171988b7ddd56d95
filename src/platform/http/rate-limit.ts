import { LRUCache } from 'lru-cache';

/**
 * Token bucket per caller: `burst` requests at once, refilled by `perSecond`. Each API process
 * counts for itself.
 */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateLimiter {
  /** Seconds to wait; 0 when the caller may continue. */
  waitSeconds(caller: string): number;
}

const CALLERS_MAX = 50_000;

/** @param nowMs default: a clock that never jumps */
export function openRateLimiter(
  { perSecond, burst }: RateLimit,
  nowMs: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: CALLERS_MAX });
  return {
    waitSeconds(caller) {
      const atMs = nowMs();
      const bucket = buckets.get(caller) ?? { tokens: burst, atMs };
      const tokens = Math.min(burst, bucket.tokens + ((atMs - bucket.atMs) / 1000) * perSecond);
      const allowed = tokens >= 1;
      buckets.set(caller, { tokens: allowed ? tokens - 1 : tokens, atMs });
      return allowed ? 0 : Math.ceil((1 - tokens) / perSecond);
    },
  };
}
