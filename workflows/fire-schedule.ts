import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FireCall, Fired, ScheduleActivities } from '../src/schedules/schedule.ts';

/**
 * Fires a user's schedule once. Ends when the run is recorded; the run has a workflow of its own.
 */
export async function fireSchedule(call: FireCall): Promise<Fired> {
  const { fireSchedule: fire } = proxyActivities<ScheduleActivities>({
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
    // After this time the firing is dropped; Temporal fires the next one.
    scheduleToCloseTimeout: '10 minutes',
  });
  // The workflow's id contains the due time, so every attempt has the same idempotency key.
  return fire({ ...call, key: workflowInfo().workflowId });
}
