import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FireCall, Fired, ScheduleActivities } from '../src/schedules/schedule.ts';

/** One time that a user's schedule was due. Ends as soon as the run is on record; the run has a workflow of its own. */
export async function fireSchedule(call: FireCall): Promise<Fired> {
  const { fireSchedule: fire } = proxyActivities<ScheduleActivities>({
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
    // Later than that the time is past; the next one comes by itself.
    scheduleToCloseTimeout: '10 minutes',
  });
  // The id holds the time that was due, so every attempt at it has the same key.
  return fire({ ...call, key: workflowInfo().workflowId });
}
