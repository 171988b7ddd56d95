import { cutText } from '../../common/token-budget.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { RunStatus } from '../../runs/run/run.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import { writeNotesIn } from '../introspections/introspection.mutations.ts';
import { describeCause, readNotes } from '../introspections/introspection.ts';
import { summaryFault } from '../summaries/compression.ts';
import { insertSummaryIn, type SummaryDeps } from '../summaries/summary.mutations.ts';
import { closeTask } from './task.cypher.ts';
import type { MemoryTask } from './task.ts';

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
