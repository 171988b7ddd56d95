import { z } from 'zod';
import type { PageArgs } from '../../common/page.ts';
import { JsonMap, orNone, textOrEmpty, textOrNull } from '../../common/stored.ts';
import { firstChars } from '../../common/well-formed.ts';
import { SPEAKERS, TURN_TYPES } from '../../conversations/turn.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { parseRow, textOf, textsOf } from '../../platform/neo4j/row.ts';
import { readAll, readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { RUN_STATUSES } from '../../runs/run/run.ts';
import { ENTITY, toEntity } from '../entities/entity.cypher.ts';
import { userGroupOf } from '../group.ts';
import { isOwn, viewerParams } from '../visible.cypher.ts';
import { type Episode, type EpisodeSource, GRAPHITI_SOURCES } from './episode.ts';
import { STRETCH } from './episode-text.ts';

/** An Episode's map; `ep` is bound. */
export const EPISODE = /* cypher */ `
  ep {.uuid, .name, .content, .source, groupId: ep.group_id, validAt: ep.valid_at,
    sourceDescription: ep.source_description, entityEdges: ep.entity_edges,
    createdAt: ep.created_at, labels: labels(ep), compressionLevel:
      coalesce(head([(ep)<-[:HAS_CONTENT]-(sum:Summary) | sum.compressionLevel]), 0)}
`;

const MARKERS: readonly (readonly [string, EpisodeSource])[] = [
  ['SummaryEpisode', 'summary'],
  ['IntrospectionEpisode', 'introspection'],
];

const EpisodeRow = z.object({
  uuid: z.string(),
  name: z.string(),
  // Graphiti's library can store Episodes without their content.
  content: textOrEmpty,
  groupId: z.string(),
  source: z.enum(GRAPHITI_SOURCES),
  sourceDescription: textOrNull,
  entityEdges: orNone(z.array(z.string())),
  validAt: z.string(),
  createdAt: z.string(),
  labels: z.array(z.string()),
  compressionLevel: z.int(),
});

/** @throws DamagedRow */
export function toEpisode(row: unknown): Episode {
  const { labels, ...episode } = parseRow(EpisodeRow, row, 'Episodic');
  const marker = MARKERS.find(([label]) => labels.includes(label));
  return { ...episode, source: marker?.[1] ?? episode.source };
}

const Maps = z.array(JsonMap);
/** A list of Episodes in a row. @throws DamagedRow */
export function toEpisodes(episodes: unknown): Episode[] {
  return parseRow(Maps, episodes, 'Episodes').map(toEpisode);
}

const FIND = cypher`
  // findEpisodes
  MATCH (ep:Episodic) WHERE ep.uuid IN $uuids AND ${isOwn('ep')}
  RETURN ${EPISODE} AS episode
`;

/** Episodes by uuid. Missing Episodes, and those of other users, are left out. */
export const findEpisodes = (tx: ReadTx, viewerId: string, uuids: readonly string[]) =>
  readAll(tx, FIND, { ...viewerParams(viewerId), uuids }, (row) => toEpisode(row['episode']));

const FIND_OF_ALTERNATIVES = cypher`
  // findEpisodesOfAlternatives
  MATCH (a:Alternative)-[:HAS_CONTENT]->(ep:Episodic) WHERE a.id IN $ids AND a.ownerId = $viewerId
  RETURN a.id AS alternativeId, ${EPISODE} AS episode
`;

/** The Episode of each alternative; alternatives without one are left out. */
export const findEpisodesOfAlternatives = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readMap(tx, FIND_OF_ALTERNATIVES, { ids, viewerId }, (row) => [
    textOf(row, 'alternativeId', 'Alternative'),
    toEpisode(row['episode']),
  ]);

const MENTIONS = cypher`
  // listMentions
  MATCH (ep:Episodic) WHERE ep.uuid IN $uuids AND ${isOwn('ep')}
  CALL (ep) {
    MATCH (ep)-[m:MENTIONS]->(e:Entity)
    WITH DISTINCT e ORDER BY e.name, e.uuid LIMIT $max
    RETURN collect(${ENTITY}) AS entities
  }
  RETURN ep.uuid AS uuid, entities
`;
const MENTIONS_MAX = 200;

/** The entities that each Episode mentions, ordered by name. */
export const listMentions = (tx: ReadTx, viewerId: string, uuids: readonly string[]) =>
  readMap(tx, MENTIONS, { ...viewerParams(viewerId), uuids, max: MENTIONS_MAX }, (row) => [
    textOf(row, 'uuid', 'Episodic'),
    parseRow(Maps, row['entities'], 'Entities').map(toEntity),
  ]);

const OF_ENTITY = listing({
  name: 'listEpisodesOfEntity',
  match: /* cypher */ `
    MATCH (e:Entity {uuid: $entityUuid}) WHERE ${isOwn('e')}
    MATCH (ep:Episodic) WHERE EXISTS { (ep)-[:MENTIONS]->(e) } AND ${isOwn('ep')}
  `,
  order: [
    { cypher: 'ep.valid_at', type: 'instant', order: 'descending' },
    { cypher: 'ep.uuid', type: 'text', order: 'descending' },
  ],
  item: EPISODE,
});

/** The Episodes that mention an entity, the newest first. */
export const listEpisodesOfEntity = (
  tx: ReadTx,
  viewerId: string,
  { entityUuid, ...page }: PageArgs & { readonly entityUuid: string },
) => listPage(tx, OF_ENTITY, page, { ...viewerParams(viewerId), entityUuid }, toEpisode);

const FIND_UNBOUND = cypher`
  // findUnboundAlternatives
  CALL () {
    MATCH (a:Alternative) WHERE a.id IN $alternativeIds RETURN a
    UNION
    MATCH (t:ConversationTurn)-[:HAS_ALTERNATIVE]->(a:Alternative) WHERE t.id IN $turnIds RETURN a
  }
  WITH a WHERE a.content IS NOT NULL AND (a.outcome = 'completed' OR trim(a.content) <> '')
    AND NOT EXISTS { (a)-[:HAS_CONTENT]->(:Episodic) }
  RETURN a.id AS id ORDER BY id
`;

/** Ids of completed alternatives without an Episode, among these and those of these turns. */
export const findUnboundAlternatives = async (
  tx: ReadTx,
  among: { readonly alternativeIds: readonly string[]; readonly turnIds: readonly string[] },
) => textsOf(await tx.run(FIND_UNBOUND, among), 'id', 'Alternative');

const FIND_SPOKEN = cypher`
  // findSpoken
  MATCH (a:Alternative {id: $alternativeId})
      <-[:HAS_ALTERNATIVE]-(t:ConversationTurn)<-[:HAS_TURN]-(c:Conversation)
  MATCH (owner:User {id: c.ownerId})
  OPTIONAL MATCH (a)-[:RESPONDS_TO]->(b:Alternative)<-[:HAS_ALTERNATIVE]-(bt:ConversationTurn)
  RETURN {alternativeId: a.id, turnId: t.id, conversationId: c.id, ownerId: c.ownerId,
    workspace: owner.workspace,
    ownerName: owner.name, agentName: head([(a)-[:EXECUTED_BY]->(process) | process.name]),
    speaker: t.speaker, turnType: t.turnType, content: coalesce(a.content, ''), outcome: a.outcome,
    saidAt: coalesce(a.saidAt, a.createdAt), copiedFromId: a.copiedFromId,
    episodeUuid: head([(a)-[:HAS_CONTENT]->(ep:Episodic) | ep.uuid]),
    before: CASE WHEN b IS NULL THEN null ELSE {content: coalesce(b.content, ''),
      turnType: bt.turnType,
      episodeUuid: head([(b)-[:HAS_CONTENT]->(bep:Episodic) | bep.uuid]),
      before: head([(b)-[:RESPONDS_TO]->(bb:Alternative) | bb.content])} END,
    after: head(COLLECT {
      MATCH (a)<-[:RESPONDS_TO]-(next:Alternative) WHERE next.outcome IS NOT NULL
      RETURN next.content ORDER BY next.createdAt DESC, next.id DESC LIMIT 1
    })} AS spoken
`;

/** An alternative with the input of its Episode. */
export const Spoken = z.object({
  alternativeId: z.string(),
  turnId: z.string(),
  conversationId: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  /** Name of the Process that wrote it; null for other texts. */
  agentName: textOrNull,
  workspace: z.string(),
  speaker: z.enum(SPEAKERS),
  turnType: z.enum(TURN_TYPES),
  content: z.string(),
  outcome: z.enum(RUN_STATUSES).nullable(),
  saidAt: z.string(),
  /** The alternative that a fork copied it from. */
  copiedFromId: textOrNull,
  episodeUuid: textOrNull,
  before: z
    .object({
      content: z.string(),
      turnType: z.enum(TURN_TYPES),
      /** Null until its Episode is written. */
      episodeUuid: textOrNull,
      before: textOrNull,
    })
    .nullable(),
  after: textOrNull,
});
export type Spoken = z.infer<typeof Spoken>;

/**
 * Not scoped by a viewer: ingestion acts for the owner. Null where there is no such alternative.
 */
export async function findSpoken(tx: ReadTx, alternativeId: string): Promise<Spoken | null> {
  const [row] = await tx.run(FIND_SPOKEN, { alternativeId });
  return row === undefined ? null : parseRow(Spoken, row['spoken'], `Alternative ${alternativeId}`);
}

const INSERT = cypher`
  // insertEpisode
  MATCH (a:Alternative {id: $alternativeId})
  CREATE (ep:Episodic)
  SET ep = $episode, ep.valid_at = datetime($validAt), ep.created_at = datetime($now)
  CREATE (a)-[:HAS_CONTENT {source: $episode.source, createdAt: datetime($now),
    alternativeId: a.id}]->(ep)
  CREATE (ep)<-[:INGEST_OF]-(:EpisodeIngest:OpenIngest {episodeUuid: ep.uuid,
    ownerId: a.ownerId, startedAt: datetime($now)})
  WITH ep
  CALL (ep) {
    UNWIND $texts AS text
    CREATE (t:EpisodeText:Unembedded)-[:TEXT_OF]->(ep)
    SET t = text
  }
  CALL (ep) {
    UNWIND $chunks AS chunk
    CREATE (ep)-[:HAS_CHUNK {index: chunk.index}]->(piece:Episodic:EpisodeChunk)
    SET piece = chunk.node, piece.valid_at = datetime($validAt), piece.created_at = datetime($now)
    WITH piece ORDER BY chunk.index
    WITH collect(piece) AS pieces
    UNWIND range(1, size(pieces) - 1) AS at
    WITH pieces[at - 1] AS one, pieces[at] AS next
    CREATE (one)-[:NEXT_CHUNK]->(next)
  }
  CALL () {
    UNWIND $windows AS window
    MATCH (t:EpisodeText {key: window.key})
    SET t.window = window.window
  }
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

const JOIN_STRETCH = cypher`
  // joinStretch
  MATCH (ep:Episodic {uuid: $uuid})
  OPTIONAL MATCH (:EpisodeText {key: $beforeKey})-[:PART_OF]->(last:EpisodeStretch)
  WHERE last.lastEpisodeUuid = $beforeUuid AND last.episodes < $episodesMax
    AND size(last.text) < $charsMax
    AND last.lastAt >= datetime($validAt) - duration({minutes: $gapMinutes})
  MERGE (s:EpisodeStretch {key: coalesce(last.key, ep.uuid)})
  ON CREATE SET s.owner = $owner, s.group_id = ep.group_id, s.text = '', s.episodes = 0
  SET s.text = s.text + $text + '\n', s.episodes = s.episodes + 1,
    s.lastEpisodeUuid = ep.uuid, s.lastAt = datetime($validAt)
  WITH ep, s
  MATCH (t:EpisodeText)-[:TEXT_OF]->(ep)
  CREATE (t)-[:PART_OF]->(s)
`;

/** One piece of an Episode: its embedded text, and its window for full-text search. */
export interface EpisodeText {
  readonly index: number;
  readonly text: string;
  readonly window: string;
}

/** Key of the EpisodeText node of a piece. */
export function textKey(episodeUuid: string, index: number): string {
  return `${episodeUuid}/${index}`;
}

/**
 * Inserts the Episode, its pieces, its edge from the alternative and the outbox entry. A second
 * Episode of one alternative violates a constraint. `windows` replaces windows of the turn before,
 * which now has a turn after it. A second answer to one Episode begins a new stretch, so no stretch
 * mixes branches.
 */
export async function insertEpisode(
  tx: WriteTx,
  insert: {
    readonly alternativeId: string;
    readonly ownerId: string;
    readonly episode: Omit<Episode, 'createdAt' | 'compressionLevel'>;
    readonly texts: readonly EpisodeText[];
    /** Empty where the Episode has one piece. */
    readonly chunks: readonly { readonly uuid: string; readonly text: string }[];
    readonly windows: readonly { readonly key: string; readonly window: string }[];
    /**
     * Episode it answers, whose stretch it continues while there is room; null begins a stretch.
     */
    readonly beforeUuid: string | null;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
): Promise<void> {
  const { alternativeId, episode, ownerId, now, windows } = insert;
  const { uuid, name, content, groupId, source, sourceDescription, validAt } = episode;
  const node = {
    group_id: groupId,
    source,
    source_description: sourceDescription ?? '',
    entity_edges: [],
  };
  await tx.run(INSERT, {
    alternativeId,
    now,
    validAt,
    windows,
    episode: { ...node, uuid, name, content },
    texts: insert.texts.map(({ index, text, window }) => ({
      key: textKey(uuid, index),
      episodeUuid: uuid,
      index,
      text,
      window,
      owner: userGroupOf(ownerId),
      group_id: groupId,
    })),
    chunks: insert.chunks.map((chunk, index) => ({
      index,
      node: { ...node, uuid: chunk.uuid, name: `${name}#${index + 1}`, content: chunk.text },
    })),
    entries: entryParams([insert.entry]),
  });
  await tx.run(JOIN_STRETCH, {
    uuid,
    validAt,
    beforeUuid: insert.beforeUuid,
    beforeKey: insert.beforeUuid === null ? null : textKey(insert.beforeUuid, 0),
    text: firstChars(content, STRETCH.charsPerEpisode),
    owner: userGroupOf(ownerId),
    ...STRETCH,
  });
}
