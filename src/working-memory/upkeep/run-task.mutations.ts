import { provenText } from '../../agent-memory/rollup/proven-text.ts';
import { type AgentMemoryMode, storeOf } from '../../agent-memory/store.ts';
import { deleteWork } from '../../background/work.cypher.ts';
import { parseStored } from '../../common/stored.ts';
import { cutText } from '../../common/token-budget.ts';
import type { ConversationDeps } from '../../conversations/conversation.mutations.ts';
import { settleSwitchesIn } from '../../memory-graph/withdrawal/withdrawal.mutations.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import type { RunObserver, RunTask } from '../../runs/run/ports.ts';
import type { RunStatus } from '../../runs/run/run.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import { writeNotesIn } from '../introspections/introspection.mutations.ts';
import { describeCause, type NewNote, readNotes } from '../introspections/introspection.ts';
import { insertSummaryIn } from '../summaries/summary.mutations.ts';
import { handOverTask, restoreCount } from '../tasks/task.cypher.ts';
import { MemoryTask, taskItem } from '../tasks/task.ts';
import { conversationVariables } from '../working-memory.cypher.ts';
import { summaryFault } from './compression.ts';
import { readSummarySources, readTaskMaterial } from './task-material.cypher.ts';

/**
 * Working memory supplies the variables of a conversation to its runs. A run of a MemoryTask writes
 * a Summary or notes in the transaction that ends the run. A retry of such a run takes over its
 * task.
 */
export function memoryOfRuns(deps: TaskEndDeps): Omit<RunObserver, 'findMessage'> {
  return {
    async supply(tx, viewer, at) {
      const { key: store } = storeOf(viewer, deps.memoryMode, null);
      await settleSwitchesIn(deps, tx, viewer.userId);
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
const readTask = (task: RunTask): MemoryTask =>
  parseStored(MemoryTask, task, () => `MemoryTask ${String(task['id'])}`);

export interface TaskEndDeps extends ConversationDeps {
  readonly settings: SettingsSource;
  readonly memoryMode: AgentMemoryMode;
}

/**
 * A sentence that says why the output of a task's run can't be stored; null if it can. The run
 * fails with this sentence.
 */
async function taskFault(
  { graph, settings }: Pick<TaskEndDeps, 'graph' | 'settings'>,
  task: MemoryTask,
  output: string | null,
): Promise<string | null> {
  const { introspectionMaxRotation, lineSupportThreshold } = await settings.current();
  if (task.kind === 'compression') {
    const fault = summaryFault(output, task);
    if (fault !== null) return fault;
    const content = await graph.read((tx) =>
      provenSummary(tx, task, output ?? '', lineSupportThreshold),
    );
    return content === '' ? 'The summary says nothing that is in the turns it sums up.' : null;
  }
  const parsed = readNotes(output, introspectionMaxRotation);
  if ('fault' in parsed) return parsed.fault;
  const notes = await graph.read((tx) => provenNotes(tx, task, parsed.notes, lineSupportThreshold));
  return notes.length === 0 ? 'The notes say nothing that is in their material.' : null;
}

/** The sentences of a summary that its sources support, cut to the length of the task. */
async function provenSummary(
  tx: ReadTx,
  task: MemoryTask & { readonly kind: 'compression' },
  output: string,
  threshold: number,
): Promise<string> {
  const sources = await readSummarySources(tx, task);
  return cutText(provenText(output.trim(), sources, threshold), task.maxTokens).text;
}

/** The notes with the sentences that the task's material supports; empty ones are left out. */
async function provenNotes(
  tx: ReadTx,
  { id }: MemoryTask,
  notes: readonly NewNote[],
  threshold: number,
): Promise<NewNote[]> {
  const material = await readTaskMaterial(tx, id);
  if (material === null) return [...notes];
  return notes
    .map((note) => ({ ...note, content: provenText(note.content, material, threshold) }))
    .filter(({ content }) => content !== '');
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
  const { introspectionMaxRotation: maxRotation, lineSupportThreshold } =
    await deps.settings.current();
  const { ownerId, workspace, processId, status } = run;
  const { conversationId } = task;
  const at = { ownerId, workspace, conversationId };
  if (status === 'completed' && task.kind === 'compression') {
    const { sources, coversUpToId } = task;
    const content = await provenSummary(tx, task, run.output ?? '', lineSupportThreshold);
    await insertSummaryIn(deps, tx, { ...at, sources, coversUpToId, content, processId });
  }
  if (status === 'completed' && task.kind === 'introspection') {
    const parsed = readNotes(run.output, maxRotation);
    const written = 'notes' in parsed ? parsed.notes : [];
    const notes = await provenNotes(tx, task, written, lineSupportThreshold);
    const conversationContext = describeCause(conversationId, task);
    await writeNotesIn(deps, tx, { ...at, conversationContext, notes, maxRotation });
  }
  if (status !== 'completed') return restoreCount(tx, task.id);
  // A retry that a user asked for ends the wait of the run before it, too.
  await deleteWork(tx, [taskItem(ownerId, conversationId, task.kind)]);
}
