import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { isAdmin, type Viewer } from '../users/viewer.ts';
import { CALL_STATUSES, type CallStatus, TRIGGERED } from './call.ts';

const LOCK_CALLS = /* cypher */ `
  // lockCalls
  MATCH (n:CallGraphNode) WHERE n.requestId IN $requestIds
  WITH n ORDER BY n.requestId
  SET n.lock = true
  REMOVE n.lock
`;

/** Racing writers of the same calls queue up here. */
export async function lockCalls(tx: WriteTx, requestIds: readonly string[]): Promise<void> {
  if (requestIds.length > 0) await tx.run(LOCK_CALLS, { requestIds });
}

const FIND_STATUSES = /* cypher */ `
  // findCallStatuses
  MATCH (n:CallGraphNode)
  WHERE n.requestId IN $requestIds AND ($isAdmin OR n.ownerId = $viewerId)
  RETURN n.requestId AS requestId, n.status AS status
`;

const StatusRow = z.object({ requestId: z.string(), status: z.enum(CALL_STATUSES) });

/** The status of each of these calls that the viewer may see. */
export async function findCallStatuses(
  tx: ReadTx,
  viewer: Viewer,
  requestIds: readonly string[],
): Promise<Map<string, CallStatus>> {
  const params = { requestIds, viewerId: viewer.userId, isAdmin: isAdmin(viewer) };
  const rows = await tx.run(FIND_STATUSES, params);
  return new Map(
    rows.map((row) => {
      const { requestId, status } = parseRow(StatusRow, row, 'CallGraphNode');
      return [requestId, status];
    }),
  );
}

const INSERT_CALL = /* cypher */ `
  // insertCall
  MERGE (n:CallGraphNode {requestId: $requestId})
  ON CREATE SET n.id = $id, n.operationId = $operationId, n.status = 'pending', n.ownerId = $ownerId,
    n.workspace = $workspace, n.callerAccountId = $callerAccountId, n.identity = $identity, n.input = $input,
    n.createdAt = datetime($now), n.updatedAt = datetime($now)
  WITH n WHERE n.id = $id
  CALL (n) {
    MATCH (parent:CallGraphNode {requestId: $parentRequestId})
    MERGE (parent)-[r:CALL_EDGE {sourceId: parent.id, targetId: n.id, edgeType: '${TRIGGERED}'}]->(n)
    ON CREATE SET r.id = randomUUID(), r.createdAt = datetime($now), r.updatedAt = datetime($now)
    SET n.parentRequestId = parent.requestId
  }
  RETURN n.id AS id
`;

/** False where the requestId is taken: then nothing is written (S3-NODE-02). */
export async function insertCall(
  tx: WriteTx,
  call: {
    readonly id: string;
    readonly requestId: string;
    readonly operationId: string;
    readonly parentRequestId: string | null;
    readonly ownerId: string;
    readonly workspace: string;
    readonly callerAccountId: string | null;
    readonly identity: string;
    readonly input: string | null;
    readonly now: Instant;
  },
): Promise<boolean> {
  return (await tx.run(INSERT_CALL, { ...call })).length > 0;
}

const SET_STATUS = /* cypher */ `
  // setCallStatus
  MATCH (n:CallGraphNode {requestId: $requestId})
  SET n.status = $status, n.startedAt = coalesce(datetime($startedAt), n.startedAt, CASE $status WHEN 'running' THEN datetime($now) END),
    n.output = coalesce($output, n.output), n.error = coalesce($error, n.error), n.updatedAt = datetime($now)
  WITH n WHERE $status IN ['completed', 'failed', 'aborted']
  SET n.completedAt = coalesce(datetime($completedAt), datetime($now))
  SET n._retentionExpiresAt = n.completedAt + duration({days: $retentionDays})
`;

/** Trusts that the status may follow; the caller holds the lock. */
export async function setCallStatus(
  tx: WriteTx,
  change: {
    readonly requestId: string;
    readonly status: CallStatus;
    readonly startedAt: Instant | null;
    readonly completedAt: Instant | null;
    readonly output: string | null;
    readonly error: string | null;
    readonly retentionDays: number;
    readonly now: Instant;
  },
): Promise<void> {
  await tx.run(SET_STATUS, { ...change });
}

const INSERT_EDGE = /* cypher */ `
  // insertCallEdge
  MATCH (source:CallGraphNode {requestId: $source})
  MATCH (target:CallGraphNode {requestId: $target})
  WHERE $edgeType <> '${TRIGGERED}' OR coalesce(target.parentRequestId, $source) = $source
  MERGE (source)-[r:CALL_EDGE {sourceId: source.id, targetId: target.id, edgeType: $edgeType}]->(target)
  ON CREATE SET r.id = $id, r.createdAt = datetime($now), r.updatedAt = datetime($now)
  FOREACH (_ IN CASE WHEN $edgeType = '${TRIGGERED}' THEN [1] ELSE [] END | SET target.parentRequestId = $source)
  RETURN r.id AS id
`;

/** False where another call has triggered the target already; a call has one parent. */
export async function insertEdge(
  tx: WriteTx,
  edge: {
    readonly id: string;
    readonly source: string;
    readonly target: string;
    readonly edgeType: string;
    readonly now: Instant;
  },
): Promise<boolean> {
  return (await tx.run(INSERT_EDGE, { ...edge })).length > 0;
}

const CLEAR_CALLER = /* cypher */ `
  // clearCaller
  MATCH (n:CallGraphNode {callerAccountId: $accountId})
  WITH n LIMIT $limit
  SET n.callerAccountId = null
  RETURN count(n) AS changed
`;

export async function clearCaller(
  tx: WriteTx,
  input: { readonly accountId: string; readonly limit: number },
): Promise<number> {
  return countOf(await tx.run(CLEAR_CALLER, { ...input }), 'changed');
}
