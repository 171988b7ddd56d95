import { notFound, problem, Refusal } from '../../common/refusal.ts';
import { countTokens } from '../../common/token-budget.ts';
import { lockConversation } from '../../conversations/conversation.mutations.ts';
import { activeEntitiesText } from '../../memory-graph/entities/active-entity.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { getRun } from '../../runs/run/run.mutations.ts';
import type { ProcessRun } from '../../runs/run/run.ts';
import type { Viewer } from '../../users/user.ts';
import { contextItems } from '../context.ts';
import { notesText } from '../introspections/introspection.ts';
import { startTaskIn, startTaskOnce, type TaskDeps } from '../tasks/task.mutations.ts';
import { readWorkingMemorySources } from '../working-memory.cypher.ts';
import type { WorkingMemorySources } from '../working-memory.ts';
import {
  type CompressionPlan,
  compressionContext,
  planCompression,
  planOnDemand,
} from './compression.ts';

/**
 * Has the conversation's owner's model sum up what is oldest on the active path, where that has passed
 * Settings.compressionTokenThreshold (S4-SUM-08). At most one run at a time works on a conversation, so whoever asks again
 * changes nothing. @returns the run; null where there is nothing to do, or it is being done, or rests after a failure
 */
export async function compressIfDue(
  deps: TaskDeps,
  conversationId: string,
): Promise<string | null> {
  const { compressionTokenThreshold: threshold } = await deps.settings.current();
  return startTaskOnce(deps, { conversationId, kind: 'compression' }, async (tx, { viewer }) => {
    const plan = await duePlan(tx, viewer, { conversationId, threshold });
    return plan === null ? null : taskOf(plan);
  });
}

async function duePlan(
  tx: ReadTx,
  viewer: Viewer,
  { conversationId, threshold }: { readonly conversationId: string; readonly threshold: number },
): Promise<CompressionPlan | null> {
  const sources = await readWorkingMemorySources(tx, viewer.userId, { conversationId });
  if ('missing' in sources) return null;
  const fixedTokens = fixedTokensOf(sources);
  return planCompression(contextItems(sources.path, sources.summaries ?? []), {
    fixedTokens,
    threshold,
  });
}

/** What of a context compression can't change. */
function fixedTokensOf({ active = [], notes = [] }: WorkingMemorySources): number {
  return countTokens(activeEntitiesText(active)) + countTokens(notesText(notes));
}

function taskOf(plan: CompressionPlan) {
  const { sources, coversUpToId, sourceTokens, maxTokens } = plan;
  return {
    details: { kind: 'compression' as const, sources, coversUpToId, sourceTokens, maxTokens },
    context: compressionContext(plan),
  };
}

export interface CompressConversation {
  readonly conversationId: string;
  /** Absent: all of the active path. */
  readonly upToTurnId?: string | null | undefined;
  /** Absent: the system's own; another one lists what it wants of `compressionContext` in its initialContext. */
  readonly processId?: string | null | undefined;
}

/**
 * Sums up, whatever the threshold says: the first turns on the active path that are not summed up yet, or else the Summaries.
 * @throws Refusal NOT_FOUND; STATE at `conversationId` while one is at work, or nothing is left; STATE at `upToTurnId` off the
 * active path; what startProcessRun refuses
 */
export async function compressConversation(
  deps: TaskDeps,
  viewer: Viewer,
  input: CompressConversation,
): Promise<ProcessRun> {
  const { conversationId } = input;
  const upToTurnId = input.upToTurnId ?? null;
  const runId = await deps.graph.write(async (tx) => {
    await lockConversation(tx, viewer, conversationId, ['conversationId']);
    const sources = await readWorkingMemorySources(tx, viewer.userId, { conversationId });
    if ('missing' in sources) throw new Refusal([notFound('conversation', ['conversationId'])]);
    const isOnPath = sources.path.some(({ turnId }) => turnId === upToTurnId);
    if (upToTurnId !== null && !isOnPath)
      throw new Refusal([notFound('turn on the active path', ['upToTurnId'])]);
    const plan = planOnDemand(itemsUpTo(sources, upToTurnId));
    if (plan === null) {
      const message =
        'There is nothing that could be summed up: no turn is in the memory graph yet, or all are.';
      throw new Refusal([problem('STATE', ['conversationId'], message)]);
    }
    const task = { conversationId, ...taskOf(plan), processId: input.processId ?? null };
    return startTaskIn(deps, tx, viewer, task);
  });
  deps.wake();
  return getRun(deps, viewer, runId);
}

/** What stands in the context up to a turn; a Summary that reaches beyond it is left out. */
function itemsUpTo(sources: WorkingMemorySources, turnId: string | null) {
  const items = contextItems(sources.path, sources.summaries ?? []);
  if (turnId === null) return items;
  const place = new Map(sources.path.map((row, index) => [row.turnId, index]));
  const last = place.get(turnId) ?? -1;
  return items.filter(({ upTo }) => (place.get(upTo.turnId) ?? Number.POSITIVE_INFINITY) <= last);
}
