import { type Clock, instant } from '../common/clock.ts';
import { DELETION_PAUSE_SHARE } from '../common/limits.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { leaveToReaders } from '../platform/neo4j/leave-to-readers.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';
import {
  deleteCalls,
  type ExpiredCall,
  findKept,
  findStampedDays,
  type KeptStats,
  keepStats,
  lockExpired,
  setStampedDays,
  stampCalls,
} from './retention.cypher.ts';
import { addTallies, NO_CALLS, tallyOf } from './stats.ts';

export interface CallRetentionDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly settings: SettingsSource;
  /** Default DELETION_PAUSE_SHARE. */
  readonly pauseShare?: number;
}

/** Small, so that a batch holds its locks for some ten milliseconds. */
const BATCH = 50;
/**
 * As DELETION_PAUSE_SHARE, while calls get a new expiry: all of them do, and few readers notice.
 */
const STAMP_PAUSE_SHARE = 4;

/**
 * Deletes finished calls whose retention is over, with their edges (S3-RET-01). Pending and running
 * calls are kept at any age (S3-RET-02). Their share of operationStats is kept by day. If the
 * retention setting has changed, all calls get a new expiry first. Can be aborted after any batch
 * and repeated.
 * @returns how many calls were deleted
 */
export async function deleteExpiredCalls(
  deps: CallRetentionDeps,
  signal?: AbortSignal,
): Promise<number> {
  await restamp(deps, signal);
  let deleted = 0;
  for (let batch = BATCH; batch === BATCH && !signal?.aborted; ) {
    const startedMs = performance.now();
    batch = await deps.graph.write(async (tx) => {
      const expired = await lockExpired(tx, { now: instant(deps.clock), limit: BATCH });
      if (expired.length === 0) return 0;
      const kept = statsOfBatch(expired);
      const known = await findKept(
        tx,
        kept.map(({ key }) => key),
      );
      await keepStats(
        tx,
        kept.map((stats) => ({
          ...stats,
          tally: addTallies(known.get(stats.key) ?? NO_CALLS, stats.tally),
        })),
      );
      await deleteCalls(
        tx,
        expired.map(({ id }) => id),
      );
      return expired.length;
    });
    deleted += batch;
    await leaveToReaders({ startedMs, share: deps.pauseShare ?? DELETION_PAUSE_SHARE }, signal);
  }
  return deleted;
}

async function restamp(
  { graph, settings }: CallRetentionDeps,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { callGraphRetentionDays: days } = await settings.current();
  if ((await graph.write((tx) => findStampedDays(tx, days))) === days) return;
  let after: string | null = '';
  while (after !== null) {
    if (signal?.aborted) return;
    const startedMs = performance.now();
    const from: string = after;
    after = await graph.write((tx) => stampCalls(tx, { after: from, limit: BATCH, days }));
    await leaveToReaders({ startedMs, share: STAMP_PAUSE_SHARE }, signal);
  }
  await graph.write((tx) => setStampedDays(tx, days));
}

function statsOfBatch(expired: readonly ExpiredCall[]): KeptStats[] {
  const byKey = new Map<string, KeptStats>();
  for (const call of expired) {
    const { operationId, ownerId, day, origin } = call;
    const ofSystem = origin === 'system' ? [origin] : [];
    const key = JSON.stringify([operationId, ownerId, day, ...ofSystem]);
    const tally = byKey.get(key)?.tally ?? NO_CALLS;
    const sum = addTallies(tally, tallyOf(call));
    byKey.set(key, { key, operationId, ownerId, day, origin, tally: sum });
  }
  return [...byKey.values()];
}
