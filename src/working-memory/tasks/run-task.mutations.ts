import { cutText } from '../../common/token-budget.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { RunStatus } from '../../runs/run/run.ts';
import type { RunObserver, RunTask } from '../../runs/run/run-observer.service.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import { writeNotesIn } from '../introspections/introspection.mutations.ts';
import { describeCause, readNotes } from '../introspections/introspection.ts';
import { summaryFault } from '../summaries/compression.ts';
import { insertSummaryIn, type SummaryDeps } from '../summaries/summary.mutations.ts';
import { conversationVariables } from '../working-memory.cypher.ts';
import { closeTask, handOverTask } from './task.cypher.ts';
import { MemoryTask } from './task.ts';

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

export interface TaskEndDeps extends SummaryDeps {
  readonly settings: SettingsSource;
}

/**
 * What is wrong with what the run of a task gave; null where it can be kept. Nothing of a faulty answer reaches the graph: the
 * run fails with this sentence instead.
 */
export async function taskFault(
  { settings }: Pick<TaskEndDeps, 'settings'>,
  task: MemoryTask,
  output: string | null,
): Promise<string | null> {
  if (task.kind === 'compression') return summaryFault(output, task);
  const { introspectionMaxRotation } = await settings.current();
  const read = readNotes(output, introspectionMaxRotation);
  return 'fault' in read ? read.fault : null;
}

/**
 * Writes what came of a task, in the transaction that ends its run.
 * @throws Refusal where the graph has changed meanwhile so that it does not fit any more; then the run is to end as failed
 */
export async function endTaskIn(
  deps: TaskEndDeps,
  tx: WriteTx,
  task: MemoryTask,
  run: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly processId: string;
    readonly status: RunStatus;
    readonly output: string | null;
  },
): Promise<void> {
  const { ownerId, workspace, processId, status } = run;
  const { conversationId } = task;
  const at = { ownerId, workspace, conversationId };
  if (status === 'completed' && task.kind === 'compression') {
    const { sources, coversUpToId, maxTokens } = task;
    const content = cutText((run.output ?? '').trim(), maxTokens).text;
    await insertSummaryIn(deps, tx, { ...at, sources, coversUpToId, content, processId });
  }
  if (status === 'completed' && task.kind === 'introspection') {
    const { introspectionMaxRotation: maxRotation } = await deps.settings.current();
    const read = readNotes(run.output, maxRotation);
    const notes = 'notes' in read ? read.notes : [];
    const conversationContext = describeCause(conversationId, task);
    await writeNotesIn(deps, tx, { ...at, conversationContext, notes, maxRotation });
  }
  await closeTask(tx, { id: task.id, status });
}
