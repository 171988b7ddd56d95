import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { FACT, isWithdrawn, toFact } from '../entities/fact.cypher.ts';
import type { Fact } from '../entities/fact.ts';

const FACTS = cypher`
  // listFactsToSettle
  MATCH (:Entity {uuid: $entityUuid})-[r:RELATES_TO]-(:Entity) WHERE NOT ${isWithdrawn('r')}
  WITH DISTINCT r ORDER BY r.created_at DESC LIMIT 1000
  RETURN ${FACT} AS fact
`;

/** The newest facts from and to an entity. */
export function listFactsToSettle(tx: ReadTx, entityUuid: string): Promise<Fact[]> {
  return readAll(tx, FACTS, { entityUuid }, (row) => toFact(row['fact']));
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
