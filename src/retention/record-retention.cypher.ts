import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { isTrue } from '../common/stored.ts';
import { edgesToParts } from '../ownership/labels.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { readAll } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { Forgotten } from './retention.ts';

const FIND_DELIVERED = cypher`
  CYPHER replan=skip
  // findDelivered
  UNWIND $names AS name
  OPTIONAL MATCH (checkpoint:Checkpoint {name: name})
  WITH min(coalesce(checkpoint.seq, 0)) AS projected
  CALL () {
    UNWIND $queueReaders AS name
    OPTIONAL MATCH (checkpoint:Checkpoint {name: name})
    WITH coalesce(toInteger(checkpoint.value), 0) AS readSeq
    CALL (readSeq) {
      MATCH (next:MemoryIngest) WHERE next.seq > readSeq
      RETURN min(next.seq) AS nextSeq
    }
    RETURN min(nextSeq) AS waitingSeq
  }
  WITH CASE WHEN waitingSeq <= projected THEN waitingSeq - 1 ELSE projected END AS seq
  OPTIONAL MATCH (o:PendingEntry) USING INDEX o:PendingEntry(id) WHERE o.id > ''
  WITH seq, o LIMIT 1000
  RETURN seq, count(CASE WHEN o.at < datetime($pendingBefore) THEN 1 END) > 0 AS isBehind
`;

const DeliveredRow = z.object({ seq: z.int(), isBehind: isTrue });

/** The readers of the event log, by the names of their checkpoints. */
export interface LogReaders {
  /** Projections, which read every entry. */
  readonly names: readonly string[];
  /**
   * Jobs that read the entries of MemoryIngest only, so their checkpoints stand still meanwhile.
   */
  readonly queueReaders: readonly string[];
}

/**
 * The last number that every reader of the log has passed. `isBehind`: an entry older than
 * `pendingBefore` has no number yet.
 */
export async function findDelivered(
  tx: ReadTx,
  input: LogReaders & { readonly pendingBefore: Instant },
): Promise<{ readonly seq: number; readonly isBehind: boolean }> {
  const [row] = await tx.run(FIND_DELIVERED, { ...input });
  return parseRow(DeliveredRow, row, 'Checkpoints');
}

const DELETE_ENTRIES = cypher`
  // deleteOldEntries
  MATCH (o:OutboxEntry) WHERE o.seq > $afterSeq AND o.seq <= $deliveredSeq
  WITH o ORDER BY o.seq LIMIT $limit
  WITH collect(o) AS page
  WITH size(page) AS seen, [o IN page WHERE o.at < datetime($before)] AS old
  WITH seen, old, coalesce(last(old).seq, $afterSeq) AS lastSeq,
    [o IN old WHERE o.rootRunId IS NULL AND NOT (o)<-[:OF_ENTRY]-(:DeadLetter)] AS due
  WITH seen, size(old) AS passed, lastSeq, size(due) AS gone, due
  CALL (due) { UNWIND due AS o DETACH DELETE o }
  RETURN gone, lastSeq, passed = seen AND seen = $limit AS hasMore
`;

const EntriesRow = z.object({ gone: z.int(), lastSeq: z.int(), hasMore: isTrue });

/**
 * Deletes delivered entries outside of runs that are older than `before`, in the order of their
 * numbers. Entries of a run are deleted with it.
 * @returns the number to continue after
 */
export async function deleteOldEntries(
  tx: WriteTx,
  input: {
    readonly afterSeq: number;
    readonly deliveredSeq: number;
    readonly before: Instant;
    readonly limit: number;
  },
): Promise<z.infer<typeof EntriesRow>> {
  const [row] = await tx.run(DELETE_ENTRIES, input);
  return parseRow(EntriesRow, row, 'OutboxEntries');
}

const COUNT_ENTRIES = cypher`
  // countOldEntries
  CALL () {
    MATCH (o:OutboxEntry) WHERE o.seq > $afterSeq AND o.seq <= $deliveredSeq
    WITH o ORDER BY o.seq LIMIT $limit
    WITH o WHERE o.at < datetime($before) AND o.rootRunId IS NULL
      AND NOT (o)<-[:OF_ENTRY]-(:DeadLetter)
    RETURN o
  }
  RETURN count(o) AS due
`;

export const countOldEntries = async (tx: ReadTx, input: Parameters<typeof deleteOldEntries>[1]) =>
  countOf(await tx.run(COUNT_ENTRIES, input), 'due');

const DELETE_READ = cypher`
  // deleteReadIngests
  MATCH (o:MemoryIngest)
  WHERE o.seq <= $deliveredSeq AND o.at < datetime($before) AND o.rootRunId IS NULL
    AND NOT (o)<-[:OF_ENTRY]-(:DeadLetter)
  WITH o LIMIT toInteger($limit)
  DETACH DELETE o
  RETURN count(*) AS gone
`;

/**
 * Deletes entries of the queue of agent memory that all readers have passed and that are older than
 * `before` (S2-OUT-03). Their events are stored apart. @returns how many
 */
export const deleteReadIngests = async (
  tx: WriteTx,
  input: { readonly deliveredSeq: number; readonly before: Instant; readonly limit: number },
) => countOf(await tx.run(DELETE_READ, input), 'gone');

const QUIET = /* cypher */ `
    MATCH (s:Session) USING INDEX s:Session(started_at)
    WHERE s.started_at >= datetime($afterAt) AND s.started_at < datetime($before)
      AND coalesce(s.origin, 'user') = $origin
      AND coalesce(s.recorded_at, s.started_at) < datetime($before)
      AND NOT EXISTS {
        (e:Event) WHERE e.session_id = s.node_id AND e.workspace = s.workspace
          AND e.occurred_at >= datetime($before)
      }`;

const LIST_SESSIONS = cypher`
  // listQuietSessions
  ${QUIET}
  RETURN s.node_id AS id, s.workspace AS workspace ORDER BY s.started_at LIMIT $limit
`;

const SessionRow = z.object({ id: z.string(), workspace: z.string() });
export type QuietSession = z.infer<typeof SessionRow>;

interface QuietInput {
  readonly origin: string;
  readonly before: Instant;
  readonly limit: number;
}
const START = { afterAt: '1970-01-01T00:00:00.000Z' };

/** Sessions without an event and without a recording since `before`, oldest first. */
export const listQuietSessions = (tx: ReadTx, input: QuietInput) =>
  readAll(tx, LIST_SESSIONS, { ...START, ...input }, (row) => parseRow(SessionRow, row, 'Session'));

const COUNT_SESSIONS = cypher`
  // countQuietSessions
  CALL () {
    ${QUIET}
    RETURN s LIMIT $limit
  }
  RETURN count(s) AS due
`;

export async function countQuietSessions(tx: ReadTx, input: QuietInput): Promise<number> {
  return countOf(await tx.run(COUNT_SESSIONS, { ...START, ...input }), 'due');
}

const DELETE_EVENTS = cypher`
  // deleteEventsOfSessions
  UNWIND $sessions AS one
  MATCH (e:Event)
  WHERE e.session_id = one.id AND e.workspace = one.workspace AND e.occurred_at IS NOT NULL
  WITH e LIMIT $limit
  WITH e, e.owner_id AS ownerId, e.workspace AS workspace,
    CASE WHEN e.data STARTS WITH '{"$blob_ref":' THEN e.data END AS data
  DETACH DELETE e
  RETURN count(*) AS gone,
    [blob IN collect({ownerId: ownerId, workspace: workspace, data: data})
      WHERE blob.data IS NOT NULL] AS blobs
`;

const DeletedEvents = z.object({
  gone: z.int(),
  blobs: z.array(z.object({ ownerId: z.string(), workspace: z.string(), data: z.string() })),
});
export type DeletedEvents = z.infer<typeof DeletedEvents>;

/** Deletes up to `limit` events of these sessions, and returns their references to blobs. */
export async function deleteEventsOf(
  tx: WriteTx,
  input: { readonly sessions: readonly QuietSession[]; readonly limit: number },
): Promise<DeletedEvents> {
  const [row] = await tx.run(DELETE_EVENTS, input);
  return parseRow(DeletedEvents, row, 'Events');
}

// A fork of a deleted session is a root session from then on.
const DELETE_SESSIONS = cypher`
  // deleteSessions
  UNWIND $sessions AS one
  MATCH (s:Session {node_id: one.id, workspace: one.workspace})
  CALL (s) {
    MATCH (s)-[:HAS_FORK]->(fork:Session)
    SET fork:RootSession
    REMOVE fork:ForkedSession
  }
  CALL (s) {
    MATCH (s)-[:${edgesToParts('Session')}]-(part)
    DETACH DELETE part
  }
  CALL (s) {
    MATCH (layer:LayerNode {session_id: s.node_id, layer_workspace: s.workspace})
    DETACH DELETE layer
  }
  DETACH DELETE s
  RETURN count(*) AS gone
`;

/** Deletes sessions without events, with their calls and layers. @returns how many sessions */
export const deleteSessions = async (tx: WriteTx, sessions: readonly QuietSession[]) =>
  countOf(await tx.run(DELETE_SESSIONS, { sessions }), 'gone');

const OLD_KEYS = `MATCH (r:IdempotencyRecord) WHERE r.createdAt < datetime($before)`;

const DELETE_KEYS = cypher`
  // deleteIdempotencyRecords
  ${OLD_KEYS}
  WITH r LIMIT $limit
  DETACH DELETE r
  RETURN count(*) AS gone
`;

export const deleteIdempotencyRecords = async (
  tx: WriteTx,
  input: { readonly before: Instant; readonly limit: number },
) => countOf(await tx.run(DELETE_KEYS, input), 'gone');

const COUNT_KEYS = cypher`
  // countIdempotencyRecords
  CALL () { ${OLD_KEYS} RETURN r LIMIT $limit }
  RETURN count(r) AS due
`;

export const countIdempotencyRecords = async (
  tx: ReadTx,
  input: { readonly before: Instant; readonly limit: number },
) => countOf(await tx.run(COUNT_KEYS, input), 'due');

// One per user and day; the budget of a past day is never read.
const DELETE_DAYS = cypher`
  // deleteBackgroundDays
  MATCH (day:BackgroundDay) WHERE day.day < $day
  WITH day LIMIT $limit
  DELETE day
  RETURN count(*) AS gone
`;

export const deleteBackgroundDays = async (
  tx: WriteTx,
  input: { readonly day: string; readonly limit: number },
) => countOf(await tx.run(DELETE_DAYS, input), 'gone');

const RECORD = cypher`
  // recordForgotten
  MERGE (f:Forgotten {kind: $kind})
  SET f.deleted = $deleted, f.at = datetime($at)
`;

export async function recordForgotten(tx: WriteTx, forgotten: Forgotten): Promise<void> {
  await tx.run(RECORD, { ...forgotten });
}

const LIST_FORGOTTEN = cypher`
  // listForgotten
  MATCH (f:Forgotten) RETURN f.kind AS kind, f.deleted AS deleted, f.at AS at
`;

export function listForgotten(tx: ReadTx): Promise<Forgotten[]> {
  return readAll(tx, LIST_FORGOTTEN, {}, (row) => parseRow(Forgotten, row, 'Forgotten'));
}
