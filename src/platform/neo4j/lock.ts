import type { WriteTx } from './graph.ts';
import { cypher } from './statement.ts';

// Setting a property to what it is locks the node until the transaction ends and changes nothing: a
// transaction that has written needs other plans (docs/decisions/0139).
// Sorted ids make concurrent writers lock in the same order, which avoids deadlocks.
const LOCK_RESOURCES = cypher`
  // lockResources
  MATCH (n:Resource) WHERE n.id IN $ids
  WITH n ORDER BY n.id
  SET n.id = n.id
  RETURN count(n) AS locked
`;

/**
 * Serialises concurrent writers of the same nodes. Call it first, and read in a later statement: a
 * read in the same statement may be older than the lock. Ids that do not exist lock nothing.
 */
export async function lockResources(
  tx: WriteTx,
  ids: readonly (string | null | undefined)[],
): Promise<void> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  if (wanted.length > 0) await tx.run(LOCK_RESOURCES, { ids: wanted });
}
