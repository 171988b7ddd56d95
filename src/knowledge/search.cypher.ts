import { PATH_ON_SCREEN } from '../conversations/path.cypher.ts';
import { Float, type ReadTx } from '../platform/neo4j/graph.ts';
import { type EmbeddedKind, type Slot, vectorIndex } from './embedding.ts';
import { userGroupOf } from './group.ts';
import { luceneText } from './lucene.ts';
import type { Candidate, Method, SearchKind } from './search.ts';
import { viewerParams } from './visible.cypher.ts';

/** What of the graph a search may see. */
export interface SearchScope {
  readonly viewerId: string;
  /** Of Graphiti's nodes and edges; all the viewer's own. */
  readonly groups: readonly string[];
  /** Conversations whose Episodes are looked into; a fork has copies of its own. */
  readonly episodeGroups: readonly string[];
  /** The Episodes that are on screen, or of the fork; null: all of the groups. */
  readonly allowed: readonly string[] | null;
}

const FIND_SCOPE = /* cypher */ `
  // findSearchScope
  OPTIONAL MATCH (c:Conversation)
  WHERE c.ownerId = $viewerId AND ($conversationId IS NULL OR c.id = $conversationId)
    AND ($groupIds IS NULL OR c.id IN $groupIds)
  WITH c ORDER BY c.updatedAt DESC
  WITH collect(c) AS conversations
  WITH conversations, CASE WHEN $conversationId IS NULL THEN null ELSE head(conversations) END AS c
  CALL (c) {
    OPTIONAL MATCH (c)-[:FORKED_FROM*1..50]->(origin:Conversation {ownerId: $viewerId})
    RETURN collect(origin.id) AS origins
  }
  ${PATH_ON_SCREEN}
  CALL (c, turns, origins) {
    CALL (c, turns, origins) {
      UNWIND turns AS t
      MATCH (t)-[h:HAS_ALTERNATIVE]->(a:Alternative)-[:HAS_CONTENT]->(ep:Episodic)
      WHERE h.isActive AND NOT $allBranches
      RETURN ep.uuid AS uuid
      UNION
      MATCH (ep:Episodic {group_id: c.id}) WHERE $allBranches AND size(origins) > 0
      RETURN ep.uuid AS uuid
    }
    RETURN collect(uuid) AS allowed
  }
  RETURN [one IN conversations | one.id] AS ids, origins, allowed, c IS NOT NULL AS isOne
`;

/**
 * What the viewer may see of what they asked for. A conversation shows what is on screen, a fork what it took along; null
 * where it names nothing of theirs.
 */
export async function findSearchScope(
  tx: ReadTx,
  viewerId: string,
  of: {
    readonly conversationId: string | null;
    readonly groupIds: readonly string[] | null;
    readonly allBranches: boolean;
  },
): Promise<SearchScope | null> {
  const [row] = await tx.run(FIND_SCOPE, { ...of, viewerId });
  const ids = (row?.['ids'] ?? []) as string[];
  const origins = (row?.['origins'] ?? []) as string[];
  const isOne = row?.['isOne'] === true;
  if (of.conversationId !== null && !isOne) return null;
  const own = userGroupOf(viewerId);
  const hasOwn = of.groupIds === null || of.groupIds.includes(own);
  const groups = [...ids, ...origins, ...(hasOwn ? [own] : [])];
  if (groups.length === 0) return null;
  const isBound = isOne && (!of.allBranches || origins.length > 0);
  return {
    viewerId,
    groups,
    episodeGroups: ids,
    allowed: isBound ? (row?.['allowed'] as string[]) : null,
  };
}

/** When: `now` is what neither is said. */
export interface SearchTime {
  readonly validAt: string | null;
  readonly knownAt: string | null;
  readonly now: string;
}

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
const SEARCHED: readonly Searched[] = ['entity', 'fact', 'episode'];
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
const episodeWords = (slot: Slot | null) =>
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
const wordsOf = (kind: Searched, slot: Slot | null) =>
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
const meaning = (kind: Searched, slot: Slot) =>
  nearest(
    kind,
    /* cypher */ `
      CALL db.index.vector.queryNodes('${vectorIndex(VECTOR_KIND[kind], slot)}', ${DEEP[kind]}, $vector) YIELD node, score
      ${COLLECT_NODES}`,
  );
// The same without the index, over one owner's own: where others' are nearer than theirs.
const exact = (kind: Searched, slot: Slot) =>
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
  method: WayFound['method'],
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
  readonly slot: Slot | null;
  readonly hasCentre: boolean;
}
const statements = new Map<string, string>();

/** Some ways of one search as one statement; there are few, each made once. */
function statementOf(key: string, ways: () => readonly string[]): string {
  const known = statements.get(key);
  if (known !== undefined) return known;
  const statement = `// ${key.split('/')[0]}\n${ways().join('\nUNION ALL\n')}`;
  statements.set(key, statement);
  return statement;
}

const candidatesStatement = ({ kinds, slot, hasCentre }: Ways) =>
  statementOf(`findCandidatesOfSearch/${kinds.join()}/${slot}/${hasCentre}`, () =>
    kinds.flatMap((kind) => [
      wordsOf(kind, slot),
      ...(slot === null ? [] : [meaning(kind, slot)]),
      ...(hasCentre ? [GRAPH[kind]] : []),
      ...(kind === 'episode' ? [STRETCHES] : []),
    ]),
  );

export interface SearchQuery {
  readonly text: string;
  readonly vector: readonly number[] | null;
  readonly slot: Slot | null;
  readonly centre: string | null;
}

/** Lucene takes so many clauses in one query; who has more conversations is asked in several. */
const GROUPS_PER_QUERY = 500;
/**
 * As many are looked at as are wanted. Where too few of them may be seen, so many times more are, and then all of the owner's own that
 * a search can go through one by one.
 */
const DEEPER = 25;
const DEEP_MAX = 2_000;
const EXACT_MAX = 20_000;
/** Episodes are put in order by several measures at once, so that more are looked at than are wanted. */
const EPISODES_MIN = 60;
/** Of one Episode there may be several pieces. */
const EPISODES_DEPTH = 2;
/** What a piece says itself, beside what its window says. */
const OWN_WORDS_WEIGHT = 0.5;
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

function searchParams(
  scope: SearchScope,
  time: SearchTime,
  query: SearchQuery,
  k: number,
): Record<string, unknown> {
  const words = luceneText(query.text);
  const groupQueries: string[] = [];
  for (let from = 0; from < scope.groups.length; from += GROUPS_PER_QUERY) {
    const some = scope.groups.slice(from, from + GROUPS_PER_QUERY);
    groupQueries.push(`+(${some.map((group) => `group_id:"${group}"`).join(' ')}) +(${words})`);
  }
  const owner = userGroupOf(scope.viewerId);
  // Whose it is says nothing of how well it answers.
  const within = scope.episodeGroups.length === 1 ? ` +group_id:"${scope.episodeGroups[0]}"^0` : '';
  const own = `+owner:"${owner}"^0${within}`;
  const episodes = Math.max(k, EPISODES_MIN);
  return {
    ...viewerParams(scope.viewerId),
    ...time,
    groups: scope.groups,
    episodeGroups: scope.episodeGroups,
    allowed: scope.allowed,
    groupQueries,
    episodeQueries: [
      {
        index: 'episode_words_english',
        query: `${own} +(window:(${words}) text:(${words})^${OWN_WORDS_WEIGHT})`,
      },
      // Its words are pairs of signs, so it is asked only where there are such signs.
      ...(CJK.test(query.text)
        ? [{ index: 'episode_window_cjk', query: `+owner:"${owner}"^0 +window:(${words})` }]
        : []),
    ],
    stretchQuery: `${own} +text:(${words})`,
    episodes,
    deepEpisodes: episodes * EPISODES_DEPTH,
    vector: query.vector?.map((value) => new Float(value)) ?? null,
    centre: query.centre,
    k,
    deep: k,
    exactMax: EXACT_MAX,
  };
}

/** What all ways found, and how well each stretch of Episodes answers. */
export interface Found {
  readonly candidates: Candidate[];
  readonly stretches: ReadonlyMap<string, number>;
}

interface WayFound {
  readonly kind: Searched | 'stretch';
  readonly method: Method | 'around';
  readonly looked: number;
  readonly found: readonly Omit<Candidate, 'kind' | 'method'>[];
}

/**
 * What each way finds, `k` of a kind at most; in one statement, and at most two more where the nearest are others', or out of sight.
 */
export async function findSearchCandidates(
  tx: ReadTx,
  scope: SearchScope,
  time: SearchTime,
  query: SearchQuery,
  { kinds, k }: { readonly kinds: readonly SearchKind[]; readonly k: number },
): Promise<Found> {
  const searched = SEARCHED.filter((kind) => kinds.includes(kind));
  if (searched.length === 0) return { candidates: [], stretches: new Map() };
  const params = searchParams(scope, time, query, k);
  const { slot, centre } = query;
  const find = async (cypher: string, deep: number) =>
    (await tx.run(cypher, { ...params, deep })) as unknown as WayFound[];
  const ways = await find(
    candidatesStatement({ kinds: searched, slot, hasCentre: centre !== null }),
    k,
  );
  /** Kinds of which a method shows less than half of what is wanted, although the index had more to offer. */
  const thin = (method: Method, among: readonly WayFound[], deep: number) =>
    among.flatMap(({ kind, looked, found, ...one }) =>
      kind !== 'stretch' && one.method === method && found.length < k / 2 && looked >= deep
        ? [kind]
        : [],
    );
  const again = thin('words', ways, k).filter((kind) => kind !== 'episode');
  const afar = slot === null ? [] : thin('meaning', ways, k);
  const deep = Math.max(k, Math.min(k * DEEPER, DEEP_MAX));
  const further: WayFound[] = [];
  if (again.length + afar.length > 0) {
    const key = `findFurtherCandidates/${again.join()}/${afar.join()}/${slot}`;
    const statement = statementOf(key, () => [
      ...again.map((kind) => wordsOf(kind, slot)),
      ...(slot === null ? [] : afar.map((kind) => meaning(kind, slot))),
    ]);
    further.push(...(await find(statement, deep)));
  }
  const lost = slot === null ? [] : thin('meaning', further, deep);
  if (slot !== null && lost.length > 0) {
    const key = `findNearestOfOwner/${lost.join()}/${slot}`;
    further.push(
      ...(await find(
        statementOf(key, () => lost.map((kind) => exact(kind, slot))),
        deep,
      )),
    );
  }
  // What was looked for again holds what was found before.
  const last = new Map([...ways, ...further].map((one) => [`${one.kind}/${one.method}`, one]));
  const candidates: Candidate[] = [];
  const stretches = new Map<string, number>();
  for (const { kind, method, found } of last.values())
    for (const one of found)
      if (kind === 'stretch' || method === 'around') stretches.set(one.uuid, one.score);
      else candidates.push({ kind, method, ...one });
  return { candidates, stretches };
}

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
  return new Set(rows.map((row) => `${row['kind']}/${row['of']}`));
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

export interface Measured {
  readonly key: string;
  readonly mentions: number | null;
  readonly distance: number | null;
  readonly vector: readonly number[] | null;
}

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
  return rows.map((row) => ({
    key: `${row['kind']}/${row['uuid']}`,
    mentions: row['mentions'] as number | null,
    distance: row['distance'] as number | null,
    vector: row['vector'] as number[] | null,
  }));
}
