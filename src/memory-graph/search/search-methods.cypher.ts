import { type EmbeddedKind, type VectorSlot, vectorIndex } from '../embeddings/embedding.ts';
import { INTROSPECTION_GROUP } from '../group.ts';
import { isOfTurns } from '../visible.cypher.ts';
import type { GraphKind, Method } from './search.ts';

// The Cypher of each search method, per kind. `search.cypher.ts` joins them with UNION ALL.

const KNOWN = (thing: string) => `($knownAt IS NULL OR ${thing}.created_at <= datetime($knownAt))`;

// A fact that expired after $knownAt was not known to have ended at $knownAt.
const FACT_HOLDS = /* cypher */ `
  r.group_id IN $groups AND ${KNOWN('r')} AND none(one IN r.episodes WHERE one IN $shown)
  AND ($within IS NULL OR r.group_id IN $within
    OR EXISTS { MATCH (ep:Episodic) WHERE ep.uuid IN r.episodes AND ep.group_id IN $within })
  AND ($allowed IS NULL OR any(one IN r.episodes WHERE one IN $allowed))
  AND ($validAt IS NULL OR r.valid_at IS NULL OR r.valid_at <= datetime($validAt))
  AND (r.invalid_at IS NULL
    OR r.invalid_at > coalesce(datetime($validAt), datetime($now), datetime())
    OR ($knownAt IS NOT NULL AND r.expired_at > datetime($knownAt)))
`;
const ENTITY_SEEN = /* cypher */ `
  e.group_id IN $groups AND ${KNOWN('e')} AND NOT e.uuid IN $shown
  AND ($within IS NULL OR e.group_id IN $within
    OR EXISTS { (ep:Episodic)-[:MENTIONS]->(e) WHERE ep.group_id IN $within })
  AND ($allowed IS NULL OR NOT ${isOfTurns('e')}
    OR EXISTS { (ep:Episodic)-[:MENTIONS]->(e) WHERE ep.uuid IN $allowed })
`;
// The text that a note of the viewer's has now, in the carousel or archived.
const IS_NOTE = /* cypher */ `EXISTS {
    (:User {id: $viewerId})<-[:OWNED_BY]-(i:Introspection)-[h:HAS_CONTENT]->(ep)
    WHERE NOT EXISTS { (i)-[newer:HAS_CONTENT]->() WHERE newer.createdAt > h.createdAt } }`;
const EPISODE_SEEN = /* cypher */ `
  (($said AND ep.group_id IN $episodeGroups AND ($allowed IS NULL OR ep.uuid IN $allowed))
    OR ($notes AND ep.group_id = '${INTROSPECTION_GROUP}' AND ${IS_NOTE}))
  AND ${KNOWN('ep')} AND NOT ep:EpisodeChunk
  AND NOT ep.uuid IN $shown AND ($here IS NULL OR ep.group_id <> $here OR ep.uuid IN $path)
  AND ($validAt IS NULL OR ep.valid_at <= datetime($validAt))
`;

const THING = {
  entity: { name: 'e', seen: ENTITY_SEEN, limit: '$k' },
  fact: { name: 'r', seen: FACT_HOLDS, limit: '$k' },
  episode: { name: 'ep', seen: EPISODE_SEEN, limit: '$episodes' },
} as const;

/** The cosine of a stored vector and the query's; null where the node has no vector. */
const cosine = (node: string, slot: VectorSlot) =>
  `2.0 * vector.similarity.cosine(${node}.vector${slot}, $vector) - 1.0`;

/**
 * The fields of a hit beside its score: texts that relevance compares, and the cosine.
 * @param slot null: a search without a vector
 */
const FIELDS: Readonly<Record<GraphKind, (slot: VectorSlot | null) => string>> = {
  entity: (slot) => /* cypher */ `uuid: e.uuid, name: e.name, labels: labels(e),
    text: left(e.name + ': ' + coalesce(e.summary, ''), $chars),
    near: ${slot === null ? 'null' : `head([(e)-[:HAS_PROFILE]->(p) | ${cosine('p', slot)}])`}`,
  fact: (
    slot,
  ) => /* cypher */ `uuid: r.uuid, text: left(r.fact, $chars), episodes: r.episodes[..20],
    ends: [startNode(r).uuid, endNode(r).uuid], saidAt: toString(r.valid_at),
    near: ${
      slot === null
        ? 'null'
        : `head(COLLECT { MATCH (f:FactRef {edgeUuid: r.uuid}) RETURN ${cosine('f', slot)} })`
    }`,
  // `piece` is the best piece of the Episode.
  episode: (slot) => /* cypher */ `uuid: ep.uuid, text: left(piece.text, $chars),
    window: left(piece.window, $chars), isNote: ep.group_id = '${INTROSPECTION_GROUP}',
    stretch: head([(piece)-[:PART_OF]->(s) | s.key]),
    speaker: head([(ep)<-[:HAS_CONTENT]-()<-[:HAS_ALTERNATIVE]-(t) | t.speaker]),
    saidAt: toString(ep.valid_at), createdAt: toString(ep.created_at),
    near: ${slot === null ? 'null' : cosine('piece', slot)}`,
};

/**
 * One index method for one kind. Returns one row: the visible hits, best first, and the number of
 * index entries read (`looked`).
 * @param look binds `hits`: maps with a score
 * @param bind matches the thing of a `hit` under the name of its kind, and binds its `score`; for
 *   Episodes also the `piece` that was found
 */
function indexMethod(parts: {
  readonly kind: GraphKind;
  readonly method: Method;
  readonly slot: VectorSlot | null;
  readonly look: string;
  readonly bind: string;
}): string {
  const { kind, method, slot, look, bind } = parts;
  const { name, seen, limit } = THING[kind];
  const best = kind === 'episode' ? ', head(collect(piece)) AS piece' : '';
  return /* cypher */ `
    CALL () { ${look} }
    CALL (hits) {
      UNWIND hits AS hit
      ${bind}
      WITH * WHERE ${seen}
      WITH ${name}, max(score) AS score${best}
      ORDER BY score DESC LIMIT ${limit}
      RETURN collect({score: score, ${FIELDS[kind](slot)}}) AS found
    }
    RETURN '${kind}' AS kind, '${method}' AS method, size(hits) AS looked, found`;
}

const COLLECT_NODES = 'RETURN collect({node: node, score: score}) AS hits';

const LOOK_FOR_WORDS: Readonly<Record<GraphKind, string>> = {
  entity: /* cypher */ `UNWIND $groupQueries AS q
      CALL db.index.fulltext.queryNodes('node_name_and_summary', q, {limit: $deep})
        YIELD node, score
      ${COLLECT_NODES}`,
  fact: /* cypher */ `UNWIND $groupQueries AS q
      CALL db.index.fulltext.queryRelationships('edge_name_and_fact', q, {limit: $deep})
        YIELD relationship, score
      RETURN collect({node: relationship, score: score}) AS hits`,
  episode: /* cypher */ `UNWIND $episodeQueries AS q
      CALL db.index.fulltext.queryNodes(q.index, q.query, {limit: $deepEpisodes})
        YIELD node, score
      ${COLLECT_NODES}`,
};
const BIND_WORDS: Readonly<Record<GraphKind, string>> = {
  entity: 'WITH hit.node AS e, hit.score AS score',
  fact: 'WITH hit.node AS r, hit.score AS score',
  episode: `WITH hit.node AS piece, hit.score AS score
      MATCH (piece)-[:TEXT_OF]->(ep)`,
};
const words = (kind: GraphKind, slot: VectorSlot | null) =>
  indexMethod({ kind, method: 'words', slot, look: LOOK_FOR_WORDS[kind], bind: BIND_WORDS[kind] });

const VECTOR_KIND = { entity: 'entity', fact: 'fact', episode: 'text' } as const satisfies Record<
  GraphKind,
  EmbeddedKind
>;
const VECTOR_LABEL = { entity: 'EntityProfile', fact: 'FactRef', episode: 'EpisodeText' } as const;
// Without labels and with a hint, so that each hit is followed by its edge: Neo4j expects no hits,
// and would read all of the owner's entities and facts in place of twenty (docs/decisions/0134).
const OF_VECTOR = {
  entity: 'MATCH (e)-[:HAS_PROFILE]->(piece)',
  fact: `MATCH ()-[r:RELATES_TO]->() USING INDEX SEEK r:RELATES_TO(uuid)
      WHERE r.uuid = piece.edgeUuid`,
  episode: 'MATCH (piece)-[:TEXT_OF]->(ep)',
} as const;
// Episodes are ordered by several measures at once, so twice as many are read.
const DEEP = { entity: '$deep', fact: '$deep', episode: '2 * $deep' } as const;
const vectorMethod = (kind: GraphKind, slot: VectorSlot, look: string) =>
  indexMethod({
    kind,
    method: 'meaning',
    slot,
    look,
    bind: /* cypher */ `WITH hit.node AS piece, 2.0 * hit.score - 1.0 AS score
      WHERE piece.owner = $userGroup
      ${OF_VECTOR[kind]}`,
  });

// Reads the nearest vectors of all owners from the vector index; keeps those of the owner.
const meaning = (kind: GraphKind, slot: VectorSlot) =>
  vectorMethod(
    kind,
    slot,
    /* cypher */ `
      CALL db.index.vector.queryNodes(
        '${vectorIndex(VECTOR_KIND[kind], slot)}', ${DEEP[kind]}, $vector)
        YIELD node, score
      ${COLLECT_NODES}`,
  );

// Compares up to $exactMax vectors of the owner, without the index.
const exact = (kind: GraphKind, slot: VectorSlot) =>
  vectorMethod(
    kind,
    slot,
    /* cypher */ `
      MATCH (node:${VECTOR_LABEL[kind]})
        WHERE node.owner = $userGroup AND node.vector${slot} IS NOT NULL
      WITH node LIMIT $exactMax
      WITH node, vector.similarity.cosine(node.vector${slot}, $vector) AS score
        ORDER BY score DESC LIMIT $deep
      ${COLLECT_NODES}`,
  );

/** Full text of stretches: each stretch with Lucene's score. */
export const STRETCHES = /* cypher */ `
    CALL () {
      CALL db.index.fulltext.queryNodes(
        'episode_stretch_english', $stretchQuery, {limit: $episodes})
        YIELD node AS s, score
      RETURN s.key AS uuid, score
    }
    RETURN 'stretch' AS kind, 'around' AS method, 0 AS looked,
      collect({uuid: uuid, score: score}) AS found`;

// Up to two steps from the centre, in either direction.
const AROUND_CENTRE: Readonly<Record<GraphKind, string>> = {
  entity: /* cypher */ `
      MATCH (:Entity {uuid: $centre})-[r:RELATES_TO]-(near:Entity) WHERE ${FACT_HOLDS}
      WITH DISTINCT near LIMIT $deep
      CALL (near) {
        RETURN near AS e, 1.0 AS score
        UNION
        MATCH (near)-[r:RELATES_TO]-(e:Entity) WHERE e.uuid <> $centre AND ${FACT_HOLDS}
        RETURN DISTINCT e, 2.0 AS score LIMIT $deep
      }
      WITH e, min(score) AS score WHERE ${ENTITY_SEEN}
      WITH e, score ORDER BY score LIMIT $k`,
  fact: /* cypher */ `
      MATCH (:Entity {uuid: $centre})-[first:RELATES_TO]-(near:Entity)
      WITH first, near LIMIT $deep
      CALL (first, near) {
        RETURN first AS r, 1.0 AS score
        UNION
        MATCH (near)-[r:RELATES_TO]-(:Entity) WHERE r <> first
        RETURN r, 2.0 AS score LIMIT $deep
      }
      WITH r, min(score) AS score WHERE ${FACT_HOLDS}
      WITH r, score ORDER BY score, r.created_at DESC LIMIT $k`,
  episode: /* cypher */ `
      MATCH (:Entity {uuid: $centre})<-[:MENTIONS]-(ep:Episodic) WHERE ${EPISODE_SEEN}
      WITH ep, 1.0 AS score ORDER BY ep.valid_at DESC LIMIT $k
      WITH ep, score, head([(t:EpisodeText)-[:TEXT_OF]->(ep) | t]) AS piece`,
};
const aroundCentre = (kind: GraphKind, slot: VectorSlot | null) => /* cypher */ `
    CALL () {
      ${AROUND_CENTRE[kind]}
      RETURN collect({score: score, ${FIELDS[kind](slot)}}) AS found
    }
    RETURN '${kind}' AS kind, 'graph' AS method, 0 AS looked, found`;

/** The search methods of one kind, as parts of one statement. */
interface MethodsOfKind {
  /** @param slot null: without cosines */
  words(slot: VectorSlot | null): string;
  meaning(slot: VectorSlot): string;
  /** `meaning` without the index, for owners whose vectors are hidden by nearer ones of others. */
  exact(slot: VectorSlot): string;
  graph(slot: VectorSlot | null): string;
}

export function searchMethods(kind: GraphKind): MethodsOfKind {
  return {
    words: (slot) => words(kind, slot),
    meaning: (slot) => meaning(kind, slot),
    exact: (slot) => exact(kind, slot),
    graph: (slot) => aroundCentre(kind, slot),
  };
}
