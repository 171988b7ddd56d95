import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf } from '../platform/neo4j/row.ts';
import { ACTIVE_CALL_STATUSES, REMOVED_OPERATION } from './call.ts';

const COUNT_ACTIVE = /* cypher */ `
  // countActiveCalls
  MATCH (n:CallGraphNode {operationId: $operationId}) WHERE n.status IN $active
  RETURN count(n) AS active
`;

/** Calls of an operation that are pending or running, whoever made them. */
export async function countActiveCalls(tx: ReadTx, operationId: string): Promise<number> {
  const rows = await tx.run(COUNT_ACTIVE, { operationId, active: ACTIVE_CALL_STATUSES });
  return countOf(rows, 'active');
}

// The call graph follows the record a moment later, so a call only counts while its step is still at work.
const COUNT_RUNNING_STEPS = /* cypher */ `
  // countRunningCalls
  MATCH (n:CallGraphNode {operationId: $operationId}) WHERE n.status IN $active
  MATCH (s:StepRun {key: left(n.requestId, size(n.requestId) - size(last(split(n.requestId, '/'))) - 1)})
  WHERE s.status IN ['pending', 'running']
  RETURN count(DISTINCT s) AS running
`;

/** Steps of anybody's runs that call a Tool at this moment. */
export async function countRunningCalls(tx: ReadTx, toolId: string): Promise<number> {
  const params = { operationId: toolId, active: ACTIVE_CALL_STATUSES };
  return countOf(await tx.run(COUNT_RUNNING_STEPS, params), 'running');
}

const REMOVE_OPERATION = /* cypher */ `
  // removeOperation
  MATCH (o:Operation {id: $operationId}) WHERE o.id <> $removedId
  CALL (o) {
    MATCH (n:CallGraphNode {operationId: o.id})
    SET n.operationId = $removedId
  }
  CALL (o) {
    MATCH (s:CallStats {operationId: o.id})
    SET s.operationId = $removedId
  }
  DELETE o
`;

/** Moves what was called by it to the sentinel, then deletes it (S3-OPS-02). */
export async function removeOperationNode(tx: WriteTx, operationId: string): Promise<void> {
  await tx.run(REMOVE_OPERATION, { operationId, removedId: REMOVED_OPERATION.id });
}

const LOCK_OPERATION = /* cypher */ `
  // lockOperation
  MATCH (o:Operation {id: $operationId})
  SET o.lock = true
  REMOVE o.lock
`;
const HAS_OPERATION = /* cypher */ `
  // hasOperation
  MATCH (o:Operation {id: $operationId})
  RETURN o.id AS id
`;

/** Whether it is there; holds it until the transaction ends. A statement of its own looks, for it may have gone while we waited. */
export async function lockOperation(tx: WriteTx, operationId: string): Promise<boolean> {
  await tx.run(LOCK_OPERATION, { operationId });
  return (await tx.run(HAS_OPERATION, { operationId })).length > 0;
}
