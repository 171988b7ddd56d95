import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { entityTypeOf } from '../entities/entity.ts';
import { FACT, toFact } from '../entities/fact.cypher.ts';
import type { Fact } from '../entities/fact.ts';
import type { Namesake } from './doubles.ts';

// An entity whose profile is Unmerged was read while each conversation had entities of its own; one
// that is Unsettled took in others, and its facts are not compared yet.

const COUNT = cypher`
  // countUnmerged
  RETURN COUNT { (:Unmerged) } + COUNT { (:Unsettled) } AS count
`;

/** Entities that may be one with others of their name, or have facts to compare. */
export async function countUnmerged(tx: ReadTx): Promise<number> {
  return countOf(await tx.run(COUNT), 'count');
}

const LIST = cypher`
  // listUnmerged
  MATCH (p:Unmerged)
  WITH p LIMIT $max
  RETURN DISTINCT p.owner AS owner, p.nameKey AS nameKey
`;

/** A name that several entities of an owner may have. */
const NameRow = z.object({ owner: z.string(), nameKey: z.string() });
export type OwnName = z.infer<typeof NameRow>;

/** Names of unmerged entities. */
export async function listUnmerged(tx: ReadTx, max: number): Promise<OwnName[]> {
  const rows = await tx.run(LIST, { max });
  return rows.map((row) => parseRow(NameRow, row, 'EntityProfile'));
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
  const rows = await tx.run(NAMESAKES, name);
  return rows.map((row) => {
    const { labels, ...one } = parseRow(NamesakeRow, row['namesake'], 'Entity');
    return { ...one, category: entityTypeOf(labels) };
  });
}

const MARK_MERGED = cypher`
  // markMerged
  MATCH (p:EntityProfile {owner: $owner, nameKey: $nameKey})
  REMOVE p:Unmerged
`;

export async function markMerged(tx: WriteTx, name: OwnName): Promise<void> {
  await tx.run(MARK_MERGED, name);
}

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
  MATCH (p:Unsettled)
  RETURN p.entityUuid AS entityUuid, p.owner AS owner LIMIT $max
`;
const UnsettledRow = z.object({ entityUuid: z.string(), owner: z.string() });
export type Unsettled = z.infer<typeof UnsettledRow>;

export async function listUnsettled(tx: ReadTx, max: number): Promise<Unsettled[]> {
  const rows = await tx.run(LIST_UNSETTLED, { max });
  return rows.map((row) => parseRow(UnsettledRow, row, 'EntityProfile'));
}

const MARK_SETTLED = cypher`
  // markSettled
  MATCH (p:EntityProfile {entityUuid: $entityUuid})
  REMOVE p:Unsettled
`;

export async function markSettled(tx: WriteTx, entityUuid: string): Promise<void> {
  await tx.run(MARK_SETTLED, { entityUuid });
}

const FACTS = cypher`
  // listFactsToSettle
  MATCH (:Entity {uuid: $entityUuid})-[r:RELATES_TO]-(:Entity)
  WITH DISTINCT r ORDER BY r.created_at DESC LIMIT 1000
  RETURN ${FACT} AS fact
`;

/** The newest facts from and to an entity. */
export async function listFactsToSettle(tx: ReadTx, entityUuid: string): Promise<Fact[]> {
  const rows = await tx.run(FACTS, { entityUuid });
  return rows.map((row) => toFact(row['fact']));
}

const JOIN_FACTS = cypher`
  // joinFacts
  MATCH (:Entity)-[kept:RELATES_TO {uuid: $keptUuid}]->(:Entity)
  MATCH (:Entity)-[lost:RELATES_TO {uuid: $lostUuid}]->(:Entity)
  MATCH (k:FactRef {edgeUuid: $keptUuid}), (l:FactRef {edgeUuid: $lostUuid})
  SET kept.episodes = kept.episodes + [uuid IN lost.episodes WHERE NOT uuid IN kept.episodes],
    k.saidAt = l.saidAt
  WITH lost, l
  CALL (lost) {
    MATCH (ep:Episodic) WHERE ep.uuid IN lost.episodes
    SET ep.entity_edges = [uuid IN ep.entity_edges WHERE uuid <> $lostUuid] + $keptUuid
  }
  CALL () {
    MATCH (v:FactRevision {edgeUuid: $lostUuid})
    DETACH DELETE v
  }
  DETACH DELETE l
  DELETE lost
`;

/** Makes each two facts one, with the Episodes of both. The later said of the two is lost. */
export async function joinFacts(
  tx: WriteTx,
  pairs: readonly { readonly keptUuid: string; readonly lostUuid: string }[],
): Promise<void> {
  for (const pair of pairs) await tx.run(JOIN_FACTS, pair);
}
