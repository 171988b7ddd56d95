import { instant } from '../../common/clock.ts';
import { found, notFound, type Problem, problem, Refusal, refuse } from '../../common/refusal.ts';
import { countTokens } from '../../common/token-budget.ts';
import { findProcessChoice } from '../../conversations/conversation.cypher.ts';
import type { ConversationDeps } from '../../conversations/conversation.mutations.ts';
import { checkContent } from '../../conversations/turn.ts';
import { mentionKnown } from '../../memory-graph/extraction/mention-known.service.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { isAdmin, type Viewer } from '../../users/user.ts';
import type { NewContent } from '../content.cypher.ts';
import { findConversationOwner } from '../tasks/task.cypher.ts';
import { workingMemoryEntry } from '../working-memory-entry.ts';
import {
  bindSummary,
  findSummaries,
  findSummaryPlace,
  insertSummary,
  markSummaryDeleted,
} from './summary.cypher.ts';
import { checkPlace, checkSummaryInput, type Summary } from './summary.ts';

export interface CreateSummary {
  readonly conversationId: string;
  readonly sourceEpisodeIds: readonly string[];
  readonly coversUpToTurnId: string;
  readonly content: string;
  readonly processId: string;
}

/**
 * Creates a Summary by hand, for admins, in a conversation of any user (S4-SUM-08).
 * @throws Refusal NOT_FOUND at the missing id; FORBIDDEN unless the viewer is an admin; REQUIRED,
 * INVALID, TOO_LARGE, CONFLICT as `checkSummaryInput` and `checkPlace`
 */
export async function createSummary(
  deps: ConversationDeps,
  viewer: Viewer,
  input: CreateSummary,
): Promise<Summary> {
  const { conversationId, content, processId } = input;
  const id = await writeAndWake(deps, async (tx) => {
    const owner = await findConversationOwner(tx, conversationId);
    const isOwn = owner?.viewer.userId === viewer.userId;
    if (owner === null || !(isOwn || isAdmin(viewer)))
      throw new Refusal([notFound('conversation', ['conversationId'])]);
    refuse([...checkAdmin(viewer), ...checkSummaryInput(input)]);
    const process = await findProcessChoice(tx, owner.viewer, processId);
    return insertSummaryIn(
      deps,
      tx,
      {
        conversationId,
        ownerId: owner.viewer.userId,
        workspace: owner.viewer.workspace,
        sources: input.sourceEpisodeIds,
        coversUpToId: input.coversUpToTurnId,
        content,
        processId,
      },
      process === null ? [notFound('Process the owner may use', ['processId'])] : [],
    );
  });
  return getSummary(deps, viewer, id);
}

function checkAdmin(viewer: Viewer): Problem[] {
  if (isAdmin(viewer)) return [];
  return [problem('FORBIDDEN', [], 'Only an admin may repair summaries.')];
}

export interface NewSummary {
  readonly conversationId: string;
  readonly ownerId: string;
  readonly workspace: string;
  readonly sources: readonly string[];
  readonly coversUpToId: string;
  readonly content: string;
  readonly processId: string;
}

/**
 * Writes a Summary with its edges, its Episode and its entry, in a transaction of the caller. It is
 * checked under the conversation's lock, so that of two concurrent writes the second sees the
 * first.
 * @param known problems found before, reported together with those of the sources
 * @throws Refusal NOT_FOUND, INVALID, CONFLICT
 */
export async function insertSummaryIn(
  deps: ConversationDeps,
  tx: WriteTx,
  summary: NewSummary,
  known: readonly Problem[] = [],
): Promise<string> {
  const { conversationId, sources, coversUpToId, content } = summary;
  await lockResources(tx, [conversationId]);
  const place = await findSummaryPlace(tx, { conversationId, sources, coversUpToId });
  const absent = [
    ...known,
    ...sources.flatMap((_, index) =>
      place.areThere[index] === true
        ? []
        : [notFound('Episode in this conversation', ['sourceEpisodeIds', index])],
    ),
    ...(place.isTurnThere ? [] : [notFound('turn in this conversation', ['coversUpToTurnId'])]),
  ];
  refuse(absent.length > 0 ? absent : checkPlace(place.place, place.summaries));
  const levels = place.summaries
    .filter(({ episodes }) => episodes.some((uuid) => sources.includes(uuid)))
    .map(({ compressionLevel }) => compressionLevel);
  const id = deps.newId();
  const now = instant(deps.clock);
  const bound = contentOf(deps, { ...summary, id }, content);
  const inserted = await insertSummary(tx, {
    conversationId,
    coversUpToId,
    sources,
    processId: summary.processId,
    summary: {
      id,
      compressionLevel: Math.max(0, ...levels) + 1,
      tokenCount: countTokens(content),
    },
    content: bound,
    now,
    entry: workingMemoryEntry(deps, summary, 'summary.added', { summaryId: id }),
  });
  if (!inserted) throw new Refusal([notFound('Process', ['processId'])]);
  await mentionKnown(deps, tx, { ...bound, conversationId, now });
  return id;
}

function contentOf(
  { newId }: ConversationDeps,
  { id, conversationId, ownerId }: Pick<Summary, 'id' | 'conversationId' | 'ownerId'>,
  content: string,
): NewContent {
  const groupId = conversationId;
  return { uuid: newId(), holderId: id, source: 'summary', content, groupId, ownerId };
}

/**
 * Replaces the text of a Summary, for admins: binds the Summary to a new Episode. The edges to
 * earlier ones stay (S4-SUM-06).
 * @throws Refusal NOT_FOUND, FORBIDDEN, REQUIRED and INVALID at `content`
 */
export async function rebindSummary(
  deps: ConversationDeps,
  viewer: Viewer,
  { id, content }: { readonly id: string; readonly content: string },
): Promise<Summary> {
  await writeAndWake(deps, async (tx) => {
    const { summary, at } = await lockSummary(tx, viewer, id, checkContent(content));
    const now = instant(deps.clock);
    const bound = contentOf(deps, summary, content);
    await bindSummary(tx, {
      id,
      tokenCount: countTokens(content),
      content: bound,
      now,
      entry: workingMemoryEntry(deps, at, 'summary.rebound', { summaryId: id, by: viewer.userId }),
    });
    await mentionKnown(deps, tx, { ...bound, conversationId: summary.conversationId, now });
  });
  return getSummary(deps, viewer, id);
}

/**
 * Removes a Summary from all contexts, for admins (S4-SUM-07). If the path is too long then, it is
 * compressed again.
 * @throws Refusal NOT_FOUND, FORBIDDEN
 */
export async function deleteSummary(
  deps: ConversationDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<string> {
  await writeAndWake(deps, async (tx) => {
    const { at } = await lockSummary(tx, viewer, id, []);
    await markSummaryDeleted(tx, {
      id,
      now: instant(deps.clock),
      entry: workingMemoryEntry(deps, at, 'summary.deleted', { summaryId: id, by: viewer.userId }),
    });
  });
  return id;
}

/**
 * Locks the conversation of a Summary for a repair.
 * @throws Refusal NOT_FOUND, FORBIDDEN, `problems`
 */
async function lockSummary(
  tx: WriteTx,
  viewer: Viewer,
  id: string,
  problems: readonly Problem[],
): Promise<{
  readonly summary: Summary;
  readonly at: {
    readonly ownerId: string;
    readonly workspace: string;
    readonly conversationId: string;
  };
}> {
  const scope = isAdmin(viewer) ? 'anyOwner' : 'own';
  const before = found(await findSummaries(tx, viewer.userId, [id], scope), 'Summary');
  refuse([...checkAdmin(viewer), ...problems]);
  const { conversationId } = before;
  await lockResources(tx, [conversationId]);
  const [summary] = await findSummaries(tx, viewer.userId, [id], scope);
  const owner = await findConversationOwner(tx, conversationId);
  if (summary === undefined || owner === null) throw new Refusal([notFound('Summary')]);
  const { userId: ownerId, workspace } = owner.viewer;
  return { summary, at: { ownerId, workspace, conversationId } };
}

/** A Summary as its author sees it: an admin may have written it in any conversation. */
async function getSummary(
  { graph }: ConversationDeps,
  viewer: Viewer,
  id: string,
): Promise<Summary> {
  const scope = isAdmin(viewer) ? 'anyOwner' : 'own';
  return found(await graph.read((tx) => findSummaries(tx, viewer.userId, [id], scope)), 'Summary');
}
