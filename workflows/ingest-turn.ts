import { proxyActivities } from '@temporalio/workflow';
import type { KnowledgeActivities } from '../activities/knowledge-contract.ts';
import { processesQueue } from '../src/runs/run.ts';

export interface IngestTurnInput {
  readonly alternativeId: string;
  readonly queuePrefix: string;
}

const RETRY_FOR_EVER = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '30s',
} as const;

/** Makes an alternative part of the memory graph: its Episode first, then what can be read out of it. */
export async function ingestTurn({ alternativeId, queuePrefix }: IngestTurnInput): Promise<void> {
  const activities = proxyActivities<KnowledgeActivities>({
    taskQueue: processesQueue(queuePrefix),
    startToCloseTimeout: '1m',
    retry: RETRY_FOR_EVER,
  });
  await activities.bindEpisode({ alternativeId });
}
