import { Context } from '@temporalio/activity';

const BEAT_MS = 1_000;

/**
 * Wraps activities so that each sends heartbeats. Temporal then repeats the activity of a killed
 * worker after STEP_LOST_SECONDS, instead of after its whole timeout. Local activities have none:
 * Temporal repeats the workflow task of a killed worker.
 */
export function beating<A extends object>(activities: A): A {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [name, whileBeating(activity)]),
  ) as A;
}

function whileBeating<Args extends unknown[], R>(activity: (...args: Args) => Promise<R>) {
  return async (...args: Args): Promise<R> => {
    const context = Context.current();
    if (context.info.isLocal) return activity(...args);
    const beat = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      return await activity(...args);
    } finally {
      clearInterval(beat);
    }
  };
}
