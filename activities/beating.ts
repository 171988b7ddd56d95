import { activityInfo } from '@temporalio/activity';
import { whileBeating } from '../src/platform/temporal/beating.ts';

/**
 * Wraps activities so that each sends heartbeats. Temporal then repeats the activity of a killed
 * worker after STEP_LOST_SECONDS, instead of after its whole timeout. Local activities have none:
 * Temporal repeats the workflow task of a killed worker.
 */
export function beating<A extends object>(activities: A): A {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [name, remote(activity)]),
  ) as A;
}

function remote<Args extends unknown[], R>(activity: (...args: Args) => Promise<R>) {
  return (...args: Args): Promise<R> =>
    activityInfo().isLocal ? activity(...args) : whileBeating(() => activity(...args));
}
