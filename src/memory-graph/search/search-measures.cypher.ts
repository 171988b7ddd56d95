import { z } from 'zod';
import { numberOrNull } from '../../common/stored.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { viewerParams } from '../visible.cypher.ts';
import type { SearchQuery } from './search.cypher.ts';
import type { Candidate, SearchKind } from './search.ts';

const ON_SCREEN = /* cypher */ `
  // listOnScreen
  CALL () {
    UNWIND $episodes AS uuid RETURN 'episode' AS kind, uuid AS of, uuid
    UNION
    UNWIND $facts AS fact
    MATCH (:Entity)-[r:RELATES_TO {uuid: fact}]->(:Entity)
    UNWIND r.episodes AS uuid RETURN 'fact' AS kind, fact AS of, uuid
    UNION
    UNWIND $entities AS entity
    MATCH (ep:Episodic)-[:MENTIONS]->(:Entity {uuid: entity})
    RETURN 'entity' AS kind, entity AS of, ep.uuid AS uuid LIMIT 5000
  }
  MATCH (ep:Episodic {uuid: uuid})
  WITH kind, of, ep
  WHERE EXISTS {
    MATCH (ep)<-[:HAS_CONTENT]-(:Alternative)<-[h:HAS_ALTERNATIVE]-(t:ConversationTurn) WHERE h.isActive
    MATCH (c:Conversation {id: t.conversationId})
    MATCH (t)<-[:ON_SCREEN*0..]-(root:ConversationTurn {id: c.rootTurnId})
  }
  RETURN DISTINCT kind, of
  UNION
  UNWIND $entities AS entity
  MATCH (e:Entity {uuid: entity})
  WHERE e.group_id = $userGroup
    OR EXISTS { (e)-[:HAS_PROFILE]->()-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) }
  RETURN 'entity' AS kind, entity AS of
`;

/** Of these, what some conversation of the viewer's shows: `kind/uuid`. */
export async function listOnScreen(
  tx: ReadTx,
  viewerId: string,
  among: readonly Pick<Candidate, 'kind' | 'uuid'>[],
): Promise<Set<string>> {
  const of = (kind: SearchKind) => [
    ...new Set(among.filter((one) => one.kind === kind).map(({ uuid }) => uuid)),
  ];
  const rows = await tx.run(ON_SCREEN, {
    ...viewerParams(viewerId),
    episodes: of('episode'),
    facts: of('fact'),
    entities: of('entity'),
  });
  return new Set(
    rows.map((row) => `${textOf(row, 'kind', 'Candidate')}/${textOf(row, 'of', 'Candidate')}`),
  );
}

const MEASURE = /* cypher */ `
  // measureCandidates
  CALL () {
    UNWIND $facts AS uuid
    MATCH (from:Entity)-[r:RELATES_TO {uuid: uuid}]->(to:Entity)
    RETURN 'fact' AS kind, uuid, [from.uuid, to.uuid] AS ends, toFloat(size(r.episodes)) AS mentions,
      head(COLLECT { MATCH (f:FactRef {edgeUuid: uuid}) RETURN CASE $slot WHEN 'A' THEN f.vectorA ELSE f.vectorB END }) AS vector
    UNION
    UNWIND $entities AS uuid
    MATCH (e:Entity {uuid: uuid})-[:HAS_PROFILE]->(p)
    RETURN 'entity' AS kind, uuid, [uuid] AS ends, toFloat(COUNT { (e)<-[:MENTIONS]-() }) AS mentions,
      CASE $slot WHEN 'A' THEN p.vectorA ELSE p.vectorB END AS vector
    UNION
    UNWIND $episodes AS uuid
    MATCH (ep:Episodic {uuid: uuid})
    RETURN 'episode' AS kind, uuid, [(ep)-[:MENTIONS]->(e) | e.uuid] AS ends, null AS mentions,
      head(COLLECT { MATCH (t:EpisodeText)-[:TEXT_OF]->(ep) RETURN CASE $slot WHEN 'A' THEN t.vectorA ELSE t.vectorB END LIMIT 1 }) AS vector
  }
  CALL (ends) {
    MATCH (centre:Entity {uuid: $centre})
    RETURN CASE WHEN $centre IN ends THEN 0.0
      WHEN EXISTS { MATCH (centre)-[:RELATES_TO]-(other:Entity) WHERE other.uuid IN ends } THEN 1.0
      WHEN EXISTS { MATCH (centre)-[:RELATES_TO*2]-(other:Entity) WHERE other.uuid IN ends } THEN 2.0
      ELSE 10.0 END AS distance
    UNION
    WITH ends WHERE $centre IS NULL
    RETURN null AS distance
  }
  RETURN kind, uuid, mentions, distance, vector
`;

/** One candidate (`kind/uuid`) measured; null where there is nothing to measure. */
export interface Measured {
  readonly key: string;
  readonly mentions: number | null;
  readonly distance: number | null;
  readonly vector: readonly number[] | null;
}

const MeasureRow = z.object({
  kind: z.string(),
  uuid: z.string(),
  mentions: numberOrNull,
  distance: numberOrNull,
  // Hundreds of numbers, all from a vector index, which takes nothing else.
  vector: z.custom<readonly number[]>(Array.isArray).nullable(),
});

/** What rerankers go by: how often it is mentioned, how far it is from the centre, and where it lies. */
export async function measureCandidates(
  tx: ReadTx,
  among: readonly Pick<Candidate, 'kind' | 'uuid'>[],
  { centre, slot }: Pick<SearchQuery, 'centre' | 'slot'>,
): Promise<Measured[]> {
  const of = (kind: SearchKind) => among.filter((one) => one.kind === kind).map(({ uuid }) => uuid);
  const rows = await tx.run(MEASURE, {
    facts: of('fact'),
    entities: of('entity'),
    episodes: of('episode'),
    centre,
    slot,
  });
  return rows.map((row) => {
    const { kind, uuid, ...measures } = parseRow(MeasureRow, row, 'Candidate');
    return { key: `${kind}/${uuid}`, ...measures };
  });
}
