import { proxyActivities } from '@temporalio/workflow';

export interface Speaking {
  /** The run whose stream the text goes to. */
  readonly runId: string;
  readonly question: string;
}
export interface Activities {
  speak(speaking: Speaking): Promise<string>;
}

/** The baseline: a chat workflow written by hand. One activity calls the model and publishes. */
export async function speakByHand(speaking: Speaking): Promise<string> {
  const { speak } = proxyActivities<Activities>({ startToCloseTimeout: '1m' });
  return speak(speaking);
}
