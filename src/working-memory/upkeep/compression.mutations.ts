import { notFound, Refusal, refuseState } from '../../common/refusal.ts';
import { countTokens } from '../../common/token-budget.ts';
import { lockConversation } from '../../conversations/conversation.mutations.ts';
import { activeEntitiesText } from '../../memory-graph/entities/active-entity.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { getRun } from '../../runs/run/get-run.service.ts';
import type { ProcessRun } from '../../runs/run/run.ts';
import type { Viewer } from '../../users/user.ts';
import { contextItems } from '../context.ts';
import { notesText } from '../introspections/introspection.ts';
import { keepForkedSummaries } from '../summaries/fork-summaries.mutations.ts';
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
 * Starts a compression of the oldest turns on the active path if the context has passed
 * Settings.compressionTokenThreshold (S4-SUM-08). It runs as the conversation's owner. Idempotent:
 * a conversation has at most one open compression. A fork keeps the Summaries of the path it copied
 * first, and waits for the Episodes of its copies.
 * @returns the id of the run; null if none is due, one is open, or a failed one waits for its retry
 */
export async function compressIfDue(
  deps: TaskDeps,
  conversationId: string,
): Promise<string | null> {
  if ((await keepForkedSummaries(deps, conversationId)) === 'waits') return null;
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

/** Tokens of the context that compression can't reduce. */
const fixedTokensOf = ({ active = [], notes = [] }: WorkingMemorySources): number =>
  countTokens(activeEntitiesText(active)) + countTokens(notesText(notes));

function taskOf(plan: CompressionPlan) {
  const { sources, coversUpToId, sourceTokens, maxTokens } = plan;
  return {
    details: { kind: 'compression' as const, sources, coversUpToId, sourceTokens, maxTokens },
    context: compressionContext(plan),
  };
}

export interface CompressConversation {
  readonly conversationId: string;
  /** Default: the end of the active path. */
  readonly upToTurnId?: string | null | undefined;
  /** Default: the system's Process. Its initialContext names variables of `compressionContext`. */
  readonly processId?: string | null | undefined;
}

/**
 * Starts a compression now, regardless of the threshold: of the first turns on the active path
 * without a Summary, else of the Summaries.
 * @throws Refusal NOT_FOUND at `conversationId`, also at `upToTurnId` off the active path; STATE at
 * `conversationId` while a compression is open, or if nothing is left; and as startProcessRun
 */
export async function compressConversation(
  deps: TaskDeps,
  viewer: Viewer,
  input: CompressConversation,
): Promise<ProcessRun> {
  const { conversationId } = input;
  const upToTurnId = input.upToTurnId ?? null;
  const runId = await writeAndWake(deps, async (tx) => {
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
      refuseState(['conversationId'], message);
    }
    const task = { conversationId, ...taskOf(plan), processId: input.processId ?? null };
    return startTaskIn(deps, tx, viewer, task);
  });
  return getRun(deps, viewer, runId);
}

/** The messages of the context up to a turn. A Summary that covers later turns is left out. */
function itemsUpTo(sources: WorkingMemorySources, turnId: string | null) {
  const items = contextItems(sources.path, sources.summaries ?? []);
  if (turnId === null) return items;
  const place = new Map(sources.path.map((row, index) => [row.turnId, index]));
  const last = place.get(turnId) ?? -1;
  return items.filter(({ upTo }) => (place.get(upTo.turnId) ?? Number.POSITIVE_INFINITY) <= last);
}
