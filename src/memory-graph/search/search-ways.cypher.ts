import { z } from 'zod';
import { type EmbeddedKind, type VectorSlot, vectorIndex } from '../embeddings/embedding.ts';
import { METHODS, type Method } from './search.ts';

const KNOWN = (thing: string) => `($knownAt IS NULL OR ${thing}.created_at <= datetime($knownAt))`;

// What ended after the moment of knowing was not known to have ended then.
const FACT_HOLDS = /* cypher */ `
  r.group_id IN $groups AND ${KNOWN('r')}
  AND ($allowed IS NULL OR any(one IN r.episodes WHERE one IN $allowed))
  AND ($validAt IS NULL OR r.valid_at IS NULL OR r.valid_at <= datetime($validAt))
  AND (r.invalid_at IS NULL OR r.invalid_at > datetime(coalesce($validAt, $now))
    OR ($knownAt IS NOT NULL AND r.expired_at > datetime($knownAt)))
`;
// What a user made, or has in mind, is seen on every branch.
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

type Searched = 'entity' | 'fact' | 'episode';

/** What is searched for; a statement asks in this order. */
export const SEARCHED: readonly Searched[] = ['entity', 'fact', 'episode'];
const THING = {
  entity: { name: 'e', seen: ENTITY_SEEN, limit: '$k' },
  fact: { name: 'r', seen: FACT_HOLDS, limit: '$k' },
  episode: { name: 'ep', seen: EPISODE_SEEN, limit: '$episodes' },
} as const;

/**
 * One way to find things of a kind, as one row: what of it may be seen, the best first, and how much was looked at.
 * @param look binds `hits`, maps with a score
 * @param bind from a `hit` to the thing, under the name of its kind, and its `score`
 * @param more what else is told of a thing, from all its hits
 */
function way(parts: {
  readonly kind: Searched;
  readonly method: Method;
  readonly look: string;
  readonly bind: string;
  readonly more?: Readonly<Record<string, string>>;
}): string {
  const { kind, method, look, bind, more = {} } = parts;
  const { name, seen, limit } = THING[kind];
  const extra = Object.entries(more).map(([key, cypher]) => `, ${cypher} AS ${key}`);
  const told = ['uuid', 'score', ...Object.keys(more)].map((key) => `${key}: ${key}`);
  return /* cypher */ `
    CALL () { ${look} }
    CALL (hits) {
      UNWIND hits AS hit
      ${bind}
      WITH * WHERE ${seen}
      WITH ${name}.uuid AS uuid, max(score) AS score${extra.join('')}
      ORDER BY score DESC LIMIT ${limit}
      RETURN collect({${told.join(', ')}}) AS found
    }
    RETURN '${kind}' AS kind, '${method}' AS method, size(hits) AS looked, found`;
}

const COLLECT_NODES = 'RETURN collect({node: node, score: score}) AS hits';
// Of an Episode besides: which stretch it is part of.
const STRETCH_OF = (piece: string) => `head(collect([(${piece})-[:PART_OF]->(s) | s.key][0]))`;

const ENTITY_WORDS = way({
  kind: 'entity',
  method: 'words',
  look: /* cypher */ `UNWIND $groupQueries AS q
      CALL db.index.fulltext.queryNodes('node_name_and_summary', q, {limit: $deep}) YIELD node, score
      ${COLLECT_NODES}`,
  bind: 'WITH hit.node AS e, hit.score AS score',
});
const FACT_WORDS = way({
  kind: 'fact',
  method: 'words',
  look: /* cypher */ `UNWIND $groupQueries AS q
      CALL db.index.fulltext.queryRelationships('edge_name_and_fact', q, {limit: $deep}) YIELD relationship, score
      RETURN collect({edge: relationship, score: score}) AS hits`,
  bind: 'WITH hit.edge AS r, hit.score AS score',
});
// Besides its words: how near each is in meaning, which is a question of what was found and needs no index.
const episodeWords = (slot: VectorSlot | null) =>
  way({
    kind: 'episode',
    method: 'words',
    look: /* cypher */ `UNWIND $episodeQueries AS q
      CALL db.index.fulltext.queryNodes(q.index, q.query, {limit: $deepEpisodes}) YIELD node, score
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

/** The way by words; of an Episode besides how near it is in meaning, where there are vectors. */
export const wordsOf = (kind: Searched, slot: VectorSlot | null) =>
  ({ entity: ENTITY_WORDS, fact: FACT_WORDS, episode: episodeWords(slot) })[kind];

const VECTOR_KIND = { entity: 'entity', fact: 'fact', episode: 'text' } as const satisfies Record<
  Searched,
  EmbeddedKind
>;
const VECTOR_LABEL = { entity: 'EntityProfile', fact: 'FactRef', episode: 'EpisodeText' } as const;
const OF_VECTOR = {
  entity: 'MATCH (e:Entity)-[:HAS_PROFILE]->(n)',
  fact: 'MATCH (:Entity)-[r:RELATES_TO {uuid: n.edgeUuid}]->(:Entity)',
  episode: 'MATCH (n)-[:TEXT_OF]->(ep:Episodic)',
} as const;
// The order of Episodes is made of all measures, so that more of them are told of.
const DEEP = { entity: '$deep', fact: '$deep', episode: '2 * $deep' } as const;
const nearest = (kind: Searched, look: string) =>
  way({
    kind,
    method: 'meaning',
    look,
    bind: /* cypher */ `WITH hit.node AS n, 2.0 * hit.score - 1.0 AS score WHERE n.owner = $userGroup
      ${OF_VECTOR[kind]}`,
    ...(kind === 'episode' ? { more: { stretch: STRETCH_OF('n') } } : {}),
  });

/** The way by meaning: the nearest of all owners' by the vector index, of which the owner's are kept. */
export const meaning = (kind: Searched, slot: VectorSlot) =>
  nearest(
    kind,
    /* cypher */ `
      CALL db.index.vector.queryNodes('${vectorIndex(VECTOR_KIND[kind], slot)}', ${DEEP[kind]}, $vector) YIELD node, score
      ${COLLECT_NODES}`,
  );

/** The same without the index, over one owner's own: where others' are nearer than theirs. */
export const exact = (kind: Searched, slot: VectorSlot) =>
  nearest(
    kind,
    /* cypher */ `
      MATCH (node:${VECTOR_LABEL[kind]}) WHERE node.owner = $userGroup AND node.vector${slot} IS NOT NULL
      WITH node LIMIT $exactMax
      WITH node, vector.similarity.cosine(node.vector${slot}, $vector) AS score ORDER BY score DESC LIMIT $deep
      ${COLLECT_NODES}`,
  );

const row = (
  kind: Searched | 'stretch',
  method: RankedHits['method'],
  parts: string,
) => /* cypher */ `
    CALL () { ${parts} }
    RETURN '${kind}' AS kind, '${method}' AS method, 0 AS looked, collect({uuid: uuid, score: score}) AS found`;
const STRETCHES = row(
  'stretch',
  'around',
  /* cypher */ `
      CALL db.index.fulltext.queryNodes('episode_stretch_english', $stretchQuery, {limit: $episodes}) YIELD node AS s, score
      RETURN s.key AS uuid, score`,
);
// Two steps from the centre, either way: what is about it, and about what it has to do with.
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

interface Ways {
  readonly kinds: readonly Searched[];
  readonly slot: VectorSlot | null;
  readonly hasCentre: boolean;
}
const statements = new Map<string, string>();

/** Some ways of one search as one statement; there are few, each made once. */
export function statementOf(key: string, ways: () => readonly string[]): string {
  const known = statements.get(key);
  if (known !== undefined) return known;
  const statement = `// ${key.split('/')[0]}\n${ways().join('\nUNION ALL\n')}`;
  statements.set(key, statement);
  return statement;
}

/** All ways of a first look as one statement. */
export const candidatesStatement = ({ kinds, slot, hasCentre }: Ways) =>
  statementOf(`findCandidatesOfSearch/${kinds.join()}/${slot}/${hasCentre}`, () =>
    kinds.flatMap((kind) => [
      wordsOf(kind, slot),
      ...(slot === null ? [] : [meaning(kind, slot)]),
      ...(hasCentre ? [GRAPH[kind]] : []),
      ...(kind === 'episode' ? [STRETCHES] : []),
    ]),
  );

/** A row of such a statement: what a way found, the best first, and how much it looked at. */
export const RankedHits = z.object({
  kind: z.enum(['entity', 'fact', 'episode', 'stretch']),
  method: z.enum([...METHODS, 'around']),
  looked: z.int(),
  found: z.array(
    z.object({
      uuid: z.string(),
      score: z.number(),
      stretch: z.string().nullish(),
      near: z.number().nullish(),
    }),
  ),
});
export type RankedHits = z.infer<typeof RankedHits>;
