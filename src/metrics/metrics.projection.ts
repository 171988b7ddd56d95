import { FOLLOW_UP_MS } from '../common/limits.ts';
import type { Projection } from '../outbox/projector.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { findSystemRuns } from '../runs/run/run-origin.cypher.ts';
import { bucketsOf, MEASURED_KINDS, totalsOf } from './built-in.ts';
import { addMeasurements, lockMetricProgress } from './projection.cypher.ts';

/**
 * Adds the numbers of outbox entries to the built-in metrics and the counters of /metrics. Adding
 * is not idempotent, so the number of the last added entry is stored in the same commit as the
 * sums. Repeated entries are skipped.
 * @param progress name of the Counter of that number; an installation has one
 */
export function metricsProjection(
  { graph }: { readonly graph: Graph },
  progress = 'metrics',
): Projection {
  return {
    name: 'metrics',
    gatherMs: FOLLOW_UP_MS,
    kinds: MEASURED_KINDS,
    async handle(entries) {
      const seq = entries.at(-1)?.seq;
      if (seq === undefined) return;
      await graph.write(async (tx) => {
        const counted = await lockMetricProgress(tx, progress);
        const fresh = entries.filter((entry) => entry.seq > counted);
        if (fresh.length === 0) return;
        const rootRunIds = fresh.map(({ rootRunId }) => rootRunId);
        const systemRuns = await findSystemRuns(tx, rootRunIds);
        await addMeasurements(tx, {
          progress,
          buckets: bucketsOf(fresh, systemRuns),
          totals: totalsOf(fresh),
          seq,
        });
      });
    },
  };
}
