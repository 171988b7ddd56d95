import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { intOf, parseRow, textOf } from '../platform/neo4j/row.ts';
import { readAll, readMap, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { RUN_ORIGINS, type RunOrigin } from '../runs/run/run-origin.ts';
import { TRIGGERED } from './call.ts';
import { toTally } from './call-read.cypher.ts';
import type { CallTally } from './stats.ts';

// The lock on the counter serializes the deletion runs. The search for calls is a separate
// statement after it, so that it does not see calls that another run has counted and deleted.
const LOCK_SWEEP = cypher`
  // lockCallSweep
  MERGE (c:Counter {name: 'call-retention'})
  SET c.sweeps = coalesce(c.sweeps, 0) + 1
`;

const EXPIRED = cypher`
  // findExpiredCalls
  MATCH (n:CallGraphNode)
  WHERE n._retentionExpiresAt <= datetime($now) AND n.status IN ['completed', 'failed', 'aborted']
  RETURN n.id AS id, n.operationId AS operationId, n.ownerId AS ownerId, n.status AS status,
    coalesce(n.origin, 'user') AS origin,
    toString(date(n.createdAt)) AS day, n.completedAt.epochMillis - n.startedAt.epochMillis AS ms
  LIMIT $limit
`;

/** The data of one finished call for the statistics of its operation, owner and day. */
export const ExpiredCall = z.object({
  id: z.string(),
  operationId: z.string(),
  ownerId: z.string(),
  status: z.string(),
  origin: z.enum(RUN_ORIGINS),
  /** YYYY-MM-DD of the request, in UTC. */
  day: z.string(),
  ms: z.number().nullable(),
});
export type ExpiredCall = z.infer<typeof ExpiredCall>;

/** Finds expired calls, under a lock that keeps other runs from them until the transaction ends. */
export async function lockExpired(
  tx: WriteTx,
  input: { readonly now: Instant; readonly limit: number },
): Promise<ExpiredCall[]> {
  await tx.run(LOCK_SWEEP);
  return readAll(tx, EXPIRED, { ...input }, (row) => parseRow(ExpiredCall, row, 'CallGraphNode'));
}

// A call whose parent is deleted becomes a top-level call, in property and edge (S3-NODE-04).
const DELETE_CALLS = cypher`
  // deleteCalls
  UNWIND $ids AS id
  MATCH (n:CallGraphNode {id: id})
  CALL (n) {
    MATCH (n)-[:CALL_EDGE {edgeType: '${TRIGGERED}'}]->(child:CallGraphNode)
    SET child.parentRequestId = null
  }
  DETACH DELETE n
`;

/** Deletes calls with all their edges (S3-EDGE-01). */
export async function deleteCalls(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await tx.run(DELETE_CALLS, { ids });
}

const FIND_KEPT = cypher`
  // findKeptStats
  MATCH (s:CallStats) WHERE s.key IN $keys
  RETURN s.key AS key, s.calls AS calls, s.ended AS ended, s.failed AS failed, s.totalMs AS totalMs,
    s.buckets AS buckets, s.counts AS counts
`;

/** Finds the kept statistics, by key of operation, owner and day. */
export function findKept(tx: WriteTx, keys: readonly string[]): Promise<Map<string, CallTally>> {
  return readMap(tx, FIND_KEPT, { keys }, (row) => [textOf(row, 'key', 'CallStats'), toTally(row)]);
}

const KEEP_STATS = cypher`
  // keepStats
  UNWIND $stats AS stat
  MERGE (s:CallStats {key: stat.key})
  ON CREATE SET s.operationId = stat.operationId, s.ownerId = stat.ownerId, s.day = date(stat.day),
    s.origin = stat.origin
  SET s.calls = stat.calls, s.ended = stat.ended, s.failed = stat.failed, s.totalMs = stat.totalMs,
    s.buckets = stat.buckets, s.counts = stat.counts
`;

export interface KeptStats {
  readonly key: string;
  readonly operationId: string;
  readonly ownerId: string;
  readonly day: string;
  readonly origin: RunOrigin;
  readonly tally: CallTally;
}

export async function keepStats(tx: WriteTx, stats: readonly KeptStats[]): Promise<void> {
  await tx.run(KEEP_STATS, {
    stats: stats.map(({ tally: { durations, ...sums }, ...rest }) => ({
      ...rest,
      ...sums,
      buckets: [...durations.keys()],
      counts: [...durations.values()],
    })),
  });
}

// Calls whose run is gone keep the expiry that they got with it (expireCallsOfRuns).
const STAMP = cypher`
  // stampCalls
  MATCH (n:CallGraphNode) WHERE n.requestId > $after
  WITH n ORDER BY n.requestId LIMIT $limit
  CALL (n) {
    WITH n WHERE n.completedAt IS NOT NULL AND NOT coalesce(n._runIsGone, false)
    SET n._retentionExpiresAt = n.completedAt + duration({days: $days})
  }
  RETURN max(n.requestId) AS last, count(n) AS seen
`;

const StampRow = z.object({ seen: z.int(), last: z.string().nullable() });

/**
 * Sets a new expiry on the next calls, by requestId.
 * @returns the last requestId, or null if there are no more
 */
export async function stampCalls(
  tx: WriteTx,
  input: { readonly after: string; readonly limit: number; readonly days: number },
): Promise<string | null> {
  const [row] = await tx.run(STAMP, { ...input });
  const { seen, last } = parseRow(StampRow, row, 'CallGraphNodes');
  return seen < input.limit ? null : last;
}

const STAMPED_DAYS = cypher`
  // findStampedDays
  MERGE (c:Counter {name: 'call-retention'})
  ON CREATE SET c.days = $days
  RETURN c.days AS days
`;

/** The retention in days by which the calls have their expiry; `days` on first use. */
export async function findStampedDays(tx: WriteTx, days: number): Promise<number> {
  const [row] = await tx.run(STAMPED_DAYS, { days });
  return row === undefined ? days : intOf(row, 'days', 'Counter call-retention');
}

const SET_STAMPED_DAYS = cypher`
  // setStampedDays
  MATCH (c:Counter {name: 'call-retention'})
  SET c.days = $days
`;

export const setStampedDays = (tx: WriteTx, days: number) =>
  runWrite(tx, SET_STAMPED_DAYS, { days });
