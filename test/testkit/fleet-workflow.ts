import { proxyActivities } from '@temporalio/workflow';

/**
 * The smallest workflow there is, for tests of the workers themselves: one call on another queue.
 */
export async function callOnce(taskQueue: string, ms: number): Promise<string> {
  const { work } = proxyActivities<{ work(ms: number): Promise<string> }>({
    taskQueue,
    startToCloseTimeout: '20 seconds',
    heartbeatTimeout: '5 seconds',
    retry: { maximumAttempts: 1 },
  });
  return work(ms);
}

/** One call on another queue, repeated as often as its activity may be. */
export async function callAgain(taskQueue: string, ms: number): Promise<string> {
  const { work } = proxyActivities<{ work(ms: number): Promise<string> }>({
    taskQueue,
    startToCloseTimeout: '20 seconds',
    heartbeatTimeout: '1 second',
    retry: { initialInterval: '100ms', maximumInterval: '100ms' },
  });
  return work(ms);
}
