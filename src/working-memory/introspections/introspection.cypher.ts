import { z } from 'zod';
import { EPISODE, toEpisodes } from '../../memory-graph/episodes/episode.cypher.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readAll, readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { contentParams, createContent, type NewContent } from '../content.cypher.ts';
import { Introspection, Note } from './introspection.ts';

/** All Episodes `i` was bound to, the current one first. */
const BOUND = /* cypher */ `
  COLLECT {
    MATCH (i)-[h:HAS_CONTENT]->(ep:Episodic)
    RETURN ep ORDER BY h.createdAt DESC, ep.uuid DESC
  }
`;
// `slot` is made of owner and position. Its unique constraint allows one note per position.
const CURRENT = `i.slot IS NOT NULL`;

/** Gives `notes`: the carousel of $viewerId, by position. */
export const NOTES_OF = /* cypher */ `
  CALL () {
    OPTIONAL MATCH (:User {id: $viewerId})<-[:OWNED_BY]-(i:Introspection) WHERE ${CURRENT}
    WITH i, CASE WHEN i IS NULL THEN null ELSE head(${BOUND}) END AS ep
    ORDER BY i.carouselPosition
    RETURN collect(CASE WHEN i IS NULL THEN null ELSE {
      id: i.id, position: i.carouselPosition, createdAt: i.createdAt,
      episodeUuid: ep.uuid, content: ep.content
    } END) AS notes
  }
`;

const LIST_NOTES = cypher`
  // listNotes
  ${NOTES_OF}
  RETURN notes
`;

const NoteRows = z.array(Note);

/** Parses the list `notes` of a row. @throws DamagedRow */
export const toNotes = (notes: unknown) => parseRow(NoteRows, notes, 'Introspections');

/** The carousel of a user, by position. */
export async function listNotes(tx: ReadTx, viewerId: string): Promise<Note[]> {
  const [row] = await tx.run(LIST_NOTES, { viewerId });
  return row === undefined ? [] : toNotes(row['notes']);
}

const INTROSPECTION = /* cypher */ `
  i {.id, .carouselPosition, .conversationContext, .createdAt,
    ownerId: u.id, archived: i.slot IS NULL,
    bound: head([ep IN ${BOUND} | {uuid: ep.uuid, content: ep.content}])}
`;

const IntrospectionRow = Introspection.omit({ episodeUuid: true, content: true }).extend({
  bound: z.object({ uuid: z.string(), content: z.string() }),
});

function toIntrospection(row: unknown): Introspection {
  const { bound, ...introspection } = parseRow(IntrospectionRow, row, 'Introspection');
  return { ...introspection, episodeUuid: bound.uuid, content: bound.content };
}

const FIND = cypher`
  // findIntrospections
  MATCH (i:Introspection)-[:OWNED_BY]->(u:User {id: $viewerId}) WHERE i.id IN $ids
  RETURN ${INTROSPECTION} AS introspection
`;

/** The viewer's notes by id, including archived ones. Other ids are left out. */
export const findIntrospections = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readAll(tx, FIND, { ids, viewerId }, (row) => toIntrospection(row['introspection']));

const LIST = cypher`
  // listIntrospections
  MATCH (i:Introspection)-[:OWNED_BY]->(u:User {id: $viewerId})
  WHERE ${CURRENT} OR $includeArchived
  WITH i, u ORDER BY i.slot IS NULL, CASE WHEN ${CURRENT} THEN i.carouselPosition END,
    i.createdAt DESC, i.id DESC
  LIMIT $max
  RETURN ${INTROSPECTION} AS introspection
`;
/** Maximum number of notes in one answer: the carousel and the newest archived notes. */
const LISTED_MAX = 500;

/** The carousel by position; with `includeArchived` then the archived notes, newest first. */
export const listIntrospections = (tx: ReadTx, viewerId: string, includeArchived: boolean) =>
  readAll(tx, LIST, { viewerId, includeArchived, max: LISTED_MAX }, (row) =>
    toIntrospection(row['introspection']),
  );

const EPISODES = cypher`
  // listIntrospectionEpisodes
  MATCH (i:Introspection)-[:OWNED_BY]->(:User {id: $viewerId}) WHERE i.id IN $ids
  CALL (i) {
    MATCH (i)-[h:HAS_CONTENT]->(ep:Episodic)
    WITH ep, h ORDER BY h.createdAt DESC, ep.uuid DESC
    RETURN collect(${EPISODE}) AS bound
  }
  RETURN i.id AS id, bound
`;

/** All Episodes each of these notes was bound to, the current one first. */
export const listIntrospectionEpisodes = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readMap(tx, EPISODES, { viewerId, ids }, (row) => [
    textOf(row, 'id', 'Introspection'),
    toEpisodes(row['bound']),
  ]);

const ARCHIVE = cypher`
  // archiveIntrospections
  MATCH (i:Introspection)-[:OWNED_BY]->(:User {id: $ownerId}) WHERE i.id IN $ids
  SET i.archivedAt = datetime($now), i.slot = null
`;

const INSERT = cypher`
  // insertIntrospections
  MATCH (u:User {id: $ownerId})
  UNWIND $notes AS note
  CREATE (holder:Introspection:Resource)
  SET holder = note.introspection, holder.createdAt = datetime($now)
  CREATE (holder)-[:OWNED_BY {createdAt: datetime($now)}]->(u)
  WITH u, holder, note
  CALL (holder, note) {
    MATCH (old:Introspection {id: note.replacedId})
    CREATE (holder)-[:REPLACES]->(old)
  }
  WITH u, holder, note.content AS content
  CALL (u, holder, content) {
    ${createContent('IntrospectionEpisode')}
    CREATE (ep)-[:OWNED_BY {createdAt: datetime($now)}]->(u)
  }
  WITH count(holder) AS done
  ${CREATE_ENTRIES}
`;

export interface NewIntrospection {
  readonly id: string;
  readonly carouselPosition: number;
  readonly conversationContext: string | null;
  readonly content: NewContent;
  /** The note it replaces; null: none. */
  readonly replacedId: string | null;
}

/** The value of `slot`, on which the unique constraint is. */
const slotOf = (ownerId: string, position: number): string => `${ownerId}/${position}`;

/**
 * Archives notes and writes the new ones with their Episodes (S4-INTR-03, S4-INTR-04). The next new
 * note gets the position of an archived one (S4-INTR-06). The caller holds the user's lock.
 */
export async function replaceIntrospections(
  tx: WriteTx,
  change: {
    readonly ownerId: string;
    readonly archivedIds: readonly string[];
    readonly notes: readonly NewIntrospection[];
    readonly now: string;
    readonly entries: readonly OutboxEntry[];
  },
): Promise<void> {
  const { ownerId, archivedIds: ids, notes, now, entries } = change;
  // First, because the unique constraint refuses two notes in one slot.
  if (ids.length > 0) await tx.run(ARCHIVE, { ownerId, ids, now });
  await tx.run(INSERT, {
    ownerId,
    now,
    notes: notes.map(({ id, carouselPosition, conversationContext, content, replacedId }) => ({
      introspection: {
        id,
        carouselPosition,
        conversationContext,
        slot: slotOf(ownerId, carouselPosition),
      },
      replacedId,
      content: contentParams(content),
    })),
    entries: entryParams(entries),
  });
}

const REBIND = cypher`
  // rebindIntrospection
  MATCH (holder:Introspection {id: $id})-[:OWNED_BY]->(u:User {id: $ownerId})
  WITH u, holder, $content AS content
  CALL (u, holder, content) {
    ${createContent('IntrospectionEpisode')}
    CREATE (ep)-[:OWNED_BY {createdAt: datetime($now)}]->(u)
  }
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

/** Binds a note to a new Episode; the edges to earlier ones stay (S4-INTR-06). */
export async function bindIntrospection(
  tx: WriteTx,
  bind: {
    readonly id: string;
    readonly ownerId: string;
    readonly content: NewContent;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
): Promise<void> {
  const { entry, content, ...params } = bind;
  await tx.run(REBIND, {
    ...params,
    content: contentParams(content),
    entries: entryParams([entry]),
  });
}
