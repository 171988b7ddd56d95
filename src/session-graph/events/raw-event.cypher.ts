import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { RunOrigin } from '../../runs/run/run-origin.ts';
import type { Property } from './event-node.ts';
import type { CallStart, Fork, SessionFacts } from './plan.ts';

/**
 * Owner and workspace of sessions. `feed` separates sessions of the product from those of callers.
 */
export interface SessionGraphPlace {
  readonly ownerId: string;
  readonly workspace: string;
  readonly feed: 'aiden' | 'intake';
  /** Default `user`. `system`: sessions of the product's background runs. */
  readonly origin?: RunOrigin;
}

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

export interface LockedSession {
  readonly id: string;
  readonly parentId: string | null;
}

// Ids of conversations and runs are reserved for the product, also before their first event.
const LOCK_SESSIONS = cypher`
  // lockSessions
  UNWIND $sessions AS row
  OPTIONAL MATCH (taken:Resource {id: row.resourceId}) WHERE taken:Conversation OR taken:ProcessRun
  WITH row, taken WHERE $feed = 'aiden' OR taken IS NULL
  MERGE (s:Session {node_id: row.id, workspace: $workspace})
  ON CREATE SET s.owner_id = $ownerId, s.feed = $feed, s.origin = $origin, s:RootSession
  WITH s WHERE s.owner_id = $ownerId AND s.feed = $feed
  SET s.layers_stale_since = coalesce(s.layers_stale_since, datetime($now)),
    s.stream_writes = coalesce(s.stream_writes, 0) + 1, s.recorded_at = datetime($now)
  RETURN s.node_id AS id, [(p:Session)-[:HAS_FORK]->(s) | p.node_id][0] AS parentId
`;

const LockedRow = z.object({ id: z.string(), parentId: z.string().nullable() });

/**
 * Locks the sessions of a batch in one order, and creates new ones. A session that is not returned
 * belongs to another owner or to the other feed; the caller has to roll the transaction back.
 */
export async function lockSessions(
  tx: WriteTx,
  place: SessionGraphPlace,
  {
    sessions,
    now,
  }: { readonly sessions: readonly { id: string; resourceId: string }[]; now: string },
): Promise<LockedSession[]> {
  const { origin = 'user' } = place;
  const rows = await tx.run(LOCK_SESSIONS, { ...place, origin, sessions, now });
  return rows.map((row) => parseRow(LockedRow, row, 'Session'));
}

const FIND_RECORDED = cypher`
  // findRecordedEvents
  UNWIND $ids AS id
  MATCH (e:Event {node_id: id, workspace: $workspace})
  RETURN id, e.content_hash AS hash
`;

/** Finds recorded events: node id → content hash. */
export async function findRecordedEvents(
  tx: ReadTx,
  workspace: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.run(FIND_RECORDED, { workspace, ids });
  return new Map(rows.map((row) => [textOf(row, 'id', 'Event'), textOf(row, 'hash', 'Event')]));
}

const WRITE_SESSIONS = cypher`
  // writeSessions
  UNWIND $sessions AS row
  MATCH (s:Session {node_id: row.id, workspace: $workspace})
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
  MATCH (parent:Session {node_id: row.parentId, workspace: $workspace})
  MATCH (child:Session {node_id: row.childId, workspace: $workspace})
  MERGE (parent)-[:HAS_FORK]->(child)
  SET child:ForkedSession
  REMOVE child:RootSession
`;
const WRITE_CALLS = cypher`
  // writeToolCalls
  UNWIND $calls AS row
  MATCH (s:Session {node_id: row.sessionId, workspace: $workspace})
  MERGE (call:ToolCall {node_id: row.nodeId, workspace: $workspace})
  ON CREATE SET call.owner_id = $ownerId, call.session_id = row.sessionId,
    call.tool_call_id = row.toolCallId
  WITH s, row, call WHERE call.session_id = row.sessionId AND call.owner_id = $ownerId
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
  WHERE early.workspace = $workspace AND early.session_id = call.session_id
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
  MATCH (s:Session {node_id: row.sessionId, workspace: $workspace})
  MERGE (e:Event {node_id: row.nodeId, workspace: $workspace})
  ON CREATE SET e += row.props, e.owner_id = $ownerId, e.occurred_at = datetime(row.at)
  SET e:$(row.labels)
  CREATE (s)-[:HAS_EVENT]->(e)
  WITH e, row WHERE row.toolCall IS NOT NULL
  OPTIONAL MATCH (call:ToolCall {node_id: row.toolCall, workspace: $workspace})
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
  { ownerId, workspace }: SessionGraphPlace,
  rows: {
    readonly sessions: readonly SessionFacts[];
    readonly forks: readonly Fork[];
    readonly calls: readonly CallStart[];
    readonly events: readonly EventRow[];
  },
): Promise<void> {
  const { sessions, forks, calls, events } = rows;
  if (sessions.length > 0) await tx.run(WRITE_SESSIONS, { workspace, sessions });
  if (forks.length > 0) await tx.run(WRITE_FORKS, { workspace, forks });
  if (calls.length > 0) await tx.run(WRITE_CALLS, { workspace, ownerId, calls });
  if (events.length > 0) await tx.run(WRITE_EVENTS, { workspace, ownerId, events });
}

const PROCESS_NAMES = cypher`
  // findProcessNamesOfRuns
  MATCH (run:ProcessRun) WHERE run.id IN $ids
  RETURN run.id AS id, run.processName AS name
`;

/** Finds the Process names of runs, without a viewer: run id → name. For ids of forked sessions. */
export async function findProcessNames(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.run(PROCESS_NAMES, { ids });
  return new Map(
    rows.map((row) => [textOf(row, 'id', 'ProcessRun'), textOf(row, 'name', 'ProcessRun')]),
  );
}
