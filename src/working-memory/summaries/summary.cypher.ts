import { z } from 'zod';
import { EPISODE, toEpisodes } from '../../memory-graph/episodes/episode.cypher.ts';
import type { Episode } from '../../memory-graph/episodes/episode.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { intOf, parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readMap, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { contentParams, createContent, type NewContent } from '../content.cypher.ts';
import { Summary, type SummaryPlace, SummaryRecord } from './summary.ts';

/** All Episodes `s` was bound to, the current one first. */
const BOUND = /* cypher */ `
  COLLECT {
    MATCH (s)-[h:HAS_CONTENT]->(ep:Episodic)
    RETURN ep ORDER BY h.createdAt DESC, ep.uuid DESC
  }
`;

/** Needs `c`. Gives `summaries`: all SummaryRecords of the conversation, including deleted ones. */
export const SUMMARIES_OF = /* cypher */ `
  CALL (c) {
    OPTIONAL MATCH (c)-[:HAS_SUMMARY]->(s:Summary)
    WITH s, CASE WHEN s IS NULL THEN [] ELSE ${BOUND} END AS bound
    RETURN collect(CASE WHEN s IS NULL THEN null ELSE {
      id: s.id, compressionLevel: s.compressionLevel,
      createdAt: s.createdAt, isDeleted: s.deletedAt IS NOT NULL,
      sources: COLLECT { MATCH (s)-[x:SUMMARIZES]->(ep:Episodic) RETURN ep.uuid ORDER BY x.order },
      episodes: [ep IN bound | ep.uuid],
      content: CASE WHEN s.deletedAt IS NULL THEN head([ep IN bound | ep.content]) ELSE '' END
    } END) AS summaries
  }
`;

const SUMMARY = /* cypher */ `
  s {.id, .compressionLevel, .tokenCount, .createdAt, conversationId: c.id, ownerId: c.ownerId,
    bound: head([ep IN ${BOUND} | {uuid: ep.uuid, content: ep.content}]),
    coversUpToId: head([(s)-[:COVERS_UP_TO]->(t:ConversationTurn) | t.id]),
    createdByProcessId: head([(s)-[:CREATED_BY_PROCESS]->(p:Process) | p.id])}
`;

const SummaryRow = Summary.omit({ episodeUuid: true, content: true }).extend({
  bound: z.object({ uuid: z.string(), content: z.string() }),
});

function toSummary(row: unknown): Summary {
  const { bound, ...summary } = parseRow(SummaryRow, row, 'Summary');
  return { ...summary, episodeUuid: bound.uuid, content: bound.content };
}

const SummaryRecords = z.array(SummaryRecord);

/** Parses the list `summaries` of a row. @throws DamagedRow */
export function toSummaryRecords(summaries: unknown): SummaryRecord[] {
  return parseRow(SummaryRecords, summaries, 'Summaries');
}

const FIND = cypher`
  // findSummaries
  MATCH (s:Summary)<-[:HAS_SUMMARY]-(c:Conversation)
  WHERE s.id IN $ids AND (s.deletedAt IS NULL OR $deletedToo)
    AND (c.ownerId = $viewerId OR $anyOwner)
  RETURN ${SUMMARY} AS summary
`;

/**
 * The viewer's Summaries by id, without deleted ones. Other ids are left out.
 * @param scope `anyOwner` for repairs by admins; `deletedToo` for views of the past
 */
export async function findSummaries(
  tx: ReadTx,
  viewerId: string,
  ids: readonly string[],
  scope: 'own' | 'anyOwner' | 'deletedToo' = 'own',
): Promise<Summary[]> {
  const rows = await tx.run(FIND, {
    ids,
    viewerId,
    anyOwner: scope === 'anyOwner',
    deletedToo: scope === 'deletedToo',
  });
  return rows.map((row) => toSummary(row['summary']));
}

const LIST = cypher`
  // listSummaries
  MATCH (c:Conversation)-[:HAS_SUMMARY]->(s:Summary)
  WHERE c.id IN $ids AND c.ownerId = $viewerId AND s.deletedAt IS NULL
  RETURN ${SUMMARY} AS summary ORDER BY s.createdAt, s.id
`;

/** The Summaries of each of these conversations, on all branches, oldest first. */
export async function listSummaries(
  tx: ReadTx,
  viewerId: string,
  conversationIds: readonly string[],
): Promise<Map<string, Summary[]>> {
  const rows = await tx.run(LIST, { ids: conversationIds, viewerId });
  return Map.groupBy(
    rows.map((row) => toSummary(row['summary'])),
    ({ conversationId }) => conversationId,
  );
}

const EPISODES = cypher`
  // listSummaryEpisodes
  UNWIND $keys AS key
  MATCH (s:Summary {id: key.id})<-[:HAS_SUMMARY]-(c:Conversation {ownerId: key.ownerId})
  CALL (s) {
    MATCH (s)-[x:SUMMARIZES]->(ep:Episodic)
    WITH ep, x ORDER BY x.order
    RETURN collect(${EPISODE}) AS sources
  }
  CALL (s) {
    MATCH (s)-[h:HAS_CONTENT]->(ep:Episodic)
    WITH ep, h ORDER BY h.createdAt DESC, ep.uuid DESC
    RETURN collect(${EPISODE}) AS bound
  }
  RETURN s.id AS id, sources, bound
`;

/** The sources of a Summary, in order, and the Episodes it was bound to, the current one first. */
export interface SummaryEpisodes {
  readonly sources: readonly Episode[];
  readonly bound: readonly Episode[];
}

/** The Episodes of each Summary. @param summaries with their owner, as from `findSummaries` */
export async function listSummaryEpisodes(
  tx: ReadTx,
  summaries: readonly Pick<Summary, 'id' | 'ownerId'>[],
): Promise<Map<string, SummaryEpisodes>> {
  const keys = summaries.map(({ id, ownerId }) => ({ id, ownerId }));
  return readMap(tx, EPISODES, { keys }, (row) => [
    textOf(row, 'id', 'Summary'),
    { sources: toEpisodes(row['sources']), bound: toEpisodes(row['bound']) },
  ]);
}

const FIND_PLACE = cypher`
  // findSummaryPlace
  MATCH (c:Conversation {id: $conversationId})
  ${SUMMARIES_OF}
  OPTIONAL MATCH (upTo:ConversationTurn {id: $coversUpToId, conversationId: $conversationId})
  CALL (c, upTo) {
    OPTIONAL MATCH path = (upTo)-[:CHILD_OF*0..]->(:ConversationTurn {id: c.rootTurnId})
    WITH reverse(coalesce(nodes(path), [])) AS chain
    UNWIND range(0, size(chain) - 1) AS depth
    WITH depth, chain[depth] AS t ORDER BY depth
    RETURN collect({turnId: t.id, episodes: COLLECT {
      MATCH (t)-[h:HAS_ALTERNATIVE]->(a:Alternative)-[:HAS_CONTENT]->(ep:Episodic)
      WHERE a.outcome = 'completed'
      RETURN {uuid: ep.uuid, isActive: h.isActive}
    }}) AS turns
  }
  RETURN summaries, turns, upTo IS NOT NULL AS isThere,
    [uuid IN $sources | EXISTS { (:Episodic {uuid: uuid, group_id: $conversationId}) }] AS areThere
`;

const PlaceRow = z.object({
  turns: z.array(
    z.object({
      turnId: z.string(),
      episodes: z.array(z.object({ uuid: z.string(), isActive: z.boolean() })),
    }),
  ),
  isThere: z.boolean(),
  areThere: z.array(z.boolean()),
});

/** The data that `checkPlace` needs, in one statement. The caller holds the conversation's lock. */
export async function findSummaryPlace(
  tx: ReadTx,
  place: {
    readonly conversationId: string;
    readonly sources: readonly string[];
    readonly coversUpToId: string;
  },
): Promise<{
  readonly place: SummaryPlace;
  readonly summaries: SummaryRecord[];
  readonly isTurnThere: boolean;
  /** For each of `sources`: whether the conversation has this Episode. */
  readonly areThere: readonly boolean[];
}> {
  const [row] = await tx.run(FIND_PLACE, place);
  if (row === undefined) throw new Error('The conversation is gone.');
  const { sources, coversUpToId } = place;
  const { turns, isThere, areThere } = parseRow(
    PlaceRow,
    row,
    `Conversation ${place.conversationId}`,
  );
  return {
    place: { sources, coversUpToId, path: turns },
    summaries: toSummaryRecords(row['summaries']),
    isTurnThere: isThere,
    areThere,
  };
}

const INSERT = cypher`
  // insertSummary
  MATCH (c:Conversation {id: $conversationId}), (upTo:ConversationTurn {id: $coversUpToId}),
    (process:Process {id: $processId})
  CREATE (holder:Summary:Resource)
  SET holder = $summary, holder.createdAt = datetime($now)
  CREATE (c)-[:HAS_SUMMARY]->(holder), (holder)-[:COVERS_UP_TO]->(upTo),
    (holder)-[:CREATED_BY_PROCESS]->(process)
  SET c.updatedAt = datetime($now), c.compressions = coalesce(c.compressions, 0) + 1,
    c.compressionsSinceIntrospection = coalesce(c.compressionsSinceIntrospection, 0) + 1
  WITH holder, $content AS content
  CALL (holder) {
    UNWIND range(0, size($sources) - 1) AS index
    MATCH (source:Episodic {uuid: $sources[index]})
    CREATE (holder)-[:SUMMARIZES {order: index + 1}]->(source)
  }
  ${createContent('SummaryEpisode')}
  WITH holder.id AS id
  CALL () { ${CREATE_ENTRIES} }
  RETURN id
`;

/**
 * Inserts a Summary with its edges, its Episode and its entry, in one statement (S4-SUM-03).
 * @returns false if its Process no longer exists
 */
export async function insertSummary(
  tx: WriteTx,
  insert: {
    readonly conversationId: string;
    readonly coversUpToId: string;
    readonly processId: string;
    readonly sources: readonly string[];
    readonly summary: Pick<Summary, 'id' | 'compressionLevel' | 'tokenCount'>;
    readonly content: NewContent;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
): Promise<boolean> {
  const { entry, content, ...params } = insert;
  const rows = await tx.run(INSERT, {
    ...params,
    content: contentParams(content),
    entries: entryParams([entry]),
  });
  return rows.length > 0;
}

const REBIND = cypher`
  // rebindSummary
  MATCH (holder:Summary {id: $id})<-[:HAS_SUMMARY]-(c:Conversation)
  SET holder.tokenCount = $tokenCount, c.updatedAt = datetime($now)
  WITH holder, $content AS content
  ${createContent('SummaryEpisode')}
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

/** Binds a Summary to a new Episode; the edges to earlier ones stay (S4-SUM-06). */
export async function bindSummary(
  tx: WriteTx,
  bind: {
    readonly id: string;
    readonly tokenCount: number;
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

const DELETE = cypher`
  // deleteSummary
  MATCH (s:Summary {id: $id})<-[:HAS_SUMMARY]-(c:Conversation)
  SET s.deletedAt = datetime($now), c.updatedAt = datetime($now)
  REMOVE s:Resource
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

/**
 * Removes a Summary from all contexts and from the API (S4-SUM-07). The node stays for audit, and
 * for the Summaries that have it as a source.
 */
export const markSummaryDeleted = (
  tx: WriteTx,
  { entry, ...params }: { readonly id: string; readonly now: string; readonly entry: OutboxEntry },
) => runWrite(tx, DELETE, { ...params, entries: entryParams([entry]) });

const COUNTERS = cypher`
  // listCompressionCounters
  MATCH (c:Conversation) WHERE c.id IN $ids AND c.ownerId = $viewerId
  RETURN c.id AS id, coalesce(c.compressionsSinceIntrospection, 0) AS count
`;

/** Number of compressions of each conversation since its last introspection (S4-INTR-07). */
export async function listCompressionCounters(
  tx: ReadTx,
  viewerId: string,
  conversationIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.run(COUNTERS, { ids: conversationIds, viewerId });
  return new Map(
    rows.map((row) => [textOf(row, 'id', 'Conversation'), intOf(row, 'count', 'Conversation')]),
  );
}
