import type { WriteTx } from './graph.ts';

// Setting a property takes the node's exclusive lock until the transaction ends; taking it away again leaves no trace.
// The ids are sorted, so that two writers who want the same nodes take them in one order.
const LOCK_RESOURCES = /* cypher */ `
  // lockResources
  MATCH (n:Resource) WHERE n.id IN $ids
  WITH n ORDER BY n.id
  SET n.lock = true
  REMOVE n.lock
  RETURN count(n) AS locked
`;

/**
 * Makes racing writers of the same things queue up. Call it first, then read what the decision hangs on in a statement of its own: a read in
 * the same statement may be older than the lock. Ids that are not there, or were deleted while waiting, lock nothing.
 */
export async function lockResources(
  tx: WriteTx,
  ids: readonly (string | null | undefined)[],
): Promise<void> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  if (wanted.length > 0) await tx.run(LOCK_RESOURCES, { ids: wanted });
}
