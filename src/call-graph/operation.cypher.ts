import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { textOf } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { REMOVED_OPERATION } from './call.ts';

const FIND_NAMES = cypher`
  // findOperationNames
  UNWIND $ids AS id
  MATCH (o:Operation {id: id})
  OPTIONAL MATCH (tool:Tool {id: id})
  OPTIONAL MATCH (process:Process {id: id})
  RETURN id, coalesce(tool.name, process.name, o.name) AS name
`;

/**
 * Finds the present names of the Tools and Processes that were called; for others the name at the
 * first call. Without a viewer: callers have found the calls for the viewer.
 */
export async function findOperationNames(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.run(FIND_NAMES, { ids });
  return new Map(
    rows.map((row) => [textOf(row, 'id', 'Operation'), textOf(row, 'name', 'Operation')]),
  );
}

const REMOVE_OPERATION = cypher`
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
