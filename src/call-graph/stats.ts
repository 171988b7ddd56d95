import type { OutboxEntry } from '../outbox/entry.ts';

/** Statistics of one operation over a period. Every call is counted; nothing is sampled. */
export interface OperationStats {
  readonly operationId: string;
  /** Present name of the Tool or Process; else its name at the first call. */
  readonly name: string;
  readonly calls: number;
  /** Failed calls divided by ended calls, 0 to 1; 0 if none has ended. */
  readonly errorRate: number;
  readonly averageMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sums over calls, stored or deleted by retention. Tallies can be added. */
export interface CallTally {
  readonly calls: number;
  readonly ended: number;
  readonly failed: number;
  readonly totalMs: number;
  /** Number of calls by bucket of duration (`bucketOf`). */
  readonly durations: ReadonlyMap<number, number>;
}

export const NO_CALLS: CallTally = {
  calls: 0,
  ended: 0,
  failed: 0,
  totalMs: 0,
  durations: new Map(),
};

/** Durations up to this are exact to the millisecond, longer ones within 1 %. */
export const EXACT_MS_MAX = 1_000;
export const BUCKET_GROWTH = 1.01;

/** The bucket of a duration in whole milliseconds; `listCallTallies` does the same in Cypher. */
export function bucketOf(ms: number): number {
  if (ms <= EXACT_MS_MAX) return ms;
  return EXACT_MS_MAX + Math.ceil(Math.log(ms / EXACT_MS_MAX) / Math.log(BUCKET_GROWTH));
}

/** The longest duration in a bucket, in whole milliseconds. */
export function durationOf(bucket: number): number {
  if (bucket <= EXACT_MS_MAX) return bucket;
  return Math.floor(EXACT_MS_MAX * BUCKET_GROWTH ** (bucket - EXACT_MS_MAX));
}

export function addTallies(left: CallTally, right: CallTally): CallTally {
  const durations = new Map(left.durations);
  for (const [bucket, count] of right.durations)
    durations.set(bucket, (durations.get(bucket) ?? 0) + count);
  return {
    calls: left.calls + right.calls,
    ended: left.ended + right.ended,
    failed: left.failed + right.failed,
    totalMs: left.totalMs + right.totalMs,
    durations,
  };
}

/** Tally of one call; `ms` is null if the call never started or has not ended. */
export function tallyOf(call: { readonly status: string; readonly ms: number | null }): CallTally {
  const { status, ms } = call;
  return {
    calls: 1,
    ended: ['completed', 'failed', 'aborted'].includes(status) ? 1 : 0,
    failed: status === 'failed' ? 1 : 0,
    totalMs: ms ?? 0,
    durations: ms === null ? new Map() : new Map([[bucketOf(ms), 1]]),
  };
}

export function statsOf(operationId: string, tally: CallTally): Omit<OperationStats, 'name'> {
  const timed = [...tally.durations.values()].reduce((sum, count) => sum + count, 0);
  return {
    operationId,
    calls: tally.calls,
    errorRate: tally.ended === 0 ? 0 : tally.failed / tally.ended,
    averageMs: timed === 0 ? 0 : tally.totalMs / timed,
    p50Ms: percentile(tally.durations, timed, 0.5),
    p99Ms: percentile(tally.durations, timed, 0.99),
  };
}

/** The duration that a share of the calls did not exceed (nearest rank). */
function percentile(durations: ReadonlyMap<number, number>, timed: number, share: number): number {
  let left = Math.ceil(share * timed);
  for (const bucket of [...durations.keys()].sort((one, other) => one - other)) {
    left -= durations.get(bucket) ?? 0;
    if (left <= 0) return durationOf(bucket);
  }
  return 0;
}

/** Kinds of entries of deleted Tools and Processes; their operation is removed too. */
export const OPERATION_ENTRY_KINDS = ['tool.deleted', 'process.deleted'] as const;

/** Id of the operation that this entry removes, or null. */
export function removedOperationOf({ kind, payload }: OutboxEntry): string | null {
  const isRemoval = (OPERATION_ENTRY_KINDS as readonly string[]).includes(kind);
  const id = payload['id'] ?? payload['processId'];
  return isRemoval && typeof id === 'string' ? id : null;
}
