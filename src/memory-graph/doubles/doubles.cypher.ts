import { z } from 'zod';
import type { ReadTx, Row, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow, textOf, textsOf } from '../../platform/neo4j/row.ts';
import { readAll, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { entityTypeOf } from '../entities/entity.ts';
import { userGroupOf } from '../group.ts';
import { type Merge, type Namesake, planMerges } from './doubles.ts';

// An entity whose profile is Unmerged was read while each conversation had entities of its own; one
// that is Unsettled took in others, and its facts are not compared yet. Of an Unsettled turn it is
// not known yet which versions are withdrawn, of an Unsettled statement which facts end with it.

/** Keys of things to leave out of a list. */
type Keys = readonly unknown[];

// What makes a thing of a kind one that can be found again. Neo4j 5.26 looks for what is not
// `IS :: STRING` in an index of texts, where it is not.
const isText = (value: string) => /* cypher */ `valueType(${value}) = 'STRING NOT NULL'`;
const HAS_NAME = /* cypher */ `${isText('p.owner')} AND ${isText('p.nameKey')}`;
const HAS_UUID = /* cypher */ `${isText('p.owner')} AND ${isText('p.entityUuid')}`;
const HAS_ID = isText('t.id');
const HAS_OWNER = /* cypher */ `${isText('t.owner')} AND ${isText('t.uuid')}`;

const COUNT = cypher`
  // countUnmerged
  RETURN COUNT { (p:Unmerged) WHERE ${HAS_NAME} }
    + COUNT { (p:EntityProfile:Unsettled) WHERE ${HAS_UUID} }
    + COUNT { (t:ConversationTurn:Unsettled) WHERE ${HAS_ID} }
    + COUNT { (t:TemporalFact:Unsettled) WHERE ${HAS_OWNER} } AS count
`;

/** Entities that may be one with others of their name, and what is to be settled. */
export const countUnmerged = async (tx: ReadTx) => countOf(await tx.run(COUNT), 'count');

const COUNT_NAMELESS = cypher`
  // countNamelessMarks
  RETURN COUNT { (p:Unmerged) WHERE NOT (${HAS_NAME}) }
    + COUNT { (p:EntityProfile:Unsettled) WHERE NOT (${HAS_UUID}) }
    + COUNT { (t:ConversationTurn:Unsettled) WHERE NOT (${HAS_ID}) }
    + COUNT { (t:TemporalFact:Unsettled) WHERE NOT (${HAS_OWNER}) } AS count
`;

/** Things with a mark that lack their owner, name or id, so that no work can be done on them. */
export const countNamelessMarks = async (tx: ReadTx) =>
  countOf(await tx.run(COUNT_NAMELESS), 'count');

const LIST = cypher`
  // listUnmerged
  MATCH (p:Unmerged)
  WHERE ${HAS_NAME} AND NOT [p.owner, p.nameKey] IN $except
  WITH p LIMIT $max
  RETURN DISTINCT p.owner AS owner, p.nameKey AS nameKey
`;

/** A name that several entities of an owner may have. */
const NameRow = z.object({ owner: z.string(), nameKey: z.string() });
export type OwnName = z.infer<typeof NameRow>;

/**
 * Names of unmerged entities.
 * @param except pairs of an owner and a name that are left out
 */
export function listUnmerged(tx: ReadTx, except: Keys, max: number): Promise<OwnName[]> {
  return readAll(tx, LIST, { except, max }, (row) => parseRow(NameRow, row, 'EntityProfile'));
}

const NAMESAKES = cypher`
  // listNamesakes
  MATCH (e:Entity)-[:HAS_PROFILE]->(p:EntityProfile {owner: $owner, nameKey: $nameKey})
  RETURN {uuid: e.uuid, labels: labels(e), createdAt: toString(e.created_at),
    isUsers: EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) }} AS namesake
`;
const NamesakeRow = z.object({
  uuid: z.string(),
  labels: z.array(z.string()),
  createdAt: z.string(),
  isUsers: z.boolean(),
});

/** All entities of an owner with this name. */
export async function listNamesakes(tx: ReadTx, name: OwnName): Promise<Namesake[]> {
  return (await tx.run(NAMESAKES, name)).map(toNamesake);
}

function toNamesake(row: Row): Namesake {
  const { labels, ...one } = parseRow(NamesakeRow, row['namesake'], 'Entity');
  return { ...one, category: entityTypeOf(labels) };
}

const PREVIEW = cypher`
  // listUnmergedNamesakes
  MATCH (u:Unmerged {owner: $owner})
  WITH DISTINCT u.nameKey AS nameKey ORDER BY nameKey LIMIT $max
  MATCH (e:Entity)-[:HAS_PROFILE]->(p:EntityProfile {owner: $owner, nameKey: nameKey})
  RETURN nameKey, {uuid: e.uuid, labels: labels(e), createdAt: toString(e.created_at),
    isUsers: EXISTS { (p)-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) }} AS namesake
    ORDER BY nameKey
`;

/** Names of which a preview tells the merges. */
const PREVIEWED_MAX = 200;

/** The merges that the job would do now to entities of the viewer, by name. */
export async function previewMerges(tx: ReadTx, viewerId: string): Promise<Merge[]> {
  const rows = await tx.run(PREVIEW, { owner: userGroupOf(viewerId), max: PREVIEWED_MAX });
  const byName = Map.groupBy(rows, (row) => textOf(row, 'nameKey', 'EntityProfile'));
  return [...byName.values()].flatMap((all) => planMerges(all.map(toNamesake)));
}

const MARK_MERGED = cypher`
  // markMerged
  MATCH (p:EntityProfile {owner: $owner, nameKey: $nameKey})
  REMOVE p:Unmerged
`;

export const markMerged = (tx: WriteTx, name: OwnName) => runWrite(tx, MARK_MERGED, name);

const MARK_UNSETTLED = cypher`
  // markUnsettled
  MATCH (p:EntityProfile {entityUuid: $entityUuid})
  SET p:Unsettled
`;

export async function markUnsettled(tx: WriteTx, entityUuid: string): Promise<void> {
  await tx.run(MARK_UNSETTLED, { entityUuid });
}

const LIST_UNSETTLED = cypher`
  // listUnsettled
  MATCH (p:EntityProfile:Unsettled)
  WHERE ${HAS_UUID} AND NOT p.entityUuid IN $except
  RETURN p.entityUuid AS entityUuid, p.owner AS owner LIMIT $max
`;
const UnsettledRow = z.object({ entityUuid: z.string(), owner: z.string() });
export type Unsettled = z.infer<typeof UnsettledRow>;

export const listUnsettled = (tx: ReadTx, except: Keys, max: number) =>
  readAll(tx, LIST_UNSETTLED, { except, max }, (row) =>
    parseRow(UnsettledRow, row, 'EntityProfile'),
  );

const LIST_TURNS = cypher`
  // listUnsettledTurns
  MATCH (t:ConversationTurn:Unsettled)
  WHERE ${HAS_ID} AND NOT t.id IN $except
  RETURN t.id AS id LIMIT $max
`;

/** Turns with other versions, or beside others, of which not all are on screen. */
export async function listUnsettledTurns(tx: ReadTx, except: Keys, max: number): Promise<string[]> {
  return textsOf(await tx.run(LIST_TURNS, { except, max }), 'id', 'ConversationTurn');
}

const MARK_TURNS = cypher`
  // markSettledTurns
  MATCH (t:ConversationTurn) WHERE t.id IN $ids
  REMOVE t:Unsettled
`;

export async function markSettledTurns(tx: WriteTx, ids: readonly string[]): Promise<void> {
  await tx.run(MARK_TURNS, { ids });
}

const LIST_STATEMENTS = cypher`
  // listUnsettledStatements
  MATCH (t:TemporalFact:Unsettled)
  WHERE ${HAS_OWNER} AND NOT t.uuid IN $except
  RETURN t.uuid AS uuid, t.owner AS owner LIMIT $max
`;
const StatementRow = z.object({ uuid: z.string(), owner: z.string() });
export type UnsettledStatement = z.infer<typeof StatementRow>;

/** Ended statements whose facts are not ended yet. */
export const listUnsettledStatements = (tx: ReadTx, except: Keys, max: number) =>
  readAll(tx, LIST_STATEMENTS, { except, max }, (row) =>
    parseRow(StatementRow, row, 'TemporalFact'),
  );

const MARK_STATEMENTS = cypher`
  // markSettledStatements
  MATCH (t:TemporalFact) WHERE t.uuid IN $uuids
  REMOVE t:Unsettled
`;

export async function markSettledStatements(tx: WriteTx, uuids: readonly string[]): Promise<void> {
  await tx.run(MARK_STATEMENTS, { uuids });
}

const MARK_SETTLED = cypher`
  // markSettled
  MATCH (p:EntityProfile {entityUuid: $entityUuid})
  REMOVE p:Unsettled
`;

export async function markSettled(tx: WriteTx, entityUuid: string): Promise<void> {
  await tx.run(MARK_SETTLED, { entityUuid });
}
