import { sleep } from '@temporalio/workflow';
import type { IngestTurnInput } from '../src/memory-graph/workflow-inputs.ts';
import type { MemoryGraphActivities } from './memory-graph.contract.ts';
import { activitiesOn, hasEnded, until } from './memory-graph-runs.ts';

/**
 * Adds an alternative to the memory graph: first its Episode, then the entities and facts extracted
 * from it.
 */
export async function ingestTurn({ alternativeId, queuePrefix }: IngestTurnInput): Promise<void> {
  const activities = activitiesOn(queuePrefix);
  const bound = await activities.bindEpisode({ alternativeId });
  if (bound === null) return;
  const { copiedFromId } = bound;
  if (!bound.isTelling) await activities.skipExtraction({ alternativeId });
  else if (
    copiedFromId === null ||
    !(await until(() => activities.copyExtraction({ alternativeId, copiedFromId })))
  ) {
    const runId = await startedExtraction(activities, alternativeId);
    if (runId !== null) await until(() => hasEnded(activities, runId));
    await activities.applyExtraction({ alternativeId, runId });
  }
  await activities.embedNew();
}

/** Waits until turns that are read together are complete. */
async function startedExtraction(
  activities: MemoryGraphActivities,
  alternativeId: string,
): Promise<string | null> {
  for (;;) {
    const started = await activities.startExtraction({ alternativeId });
    if (started === null || typeof started === 'string') return started;
    await sleep(started.waitMs);
  }
}
