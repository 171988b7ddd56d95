import { activitiesOn, hasEnded, until } from './memory-graph-runs.ts';

export interface EnrichEntityInput {
  readonly entityUuid: string;
  readonly runId: string;
  readonly queuePrefix: string;
}

/** Adds the output of an enrichment run to its entity. */
export async function enrichEntity(input: EnrichEntityInput): Promise<void> {
  const { entityUuid, runId, queuePrefix } = input;
  const activities = activitiesOn(queuePrefix);
  await until(() => hasEnded(activities, runId));
  await activities.applyEnrichment({ entityUuid, runId });
  await activities.embedNew();
}
