import { backgroundOfRuns } from '../background/background.mutations.ts';
import { answersOfRuns } from '../conversations/run-answer.mutations.ts';
import type { RunObserver } from '../runs/run/ports.ts';
import { observeRuns } from '../runs/run/run-observer.service.ts';
import { memoryOfRuns, type TaskEndDeps } from '../working-memory/upkeep/run-task.mutations.ts';

/** All observers that write in the transactions of runs. API and Workers must use the same ones. */
export function productRunObserver(deps: TaskEndDeps): RunObserver {
  return observeRuns([answersOfRuns(deps), memoryOfRuns(deps), backgroundOfRuns(deps)]);
}
