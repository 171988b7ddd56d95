import type { RunObserver, RunTask } from '../../runs/run/run-observer.service.ts';
import { conversationVariables } from '../working-memory.cypher.ts';
import { handOverTask } from './task.cypher.ts';
import { MemoryTask } from './task.ts';
import { endTaskIn, type TaskEndDeps, taskFault } from './task-end.mutations.ts';

/**
 * Working memory gives runs of a conversation their variables. The runs of its own MemoryTasks write a Summary or notes in the
 * transaction that ends them. A retry of such a run takes its task over.
 */
export function memoryOfRuns(deps: TaskEndDeps): RunObserver {
  return {
    supply: (tx, viewer, at) => conversationVariables(tx, viewer.userId, at),
    async findFault(task, output) {
      return task === null ? null : taskFault(deps, readTask(task), output);
    },
    async ended(tx, { run, status, output, task }) {
      if (task !== null) await endTaskIn(deps, tx, readTask(task), { ...run, status, output });
    },
    async beginRetry(tx, _viewer, old) {
      const started = ({ runId }: { readonly runId: string }) =>
        handOverTask(tx, { from: old.id, to: runId });
      return { answersId: null, started };
    },
  };
}

/** @throws where the stored record is damaged */
function readTask(task: RunTask): MemoryTask {
  const read = MemoryTask.safeParse(task);
  if (read.success) return read.data;
  throw new Error(`MemoryTask ${String(task['id'])} is damaged: ${read.error.message}`);
}
