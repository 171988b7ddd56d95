import { proxyActivities, sleep } from '@temporalio/workflow';
import { STEP_LOST_SECONDS } from '../src/common/limits.ts';
import { processesQueue } from '../src/runs/run/run.ts';
import type { MemoryGraphActivities } from './memory-graph.contract.ts';

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

/** The activities of the memory graph, retried until they succeed. */
export function activitiesOn(queuePrefix: string): MemoryGraphActivities {
  return proxyActivities<MemoryGraphActivities>({
    taskQueue: processesQueue(queuePrefix),
    startToCloseTimeout: '2m',
    heartbeatTimeout: STEP_LOST_SECONDS * 1_000,
    retry: RETRY_FOR_EVER,
  });
}

/** Whether a run of a system Process has ended. */
export async function hasEnded(activities: MemoryGraphActivities, runId: string): Promise<boolean> {
  return (await activities.extractionEnd({ runId })) !== null;
}

/** Polls with a growing delay until `check` is true. @returns false after POLLS_MAX polls */
export async function until(check: () => Promise<boolean>): Promise<boolean> {
  for (let poll = 0, ms = POLL_MS; poll < POLLS_MAX; poll++, ms = Math.min(ms * 1.5, POLL_MS_MAX)) {
    if (await check()) return true;
    await sleep(ms);
  }
  return false;
}
