import type { WriteTx } from '../platform/neo4j/graph.ts';
import { REMOVED_OPERATION } from './call.ts';

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

/** Moves the calls and statistics of an operation to the sentinel, then deletes it (S3-OPS-02). */
export async function removeOperationNode(tx: WriteTx, operationId: string): Promise<void> {
  await tx.run(REMOVE_OPERATION, { operationId, removedId: REMOVED_OPERATION.id });
}
