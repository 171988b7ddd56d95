import type { Graph } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/user.ts';
import type { CallFilter, CallScope } from './call-node.ts';
import { listTallies } from './call-read.cypher.ts';
import { findOperationNames } from './operation.cypher.ts';
import { addTallies, type CallTally, NO_CALLS, type OperationStats, statsOf } from './stats.ts';

/**
 * Lists statistics of the viewer's calls (for an admin: of all calls) by operation, most called
 * first. Calls deleted by retention are included, by whole days.
 */
export async function operationStats(
  { graph }: { readonly graph: Graph },
  viewer: Viewer,
  filter: Pick<CallFilter, 'from' | 'to'> & CallScope,
): Promise<OperationStats[]> {
  const tallies = new Map<string, CallTally>();
  for (const { operationId, tally } of await graph.read((tx) => listTallies(tx, viewer, filter)))
    tallies.set(operationId, addTallies(tallies.get(operationId) ?? NO_CALLS, tally));
  const names = await graph.read((tx) => findOperationNames(tx, [...tallies.keys()]));
  return [...tallies]
    .map(([id, tally]) => ({ ...statsOf(id, tally), name: names.get(id) ?? id }))
    .sort(
      (left, right) => right.calls - left.calls || (left.operationId < right.operationId ? -1 : 1),
    );
}
