import type { EnrichEntityInput } from '../src/memory-graph/workflow-inputs.ts';
import { activitiesOn, hasEnded, until } from './memory-graph-runs.ts';

/** Adds the output of an enrichment run to its entity. */
export async function enrichEntity(input: EnrichEntityInput): Promise<void> {
  const { entityUuid, runId, queuePrefix } = input;
  const activities = activitiesOn(queuePrefix);
  await until(() => hasEnded(activities, runId));
  await activities.applyEnrichment({ entityUuid, runId });
  await activities.embedNew();
}
