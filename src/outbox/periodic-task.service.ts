import { setTimeout as startTimer } from 'node:timers';
import type { Log } from '../platform/telemetry/log.ts';

/** Something to do again and again, by whoever holds the lease. Its failures are logged and it comes round again. */
export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/** Does each at once, and then again so long after it ended. Answers what stops them, when those in work have ended. */
export function startPeriodicTasks(
  periodicTasks: readonly PeriodicTask[],
  log: Log,
): () => Promise<void> {
  let isStopped = false;
  const timers = new Map<string, NodeJS.Timeout>();
  const inWork = new Map<string, Promise<void>>();
  const turn = (task: PeriodicTask) => {
    const work = task
      .run()
      .catch((error: unknown) => log.warn('A chore failed', { operation: task.name, error }))
      .finally(() => {
        inWork.delete(task.name);
        if (!isStopped)
          timers.set(
            task.name,
            startTimer(() => turn(task), task.everyMs),
          );
      });
    inWork.set(task.name, work);
  };
  for (const task of periodicTasks) turn(task);
  return async () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(inWork.values());
  };
}
