import { proxyActivities, sleep } from '@temporalio/workflow';
import { STEP_LOST_SECONDS } from '../src/common/limits.ts';
import { processesQueue } from '../src/runs/run/run.ts';
import type { KnowledgeActivities } from './ingest-turn.contract.ts';

export interface IngestTurnInput {
  readonly alternativeId: string;
  readonly queuePrefix: string;
}
export interface EnrichEntityInput {
  readonly entityUuid: string;
  readonly runId: string;
  readonly queuePrefix: string;
}

const RETRY_FOR_EVER = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '30s',
} as const;
// Polling of a run that is open. The run has a timeout of its own.
const POLL_MS = 100;
const POLL_MS_MAX = 10_000;
/** Some hours. Without the end of the run by then, the workflow goes on without its output. */
const POLLS_MAX = 1_000;

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
    const runId = await activities.startExtraction({ alternativeId });
    if (runId !== null) await until(() => hasEnded(activities, runId));
    await activities.applyExtraction({ alternativeId, runId });
  }
  await activities.embedNew();
}

/** Adds the output of an enrichment run to its entity. */
export async function enrichEntity(input: EnrichEntityInput): Promise<void> {
  const { entityUuid, runId, queuePrefix } = input;
  const activities = activitiesOn(queuePrefix);
  await until(() => hasEnded(activities, runId));
  await activities.applyEnrichment({ entityUuid, runId });
  await activities.embedNew();
}

function activitiesOn(queuePrefix: string): KnowledgeActivities {
  return proxyActivities<KnowledgeActivities>({
    taskQueue: processesQueue(queuePrefix),
    startToCloseTimeout: '2m',
    heartbeatTimeout: STEP_LOST_SECONDS * 1_000,
    retry: RETRY_FOR_EVER,
  });
}

async function hasEnded(activities: KnowledgeActivities, runId: string): Promise<boolean> {
  return (await activities.extractionEnd({ runId })) !== null;
}

/** Polls with a growing delay until `check` is true. @returns false after POLLS_MAX polls */
async function until(check: () => Promise<boolean>): Promise<boolean> {
  for (let poll = 0, ms = POLL_MS; poll < POLLS_MAX; poll++, ms = Math.min(ms * 1.5, POLL_MS_MAX)) {
    if (await check()) return true;
    await sleep(ms);
  }
  return false;
}
