import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { textsOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';

const FIND_SYSTEM_RUNS = cypher`
  // findSystemRuns
  MATCH (run:ProcessRun) WHERE run.id IN $rootRunIds AND run.origin = 'system'
  RETURN run.id AS id
`;

/**
 * Finds the root runs among these that are the product's own. Not scoped by a viewer: projections
 * ask by the ids of outbox entries. Nulls, of entries without a run, are passed over.
 */
export async function findSystemRuns(
  tx: ReadTx,
  rootRunIds: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(rootRunIds.flatMap((id) => id ?? []))];
  if (ids.length === 0) return new Set();
  const rows = await tx.run(FIND_SYSTEM_RUNS, { rootRunIds: ids });
  return new Set(textsOf(rows, 'id', 'ProcessRun'));
}
