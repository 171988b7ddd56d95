import { type AgentMemoryMode, storeOf } from '../../agent-memory/store.ts';
import { parseStored } from '../../common/stored.ts';
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
 * Working memory supplies the variables of a conversation to its runs. A run of a MemoryTask writes
 * a Summary or notes in the transaction that ends the run. A retry of such a run takes over its
 * task.
 */
export function memoryOfRuns(deps: TaskEndDeps): RunObserver {
  return {
    supply(tx, viewer, at) {
      const { key: store } = storeOf(viewer, deps.memoryMode, null);
      return conversationVariables(tx, viewer.userId, { ...at, store });
    },
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

/** @throws DamagedRow */
function readTask(task: RunTask): MemoryTask {
  return parseStored(MemoryTask, task, () => `MemoryTask ${String(task['id'])}`);
}

export interface TaskEndDeps extends SummaryDeps {
  readonly settings: SettingsSource;
  readonly memoryMode: AgentMemoryMode;
}

/**
 * A sentence that says why the output of a task's run can't be stored; null if it can. The run
 * fails with this sentence.
 */
async function taskFault(
  { settings }: Pick<TaskEndDeps, 'settings'>,
  task: MemoryTask,
  output: string | null,
): Promise<string | null> {
  if (task.kind === 'compression') return summaryFault(output, task);
  const { introspectionMaxRotation } = await settings.current();
  const parsed = readNotes(output, introspectionMaxRotation);
  return 'fault' in parsed ? parsed.fault : null;
}

/**
 * Writes the result of a task, in the transaction that ends its run.
 * @throws Refusal if the graph changed meanwhile and the result no longer fits; the run has to fail
 */
async function endTaskIn(
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
    const parsed = readNotes(run.output, maxRotation);
    const notes = 'notes' in parsed ? parsed.notes : [];
    const conversationContext = describeCause(conversationId, task);
    await writeNotesIn(deps, tx, { ...at, conversationContext, notes, maxRotation });
  }
  await closeTask(tx, { id: task.id, status });
}
