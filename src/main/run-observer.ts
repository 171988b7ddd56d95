import { answersOfRuns } from '../conversations/run-answer.mutations.ts';
import { observeRuns, type RunObserver } from '../runs/run/run-observer.service.ts';
import type { TaskEndDeps } from '../working-memory/tasks/run-task.mutations.ts';
import { memoryOfRuns } from '../working-memory/tasks/run-task.mutations.ts';

/** All rooms that write in the transactions of runs. API and Workers have to plug in the same ones. */
export function productRunObserver(deps: TaskEndDeps): RunObserver {
  return observeRuns([answersOfRuns(deps), memoryOfRuns(deps)]);
}
