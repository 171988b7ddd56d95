import type { ReadTx, Row } from '../platform/neo4j/graph.ts';
import type { Fact } from './fact.ts';
import { isOwn, viewerParams } from './visible.cypher.ts';

/** A Fact's map; `r`, `from` and `to` are bound. */
export const FACT = /* cypher */ `
  r {.uuid, .name, .fact, .group_id, .episodes, .valid_at, .invalid_at, .expired_at, .created_at,
    sourceUuid: startNode(r).uuid, targetUuid: endNode(r).uuid}
`;

export function toFact(row: Row): Fact {
  return {
    uuid: String(row['uuid']),
    name: String(row['name']),
    fact: String(row['fact']),
    groupId: String(row['group_id']),
    sourceUuid: String(row['sourceUuid']),
    targetUuid: String(row['targetUuid']),
    episodes: (row['episodes'] ?? []) as string[],
    validAt: row['valid_at'] as string | null,
    invalidAt: row['invalid_at'] as string | null,
    expiredAt: row['expired_at'] as string | null,
    createdAt: String(row['created_at']),
  };
}

const FIND = /* cypher */ `
  // findFacts
  UNWIND $uuids AS uuid
  MATCH (from:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity)
  WHERE ${isOwn('from')}
  RETURN ${FACT} AS fact
`;

/** By their uuids; what is missing or somebody else's is left out. */
export async function findFacts(
  tx: ReadTx,
  viewerId: string,
  uuids: readonly string[],
): Promise<Fact[]> {
  const rows = await tx.run(FIND, { ...viewerParams(viewerId), uuids });
  return rows.map((row) => toFact(row['fact'] as Row));
}

/** Facts of one entity that are given back at most; `search` with the entity as its centre finds the others. */
export const FACTS_OF_ENTITY_MAX = 200;

const LIST = /* cypher */ `
  // listFactsOfEntities
  UNWIND $uuids AS uuid
  MATCH (e:Entity {uuid: uuid}) WHERE ${isOwn('e')}
  CALL (e) {
    MATCH (e)-[r:RELATES_TO]-(:Entity)
    RETURN DISTINCT r ORDER BY r.created_at DESC, r.uuid LIMIT $max
  }
  RETURN uuid, collect(${FACT}) AS facts
`;

/** The facts each of these entities takes part in, newest first, ended ones too. */
export async function listFactsOfEntities(
  tx: ReadTx,
  viewerId: string,
  uuids: readonly string[],
): Promise<Map<string, Fact[]>> {
  const params = { ...viewerParams(viewerId), uuids, max: FACTS_OF_ENTITY_MAX };
  const rows = await tx.run(LIST, params);
  return new Map(rows.map((row) => [String(row['uuid']), (row['facts'] as Row[]).map(toFact)]));
}
