import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';

interface Activities {
  callRest(key: string): Promise<string>;
}
const STEPS = 3;
const activities = proxyActivities<Activities>({ startToCloseTimeout: '1m' });
const local = proxyLocalActivities<Activities>({ startToCloseTimeout: '1m' });

export async function byActivities(key: string): Promise<void> {
  for (let step = 0; step < STEPS; step++) await activities.callRest(key);
}

export async function byLocalActivities(key: string): Promise<void> {
  for (let step = 0; step < STEPS; step++) await local.callRest(key);
}
