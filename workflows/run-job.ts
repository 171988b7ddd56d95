import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { JobActivities, JobCall } from '../src/jobs/job.ts';

// Time for the last save of a job run, after its time limit. The activity keeps the limit itself.
const LEEWAY_SECONDS = 60;

/**
 * One job run, started by the job's Schedule or by the mutation runJob. After a loss of the worker
 * or of Neo4j it is retried from its checkpoint.
 */
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
