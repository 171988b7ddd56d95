import { z } from 'zod';
import { orNull, textOrNull } from '../../common/stored.ts';
import { SPEAKERS, TURN_TYPES } from '../../conversations/turn.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { RUN_STATUSES } from '../../runs/run/run.ts';
import { luceneOf } from '../../text/lucene.ts';
import type { Fact } from '../entities/fact.ts';
import { nameKey, openingsIn } from '../entities/name-match.ts';
import { userGroupOf } from '../group.ts';
import { WaitingTurn } from './turn-batch.ts';

const EARLIER_MAX = 6;
/** A batch has at most 40 turns, so it lies within these. */
const HOPS_MAX = 40;
const WAITING_MAX = 400;

const FIND = cypher`
  // findIngests
  UNWIND range(0, size($alternativeIds) - 1) AS at
  MATCH (a:Alternative {id: $alternativeIds[at]})
      -[:HAS_CONTENT]->(ep:Episodic)<-[:INGEST_OF]-(i:EpisodeIngest)
  MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)<-[:HAS_TURN]-(c:Conversation)
  MATCH (owner:User {id: c.ownerId})
  RETURN {alternativeId: a.id, turnId: t.id, isBranched: i.withdrawnAt IS NOT NULL
      OR COUNT { (t)-[:HAS_ALTERNATIVE]->() } > 1
      OR EXISTS { (t)-[:CHILD_OF]->(p) WHERE COUNT { (p)<-[:CHILD_OF]-() } > 1 },
    episodeUuid: ep.uuid, content: ep.content, saidAt: ep.valid_at,
    speaker: t.speaker, turnType: t.turnType, outcome: a.outcome, answerRunId: a.runId,
    conversationId: c.id, ownerId: owner.id,
    ownerName: owner.name, workspace: owner.workspace,
    runId: i.runId, batch: coalesce(i.stretch, [a.id]), endedAt: i.endedAt,
    tries: coalesce(i.tries, 0),
    earlier: COLLECT {
      MATCH path = (a)-[:RESPONDS_TO*1..${EARLIER_MAX}]->(before:Alternative)
        <-[:HAS_ALTERNATIVE]-(turn:ConversationTurn)
      WHERE turn.turnType <> 'tool_result'
      RETURN before.content ORDER BY length(path) DESC
    },
    llmToolId: head([(owner)-[:REMEMBERS_WITH]->(tool:Tool) | tool.id])} AS ingest ORDER BY at
`;

/** The ingest of an alternative's Episode, with its input. */
export const Ingest = z.object({
  alternativeId: z.string(),
  turnId: z.string(),
  /** Whether another version, or another turn, may be on screen in its place. */
  isBranched: z.boolean(),
  episodeUuid: z.string(),
  content: z.string(),
  saidAt: z.string(),
  speaker: z.enum(SPEAKERS),
  turnType: z.enum(TURN_TYPES),
  outcome: z.enum(RUN_STATUSES).nullable(),
  /** The run that wrote it; null for other texts. */
  answerRunId: textOrNull,
  conversationId: z.string(),
  ownerId: z.string(),
  ownerName: z.string(),
  workspace: z.string(),
  /** Id of the first extraction run; null before it starts, or where the Process is missing. */
  runId: textOrNull,
  /** The alternatives that this run reads together, oldest first; this one alone by default. */
  batch: z.array(z.string()),
  endedAt: textOrNull,
  /** Number of times that the ingest was begun anew after it had ended without its extraction. */
  tries: z.int(),
  /** Texts of the turns before it on its branch, oldest first. */
  earlier: z.array(z.string()),
  llmToolId: textOrNull,
});
export type Ingest = z.infer<typeof Ingest>;

/** Not scoped by a viewer: ingestion acts for the owner. Null before the Episode is written. */
export async function findIngest(tx: ReadTx, alternativeId: string): Promise<Ingest | null> {
  const [ingest] = await findIngests(tx, [alternativeId]);
  return ingest ?? null;
}

/** The ingests of these alternatives, in this order. */
export const findIngests = (
  tx: ReadTx,
  alternativeIds: readonly string[],
): Promise<readonly Ingest[]> =>
  readAll(tx, FIND, { alternativeIds }, (row) =>
    parseRow(Ingest, row['ingest'], 'Ingest of an alternative'),
  );

/** A turn that will be read and has no Episode yet. */
const IS_LATE = /* cypher */ `
  late.outcome = 'completed' AND late.copiedFromId IS NULL AND trim(late.content) <> ''
    AND NOT EXISTS { (late)-[:HAS_CONTENT]->(:Episodic) }`;

const WAITING = cypher`
  // findWaitingTurns
  MATCH (a:Alternative {id: $alternativeId})
  CALL (a) {
    MATCH (a)-[:RESPONDS_TO*0..${HOPS_MAX}]->(one:Alternative) RETURN one
    UNION
    MATCH (a)<-[:RESPONDS_TO*1..${HOPS_MAX}]-(one:Alternative) RETURN one LIMIT ${WAITING_MAX}
  }
  MATCH (one)-[:HAS_CONTENT]->(ep:Episodic)<-[:INGEST_OF]-(i:OpenIngest)
  WHERE i.runId IS NULL AND (one.id = a.id
    OR (one.copiedFromId IS NULL AND one.outcome = 'completed' AND trim(ep.content) <> ''))
  RETURN {alternativeId: one.id, parentId: head([(one)-[:RESPONDS_TO]->(before) | before.id]),
    content: ep.content, saidAt: ep.valid_at, startedAt: i.startedAt,
    lateBefore: EXISTS { (one)-[:RESPONDS_TO]->(late:Alternative) WHERE ${IS_LATE} },
    lateAfter: EXISTS { (one)<-[:RESPONDS_TO]-(late:Alternative) WHERE ${IS_LATE} }} AS turn
`;

/** Turns before and after this one, and it, whose Episodes no run reads yet. */
export const findWaitingTurns = (
  tx: ReadTx,
  alternativeId: string,
): Promise<readonly WaitingTurn[]> =>
  readAll(tx, WAITING, { alternativeId }, (row) =>
    parseRow(WaitingTurn, row['turn'], `Alternative ${alternativeId}`),
  );

const OPEN_BEFORE = cypher`
  // hasOpenBefore
  RETURN EXISTS {
    MATCH (:Alternative {id: $alternativeId})-[:RESPONDS_TO*1..${HOPS_MAX}]->(:Alternative)
      -[:HAS_CONTENT]->(:Episodic)<-[:INGEST_OF]-(:OpenIngest)
  } AS isOpen
`;

/** Whether a turn shortly before this one on its branch is not read yet, or not written yet. */
export async function hasOpenBefore(tx: ReadTx, alternativeId: string): Promise<boolean> {
  const [row] = await tx.run(OPEN_BEFORE, { alternativeId });
  return row?.['isOpen'] === true;
}

const SET_RUN = cypher`
  // setIngestRun
  UNWIND $batch AS id
  MATCH (:Alternative {id: id})-[:HAS_CONTENT]->(:Episodic)<-[:INGEST_OF]-(i:EpisodeIngest)
  SET i.runId = $runId, i.stretch = $batch, i:OpenIngest,
    i.tries = coalesce(i.tries, 0) + CASE WHEN i.endedAt IS NULL THEN 0 ELSE 1 END
  SET i.endedAt = null, i.status = null
`;

/**
 * Records the run that reads the Episodes of these alternatives. An ingest that had ended is open
 * again.
 */
export const setIngestRun = (
  tx: WriteTx,
  set: { readonly batch: readonly string[]; readonly runId: string },
) => runWrite(tx, SET_RUN, set);

/** From so many letters on, the first word of a name may stand for it: "Northgate", "Amara". */
const SHORT_NAME_CHARS_MIN = 5;

// Names are found by the words of the text, never by reading all of the owner's. `$content` is
// compared as names are.
const KNOWN = cypher`
  // listKnown
  CALL () {
    UNWIND $words AS word
    CALL (word) {
      MATCH (p:EntityProfile) WHERE p.owner = $owner AND p.nameKey = word RETURN p
      UNION
      MATCH (p:EntityProfile) WHERE p.owner = $owner AND p.nameKey STARTS WITH word + ' '
        AND (size(word) >= ${SHORT_NAME_CHARS_MIN} OR $content CONTAINS p.nameKey)
      RETURN p LIMIT $max
    }
    MATCH (e:Entity)-[:HAS_PROFILE]->(p) WHERE p.withdrawnAt IS NULL RETURN e
    UNION
    UNWIND $starts AS start
    MATCH (p:EntityProfile) WHERE p.owner = $owner AND p.nameKey STARTS WITH start
      AND $content CONTAINS p.nameKey AND p.withdrawnAt IS NULL
    MATCH (e:Entity)-[:HAS_PROFILE]->(p) RETURN e
    UNION
    CALL db.index.fulltext.queryNodes('node_name_and_summary', $ofOthers, {limit: $max})
      YIELD node AS e
    WITH e WHERE NOT EXISTS { (e)-[:HAS_PROFILE]->() } AND $content CONTAINS toLower(e.name)
    RETURN e
    UNION
    MATCH (:Conversation {id: $conversationId})-[:HAS_ACTIVE_ENTITY]->(e:Entity)
    RETURN e
  }
  WITH e ORDER BY $content CONTAINS toLower(e.name) DESC, size(e.name) DESC, e.created_at
    LIMIT $max
  WITH collect(e) AS known
  RETURN [e IN known | {uuid: e.uuid, name: e.name, summary: e.summary,
    category: head([l IN labels(e) WHERE l <> 'Entity'])}]
      AS known
`;
export interface KnownEntity {
  readonly uuid: string;
  readonly name: string;
  readonly summary: string;
  readonly category: string | null;
}
const SENTENCES = cypher`
  // listKnownSentences
  MATCH (e:Entity) WHERE e.uuid IN $uuids
  WITH collect(e) AS known
  RETURN COLLECT {
      UNWIND known AS e
      MATCH (e)-[r:RELATES_TO]->(to:Entity)
      WHERE to IN known AND (r.invalid_at IS NULL OR r.invalid_at > datetime())
      RETURN {uuid: r.uuid, fact: r.fact, validAt: r.valid_at, invalidAt: r.invalid_at}
        ORDER BY r.created_at DESC LIMIT $max
    } AS facts,
    COLLECT {
      UNWIND known AS e
      MATCH (e)-[:HAS_FACT]->(t:TemporalFact)
      WHERE t.owner = $owner AND t.withdrawn_at IS NULL
        AND (t.invalid_at IS NULL OR t.invalid_at > datetime())
      WITH DISTINCT t
      RETURN {uuid: t.uuid, fact: t.text, validAt: t.valid_at, invalidAt: t.invalid_at}
        ORDER BY t.said_at DESC LIMIT $max
    } AS statements
`;

/** A fact or a statement that holds. */
export type KnownSentence = Pick<Fact, 'uuid' | 'fact' | 'validAt' | 'invalidAt'>;

const KnownSentence = z.object({
  ...{ uuid: z.string(), fact: z.string(), validAt: textOrNull, invalidAt: textOrNull },
});

const KnownRow = z.object({
  known: z.array(
    // Graphiti's library may omit the summary.
    z.object({ uuid: z.string(), name: z.string(), summary: textOrNull, category: textOrNull }),
  ),
});
export const KnownSentences = z.object({
  facts: z.array(KnownSentence),
  /** The newest statements about these entities. */
  statements: z.array(KnownSentence),
});
export type KnownSentences = z.infer<typeof KnownSentences>;

/**
 * The owner's entities that a text may mention: those named in it, in full or by their first word,
 * and those active in the conversation. Names in the text come first.
 */
export async function listKnown(
  tx: ReadTx,
  of: {
    readonly conversationId: string | null;
    readonly ownerId: string;
    readonly content: string;
    readonly max: number;
  },
): Promise<KnownEntity[]> {
  const { conversationId, ownerId, content, max } = of;
  const owner = userGroupOf(ownerId);
  const { words, starts } = openingsIn(content);
  const groups = [owner, ...(conversationId === null ? [] : [conversationId])];
  const names = luceneOf(words.join(' ')).words;
  const [row] = await tx.run(KNOWN, {
    ...{ conversationId, owner, max, words, starts },
    content: nameKey(content),
    ofOthers: `+(${groups.map((group) => `group_id:"${group}"`).join(' ')}) +name:(${names})`,
  });
  if (row === undefined) return [];
  const { known } = parseRow(KnownRow, row, 'Entities known');
  return known.map((one) => ({ ...one, summary: one.summary ?? '' }));
}

/** The newest facts between these entities, and the newest statements about any of them. */
export async function listKnownSentences(
  tx: ReadTx,
  of: { readonly ownerId: string; readonly uuids: readonly string[]; readonly max: number },
): Promise<KnownSentences> {
  const { ownerId, uuids, max } = of;
  const [row] = await tx.run(SENTENCES, { owner: userGroupOf(ownerId), uuids, max });
  return row === undefined
    ? { facts: [], statements: [] }
    : parseRow(KnownSentences, row, 'Sentences known');
}

/** Creates the missing MENTIONS edges from `ep`, which is bound, to `$mentions`. */
const MENTION = /* cypher */ `
  CALL (ep) {
    UNWIND $mentions AS mention
    MATCH (e:Entity {uuid: mention.entityUuid})
    MERGE (ep)-[m:MENTIONS]->(e)
    ON CREATE SET m.uuid = mention.uuid, m.group_id = ep.group_id, m.created_at = datetime($now)
  }
`;

const FINISH = cypher`
  // finishIngest
  MATCH (ep:Episodic {uuid: $episodeUuid})<-[:INGEST_OF]-(i:EpisodeIngest)
  SET ep.entity_edges = $factUuids + [uuid IN coalesce(ep.entity_edges, [])
    WHERE NOT uuid IN $factUuids],
    i.endedAt = datetime($now), i.status = $status, i.faults = $faults
  REMOVE i:OpenIngest
  WITH ep
  ${MENTION}
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

/** Ends an ingest: writes its status, and the mentions and facts of the Episode. */
export const finishIngest = (
  tx: WriteTx,
  {
    entry,
    ...end
  }: {
    readonly episodeUuid: string;
    readonly status: string;
    readonly faults: readonly string[];
    readonly mentions: readonly { readonly uuid: string; readonly entityUuid: string }[];
    readonly factUuids: readonly string[];
    readonly now: string;
    readonly entry: OutboxEntry;
  },
) => runWrite(tx, FINISH, { ...end, entries: entryParams([entry]) });

const WRITE_MENTIONS = cypher`
  // writeMentions
  MATCH (ep:Episodic {uuid: $episodeUuid})
  ${MENTION}
`;

/** Writes mentions of an Episode that is not extracted by a model. */
export const writeMentions = (
  tx: WriteTx,
  write: {
    readonly episodeUuid: string;
    readonly mentions: readonly { readonly uuid: string; readonly entityUuid: string }[];
    readonly now: string;
  },
) => runWrite(tx, WRITE_MENTIONS, write);

const ADD_FACTS = cypher`
  // addEpisodeFacts
  MATCH (ep:Episodic {uuid: $episodeUuid})
  SET ep.entity_edges = coalesce(ep.entity_edges, [])
    + [uuid IN $factUuids WHERE NOT uuid IN coalesce(ep.entity_edges, [])]
  WITH ep
  ${MENTION}
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

/** Adds facts and mentions to an Episode beside those that its extraction writes. */
export const addEpisodeFacts = (
  tx: WriteTx,
  {
    entry,
    ...add
  }: {
    readonly episodeUuid: string;
    readonly factUuids: readonly string[];
    readonly mentions: readonly { readonly uuid: string; readonly entityUuid: string }[];
    readonly now: string;
    readonly entry: OutboxEntry;
  },
) => runWrite(tx, ADD_FACTS, { ...add, entries: entryParams([entry]) });

const COPY = cypher`
  // copyMentions
  MATCH (from:Alternative {id: $fromId})
      -[:HAS_CONTENT]->(told:Episodic)<-[:INGEST_OF]-(i:EpisodeIngest)
  WHERE i.endedAt IS NOT NULL
  CALL (told) {
    MATCH (told)-[m:MENTIONS]->(e:Entity)
    RETURN collect(DISTINCT e.uuid) AS entityUuids
  }
  CALL (told) {
    UNWIND told.entity_edges AS uuid
    MATCH (:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity)
    SET r.episodes = CASE WHEN $episodeUuid IN r.episodes THEN r.episodes
      ELSE r.episodes + $episodeUuid END
  }
  RETURN entityUuids, told.entity_edges AS factUuids, i.withdrawnAt IS NOT NULL AS isWithdrawn
`;

const CopyRow = z.object({
  entityUuids: z.array(z.string()),
  factUuids: orNull(z.array(z.string())),
  isWithdrawn: z.boolean(),
});

/**
 * Mentions and facts of the Episode of `fromId`, for its copy; adds the copy to the Episodes of
 * those facts. Null while the original's ingest is open.
 */
export async function copyMentions(
  tx: WriteTx,
  copy: { readonly fromId: string; readonly episodeUuid: string },
): Promise<{
  readonly entityUuids: string[];
  readonly factUuids: string[];
  /** Whether the original is not on screen. */
  readonly isWithdrawn: boolean;
} | null> {
  const [row] = await tx.run(COPY, copy);
  if (row === undefined) return null;
  const { factUuids, ...copied } = parseRow(CopyRow, row, `Alternative ${copy.fromId}`);
  return { ...copied, factUuids: factUuids ?? [] };
}
