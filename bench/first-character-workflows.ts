import { proxyActivities } from '@temporalio/workflow';

export interface Speaking {
  /** The run whose stream the text goes to. */
  readonly runId: string;
  readonly question: string;
}
export interface Activities {
  speak(speaking: Speaking): Promise<string>;
}

/** What somebody would write by hand for a chat: one activity that asks the model and publishes what it says. */
export async function speakByHand(speaking: Speaking): Promise<string> {
  const { speak } = proxyActivities<Activities>({ startToCloseTimeout: '1m' });
  return speak(speaking);
}
