import { Context } from '@temporalio/activity';

const BEAT_MS = 1_000;

/**
 * The same activities, each telling Temporal that it is at work while it is: what a killed worker leaves is begun again when the
 * heartbeat stops (STEP_LOST_SECONDS), not when all the time is over that it might have taken.
 */
export function beating<A extends object>(activities: A): A {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [name, whileBeating(activity)]),
  ) as A;
}

function whileBeating<Args extends unknown[], R>(activity: (...args: Args) => Promise<R>) {
  return async (...args: Args): Promise<R> => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      return await activity(...args);
    } finally {
      clearInterval(beat);
    }
  };
}
