import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import { notFound, Refusal, refuse } from '../../common/refusal.ts';
import { lockConversation } from '../../conversations/conversation.mutations.ts';
import { mentionKnown } from '../../memory-graph/extraction/mention-known.service.ts';
import { INTROSPECTION_GROUP } from '../../memory-graph/group.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { getRun } from '../../runs/run/run.mutations.ts';
import type { ProcessRun } from '../../runs/run/run.ts';
import type { Viewer } from '../../users/user.ts';
import type { NewContent } from '../content.cypher.ts';
import { listSummaries } from '../summaries/summary.cypher.ts';
import type { SummaryDeps } from '../summaries/summary.mutations.ts';
import { findKeeper, type Keeper } from '../tasks/task.cypher.ts';
import {
  type PlannedTask,
  startTaskIn,
  startTaskOnce,
  type TaskDeps,
} from '../tasks/task.mutations.ts';
import { workingMemoryEntry } from '../working-memory-entry.ts';
import {
  archiveIntrospection,
  bindIntrospection,
  findIntrospections,
  listNotes,
  type NewIntrospection,
  replaceIntrospections,
} from './introspection.cypher.ts';
import {
  checkNote,
  checkNoteContent,
  describeCause,
  type InjectIntrospection,
  type Introspection,
  type NewNote,
  nextPosition,
  replacementWarning,
} from './introspection.ts';

/**
 * S4-INTR-05: a note by hand, in the carousel of whoever writes it. What stood in its place is archived.
 * @throws Refusal REQUIRED and INVALID at `content`; INVALID at `carouselPosition`, `conversationContext`
 */
export async function injectIntrospection(
  deps: TaskDeps,
  viewer: Viewer,
  input: InjectIntrospection,
): Promise<Introspection> {
  const { introspectionMaxRotation } = await deps.settings.current();
  refuse(checkNote(input, introspectionMaxRotation));
  const { userId: ownerId, workspace } = viewer;
  const note = { position: input.carouselPosition ?? null, content: input.content.trim() };
  const [id] = await deps.graph.write((tx) =>
    writeNotesIn(deps, tx, {
      ownerId,
      workspace,
      conversationId: null,
      conversationContext: input.conversationContext ?? null,
      notes: [note],
      maxRotation: introspectionMaxRotation,
    }),
  );
  deps.wake();
  return getIntrospection(deps, viewer, id ?? '');
}

/**
 * Writes notes into a user's carousel, in a transaction of the caller: each at its place or at the next one; what stood there,
 * and what lies beyond a carousel that has become smaller, is archived (S4-INTR-02, S4-INTR-03). @returns their ids
 */
export async function writeNotesIn(
  deps: SummaryDeps,
  tx: WriteTx,
  write: {
    readonly ownerId: string;
    readonly workspace: string;
    /** null: no conversation led to them. */
    readonly conversationId: string | null;
    readonly conversationContext: string | null;
    readonly notes: readonly NewNote[];
    readonly maxRotation: number;
  },
): Promise<string[]> {
  const { ownerId, conversationContext, maxRotation } = write;
  await lockResources(tx, [ownerId]);
  const current = await listNotes(tx, ownerId);
  const now = instant(deps.clock);
  const beyond = current.filter(({ position }) => position >= maxRotation);
  let standing = current.filter(({ position }) => position < maxRotation);
  const archivedIds = beyond.map(({ id }) => id);
  const added: NewIntrospection[] = [];
  // Those that name their place first, so that the others do not land there.
  const inOrder = [...write.notes].sort(
    (one, other) => Number(one.position === null) - Number(other.position === null),
  );
  for (const { position: wanted, content } of inOrder) {
    const position = wanted ?? nextPosition(standing, maxRotation);
    const replaced = standing.find((note) => note.position === position);
    const id = deps.newId();
    if (replaced !== undefined) archivedIds.push(replaced.id);
    standing = standing.filter((note) => note !== replaced);
    standing.push({ id, position, createdAt: now, episodeUuid: '', content });
    added.push({
      id,
      carouselPosition: position,
      conversationContext,
      content: noteContent(deps, { id, ownerId }, content),
      replacedId: replaced?.id ?? null,
    });
  }
  await replaceIntrospections(tx, {
    ownerId,
    archivedIds,
    notes: added,
    now,
    entries: added.map(({ id }) =>
      workingMemoryEntry(deps, write, 'introspection.added', { introspectionId: id }),
    ),
  });
  for (const { content } of added)
    await mentionKnown(deps, tx, { ...content, conversationId: write.conversationId, now });
  return added.map(({ id }) => id);
}

function noteContent(
  { newId }: SummaryDeps,
  { id, ownerId }: Pick<Introspection, 'id' | 'ownerId'>,
  content: string,
): NewContent {
  const groupId = INTROSPECTION_GROUP;
  return { uuid: newId(), holderId: id, source: 'introspection', content, groupId, ownerId };
}

/** S4-INTR-06: another text for a note: another Episode, bound by another edge. @throws Refusal NOT_FOUND, REQUIRED, INVALID */
export async function rebindIntrospection(
  deps: SummaryDeps,
  viewer: Viewer,
  { id, content }: { readonly id: string; readonly content: string },
): Promise<Introspection> {
  const { userId: ownerId, workspace } = viewer;
  await deps.graph.write(async (tx) => {
    await lockResources(tx, [ownerId]);
    const [note] = await findIntrospections(tx, ownerId, [id]);
    if (note === undefined) throw new Refusal([notFound('Introspection')]);
    refuse(checkNoteContent(content));
    const at = { ownerId, workspace, conversationId: null };
    const now = instant(deps.clock);
    const said = noteContent(deps, note, content.trim());
    await bindIntrospection(tx, {
      id,
      ownerId,
      content: said,
      now,
      entry: workingMemoryEntry(deps, at, 'introspection.rebound', { introspectionId: id }),
    });
    await mentionKnown(deps, tx, { ...said, conversationId: null, now });
  });
  deps.wake();
  return getIntrospection(deps, viewer, id);
}

/**
 * S4-INTR-06: takes a note out of the carousel; it stays in the archive, and the next note takes its place.
 * @throws Refusal NOT_FOUND, for what is archived already too
 */
export async function deleteIntrospection(
  deps: SummaryDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<string> {
  const { userId: ownerId, workspace } = viewer;
  await deps.graph.write(async (tx) => {
    await lockResources(tx, [ownerId]);
    const [note] = await findIntrospections(tx, ownerId, [id]);
    if (note === undefined || note.archived)
      throw new Refusal([notFound('Introspection in the carousel')]);
    const at = { ownerId, workspace, conversationId: null };
    await archiveIntrospection(tx, {
      id,
      ownerId,
      now: instant(deps.clock),
      entry: workingMemoryEntry(deps, at, 'introspection.archived', { introspectionId: id }),
    });
  });
  deps.wake();
  return id;
}

async function getIntrospection(
  { graph }: SummaryDeps,
  { userId }: Viewer,
  id: string,
): Promise<Introspection> {
  const [note] = await graph.read((tx) => findIntrospections(tx, userId, [id]));
  if (note === undefined) throw new Refusal([notFound('Introspection')]);
  return note;
}

/**
 * Starts an introspection in the background once a conversation was compressed often enough (S4-INTR-07, S4-INTR-08).
 * @returns the run; null where it was not, or one is at work or rests after a failure
 */
export async function introspectIfDue(
  deps: TaskDeps,
  conversationId: string,
): Promise<string | null> {
  const { introspectionCompressionThreshold, introspectionMaxRotation } =
    await deps.settings.current();
  return startTaskOnce(deps, { conversationId, kind: 'introspection' }, async (tx, keeper) =>
    keeper.sinceIntrospection < introspectionCompressionThreshold
      ? null
      : planIntrospection(tx, keeper, { conversationId, maxRotation: introspectionMaxRotation }),
  );
}

/** Reflects now, whatever the counter says. @throws Refusal NOT_FOUND, STATE at `conversationId`; what startProcessRun refuses */
export async function triggerIntrospection(
  deps: TaskDeps,
  viewer: Viewer,
  { conversationId }: { readonly conversationId: string },
): Promise<ProcessRun> {
  const { introspectionMaxRotation: maxRotation } = await deps.settings.current();
  const runId = await deps.graph.write(async (tx) => {
    await lockConversation(tx, viewer, conversationId, ['conversationId']);
    const keeper = await findKeeper(tx, conversationId);
    if (keeper === null) throw new Refusal([notFound('conversation', ['conversationId'])]);
    const planned = await planIntrospection(tx, keeper, { conversationId, maxRotation });
    return startTaskIn(deps, tx, viewer, { ...planned, conversationId, processId: null });
  });
  deps.wake();
  return getRun(deps, viewer, runId);
}

/** The last summaries that the agent is given. */
const SUMMARIES_MAX = 10;

/** S4-INTR-09: what the agent is given to reflect on. */
async function planIntrospection(
  tx: ReadTx,
  { viewer: { userId }, compressions, sinceIntrospection }: Keeper,
  {
    conversationId,
    maxRotation,
  }: { readonly conversationId: string; readonly maxRotation: number },
): Promise<PlannedTask> {
  const notes = (await listNotes(tx, userId)).filter(({ position }) => position < maxRotation);
  const summaries = (await listSummaries(tx, userId, [conversationId])).get(conversationId) ?? [];
  const to = compressions;
  const from = Math.min(to, to - sinceIntrospection + 1);
  const context: JsonObject = {
    warning: replacementWarning(notes, maxRotation),
    notes: notes.map(({ position, content, createdAt }) => ({ position, content, createdAt })),
    summaries: summaries
      .slice(-SUMMARIES_MAX)
      .map(({ compressionLevel: level, content, createdAt }) => ({ level, content, createdAt })),
    positions: maxRotation,
    cause: describeCause(conversationId, { from, to }),
  };
  return { details: { kind: 'introspection', from, to, counted: sinceIntrospection }, context };
}
