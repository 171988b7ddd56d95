import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { isOwn, viewerParams } from '../visible.cypher.ts';
import { Fact } from './fact.ts';

/** A Fact's map; `r`, `from` and `to` are bound. */
export const FACT = /* cypher */ `
  r {.uuid, .name, .fact, .episodes, groupId: r.group_id, sourceUuid: startNode(r).uuid,
    targetUuid: endNode(r).uuid, validAt: r.valid_at, invalidAt: r.invalid_at,
    expiredAt: r.expired_at, createdAt: r.created_at, saidAt: r.reference_time}
`;

/**
 * Whether only turns that are not on screen tell a fact (docs/decisions/0116). It comes back with
 * them.
 */
export const isWithdrawn = (fact: string) =>
  `EXISTS { MATCH (f:FactRef {edgeUuid: ${fact}.uuid}) WHERE f.withdrawnAt IS NOT NULL }`;

/** @throws DamagedRow */
export const toFact = (row: unknown) => parseRow(Fact, row, 'RELATES_TO');
const Facts = z.array(Fact);

const FIND = cypher`
  // findFacts
  UNWIND $uuids AS uuid
  MATCH (from:Entity)-[r:RELATES_TO {uuid: uuid}]->(:Entity)
  WHERE ${isOwn('from')}
  RETURN ${FACT} AS fact
`;

/** Facts by uuid. Missing facts, and those of other users, are left out. */
export function findFacts(tx: ReadTx, viewerId: string, uuids: readonly string[]): Promise<Fact[]> {
  return readAll(tx, FIND, { ...viewerParams(viewerId), uuids }, (row) => toFact(row['fact']));
}

/** The most facts listed per entity; `search` around the entity finds the others. */
export const FACTS_OF_ENTITY_MAX = 200;

const LIST = cypher`
  // listFactsOfEntities
  UNWIND $uuids AS uuid
  MATCH (e:Entity {uuid: uuid}) WHERE ${isOwn('e')}
  CALL (e) {
    MATCH (e)-[r:RELATES_TO]-(:Entity) WHERE NOT ${isWithdrawn('r')}
    RETURN DISTINCT r ORDER BY r.created_at DESC, r.uuid LIMIT $max
  }
  RETURN uuid, collect(${FACT}) AS facts
`;

/** The facts from or to each entity, newest first, ended ones included. */
export async function listFactsOfEntities(
  tx: ReadTx,
  viewerId: string,
  uuids: readonly string[],
): Promise<Map<string, Fact[]>> {
  const params = { ...viewerParams(viewerId), uuids, max: FACTS_OF_ENTITY_MAX };
  const rows = await tx.run(LIST, params);
  return new Map(
    rows.map((row) => [textOf(row, 'uuid', 'Entity'), parseRow(Facts, row['facts'], 'Facts')]),
  );
}
