import type { ReadTx } from '../platform/neo4j/graph.ts';
import { textListOf, textOf } from '../platform/neo4j/row.ts';
import { readMap } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';

const FIND_LABELS = cypher`
  // findLabels
  MATCH (n:Resource) WHERE n.id IN $ids
  RETURN n.id AS id, labels(n) AS labels
`;

/**
 * Labels of the nodes with these ids, to choose a loader. Not scoped by a viewer: the loader checks
 * visibility.
 */
export function findLabels(tx: ReadTx, ids: readonly string[]): Promise<Map<string, string[]>> {
  return readMap(tx, FIND_LABELS, { ids }, (row) => [
    textOf(row, 'id', 'Resource'),
    textListOf(row, 'labels', 'Resource'),
  ]);
}
