import { answersOfRuns } from '../conversations/run-answer.mutations.ts';
import { memoryOfRuns } from '../memory/run-task.mutations.ts';
import type { TaskEndDeps } from '../memory/task-end.mutations.ts';
import { observeRuns, type RunObserver } from '../runs/run-observer.ts';

/** All rooms that write in the transactions of runs. API and Workers have to plug in the same ones. */
export function productRunObserver(deps: TaskEndDeps): RunObserver {
  return observeRuns([answersOfRuns(deps), memoryOfRuns(deps)]);
}
