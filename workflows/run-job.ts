import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { JobActivities, JobCall } from '../src/jobs/job.ts';

// Beyond its time limit, which the activity keeps itself: for its last save.
const LEEWAY_SECONDS = 60;

/** One turn of a job, started by its Schedule or by runJob. It is retried where the worker or Neo4j went away, and goes on at its checkpoint. */
export async function runJob(call: JobCall): Promise<string> {
  const { performJob } = proxyActivities<JobActivities>({
    taskQueue: call.taskQueue,
    startToCloseTimeout: (call.timeLimitSeconds + LEEWAY_SECONDS) * 1_000,
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
  return performJob(call);
}
