import { LRUCache } from 'lru-cache';
import type { Clock } from '../../common/clock.ts';

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

export function openRateLimiter({ perSecond, burst }: RateLimit, clock: Clock): RateLimiter {
  const buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: CALLERS_MAX });
  return {
    waitSeconds(caller) {
      const nowMs = clock.nowMs();
      const bucket = buckets.get(caller) ?? { tokens: burst, atMs: nowMs };
      const tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
      const allowed = tokens >= 1;
      buckets.set(caller, { tokens: allowed ? tokens - 1 : tokens, atMs: nowMs });
      return allowed ? 0 : Math.ceil((1 - tokens) / perSecond);
    },
  };
}
