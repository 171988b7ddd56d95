import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { ACTIVE_CALL_STATUSES, REMOVED_OPERATION } from './call.ts';

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
  const [row] = await tx.run(COUNT_RUNNING_STEPS, params);
  return Number(row?.['running'] ?? 0);
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
