import { setTimeout as startTimer } from 'node:timers';
import type { Log } from '../platform/telemetry/log.ts';

/** Something to do again and again, by whoever holds the lease. Its failures are logged and it comes round again. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/** Does each at once, and then again so long after it ended. Answers what stops them, when those in work have ended. */
export function startChores(chores: readonly Chore[], log: Log): () => Promise<void> {
  let isStopped = false;
  const timers = new Map<string, NodeJS.Timeout>();
  const inWork = new Map<string, Promise<void>>();
  const turn = (chore: Chore) => {
    const work = chore
      .run()
      .catch((error: unknown) => log.warn('A chore failed', { operation: chore.name, error }))
      .finally(() => {
        inWork.delete(chore.name);
        if (!isStopped)
          timers.set(
            chore.name,
            startTimer(() => turn(chore), chore.everyMs),
          );
      });
    inWork.set(chore.name, work);
  };
  for (const chore of chores) turn(chore);
  return async () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(inWork.values());
  };
}
