import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
import { VALID_PATH } from '../../conversations/path.cypher.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { readAll, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { isOfTurns } from '../visible.cypher.ts';
import type { Settled, Standing } from './withdrawal.ts';

const BRANCHED = cypher`
  // listBranchedTurns
  UNWIND $turnIds AS id
  MATCH (t:ConversationTurn {id: id})
  OPTIONAL MATCH (t)-[:CHILD_OF]->(parent:ConversationTurn)
  WITH t, parent WHERE COUNT { (t)-[:HAS_ALTERNATIVE]->() } > 1
    OR COUNT { (parent)<-[:CHILD_OF]-() } > 1
  MATCH (c:Conversation {id: t.conversationId}), (owner:User {id: c.ownerId})
  WITH DISTINCT coalesce(parent, t) AS at, c, owner
  RETURN at.id AS turnId, head([(at)-[:CHILD_OF]->(above) | above.id]) AS aboveId,
    c.id AS conversationId, owner.id AS ownerId, owner.workspace AS workspace
`;

const BranchRow = z.object({
  turnId: z.string(),
  /** Null for the root. */
  aboveId: textOrNull,
  conversationId: z.string(),
  ownerId: z.string(),
  workspace: z.string(),
});
/** A turn below which another alternative, or another turn, may be shown than before. */
export type Branch = z.infer<typeof BranchRow>;

/**
 * The places at which these turns branch; none for a talk that only goes on. A place below another
 * is left out: all below a place is settled with it, and one switch may change a whole path.
 */
export async function listBranches(tx: ReadTx, turnIds: readonly string[]): Promise<Branch[]> {
  const rows = await tx.run(BRANCHED, { turnIds });
  const branches = rows.map((row) => parseRow(BranchRow, row, 'ConversationTurn'));
  const places = new Set(branches.map(({ turnId }) => turnId));
  return branches.filter(({ aboveId }) => aboveId === null || !places.has(aboveId));
}

/** Marks that one read settles; an owner has more only while the projection is far behind. */
const MARKS_MAX = 100;

const MARKED = cypher`
  CYPHER replan=skip
  // listSwitchesToSettle
  MATCH (t:Switched) USING INDEX t:Switched(ownerId)
  WHERE t.ownerId = $ownerId
  RETURN t.id AS id LIMIT ${MARKS_MAX}
`;

/** Turns of an owner at which another version came on screen, and memory does not know yet. */
export async function listMarkedOf(tx: ReadTx, ownerId: string): Promise<string[]> {
  return textsOf(await tx.run(MARKED, { ownerId }), 'id', 'ConversationTurn');
}

const UNMARK = cypher`
  // unmarkSettledTurns
  UNWIND $turnIds AS id
  MATCH (t:ConversationTurn {id: id}) WHERE t:Switched
    AND EXISTS { (t)-[:CHILD_OF*0..]->(:ConversationTurn {id: $placeId}) }
  REMOVE t:Switched
`;

/** Takes the mark off these turns as far as they are below a place that is settled. */
export const unmarkTurns = (tx: WriteTx, turnIds: readonly string[], placeId: string) =>
  runWrite(tx, UNMARK, { turnIds, placeId });

const UNMARK_SINGLE = cypher`
  // unmarkTurnsWithoutBranch
  UNWIND $turnIds AS id
  MATCH (t:ConversationTurn {id: id}) WHERE t:Switched
  OPTIONAL MATCH (t)-[:CHILD_OF]->(parent:ConversationTurn)
  WITH t, parent WHERE COUNT { (t)-[:HAS_ALTERNATIVE]->() } < 2
    AND COUNT { (parent)<-[:CHILD_OF]-() } < 2
  REMOVE t:Switched
`;

/** Takes the mark off those of these turns that have no other version and none beside them. */
export async function unmarkSingleTurns(tx: WriteTx, turnIds: readonly string[]): Promise<void> {
  await tx.run(UNMARK_SINGLE, { turnIds });
}

const CHANGED = cypher`
  // listEpisodesToSettle
  MATCH (c:Conversation {id: $conversationId})
  ${VALID_PATH}
  MATCH (:ConversationTurn {id: $turnId})<-[:CHILD_OF*0..]-(turn:ConversationTurn)
  MATCH (turn)-[:HAS_ALTERNATIVE]->(a:Alternative)-[:HAS_CONTENT]->(:Episodic)
    <-[:INGEST_OF]-(i:EpisodeIngest)
  WITH i, a, a IN valid AS isShown
  WHERE isShown = (i.withdrawnAt IS NOT NULL)
  RETURN i.episodeUuid AS uuid, a.id AS alternativeId, isShown
`;
const ChangedRow = z.object({
  uuid: z.string(),
  alternativeId: z.string(),
  isShown: z.boolean(),
});

/** Episodes below a turn that have come on the valid path, or gone, since they were settled. */
export const listChanged = (tx: ReadTx, { conversationId, turnId }: Branch) =>
  readAll(tx, CHANGED, { conversationId, turnId }, (row) =>
    parseRow(ChangedRow, row, 'EpisodeIngest'),
  );

const MARK = cypher`
  // markWithdrawnEpisodes
  UNWIND $episodes AS given
  MATCH (i:EpisodeIngest {episodeUuid: given.uuid})
  SET i.withdrawnAt = datetime(given.withdrawnAt)
`;

export const markEpisodes = (
  tx: WriteTx,
  episodes: readonly { readonly uuid: string; readonly withdrawnAt: string | null }[],
) => runWrite(tx, MARK, { episodes });

/**
 * Whether an Episode is on screen, or belongs to no turn. A fork's copy says nothing anew: it goes
 * with its original, unless that was gone when the fork was made of it.
 */
const tells = (episode: string) => /* cypher */ `
  NOT EXISTS { (${episode})<-[:INGEST_OF]-(x:EpisodeIngest) WHERE x.withdrawnAt IS NOT NULL }
  AND NOT EXISTS {
    MATCH (${episode})<-[:HAS_CONTENT]-(copy:Alternative)
    MATCH (fork:Conversation {id: copy.conversationId})
    MATCH (:Alternative {id: copy.copiedFromId})-[:HAS_CONTENT]->(:Episodic)
      <-[:INGEST_OF]-(x:EpisodeIngest) WHERE x.withdrawnAt > fork.createdAt
  }`;
/** Whether one of these Episodes tells. */
const isTold = (uuids: string) => /* cypher */ `EXISTS {
      MATCH (told:Episodic) WHERE told.uuid IN ${uuids} AND ${tells('told')}
    }`;

const STANDING = cypher`
  // listStandingOfFacts
  CALL () {
    MATCH (ep:Episodic) WHERE ep.uuid IN $episodes
    UNWIND ep.entity_edges AS uuid
    RETURN uuid
    UNION
    MATCH (ep:Episodic) WHERE ep.uuid IN $episodes
    UNWIND ep.entity_edges AS byFact
    MATCH (v:FactRevision {byFact: byFact})
    RETURN v.edgeUuid AS uuid
  }
  MATCH (from:Entity)-[r:RELATES_TO {uuid: uuid}]->(to:Entity)
  MATCH (f:FactRef {edgeUuid: uuid})
  RETURN {uuid: uuid, isTold: ${isTold('r.episodes')}, isWithdrawn: f.withdrawnAt IS NOT NULL,
    beganAt: coalesce(r.valid_at, r.created_at), ends: [from.uuid, to.uuid],
    invalidAt: CASE WHEN f.withdrawnAt IS NULL THEN r.invalid_at ELSE f.heldInvalidAt END,
    expiredAt: CASE WHEN f.withdrawnAt IS NULL THEN r.expired_at ELSE f.heldExpiredAt END,
    revisions: COLLECT {
      MATCH (v:FactRevision {edgeUuid: uuid})
      OPTIONAL MATCH (:Entity)-[cause:RELATES_TO {uuid: v.byFact}]->(:Entity)
      WITH v, coalesce(cause.episodes, [v.episodeUuid]) AS causes ORDER BY v.recordedAt
      RETURN {invalidAt: v.invalidAt, expiredAt: v.expiredAt, toInvalidAt: v.toInvalidAt,
        toExpiredAt: v.toExpiredAt, isTold: ${isTold('causes')}}
    }} AS standing
`;
const StandingRow = z.object({
  uuid: z.string(),
  isTold: z.boolean(),
  isWithdrawn: z.boolean(),
  beganAt: z.string(),
  ends: z.array(z.string()),
  invalidAt: textOrNull,
  expiredAt: textOrNull,
  revisions: z.array(
    z.object({
      invalidAt: textOrNull,
      expiredAt: textOrNull,
      toInvalidAt: textOrNull,
      toExpiredAt: textOrNull,
      isTold: z.boolean(),
    }),
  ),
});

/** The facts that these Episodes tell or ended, and those that such facts ended. */
export function listStanding(
  tx: ReadTx,
  episodes: readonly string[],
): Promise<{ readonly standing: Standing; readonly entityUuids: readonly string[] }[]> {
  return readAll(tx, STANDING, { episodes }, (row) => {
    const { ends, invalidAt, expiredAt, revisions, ...fact } = parseRow(
      StandingRow,
      row['standing'],
      'RELATES_TO',
    );
    return {
      entityUuids: ends,
      standing: {
        ...fact,
        ends: { invalidAt, expiredAt },
        revisions: revisions.map(({ toInvalidAt, toExpiredAt, isTold: isToldOne, ...before }) => ({
          before,
          after: toExpiredAt === null ? null : { invalidAt: toInvalidAt, expiredAt: toExpiredAt },
          isTold: isToldOne,
        })),
      },
    };
  });
}

const SETTLE = cypher`
  // settleFacts
  UNWIND $settled AS given
  MATCH (:Entity)-[r:RELATES_TO {uuid: given.uuid}]->(:Entity)
  MATCH (f:FactRef {edgeUuid: given.uuid})
  SET r.invalid_at = datetime(given.shown.invalidAt),
    r.expired_at = datetime(given.shown.expiredAt),
    f.withdrawnAt = datetime(given.withdrawnAt), f.heldInvalidAt = datetime(given.held.invalidAt),
    f.heldExpiredAt = datetime(given.held.expiredAt)
`;

export const writeSettled = (tx: WriteTx, settled: readonly Settled[], now: string) =>
  runWrite(tx, SETTLE, {
    settled: settled.map(({ isWithdrawn, ...one }) => ({
      ...one,
      withdrawnAt: isWithdrawn ? now : null,
    })),
  });

const SETTLE_STATEMENTS = cypher`
  // settleStatements
  MATCH (t:TemporalFact)-[:STATED_IN]->(ep:Episodic) WHERE ep.uuid IN $episodes
  WITH DISTINCT t
  WITH t, ${isTold('t.episodes')} AS isTold WHERE isTold = (t.withdrawn_at IS NOT NULL)
  SET t.withdrawn_at = CASE WHEN isTold THEN null ELSE datetime($now) END
`;
const UNEND_STATEMENTS = cypher`
  // settleEndedStatements
  MATCH (t:TemporalFact)-[was:ENDED_IN]->(ep:Episodic)<-[:INGEST_OF]-(i:EpisodeIngest)
  WHERE ep.uuid IN $episodes AND (i.withdrawnAt IS NULL) = coalesce(was.withdrawn, false)
  WITH t, was, coalesce(was.withdrawn, false) AS isBack, t.invalid_at AS invalidAt,
    t.expired_at AS expiredAt
  SET t.invalid_at = was.invalid_at, t.expired_at = was.expired_at, was.invalid_at = invalidAt,
    was.expired_at = expiredAt, was.withdrawn = NOT isBack
`;

/**
 * Withdraws statements that no Episode on screen tells, and ends that none caused; gives back the
 * others. While an end is withdrawn, its edge keeps it.
 */
export async function settleStatements(
  tx: WriteTx,
  episodes: readonly string[],
  now: string,
): Promise<void> {
  await tx.run(SETTLE_STATEMENTS, { episodes, now });
  await tx.run(UNEND_STATEMENTS, { episodes });
}

const SETTLE_ENTITIES = cypher`
  // settleEntities
  MATCH (ep:Episodic)-[:MENTIONS]->(e:Entity) WHERE ep.uuid IN $episodes
  WITH DISTINCT e
  MATCH (e)-[:HAS_PROFILE]->(p:EntityProfile)
  WITH e, p, ${isOfTurns('e')} AND NOT EXISTS {
      MATCH (told:Episodic)-[:MENTIONS]->(e) WHERE ${tells('told')}
    } AS isWithdrawn
  WHERE isWithdrawn <> (p.withdrawnAt IS NOT NULL)
  SET p.withdrawnAt = CASE WHEN isWithdrawn THEN datetime($now) ELSE null END
`;

/** Withdraws entities of turns that no Episode on screen mentions; gives back the others. */
export const settleEntities = (tx: WriteTx, episodes: readonly string[], now: string) =>
  runWrite(tx, SETTLE_ENTITIES, { episodes, now });
