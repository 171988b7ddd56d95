import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import { found, notFound, Refusal, refuse } from '../../common/refusal.ts';
import {
  type ConversationDeps,
  lockConversation,
} from '../../conversations/conversation.mutations.ts';
import { mentionKnown } from '../../memory-graph/extraction/mention-known.service.ts';
import { INTROSPECTION_GROUP } from '../../memory-graph/group.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { getRun } from '../../runs/run/get-run.service.ts';
import type { ProcessRun } from '../../runs/run/run.ts';
import type { Viewer } from '../../users/user.ts';
import type { NewContent } from '../content.cypher.ts';
import { listSummaries } from '../summaries/summary.cypher.ts';
import { type ConversationOwner, findConversationOwner } from '../tasks/task.cypher.ts';
import {
  type PlannedTask,
  startTaskIn,
  startTaskOnce,
  type TaskDeps,
} from '../tasks/task.mutations.ts';
import { workingMemoryEntry } from '../working-memory-entry.ts';
import {
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
 * Writes a note by hand into the viewer's carousel (S4-INTR-05). The note it replaces is archived.
 * @throws Refusal REQUIRED and INVALID at `content`; INVALID at `carouselPosition`,
 * `conversationContext`
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
  const [id] = await writeAndWake(deps, (tx) =>
    writeNotesIn(deps, tx, {
      ownerId,
      workspace,
      conversationId: null,
      conversationContext: input.conversationContext ?? null,
      notes: [note],
      maxRotation: introspectionMaxRotation,
    }),
  );
  return getIntrospection(deps, viewer, id ?? '');
}

/**
 * Writes notes into a user's carousel, in a transaction of the caller. A note without a position
 * gets the next one. Replaced notes are archived, and so are notes beyond a carousel that became
 * smaller (S4-INTR-02, S4-INTR-03).
 * @returns their ids
 */
export async function writeNotesIn(
  deps: ConversationDeps,
  tx: WriteTx,
  write: {
    readonly ownerId: string;
    readonly workspace: string;
    /** The conversation that led to the notes; null: none. */
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
  let carousel = current.filter(({ position }) => position < maxRotation);
  const archivedIds = beyond.map(({ id }) => id);
  const added: NewIntrospection[] = [];
  // Notes that name their position come first, so that the others do not take it.
  const inOrder = [...write.notes].sort(
    (one, other) => Number(one.position === null) - Number(other.position === null),
  );
  for (const { position: namedPosition, content } of inOrder) {
    const position = namedPosition ?? nextPosition(carousel, maxRotation);
    const replaced = carousel.find((note) => note.position === position);
    const id = deps.newId();
    if (replaced !== undefined) archivedIds.push(replaced.id);
    carousel = carousel.filter((note) => note !== replaced);
    carousel.push({ id, position, createdAt: now, episodeUuid: '', content });
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
  { newId }: ConversationDeps,
  { id, ownerId }: Pick<Introspection, 'id' | 'ownerId'>,
  content: string,
): NewContent {
  const groupId = INTROSPECTION_GROUP;
  return { uuid: newId(), holderId: id, source: 'introspection', content, groupId, ownerId };
}

/**
 * Replaces the text of a note: binds the note to a new Episode (S4-INTR-06).
 * @throws Refusal NOT_FOUND; REQUIRED, INVALID at `content`
 */
export async function rebindIntrospection(
  deps: ConversationDeps,
  viewer: Viewer,
  { id, content }: { readonly id: string; readonly content: string },
): Promise<Introspection> {
  const { userId: ownerId, workspace } = viewer;
  await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [ownerId]);
    const note = found(await findIntrospections(tx, ownerId, [id]), 'Introspection');
    refuse(checkNoteContent(content));
    const at = { ownerId, workspace, conversationId: null };
    const now = instant(deps.clock);
    const bound = noteContent(deps, note, content.trim());
    await bindIntrospection(tx, {
      id,
      ownerId,
      content: bound,
      now,
      entry: workingMemoryEntry(deps, at, 'introspection.rebound', { introspectionId: id }),
    });
    await mentionKnown(deps, tx, { ...bound, conversationId: null, now });
  });
  return getIntrospection(deps, viewer, id);
}

/**
 * Takes a note out of the carousel (S4-INTR-06). It stays in the archive; the next note gets its
 * position. @throws Refusal NOT_FOUND, also if the note is archived already
 */
export async function deleteIntrospection(
  deps: ConversationDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<string> {
  const { userId: ownerId, workspace } = viewer;
  await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [ownerId]);
    const [note] = await findIntrospections(tx, ownerId, [id]);
    if (note === undefined || note.archived)
      throw new Refusal([notFound('Introspection in the carousel')]);
    const at = { ownerId, workspace, conversationId: null };
    const entry = workingMemoryEntry(deps, at, 'introspection.archived', { introspectionId: id });
    const now = instant(deps.clock);
    await replaceIntrospections(tx, {
      ownerId,
      archivedIds: [id],
      notes: [],
      now,
      entries: [entry],
    });
  });
  return id;
}

async function getIntrospection(
  { graph }: ConversationDeps,
  { userId }: Viewer,
  id: string,
): Promise<Introspection> {
  return found(await graph.read((tx) => findIntrospections(tx, userId, [id])), 'Introspection');
}

/**
 * Starts an introspection in the background if enough compressions of the conversation happened
 * since the last one (S4-INTR-07, S4-INTR-08).
 * @returns the id of the run; null if none is due, one is open, or a failed one waits for its retry
 */
export async function introspectIfDue(
  deps: TaskDeps,
  conversationId: string,
): Promise<string | null> {
  const { introspectionCompressionThreshold, introspectionMaxRotation } =
    await deps.settings.current();
  return startTaskOnce(deps, { conversationId, kind: 'introspection' }, async (tx, owner) =>
    owner.sinceIntrospection < introspectionCompressionThreshold
      ? null
      : planIntrospection(tx, owner, { conversationId, maxRotation: introspectionMaxRotation }),
  );
}

/**
 * Starts an introspection now, regardless of the counter.
 * @throws Refusal NOT_FOUND, STATE at `conversationId`; and as startProcessRun
 */
export async function triggerIntrospection(
  deps: TaskDeps,
  viewer: Viewer,
  { conversationId }: { readonly conversationId: string },
): Promise<ProcessRun> {
  const { introspectionMaxRotation: maxRotation } = await deps.settings.current();
  const runId = await writeAndWake(deps, async (tx) => {
    await lockConversation(tx, viewer, conversationId, ['conversationId']);
    const owner = await findConversationOwner(tx, conversationId);
    if (owner === null) throw new Refusal([notFound('conversation', ['conversationId'])]);
    const planned = await planIntrospection(tx, owner, { conversationId, maxRotation });
    return startTaskIn(deps, tx, viewer, { ...planned, conversationId, processId: null });
  });
  return getRun(deps, viewer, runId);
}

/** Number of the newest summaries in the context of an introspection. */
const SUMMARIES_MAX = 10;

/** The task and the run context of an introspection (S4-INTR-09). */
async function planIntrospection(
  tx: ReadTx,
  { viewer: { userId }, compressions, sinceIntrospection }: ConversationOwner,
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
