import { setTimeout as startTimer } from 'node:timers';
import type { Log } from '../platform/telemetry/log.ts';

/**
 * Background work that the holder of the relay's lease repeats. A failure is logged; the task runs
 * again.
 */
export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/**
 * Runs each task at once, and again `everyMs` after it ended.
 * @returns a function that stops the tasks and waits for those in progress
 */
export function startPeriodicTasks(
  periodicTasks: readonly PeriodicTask[],
  log: Log,
): () => Promise<void> {
  let isStopped = false;
  const timers = new Map<string, NodeJS.Timeout>();
  const inWork = new Map<string, Promise<void>>();
  const runAgain = (task: PeriodicTask) => {
    const work = task
      .run()
      .catch((error: unknown) =>
        log.warn('A periodic task failed', { operation: task.name, error }),
      )
      .finally(() => {
        inWork.delete(task.name);
        if (!isStopped)
          timers.set(
            task.name,
            startTimer(() => runAgain(task), task.everyMs),
          );
      });
    inWork.set(task.name, work);
  };
  for (const task of periodicTasks) runAgain(task);
  return async () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(inWork.values());
  };
}
