import { z } from 'zod';
import type { Page, PageArgs } from '../../common/page.ts';
import { JsonMap } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { parseRow, textOf, textsOf } from '../../platform/neo4j/row.ts';
import { readAll, readMap, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { FACT, toFact } from '../entities/fact.cypher.ts';
import { sentenceKey } from '../entities/name-match.ts';
import { userGroupOf } from '../group.ts';
import type { StatedFact } from './stated-facts.ts';
import { type ReadStatements, Statement } from './statement.ts';
import { attributeOf, type KnownStatement, type StatementPlan } from './statement-plan.ts';

/** A statement's map; `t` is bound. */
export const STATEMENT = /* cypher */ `
  t {.uuid, .text, .subject, .attribute, .episodes, groupId: t.group_id, saidBy: t.said_by,
    saidAt: t.said_at, validAt: t.valid_at, invalidAt: t.invalid_at, createdAt: t.created_at,
    expiredAt: t.expired_at}
`;

/** @throws DamagedRow */
export const toStatement = (row: unknown) => parseRow(Statement, row, 'TemporalFact');

/**
 * The most statements that a new one is compared with, the latest said first; and the most said
 * later in which ends are sought for one that is read late.
 */
const COMPARED_MAX = 1_000;

const KNOWN = cypher`
  // listKnownStatements
  CALL () {
    UNWIND $attributes AS attribute
    MATCH (t:TemporalFact {owner: $owner, attribute: attribute})
    RETURN t
    UNION
    UNWIND $keys AS key
    MATCH (t:TemporalFact {owner: $owner, key: key})
    RETURN t
    UNION
    UNWIND $uuids AS uuid
    MATCH (t:TemporalFact {uuid: uuid}) WHERE t.owner = $owner
    RETURN t
    UNION
    MATCH (t:TemporalFact) USING INDEX SEEK t:TemporalFact(owner, said_at, uuid)
    WHERE t.owner = $owner AND t.said_at <= datetime($saidAt) AND t.uuid IS NOT NULL
      AND (t.invalid_at IS NULL OR t.invalid_at > datetime($saidAt))
    RETURN t ORDER BY t.owner DESC, t.said_at DESC, t.uuid DESC LIMIT ${COMPARED_MAX}
    UNION
    MATCH (t:TemporalFact) USING INDEX SEEK t:TemporalFact(owner, said_at, uuid)
    WHERE t.owner = $owner AND t.said_at > datetime($saidAt) AND t.uuid IS NOT NULL
    RETURN t ORDER BY t.owner, t.said_at, t.uuid LIMIT ${COMPARED_MAX}
  }
  WITH t WHERE t.withdrawn_at IS NULL
  RETURN ${STATEMENT} AS statement,
    [(t)-[:STATED_IN]->(ep:Episodic) | ep.group_id] AS conversations
`;

/**
 * Statements of the owner that new ones may repeat or end: those with their attributes or words,
 * those that they end, all that hold, and those said later, which may end one.
 * `ended`: uuids that a new statement ends, by the key of its sentence.
 */
export async function listKnownStatements(
  tx: ReadTx,
  { ownerId, saidAt }: { readonly ownerId: string; readonly saidAt: string },
  { statements, ended }: Pick<ReadStatements, 'statements' | 'ended'>,
): Promise<KnownStatement[]> {
  const rows = await tx.run(KNOWN, {
    ...{ owner: userGroupOf(ownerId), saidAt },
    attributes: [...new Set(statements.flatMap((one) => attributeOf(one) ?? []))],
    keys: statements.flatMap(({ text, ends }) => [text, ...ends]).map(sentenceKey),
    uuids: statements.flatMap(({ text }) => ended.get(sentenceKey(text)) ?? []),
  });
  return rows.map((row) => ({
    ...toStatement(row['statement']),
    conversations: parseRow(Texts, row['conversations'], 'Conversations of a statement'),
  }));
}
const Texts = z.array(z.string());

const WRITE = cypher`
  // writeStatements
  CALL () {
    UNWIND $created AS given
    MERGE (t:TemporalFact {uuid: given.node.uuid})
    SET t += given.node, t.said_at = datetime(given.node.said_at),
      t.valid_at = datetime(given.node.valid_at), t.invalid_at = datetime(given.node.invalid_at),
      t.created_at = datetime(given.node.created_at), t.expired_at = datetime(given.node.expired_at)
    WITH t, given
    MATCH (ep:Episodic {uuid: $episodeUuid})
    MERGE (t)-[:STATED_IN]->(ep)
    WITH t, given
    UNWIND given.entityUuids AS uuid
    MATCH (e:Entity {uuid: uuid})
    MERGE (e)-[:HAS_FACT]->(t)
  }
  CALL () {
    UNWIND $repeated AS uuid
    MATCH (t:TemporalFact {uuid: uuid}), (ep:Episodic {uuid: $episodeUuid})
    WHERE NOT $episodeUuid IN t.episodes
    SET t.episodes = t.episodes + $episodeUuid
    MERGE (t)-[:STATED_IN]->(ep)
  }
  CALL () {
    UNWIND $ended AS end
    MATCH (t:TemporalFact {uuid: end.uuid}), (ep:Episodic {uuid: $episodeUuid})
    MERGE (t)-[was:ENDED_IN]->(ep)
    SET was.invalid_at = t.invalid_at, was.expired_at = t.expired_at,
      t.invalid_at = datetime(end.invalidAt), t.expired_at = datetime(end.expiredAt)
  }
  CALL () {
    UNWIND $late AS end
    MATCH (t:TemporalFact {uuid: end.uuid}), (ep:Episodic {uuid: end.episodeUuid})
    MERGE (t)-[was:ENDED_IN]->(ep)
    SET was.invalid_at = datetime(end.invalidAt), was.expired_at = datetime(end.expiredAt)
  }
`;

/**
 * Writes new, repeated and ended statements. The edge ENDED_IN keeps the former times of an ended
 * one.
 */
export async function writeStatements(
  tx: WriteTx,
  ownerId: string,
  { created, repeated, ended, late }: StatementPlan,
  at: {
    readonly episodeUuid: string;
    /** Uuids of the entities that a statement names. */
    entitiesOf(statement: Statement): readonly string[];
  },
): Promise<void> {
  if (created.length + repeated.size + ended.size === 0) return;
  await tx.run(WRITE, {
    episodeUuid: at.episodeUuid,
    created: created.map((one) => ({
      entityUuids: at.entitiesOf(one),
      node: {
        ...{ uuid: one.uuid, text: one.text, key: sentenceKey(one.text), episodes: one.episodes },
        ...{ group_id: one.groupId, owner: userGroupOf(ownerId), said_by: one.saidBy },
        ...{ subject: one.subject, attribute: one.attribute, said_at: one.saidAt },
        ...{ valid_at: one.validAt, invalid_at: one.invalidAt },
        ...{ created_at: one.createdAt, expired_at: one.expiredAt },
      },
    })),
    repeated: [...repeated],
    ended: [...ended].map(([uuid, end]) => ({ uuid, ...end })),
    late: [...late].map(([uuid, end]) => ({ uuid, ...end })),
  });
}

const COPY = cypher`
  // copyStatements
  MATCH (:Alternative {id: $fromId})-[:HAS_CONTENT]->(told:Episodic)<-[:STATED_IN]-(t:TemporalFact)
  MATCH (ep:Episodic {uuid: $episodeUuid})
  WHERE NOT $episodeUuid IN t.episodes
  SET t.episodes = t.episodes + $episodeUuid
  MERGE (t)-[:STATED_IN]->(ep)
`;

/** Adds a fork's copy of an Episode to the statements of the original. */
export const copyStatements = (
  tx: WriteTx,
  copy: { readonly fromId: string; readonly episodeUuid: string },
) => runWrite(tx, COPY, copy);

const RESTING = cypher`
  // findStatementsOn
  CALL () {
    UNWIND $entityUuids AS uuid
    MATCH (:Entity {uuid: uuid})-[:HAS_FACT]->(t:TemporalFact)
    RETURN uuid, t
    UNION
    UNWIND $factUuids AS uuid
    MATCH (from:Entity)-[r:RELATES_TO {uuid: uuid}]->(to:Entity)
    MATCH (from)-[:HAS_FACT]->(t:TemporalFact)<-[:HAS_FACT]-(to)
    WHERE any(one IN t.episodes WHERE one IN r.episodes)
    RETURN uuid, t
  }
  WITH DISTINCT uuid, t WHERE t.owner = $owner
  RETURN uuid, ${STATEMENT} AS statement
`;

/**
 * The statements that name these entities, or that state one of these facts: in its turn, about
 * both of its ends. By the uuid of the entity or fact.
 */
export async function findStatementsOn(
  tx: ReadTx,
  viewerId: string,
  of: { readonly entityUuids?: readonly string[]; readonly factUuids?: readonly string[] },
): Promise<Map<string, Statement[]>> {
  const { entityUuids = [], factUuids = [] } = of;
  const rows = await tx.run(RESTING, { entityUuids, factUuids, owner: userGroupOf(viewerId) });
  const read = rows.map((row) => ({
    uuid: textOf(row, 'uuid', 'TemporalFact'),
    statement: toStatement(row['statement']),
  }));
  return new Map(
    [...Map.groupBy(read, ({ uuid }) => uuid)].map(([uuid, all]) => [
      uuid,
      all.map(({ statement }) => statement),
    ]),
  );
}

const FACTS_OF = cypher`
  // listFactsOfStatement
  MATCH (t:TemporalFact {uuid: $uuid}) WHERE t.owner = $owner
  MATCH (from:Entity)-[:HAS_FACT]->(t)<-[:HAS_FACT]-(to:Entity)
  MATCH (from)-[r:RELATES_TO]->(to) WHERE any(one IN t.episodes WHERE one IN r.episodes)
  RETURN DISTINCT r.uuid AS uuid
`;

/** Uuids of the facts that a statement states. */
export const listFactsOfStatement = async (tx: ReadTx, viewerId: string, uuid: string) =>
  textsOf(await tx.run(FACTS_OF, { uuid, owner: userGroupOf(viewerId) }), 'uuid', 'RELATES_TO');

const STATED = cypher`
  // listStatedFacts
  UNWIND $uuids AS uuid
  MATCH (from:Entity)-[:HAS_FACT]->(t:TemporalFact {uuid: uuid})<-[:HAS_FACT]-(to:Entity)
  MATCH (from)-[r:RELATES_TO]->(to) WHERE any(one IN t.episodes WHERE one IN r.episodes)
  WITH DISTINCT from, r, to
  RETURN ${FACT} AS fact, COLLECT {
    MATCH (ep:Episodic)<-[:STATED_IN]-(t:TemporalFact)
    WHERE ep.uuid IN r.episodes AND t.withdrawn_at IS NULL
      AND EXISTS { (from)-[:HAS_FACT]->(t)<-[:HAS_FACT]-(to) }
    RETURN DISTINCT ${STATEMENT}
  } AS statements
`;

/** The facts that these statements may state, each with all that may state it. */
export async function listStatedFacts(tx: ReadTx, uuids: readonly string[]): Promise<StatedFact[]> {
  if (uuids.length === 0) return [];
  return readAll(tx, STATED, { uuids }, (row) => ({
    fact: toFact(row['fact']),
    statements: parseRow(Maps, row['statements'], 'Statements of a fact').map(toStatement),
  }));
}
const Maps = z.array(JsonMap);

const CAUSES = cypher`
  // listCausesOfEnds
  UNWIND $uuids AS uuid
  MATCH (t:TemporalFact {uuid: uuid}) WHERE t.owner = $owner
  RETURN uuid, coalesce(head(COLLECT {
    MATCH (t)-[was:ENDED_IN]->(ep:Episodic) WHERE NOT coalesce(was.withdrawn, false)
    RETURN ep.uuid ORDER BY ep.valid_at DESC LIMIT 1
  }), t.episodes[-1]) AS episodeUuid
`;

/**
 * The Episode that ended each of these statements of the viewer; its own where it said the end
 * itself.
 */
export async function listCausesOfEnds(
  tx: ReadTx,
  viewerId: string,
  uuids: readonly string[],
): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  return readMap(tx, CAUSES, { uuids, owner: userGroupOf(viewerId) }, (row) => [
    textOf(row, 'uuid', 'TemporalFact'),
    textOf(row, 'episodeUuid', 'TemporalFact'),
  ]);
}

const NOTE_ENDED = cypher`
  // noteEndedFacts
  MATCH (ep:Episodic {uuid: $episodeUuid})
  SET ep.entity_edges = coalesce(ep.entity_edges, [])
    + [uuid IN $factUuids WHERE NOT uuid IN coalesce(ep.entity_edges, [])]
`;

/** Names facts as those of an Episode that ended them, as its reading does. */
export const noteEndedFacts = (
  tx: WriteTx,
  note: { readonly episodeUuid: string; readonly factUuids: readonly string[] },
) => runWrite(tx, NOTE_ENDED, note);

const DELETE = cypher`
  // deleteStatements
  UNWIND $uuids AS uuid
  MATCH (t:TemporalFact {uuid: uuid}) WHERE t.owner = $owner
  DETACH DELETE t
`;

export async function deleteStatements(
  tx: WriteTx,
  viewerId: string,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length > 0) await tx.run(DELETE, { uuids, owner: userGroupOf(viewerId) });
}

/** The moments for which statements are asked. */
export interface StatementFilter {
  /** Words that the text has, as they stand there, without case. */
  readonly query?: string | null | undefined;
  /** Uuid of an entity that it names. */
  readonly about?: string | null | undefined;
  /** Those that held at this moment; absent: those that have not ended. */
  readonly asOf?: string | null | undefined;
  /** As memory knew at this moment. */
  readonly knownAt?: string | null | undefined;
  readonly includeEnded?: boolean | null | undefined;
}

const FILTERED = /* cypher */ `
  MATCH (t:TemporalFact) USING INDEX SEEK t:TemporalFact(owner, said_at, uuid)
  WHERE t.owner = $owner AND t.withdrawn_at IS NULL
    AND ($query IS NULL OR toLower(t.text) CONTAINS toLower($query))
    AND ($about IS NULL OR EXISTS { (t)<-[:HAS_FACT]-(:Entity {uuid: $about}) })
    AND ($knownAt IS NULL OR t.created_at <= datetime($knownAt))
    AND ($asOf IS NULL OR t.valid_at <= datetime($asOf))
    AND ($includeEnded OR t.invalid_at IS NULL
      OR t.invalid_at > coalesce(datetime($asOf), datetime($now))
      OR t.expired_at > datetime($knownAt))
`;

const LIST = listing({
  name: 'listStatements',
  match: FILTERED,
  within: ['t.owner'],
  order: [
    { cypher: 't.said_at', type: 'instant', order: 'descending' },
    { cypher: 't.uuid', type: 'text', order: 'descending' },
  ],
  item: STATEMENT,
});

/** The viewer's statements, the last said first. */
export function listStatements(
  tx: ReadTx,
  viewerId: string,
  { query, about, asOf, knownAt, includeEnded, ...page }: PageArgs & StatementFilter,
  now: string,
): Promise<Page<Statement>> {
  const params = {
    owner: userGroupOf(viewerId),
    ...{ query: query?.trim() || null, about: about ?? null, now },
    ...{ asOf: asOf ?? null, knownAt: knownAt ?? null, includeEnded: includeEnded ?? false },
  };
  return listPage(tx, LIST, page, params, toStatement);
}

const FIND = cypher`
  // findStatements
  UNWIND $uuids AS uuid
  MATCH (t:TemporalFact {uuid: uuid}) WHERE t.owner = $owner
  RETURN ${STATEMENT} AS statement
`;

/** Statements by uuid; those of other users are left out. */
export const findStatements = (tx: ReadTx, viewerId: string, uuids: readonly string[]) =>
  readAll(tx, FIND, { uuids, owner: userGroupOf(viewerId) }, (row) =>
    toStatement(row['statement']),
  );

const ABOUT = cypher`
  // listEntitiesOfStatements
  UNWIND $uuids AS uuid
  MATCH (t:TemporalFact {uuid: uuid}) WHERE t.owner = $owner
  RETURN uuid, COLLECT {
    MATCH (t)<-[:HAS_FACT]-(e:Entity) RETURN e.uuid ORDER BY e.name, e.uuid LIMIT 50
  } AS entityUuids
`;

/** Uuids of the entities that each statement names. */
export const listEntitiesOfStatements = (tx: ReadTx, viewerId: string, uuids: readonly string[]) =>
  readMap(tx, ABOUT, { uuids, owner: userGroupOf(viewerId) }, (row) => [
    textOf(row, 'uuid', 'TemporalFact'),
    parseRow(Texts, row['entityUuids'], 'Entities of a statement'),
  ]);
