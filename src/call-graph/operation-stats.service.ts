import type { Graph } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/user.ts';
import type { CallFilter } from './call-node.ts';
import { listTallies } from './call-read.cypher.ts';
import { addTallies, type CallTally, NO_CALLS, type OperationStats, statsOf } from './stats.ts';

/** What each operation has been like for the viewer (an admin: for all), the most called first. Goes beyond retention, by whole days. */
export async function operationStats(
  { graph }: { readonly graph: Graph },
  viewer: Viewer,
  filter: Pick<CallFilter, 'from' | 'to'>,
): Promise<OperationStats[]> {
  const tallies = new Map<string, CallTally>();
  for (const { operationId, tally } of await graph.read((tx) => listTallies(tx, viewer, filter)))
    tallies.set(operationId, addTallies(tallies.get(operationId) ?? NO_CALLS, tally));
  return [...tallies]
    .map(([operationId, tally]) => statsOf(operationId, tally))
    .sort(
      (left, right) => right.calls - left.calls || (left.operationId < right.operationId ? -1 : 1),
    );
}
