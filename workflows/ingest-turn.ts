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
// A run has a timeout of its own; these only bound how often it is looked at.
const LOOK_MS = 100;
const LOOK_MS_MAX = 10_000;
/** Some hours; a run that waits longer for a budget or a person is read without it. */
const LOOKS_MAX = 1_000;

/** Makes an alternative part of the memory graph: its Episode first, then what can be read out of it. */
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

/** Adds to an entity what a run says of it. */
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

/** Looks again and again, ever more seldom. @returns false where it did not come true */
async function until(check: () => Promise<boolean>): Promise<boolean> {
  for (let look = 0, ms = LOOK_MS; look < LOOKS_MAX; look++, ms = Math.min(ms * 1.5, LOOK_MS_MAX)) {
    if (await check()) return true;
    await sleep(ms);
  }
  return false;
}
