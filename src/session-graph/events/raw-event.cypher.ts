import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readAll, readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { RunOrigin } from '../../runs/run/run-origin.ts';
import type { Property } from './event-node.ts';
import type { CallStart, Fork, SessionFacts } from './plan.ts';

/** Separates sessions of the product from those of callers. */
export type Feed = 'aiden' | 'intake';

/** A session to write to. */
export interface WantedSession {
  readonly id: string;
  readonly workspace: string;
  readonly ownerId: string;
  /** `system`: a session of the product's background runs. */
  readonly origin: RunOrigin;
  /** Id of the conversation or run in the session's id. */
  readonly resourceId: string;
}

/** A row for this workspace. */
export type In<Row> = Row & { readonly workspace: string };

/** Labels and properties of a new Event node, and the ToolCall it belongs to. */
export interface EventRow {
  readonly nodeId: string;
  readonly sessionId: string;
  /** RFC 3339 in UTC. */
  readonly at: string;
  readonly labels: readonly string[];
  readonly props: Readonly<Record<string, Property>>;
  readonly toolCall: string | null;
  /** tool:post and tool:error end their call. */
  readonly endsCall: boolean;
}

// Ids of conversations and runs are reserved for the product, also before their first event.
const LOCK_SESSIONS = cypher`
  // lockSessions
  UNWIND $sessions AS row
  OPTIONAL MATCH (taken:Resource {id: row.resourceId}) WHERE taken:Conversation OR taken:ProcessRun
  WITH row, taken WHERE $feed = 'aiden' OR taken IS NULL
  MERGE (s:Session {node_id: row.id, workspace: row.workspace})
  ON CREATE SET s.owner_id = row.ownerId, s.feed = $feed, s.origin = row.origin, s:RootSession
  WITH s, row WHERE s.owner_id = row.ownerId AND s.feed = $feed
  SET s.layers_stale_since = coalesce(s.layers_stale_since, datetime($now)),
    s.stream_writes = coalesce(s.stream_writes, 0) + 1, s.recorded_at = datetime($now)
  RETURN s.node_id AS id, s.workspace AS workspace, s.owner_id AS ownerId,
    [(p:Session)-[:HAS_FORK]->(s) | p.node_id][0] AS parentId
`;

export const LockedSession = z.object({
  id: z.string(),
  workspace: z.string(),
  ownerId: z.string(),
  parentId: z.string().nullable(),
});
export type LockedSession = z.infer<typeof LockedSession>;

/**
 * Locks the sessions of a batch in one order, and creates new ones. A session that is not returned
 * belongs to another owner or to the other feed; the caller has to roll the transaction back.
 */
export async function lockSessions(
  tx: WriteTx,
  feed: Feed,
  { sessions, now }: { readonly sessions: readonly WantedSession[]; readonly now: string },
): Promise<LockedSession[]> {
  const rows = await tx.run(LOCK_SESSIONS, { feed, sessions, now });
  return rows.map((row) => parseRow(LockedSession, row, 'Session'));
}

const FIND_RECORDED = cypher`
  // findRecordedEvents
  UNWIND $events AS row
  MATCH (e:Event {node_id: row.id, workspace: row.workspace})
  RETURN row.id AS id, row.workspace AS workspace, e.content_hash AS hash
`;

export type EventId = In<{ readonly id: string }>;

const RecordedRow = z.object({ id: z.string(), workspace: z.string(), hash: z.string() });

/** Those of the events that are recorded, with the hash of their content. */
export const findRecordedEvents = (tx: ReadTx, events: readonly EventId[]) =>
  readAll(tx, FIND_RECORDED, { events }, (row) => parseRow(RecordedRow, row, 'Event'));

const WRITE_SESSIONS = cypher`
  // writeSessions
  UNWIND $sessions AS row
  MATCH (s:Session {node_id: row.id, workspace: row.workspace})
  WITH s, row, datetime(row.startedAt) AS startedAt, datetime(row.endedAt) AS endedAt,
    datetime(row.resumedAt) AS resumedAt
  SET s.started_at = CASE WHEN s.started_at IS NULL OR startedAt < s.started_at
      THEN startedAt ELSE s.started_at END,
    s.resumed_at = CASE WHEN s.resumed_at IS NULL OR resumedAt > s.resumed_at
      THEN resumedAt ELSE s.resumed_at END
  WITH s, row, endedAt
  CALL (s, row) { WITH s, row WHERE row.hasParent REMOVE s:RootSession }
  CALL (s, row, endedAt) {
    WITH s, row, endedAt WHERE endedAt IS NOT NULL AND (s.ended_at IS NULL OR endedAt > s.ended_at
      OR (endedAt = s.ended_at AND coalesce(row.endStatus, '') > coalesce(s.end_status, '')))
    SET s.ended_at = endedAt, s.end_status = row.endStatus
  }
`;
const WRITE_FORKS = cypher`
  // writeForks
  UNWIND $forks AS row
  MATCH (parent:Session {node_id: row.parentId, workspace: row.workspace})
  MATCH (child:Session {node_id: row.childId, workspace: row.workspace})
  MERGE (parent)-[:HAS_FORK]->(child)
  SET child:ForkedSession
  REMOVE child:RootSession
`;
const WRITE_CALLS = cypher`
  // writeToolCalls
  UNWIND $calls AS row
  MATCH (s:Session {node_id: row.sessionId, workspace: row.workspace})
  MERGE (call:ToolCall {node_id: row.nodeId, workspace: row.workspace})
  ON CREATE SET call.owner_id = s.owner_id, call.session_id = row.sessionId,
    call.tool_call_id = row.toolCallId
  WITH s, row, call WHERE call.session_id = row.sessionId AND call.owner_id = s.owner_id
  MERGE (s)-[:HAS_TOOL_CALL]->(call)
  WITH row, call, datetime(row.startedAt) AS startedAt
  CALL (row, call, startedAt) {
    WITH row, call, startedAt WHERE call.started_at IS NULL OR startedAt < call.started_at
      OR (startedAt = call.started_at AND coalesce(row.toolName, '') < coalesce(call.tool_name, ''))
    SET call.started_at = startedAt, call.tool_name = row.toolName,
      call.parallel_group_id = row.parallelGroupId
  }
  WITH call
  MATCH (early:Event {awaits_tool_call: call.node_id})
  WHERE early.workspace = call.workspace AND early.session_id = call.session_id
  REMOVE early.awaits_tool_call
  MERGE (call)-[:HAS_EVENT]->(early)
  WITH call, max(early.occurred_at) AS endedAt
  SET call.ended_at = CASE WHEN call.ended_at IS NULL OR endedAt > call.ended_at
    THEN endedAt ELSE call.ended_at END
`;
// The labels are a parameter and come from eventLabels. No statement contains text of a caller.
const WRITE_EVENTS = cypher`
  // writeEvents
  UNWIND $events AS row
  MATCH (s:Session {node_id: row.sessionId, workspace: row.workspace})
  MERGE (e:Event {node_id: row.nodeId, workspace: row.workspace})
  ON CREATE SET e += row.props, e.owner_id = s.owner_id, e.occurred_at = datetime(row.at)
  SET e:$(row.labels)
  CREATE (s)-[:HAS_EVENT]->(e)
  WITH e, row WHERE row.toolCall IS NOT NULL
  OPTIONAL MATCH (call:ToolCall {node_id: row.toolCall, workspace: row.workspace})
  WHERE call.session_id = row.sessionId
  CALL (e, row, call) { WITH e, row, call WHERE call IS NULL SET e.awaits_tool_call = row.toolCall }
  WITH e, row, call WHERE call IS NOT NULL
  CREATE (call)-[:HAS_EVENT]->(e)
  WITH call, max(CASE WHEN row.endsCall THEN e.occurred_at END) AS endedAt
  WHERE endedAt IS NOT NULL
  SET call.ended_at = CASE WHEN call.ended_at IS NULL OR endedAt > call.ended_at
    THEN endedAt ELSE call.ended_at END
`;

/** Writes the new rows of a batch whose sessions are locked, by at most four statements. */
export async function writeSessionGraphRows(
  tx: WriteTx,
  rows: {
    readonly sessions: readonly In<SessionFacts>[];
    readonly forks: readonly In<Fork>[];
    readonly calls: readonly In<CallStart>[];
    readonly events: readonly In<EventRow>[];
  },
): Promise<void> {
  const { sessions, forks, calls, events } = rows;
  if (sessions.length > 0) await tx.run(WRITE_SESSIONS, { sessions });
  if (forks.length > 0) await tx.run(WRITE_FORKS, { forks });
  if (calls.length > 0) await tx.run(WRITE_CALLS, { calls });
  if (events.length > 0) await tx.run(WRITE_EVENTS, { events });
}

const PROCESS_NAMES = cypher`
  // findProcessNamesOfRuns
  MATCH (run:ProcessRun) WHERE run.id IN $ids
  RETURN run.id AS id, run.processName AS name
`;

/** Finds the Process names of runs, without a viewer: run id → name. For ids of forked sessions. */
export function findProcessNames(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string>> {
  return readMap(tx, PROCESS_NAMES, { ids }, (row) => [
    textOf(row, 'id', 'ProcessRun'),
    textOf(row, 'name', 'ProcessRun'),
  ]);
}
