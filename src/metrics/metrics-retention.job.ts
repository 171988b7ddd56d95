import { type Clock, instant } from '../common/clock.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { deleteMetricValues, listMetricDefinitions } from './metric.cypher.ts';

// Small, so readers of the same series wait only briefly.
const BATCH = 2_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Deletes values older than their definition's retentionDays, one transaction per batch. May be
 * stopped between batches. Idempotent. @returns how many values were deleted
 */
export async function sweepMetrics(
  { graph, clock }: { readonly graph: Graph; readonly clock: Clock },
  signal: AbortSignal,
): Promise<{ readonly deleted: number }> {
  const nowMs = Date.parse(instant(clock));
  const definitions = await graph.read((tx) => listMetricDefinitions(tx, null));
  let deleted = 0;
  for (const { id, retentionDays } of definitions) {
    if (retentionDays === null) continue;
    const before = new Date(nowMs - retentionDays * DAY_MS).toISOString();
    for (let gone = BATCH; gone === BATCH && !signal.aborted; deleted += gone)
      gone = await graph.write((tx) => deleteMetricValues(tx, { id, before, limit: BATCH }));
  }
  return { deleted };
}
