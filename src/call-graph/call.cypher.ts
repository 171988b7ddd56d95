import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { textOrNull } from '../common/stored.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readMap } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { RunOrigin } from '../runs/run/run-origin.ts';
import {
  ACTIVE_CALL_STATUSES,
  DEPENDS_ON,
  REQUESTED_BY,
  statusesBefore,
  TRIGGERED,
} from './call.ts';
import type { CallFact, Orphans } from './call-fact.ts';

/** A fact with its payloads as stored: redacted, cut, as JSON text. */
export interface StoredFact extends Omit<CallFact, 'input' | 'output'> {
  readonly input: string | null;
  readonly output: string | null;
  readonly origin: RunOrigin;
}

const MERGE_OPERATIONS = cypher`
  // mergeOperations
  UNWIND $operations AS operation
  MERGE (o:Operation {id: operation.id})
  ON CREATE SET o.name = operation.name, o.namespace = operation.namespace,
    o.createdAt = datetime(operation.at)
`;

// Facts come in any order and more than once. Known values are never overwritten, and the status
// changes only as the state machine allows (S3-STATE-01). A pending call may end without an entry
// of its start.
const MERGE_CALLS = cypher`
  // mergeCalls
  UNWIND $calls AS call
  MERGE (n:CallGraphNode {requestId: call.requestId})
  ON CREATE SET n.id = call.entryId, n.operationId = call.operationId, n.status = 'pending',
    n.ownerId = call.ownerId,
    n.workspace = call.workspace, n.callerAccountId = call.ownerId, n.rootRunId = call.rootRunId,
    n.origin = call.origin,
    n.createdAt = datetime(call.at)
  WITH n, call
  SET n.identity = coalesce(n.identity, call.identity), n.input = coalesce(n.input, call.input),
    n.startedAt = coalesce(n.startedAt, datetime(call.startedAt)),
    n.awaitedParent = CASE
      WHEN n.parentRequestId IS NULL THEN coalesce(n.awaitedParent, call.parentRequestId) END
  WITH n, call
  CALL (n, call) {
    WITH n, call WHERE n.status IN call.statusesBefore
    SET n.status = call.status, n.output = call.output, n.error = call.error,
      n.completedAt = datetime(call.completedAt),
      n._retentionExpiresAt = datetime(call.completedAt) + duration({days: $retentionDays})
  }
  SET n.updatedAt = coalesce(n.completedAt, n.startedAt, n.createdAt)
  WITH n WHERE n.identity IS NULL AND n.rootRunId IS NOT NULL
  MATCH (root:CallGraphNode {requestId: n.rootRunId})
  SET n.identity = root.identity
`;

// Sets property and edge together, so that they never differ. A later parent finds its children.
const LINK_PARENTS = cypher`
  // linkParents
  UNWIND $requestIds AS requestId
  CALL (requestId) {
    MATCH (child:CallGraphNode {requestId: requestId})
      USING INDEX child:CallGraphNode(requestId)
    WHERE child.awaitedParent IS NOT NULL
    MATCH (parent:CallGraphNode {requestId: child.awaitedParent})
    RETURN parent, child
    UNION
    MATCH (child:CallGraphNode {awaitedParent: requestId})
    MATCH (parent:CallGraphNode {requestId: requestId})
    RETURN parent, child
  }
  MERGE (parent)-[r:CALL_EDGE
    {sourceId: parent.id, targetId: child.id, edgeType: '${TRIGGERED}'}]->(child)
  ON CREATE SET r.id = randomUUID(), r.createdAt = child.createdAt, r.updatedAt = child.createdAt
  SET child.parentRequestId = child.awaitedParent
  REMOVE child.awaitedParent
`;

const LINK_RUNS = cypher`
  // linkRunsToCalls
  UNWIND $runIds AS runId
  MATCH (n:CallGraphNode {requestId: runId})
  MATCH (run:ProcessRun {id: runId})
  MERGE (run)-[:RECORDED_AS]->(n)
`;

const LINK_OTHERS = cypher`
  // linkCalls
  UNWIND $links AS link
  CALL (link) {
    WITH link WHERE link.type = '${REQUESTED_BY}'
    MATCH (source:CallGraphNode {requestId: link.other})
    MATCH (target:CallGraphNode {requestId: link.requestId})
    RETURN source, target
    UNION
    WITH link WHERE link.type = '${DEPENDS_ON}'
    MATCH (source:CallGraphNode {requestId: link.requestId})
    MATCH (target:CallGraphNode)
    WHERE target.requestId STARTS WITH link.other AND target.status = 'completed'
    WITH source, target ORDER BY target.requestId LIMIT $dependenciesMax
    RETURN source, target
  }
  MERGE (source)-[r:CALL_EDGE
    {sourceId: source.id, targetId: target.id, edgeType: link.type}]->(target)
  ON CREATE SET r.id = randomUUID(), r.createdAt = datetime(link.at),
    r.updatedAt = datetime(link.at)
`;

/** Maximum number of edges from a step to the items of a forEach step it waited for. */
const DEPENDENCIES_MAX = 20;

const SET_ABORTED = /* cypher */ `
  SET n.status = 'aborted', n.error = $error, n.completedAt = datetime(orphan.at),
    n.updatedAt = datetime(orphan.at),
    n._retentionExpiresAt = datetime(orphan.at) + duration({days: $retentionDays})
`;
const ABORT_ATTEMPTS = cypher`
  // abortCalls
  UNWIND $orphans AS orphan
  MATCH (n:CallGraphNode {requestId: orphan.requestId}) WHERE n.status IN $active
  ${SET_ABORTED}
`;
const ABORT_TREES = cypher`
  // abortCallTrees
  UNWIND $orphans AS orphan
  MATCH (n:CallGraphNode {rootRunId: orphan.rootRunId}) WHERE n.status IN $active
  ${SET_ABORTED}
`;
const ORPHANED = JSON.stringify({
  code: 'ABORTED',
  message: 'Whoever made this call was lost before it said how it ended.',
});

/** Writes facts of calls, their edges and orphans; at most one fact per call. Idempotent. */
export async function writeFacts(
  tx: WriteTx,
  {
    facts,
    orphans,
  }: { readonly facts: readonly StoredFact[]; readonly orphans: readonly Orphans[] },
  { retentionDays }: { readonly retentionDays: number },
): Promise<void> {
  if (facts.length > 0) {
    await mergeOperations(tx, facts);
    await tx.run(MERGE_CALLS, { calls: facts.map(callParams), retentionDays });
    // The call of a run has the run's id.
    const runIds = facts.flatMap(({ requestId, rootRunId }) =>
      rootRunId === null || requestId.includes('/') ? [] : [requestId],
    );
    if (runIds.length > 0) await tx.run(LINK_RUNS, { runIds });
    await tx.run(LINK_PARENTS, { requestIds: facts.map(({ requestId }) => requestId) });
    const links = facts.flatMap(linksOf);
    if (links.length > 0) await tx.run(LINK_OTHERS, { links, dependenciesMax: DEPENDENCIES_MAX });
  }
  const attempts = orphans.filter((orphan) => 'requestId' in orphan);
  const trees = orphans.filter((orphan) => 'rootRunId' in orphan);
  const params = { retentionDays, error: ORPHANED, active: ACTIVE_CALL_STATUSES };
  if (attempts.length > 0) await tx.run(ABORT_ATTEMPTS, { ...params, orphans: attempts });
  if (trees.length > 0) await tx.run(ABORT_TREES, { ...params, orphans: trees });
}

async function mergeOperations(tx: WriteTx, facts: readonly StoredFact[]): Promise<void> {
  const operations = new Map(
    facts.map(({ operation, at }) => [operation.id, { ...operation, at }] as const),
  );
  await tx.run(MERGE_OPERATIONS, { operations: [...operations.values()] });
}

function callParams(fact: StoredFact): Record<string, unknown> {
  const { operation, identity, error, dependsOn: _d, requestedBy: _r, ...rest } = fact;
  return {
    ...rest,
    operationId: operation.id,
    statusesBefore: statusesBefore(fact.status),
    identity: identity === null ? null : JSON.stringify(identity),
    error: error === null ? null : JSON.stringify(error),
  };
}

function linksOf({ requestId, at, dependsOn, requestedBy }: StoredFact): {
  readonly type: string;
  readonly requestId: string;
  readonly other: string;
  readonly at: Instant;
}[] {
  return [
    ...dependsOn.map((other) => ({ type: DEPENDS_ON, requestId, other, at })),
    ...(requestedBy === null ? [] : [{ type: REQUESTED_BY, requestId, other: requestedBy, at }]),
  ];
}

const LARGE_VALUES = cypher`
  // findLargeValues
  UNWIND $keys AS key
  OPTIONAL MATCH (s:StepRun {key: key})
  OPTIONAL MATCH (run:ProcessRun {id: key})
  RETURN key, coalesce(s.inputs, run.context) AS input,
    coalesce(s.inputsBlob, run.contextBlob) AS inputBlob,
    coalesce(s.output, run.output) AS output, coalesce(s.outputBlob, run.outputBlob) AS outputBlob
`;

export const LargeValue = z.object({
  input: textOrNull,
  inputBlob: textOrNull,
  output: textOrNull,
  outputBlob: textOrNull,
});
export type LargeValue = z.infer<typeof LargeValue>;
const LargeRow = LargeValue.extend({ key: z.string() });

/** Finds values that were too large for an entry, by the key of the step or the id of the run. */
export function findLargeValues(
  tx: Pick<WriteTx, 'run'>,
  keys: readonly string[],
): Promise<Map<string, LargeValue>> {
  return readMap(tx, LARGE_VALUES, { keys }, (row) => {
    const { key, ...value } = parseRow(LargeRow, row, 'StepRun or ProcessRun');
    return [key, value];
  });
}
