import { type EmbeddedKind, type VectorSlot, vectorIndex } from '../embeddings/embedding.ts';
import type { GraphKind, Method } from './search.ts';

// The Cypher of each search method, per kind. `search.cypher.ts` joins them with UNION ALL.

const KNOWN = (thing: string) => `($knownAt IS NULL OR ${thing}.created_at <= datetime($knownAt))`;

// A fact that expired after $knownAt was not known to have ended at $knownAt.
const FACT_HOLDS = /* cypher */ `
  r.group_id IN $groups AND ${KNOWN('r')}
  AND ($allowed IS NULL OR any(one IN r.episodes WHERE one IN $allowed))
  AND ($validAt IS NULL OR r.valid_at IS NULL OR r.valid_at <= datetime($validAt))
  AND (r.invalid_at IS NULL OR r.invalid_at > datetime(coalesce($validAt, $now))
    OR ($knownAt IS NOT NULL AND r.expired_at > datetime($knownAt)))
`;
// Entities of the user's own group, or made by the user, are visible on every branch.
const ENTITY_SEEN = /* cypher */ `
  e.group_id IN $groups AND ${KNOWN('e')}
  AND ($allowed IS NULL OR e.group_id = $userGroup
    OR EXISTS { (e)-[:HAS_PROFILE]->()-[:HAS_SOURCE]->(:EntitySource {type: 'user'}) }
    OR EXISTS { (ep:Episodic)-[:MENTIONS]->(e) WHERE ep.uuid IN $allowed })
`;
const EPISODE_SEEN = /* cypher */ `
  ep.group_id IN $episodeGroups AND ${KNOWN('ep')} AND NOT ep:EpisodeChunk
  AND ($allowed IS NULL OR ep.uuid IN $allowed)
  AND ($validAt IS NULL OR ep.valid_at <= datetime($validAt))
`;

const THING = {
  entity: { name: 'e', seen: ENTITY_SEEN, limit: '$k' },
  fact: { name: 'r', seen: FACT_HOLDS, limit: '$k' },
  episode: { name: 'ep', seen: EPISODE_SEEN, limit: '$episodes' },
} as const;

/**
 * One index method for one kind. Returns one row: the visible hits, best first, and the number of
 * index entries read (`looked`).
 * @param look binds `hits`: maps with a score
 * @param bind matches the thing of a `hit`, under the name of its kind, and binds its `score`
 * @param more further fields of a hit, as aggregations over all entries of one thing
 */
function indexMethod(parts: {
  readonly kind: GraphKind;
  readonly method: Method;
  readonly look: string;
  readonly bind: string;
  readonly more?: Readonly<Record<string, string>>;
}): string {
  const { kind, method, look, bind, more = {} } = parts;
  const { name, seen, limit } = THING[kind];
  const extra = Object.entries(more).map(([key, cypher]) => `, ${cypher} AS ${key}`);
  const fields = ['uuid', 'score', ...Object.keys(more)].map((key) => `${key}: ${key}`);
  return /* cypher */ `
    CALL () { ${look} }
    CALL (hits) {
      UNWIND hits AS hit
      ${bind}
      WITH * WHERE ${seen}
      WITH ${name}.uuid AS uuid, max(score) AS score${extra.join('')}
      ORDER BY score DESC LIMIT ${limit}
      RETURN collect({${fields.join(', ')}}) AS found
    }
    RETURN '${kind}' AS kind, '${method}' AS method, size(hits) AS looked, found`;
}

const COLLECT_NODES = 'RETURN collect({node: node, score: score}) AS hits';
// The key of the stretch that an Episode is part of.
const STRETCH_OF = (piece: string) => `head(collect([(${piece})-[:PART_OF]->(s) | s.key][0]))`;

const ENTITY_WORDS = indexMethod({
  kind: 'entity',
  method: 'words',
  look: /* cypher */ `UNWIND $groupQueries AS q
      CALL db.index.fulltext.queryNodes('node_name_and_summary', q, {limit: $deep})
        YIELD node, score
      ${COLLECT_NODES}`,
  bind: 'WITH hit.node AS e, hit.score AS score',
});
const FACT_WORDS = indexMethod({
  kind: 'fact',
  method: 'words',
  look: /* cypher */ `UNWIND $groupQueries AS q
      CALL db.index.fulltext.queryRelationships('edge_name_and_fact', q, {limit: $deep})
        YIELD relationship, score
      RETURN collect({edge: relationship, score: score}) AS hits`,
  bind: 'WITH hit.edge AS r, hit.score AS score',
});
// Adds the cosine of each hit, computed without the vector index.
const episodeWords = (slot: VectorSlot | null) =>
  indexMethod({
    kind: 'episode',
    method: 'words',
    look: /* cypher */ `UNWIND $episodeQueries AS q
      CALL db.index.fulltext.queryNodes(q.index, q.query, {limit: $deepEpisodes})
        YIELD node, score
      ${COLLECT_NODES}`,
    bind: 'WITH hit.node AS t, hit.score AS score MATCH (t)-[:TEXT_OF]->(ep:Episodic)',
    more: {
      stretch: STRETCH_OF('t'),
      near:
        slot === null
          ? 'null'
          : `max(2.0 * vector.similarity.cosine(t.vector${slot}, $vector) - 1.0)`,
    },
  });

const VECTOR_KIND = { entity: 'entity', fact: 'fact', episode: 'text' } as const satisfies Record<
  GraphKind,
  EmbeddedKind
>;
const VECTOR_LABEL = { entity: 'EntityProfile', fact: 'FactRef', episode: 'EpisodeText' } as const;
const OF_VECTOR = {
  entity: 'MATCH (e:Entity)-[:HAS_PROFILE]->(n)',
  fact: 'MATCH (:Entity)-[r:RELATES_TO {uuid: n.edgeUuid}]->(:Entity)',
  episode: 'MATCH (n)-[:TEXT_OF]->(ep:Episodic)',
} as const;
// Episodes are ordered by several measures at once, so twice as many are read.
const DEEP = { entity: '$deep', fact: '$deep', episode: '2 * $deep' } as const;
const vectorMethod = (kind: GraphKind, look: string) =>
  indexMethod({
    kind,
    method: 'meaning',
    look,
    bind: /* cypher */ `WITH hit.node AS n, 2.0 * hit.score - 1.0 AS score
      WHERE n.owner = $userGroup
      ${OF_VECTOR[kind]}`,
    ...(kind === 'episode' ? { more: { stretch: STRETCH_OF('n') } } : {}),
  });

// Reads the nearest vectors of all owners from the vector index; keeps those of the owner.
const meaning = (kind: GraphKind, slot: VectorSlot) =>
  vectorMethod(
    kind,
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
    /* cypher */ `
      MATCH (node:${VECTOR_LABEL[kind]})
        WHERE node.owner = $userGroup AND node.vector${slot} IS NOT NULL
      WITH node LIMIT $exactMax
      WITH node, vector.similarity.cosine(node.vector${slot}, $vector) AS score
        ORDER BY score DESC LIMIT $deep
      ${COLLECT_NODES}`,
  );

const row = (
  kind: GraphKind | 'stretch',
  method: Method | 'around',
  parts: string,
) => /* cypher */ `
    CALL () { ${parts} }
    RETURN '${kind}' AS kind, '${method}' AS method, 0 AS looked,
      collect({uuid: uuid, score: score}) AS found`;
/** Full text of stretches: each stretch with Lucene's score. */
export const STRETCHES = row(
  'stretch',
  'around',
  /* cypher */ `
      CALL db.index.fulltext.queryNodes(
        'episode_stretch_english', $stretchQuery, {limit: $episodes})
        YIELD node AS s, score
      RETURN s.key AS uuid, score`,
);
// Up to two steps from the centre, in either direction.
const GRAPH = {
  entity: row(
    'entity',
    'graph',
    /* cypher */ `
      MATCH (:Entity {uuid: $centre})-[r:RELATES_TO]-(near:Entity) WHERE ${FACT_HOLDS}
      WITH DISTINCT near LIMIT $deep
      CALL (near) {
        RETURN near AS e, 1.0 AS score
        UNION
        MATCH (near)-[r:RELATES_TO]-(e:Entity) WHERE e.uuid <> $centre AND ${FACT_HOLDS}
        RETURN DISTINCT e, 2.0 AS score LIMIT $deep
      }
      WITH e, min(score) AS score WHERE ${ENTITY_SEEN}
      RETURN e.uuid AS uuid, score ORDER BY score LIMIT $k`,
  ),
  fact: row(
    'fact',
    'graph',
    /* cypher */ `
      MATCH (:Entity {uuid: $centre})-[first:RELATES_TO]-(near:Entity)
      WITH first, near LIMIT $deep
      CALL (first, near) {
        RETURN first AS r, 1.0 AS score
        UNION
        MATCH (near)-[r:RELATES_TO]-(:Entity) WHERE r <> first
        RETURN r, 2.0 AS score LIMIT $deep
      }
      WITH r, min(score) AS score WHERE ${FACT_HOLDS}
      RETURN r.uuid AS uuid, score ORDER BY score, r.created_at DESC LIMIT $k`,
  ),
  episode: row(
    'episode',
    'graph',
    /* cypher */ `
      MATCH (:Entity {uuid: $centre})<-[:MENTIONS]-(ep:Episodic) WHERE ${EPISODE_SEEN}
      RETURN ep.uuid AS uuid, 1.0 AS score ORDER BY ep.valid_at DESC LIMIT $k`,
  ),
} as const;

const perSlot = (cypher: (slot: VectorSlot) => string) =>
  ({ A: cypher('A'), B: cypher('B') }) as const satisfies Record<VectorSlot, string>;

interface MethodsOfKind {
  /** Full text alone, for a search without a vector. */
  readonly words: string;
  /** Full text; hits of Episodes also carry their cosine. */
  readonly wordsWithVector: Readonly<Record<VectorSlot, string>>;
  readonly meaning: Readonly<Record<VectorSlot, string>>;
  /** `meaning` without the index, for owners whose vectors are hidden by nearer ones of others. */
  readonly exact: Readonly<Record<VectorSlot, string>>;
  readonly graph: string;
}

/** The search methods of each kind, as parts of one statement. */
export const SEARCH_METHODS: Readonly<Record<GraphKind, MethodsOfKind>> = {
  entity: methodsOf('entity', () => ENTITY_WORDS),
  fact: methodsOf('fact', () => FACT_WORDS),
  episode: methodsOf('episode', episodeWords),
};

function methodsOf(kind: GraphKind, words: (slot: VectorSlot | null) => string): MethodsOfKind {
  return {
    words: words(null),
    wordsWithVector: perSlot(words),
    meaning: perSlot((slot) => meaning(kind, slot)),
    exact: perSlot((slot) => exact(kind, slot)),
    graph: GRAPH[kind],
  };
}
