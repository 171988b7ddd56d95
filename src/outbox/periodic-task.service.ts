import { setTimeout as startTimer } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/telemetry/log.ts';

/** The next task begins when the one before has run once, or after this time. */
const NEXT_AFTER_MS = 2_000;

/**
 * Background work that the holder of the relay's lease repeats. A failure is logged; the task runs
 * again.
 */
export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  /** Whether the task runs during the start too; default: after it. */
  readonly isUrgent?: true;
  run(): Promise<void>;
}

/**
 * Runs each task after the start, and again `everyMs` after it ended.
 * @param startOver resolves when the start is over
 * @returns a function that stops the tasks and waits for those in progress
 */
export function startPeriodicTasks(
  periodicTasks: readonly PeriodicTask[],
  log: Log,
  startOver: Promise<void>,
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
  const begin = async () => {
    await startOver;
    // One after the other: together they would take the database from those who wait for it.
    for (const task of periodicTasks.filter(({ isUrgent }) => !isUrgent)) {
      if (isStopped) return;
      runAgain(task);
      await Promise.race([inWork.get(task.name), sleep(NEXT_AFTER_MS, null, { ref: false })]);
    }
  };
  for (const task of periodicTasks) if (task.isUrgent) runAgain(task);
  void begin();
  return async () => {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(inWork.values());
  };
}
