import { z } from 'zod';
import { numberOrNull } from '../../common/stored.ts';
import { VALID_PATH } from '../../conversations/path.cypher.ts';
import { Float, type Params, type ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { entityTypeOf } from '../entities/entity.ts';
import { userGroupOf } from '../group.ts';
import { isOfTurns, isOnScreen, viewerParams } from '../visible.cypher.ts';
import { type Candidate, type Found, TEXT_CHARS_MAX } from './candidate.ts';
import type { Measured } from './rerank.ts';
import {
  GRAPH_KINDS,
  type GraphKind,
  METHODS,
  type QueryVector,
  type Search,
  type SearchKind,
} from './search.ts';
import { STRETCHES, searchMethods } from './search-methods.cypher.ts';
import { indexQueriesOf } from './search-query.ts';

/** The part of the memory graph that one search may see, and its centre. */
export interface SearchScope {
  readonly viewerId: string;
  /** Graphiti's groups that hold the entities and facts; all belong to the viewer. */
  readonly groups: readonly string[];
  /** Groups that an entity or a fact, or an Episode that tells it, has to be of; null: any. */
  readonly within: readonly string[] | null;
  /** Conversations whose Episodes are searched; a fork has copies of its own. */
  readonly episodeGroups: readonly string[];
  /** Uuids of the Episodes on screen, or of the fork; null: all Episodes of the groups. */
  readonly allowed: readonly string[] | null;
  /** Uuid of the entity to search around; null where the search has none. */
  readonly centre: string | null;
  /** The conversation that asks, with the turns that it shows; null where none asks. */
  readonly here: Here | null;
}

export interface Here {
  readonly conversationId: string;
  /** Uuids of the Episodes of this conversation that may be found. */
  readonly path: readonly string[];
  /** Uuids of Episodes and entities that are not found, nor facts that such an Episode states. */
  readonly shown: readonly string[];
}

const ALL = cypher`
  // findSearchScope
  MATCH (c:Conversation) WHERE c.ownerId = $viewerId AND ($groupIds IS NULL OR c.id IN $groupIds)
  WITH c ORDER BY c.updatedAt DESC
  RETURN collect(c.id) AS ids, collect(CASE
    WHEN EXISTS { MATCH (e:Entity {group_id: c.id}) USING INDEX SEEK e:Entity(group_id) }
      OR EXISTS { MATCH ()-[r:RELATES_TO {group_id: c.id}]->()
        USING INDEX SEEK r:RELATES_TO(group_id) } THEN c.id END) AS holding
`;
// Starts at the conversation's id, so its cost does not grow with the viewer's other conversations.
const ONE = cypher`
  // findSearchScopeOfOne
  MATCH (c:Conversation {id: $conversationId})
  WHERE c.ownerId = $viewerId AND ($groupIds IS NULL OR c.id IN $groupIds)
  CALL (c) {
    OPTIONAL MATCH (c)-[:FORKED_FROM*1..50]->(origin:Conversation {ownerId: $viewerId})
    RETURN collect(origin.id) AS origins
  }
  ${VALID_PATH}
  CALL (c, valid, origins) {
    CALL (c, valid, origins) {
      UNWIND valid AS a
      MATCH (a)-[:HAS_CONTENT]->(ep:Episodic) WHERE NOT $allBranches
      RETURN ep.uuid AS uuid
      UNION
      MATCH (ep:Episodic {group_id: c.id}) WHERE $allBranches
      RETURN ep.uuid AS uuid
    }
    RETURN collect(uuid) AS allowed
  }
  RETURN [c.id] AS ids, origins, allowed
`;

const ScopeRow = z.object({
  ids: z.array(z.string()),
  /** Conversations that are groups of entities or facts; most have only Episodes. */
  holding: z.array(z.string()).nullish(),
  // These two are returned for one conversation only.
  origins: z.array(z.string()).default([]),
  allowed: z.array(z.string()).default([]),
});

/**
 * The scope of a search. A conversation shows its valid path; a fork shows its copies of
 * Episodes. Null where the search names no conversation or group of the viewer's.
 */
export async function findSearchScope(
  tx: ReadTx,
  viewerId: string,
  search: Pick<Search, 'conversationId' | 'groupIds' | 'allBranches'>,
  centre: string | null = null,
): Promise<SearchScope | null> {
  const { conversationId, groupIds, allBranches } = search;
  const isOne = conversationId !== null;
  const params = { conversationId, groupIds, allBranches, viewerId };
  const [row] = await tx.run(isOne ? ONE : ALL, params);
  if (isOne && row === undefined) return null;
  const { ids, origins, allowed, ...scope } = parseRow(ScopeRow, row, 'Scope of a search');
  const userGroup = userGroupOf(viewerId);
  const within = groupIds === null ? null : [...ids, ...groupIds.filter((id) => id === userGroup)];
  if (within?.length === 0) return null;
  return {
    viewerId,
    groups: [...(scope.holding ?? ids), ...origins, userGroup],
    within,
    episodeGroups: ids,
    allowed: isOne ? allowed : null,
    centre,
    here: null,
  };
}

/** Where too few hits are visible, this many times more index entries are read. */
const DEEPER = 25;
const DEEP_MAX = 2_000;
/** The most vectors of one owner that are compared without the index. */
const EXACT_MAX = 20_000;
/** Episodes are ordered by several measures at once, so at least this many are ranked. */
const EPISODES_MIN = 60;
/** Index entries read per Episode: a long Episode has several pieces. */
const EPISODES_DEPTH = 2;
/** The most rounds of a search over all conversations; each reads deeper. */
const ROUNDS_MAX = 3;

type Wanted = Pick<
  Search,
  | 'query'
  | 'graphKinds'
  | 'episodes'
  | 'conversationId'
  | 'allBranches'
  | 'validAt'
  | 'knownAt'
  | 'now'
  | 'limit'
>;

/**
 * Candidates of the memory graph, by all search methods. A search over all conversations checks
 * afterwards which candidates are on screen, and reads deeper where too few are.
 */
export async function findSearchCandidates(
  tx: ReadTx,
  search: Wanted,
  scope: SearchScope,
  vector: QueryVector | null,
): Promise<Found> {
  const isGlobal = search.conversationId === null && !search.allBranches;
  const look: Look = {
    kinds: search.graphKinds,
    slot: vector?.slot ?? null,
    hasCentre: scope.centre !== null,
    params: searchParams(search, scope, vector),
  };
  for (let round = 1, k = 2 * search.limit; ; round++, k *= 4) {
    const found = await findInIndexes(tx, look, k);
    if (!isGlobal) return found;
    const { candidates, stretches } = found;
    const onScreen = await listOnScreen(tx, candidates);
    const visible = candidates.filter(
      ({ kind, uuid }) => kind === 'note' || onScreen.has(`${kind}/${uuid}`),
    );
    const isEnough = visible.length === candidates.length || visible.length >= 2 * search.limit;
    if (isEnough || round === ROUNDS_MAX) return { candidates: visible, stretches };
  }
}

/** The statements of one search and their parameters. */
interface Look {
  readonly kinds: readonly GraphKind[];
  readonly slot: Slot;
  readonly hasCentre: boolean;
  readonly params: Params;
}

/** A row of a search statement: the hits of one method and kind, best first. */
const MethodHits = z.object({
  kind: z.enum(['entity', 'fact', 'episode', 'stretch']),
  method: z.enum([...METHODS, 'around']),
  /** Number of index entries read. */
  looked: z.int(),
  found: z.array(
    z.object({
      uuid: z.string(),
      score: z.number(),
      text: z.string().nullish(),
      window: z.string().nullish(),
      stretch: z.string().nullish(),
      near: z.number().nullish(),
      episodes: z.array(z.string()).nullish(),
      ends: z.array(z.string()).nullish(),
      speaker: z.string().nullish(),
      name: z.string().nullish(),
      labels: z.array(z.string()).nullish(),
      isNote: z.boolean().nullish(),
      saidAt: z.string().nullish(),
      createdAt: z.string().nullish(),
    }),
  ),
});
type MethodHits = z.infer<typeof MethodHits>;

/**
 * Up to `k` hits per kind and method. One statement, and at most two more where hits of other
 * owners or hits that are not visible fill the indexes' answers.
 */
async function findInIndexes(tx: ReadTx, look: Look, k: number): Promise<Found> {
  const { kinds, slot, hasCentre, params } = look;
  if (kinds.length === 0) return { candidates: [], stretches: new Map() };
  const episodes = Math.max(k, EPISODES_MIN);
  const run = async (statement: string, deep: number) => {
    const rows = await tx.run(statement, { ...params, k, episodes, ...depthOf(k, deep) });
    return rows.map((row) => parseRow(MethodHits, row, 'Search method'));
  };
  const hits = await run(firstStatement(kinds, slot, hasCentre), k);
  const wordKinds = kindsToDeepen(hits, 'words', k, k);
  const meaningKinds = kindsToDeepen(hits, 'meaning', k, k);
  const deep = Math.max(k, Math.min(k * DEEPER, DEEP_MAX));
  if (wordKinds.length + meaningKinds.length > 0) {
    const deeper = await run(deeperStatement(wordKinds, meaningKinds, slot), deep);
    const hiddenKinds = kindsToDeepen(deeper, 'meaning', k, deep);
    hits.push(...deeper);
    if (slot !== null && hiddenKinds.length > 0)
      hits.push(...(await run(exactStatement(hiddenKinds, slot), deep)));
  }
  return foundIn(hits);
}

/** Numbers of index entries that a statement reads. */
function depthOf(k: number, deep: number) {
  const deepEpisodes = Math.max(Math.max(k, EPISODES_MIN) * EPISODES_DEPTH, deep);
  return { deep, deepEpisodes };
}

/** Kinds with less than half of `k` visible hits whose index had more entries than were read. */
function kindsToDeepen(
  hits: readonly MethodHits[],
  method: 'words' | 'meaning',
  k: number,
  depth: number,
): GraphKind[] {
  const { deep, deepEpisodes } = depthOf(k, depth);
  return hits.flatMap(({ kind, looked, found, ...one }) => {
    if (kind === 'stretch' || one.method !== method || found.length >= k / 2) return [];
    const read = kind === 'episode' && method === 'words' ? deepEpisodes : deep;
    return looked >= read ? [kind] : [];
  });
}

/** The hits of a deeper statement replace those of the statements before it. */
function foundIn(hits: readonly MethodHits[]): Found {
  const latest = new Map(hits.map((one) => [`${one.kind}/${one.method}`, one]));
  const candidates: Candidate[] = [];
  const stretches = new Map<string, number>();
  for (const { kind, method, found } of latest.values())
    for (const one of found)
      if (kind === 'stretch' || method === 'around') stretches.set(one.uuid, one.score);
      else if (one.isNote) candidates.push({ ...one, kind: 'note', method, window: null });
      else candidates.push({ kind, method, ...one, category: entityTypeOf(one.labels ?? []) });
  return { candidates, stretches };
}

type Slot = QueryVector['slot'] | null;

const statements = new Map<string, string>();

/** Joins methods to one statement. There are few combinations, each joined once per process. */
function statementOf(key: string, methods: () => readonly string[]): string {
  const cached = statements.get(key);
  if (cached !== undefined) return cached;
  const statement = cypher`// ${key.split('/')[0]}\n${methods().join('\nUNION ALL\n')}`;
  statements.set(key, statement);
  return statement;
}

const firstStatement = (kinds: readonly GraphKind[], slot: Slot, hasCentre: boolean): string =>
  statementOf(`findCandidatesOfSearch/${kinds.join()}/${slot}/${hasCentre}`, () =>
    kinds.flatMap((kind) => [
      searchMethods(kind).words(slot),
      ...(slot === null ? [] : [searchMethods(kind).meaning(slot)]),
      ...(hasCentre ? [searchMethods(kind).graph(slot)] : []),
      ...(kind === 'episode' ? [STRETCHES] : []),
    ]),
  );

// Known before the first search, so that they are planned before it. After a change of the model
// the vectors are in slot B, and the first search plans its statement.
for (const slot of [null, 'A'] as const) firstStatement(GRAPH_KINDS, slot, false);

function deeperStatement(
  wordKinds: readonly GraphKind[],
  meaningKinds: readonly GraphKind[],
  slot: Slot,
): string {
  const key = `findFurtherCandidates/${wordKinds.join()}/${meaningKinds.join()}/${slot}`;
  return statementOf(key, () => [
    ...wordKinds.map((kind) => searchMethods(kind).words(slot)),
    ...(slot === null ? [] : meaningKinds.map((kind) => searchMethods(kind).meaning(slot))),
  ]);
}

const exactStatement = (kinds: readonly GraphKind[], slot: QueryVector['slot']): string =>
  statementOf(`findNearestOfOwner/${kinds.join()}/${slot}`, () =>
    kinds.map((kind) => searchMethods(kind).exact(slot)),
  );

function searchParams(search: Wanted, scope: SearchScope, vector: QueryVector | null): Params {
  const owner = userGroupOf(scope.viewerId);
  const { here, episodeGroups: only } = scope;
  // Episodes that the conversation shows would only fill the answer.
  const isShown = here?.path.every((uuid) => here.shown.includes(uuid));
  const without = isShown ? ` -group_id:"${here?.conversationId}"` : '';
  const isOne = only.length === 1 && !search.episodes.notes;
  const within = isOne ? ` +group_id:"${only[0]}"^0` : without;
  return {
    ...viewerParams(scope.viewerId),
    ...search.episodes,
    validAt: search.validAt,
    knownAt: search.knownAt,
    now: search.now,
    groups: scope.groups,
    within: scope.within,
    episodeGroups: scope.episodeGroups,
    allowed: scope.allowed,
    here: here?.conversationId ?? null,
    path: here?.path ?? [],
    shown: here?.shown ?? [],
    ...indexQueriesOf(search.query.lucene, { owner, groups: scope.groups, within }),
    vector: vector?.values.map((value) => new Float(value)) ?? null,
    centre: scope.centre,
    exactMax: EXACT_MAX,
    chars: TEXT_CHARS_MAX,
  };
}

const ON_SCREEN = cypher`
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
    MATCH (ep)<-[:HAS_CONTENT]-(a:Alternative)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
    WHERE ${isOnScreen({ episode: 'ep', alternative: 'a', turn: 't' })}
  }
  RETURN DISTINCT kind, of
  UNION
  UNWIND $entities AS entity
  MATCH (e:Entity {uuid: entity}) WHERE NOT ${isOfTurns('e')}
  RETURN 'entity' AS kind, entity AS of
`;

/** Keys (`kind/uuid`) of the candidates that a conversation of the viewer shows. */
async function listOnScreen(tx: ReadTx, candidates: readonly Candidate[]): Promise<Set<string>> {
  const rows = await tx.run(ON_SCREEN, uuidsByKind(candidates));
  return new Set(
    rows.map((row) => `${textOf(row, 'kind', 'Candidate')}/${textOf(row, 'of', 'Candidate')}`),
  );
}

const MEASURE = cypher`
  // measureCandidates
  CALL () {
    UNWIND $facts AS uuid
    MATCH (from:Entity)-[r:RELATES_TO {uuid: uuid}]->(to:Entity)
    RETURN 'fact' AS kind, uuid, [from.uuid, to.uuid] AS ends,
      toFloat(size(r.episodes)) AS mentions,
      head(COLLECT {
        MATCH (f:FactRef {edgeUuid: uuid})
        RETURN CASE $slot WHEN 'A' THEN f.vectorA ELSE f.vectorB END }) AS vector
    UNION
    UNWIND $entities AS uuid
    MATCH (e:Entity {uuid: uuid})-[:HAS_PROFILE]->(p)
    RETURN 'entity' AS kind, uuid, [uuid] AS ends,
      toFloat(COUNT { (e)<-[:MENTIONS]-() }) AS mentions,
      CASE $slot WHEN 'A' THEN p.vectorA ELSE p.vectorB END AS vector
    UNION
    UNWIND $episodes AS uuid
    MATCH (ep:Episodic {uuid: uuid})
    RETURN 'episode' AS kind, uuid, [(ep)-[:MENTIONS]->(e) | e.uuid] AS ends, null AS mentions,
      head(COLLECT {
        MATCH (t:EpisodeText)-[:TEXT_OF]->(ep)
        RETURN CASE $slot WHEN 'A' THEN t.vectorA ELSE t.vectorB END LIMIT 1 }) AS vector
  }
  CALL (ends) {
    MATCH (centre:Entity {uuid: $centre})
    RETURN CASE WHEN $centre IN ends THEN 0.0
      WHEN EXISTS { MATCH (centre)-[:RELATES_TO]-(other:Entity) WHERE other.uuid IN ends } THEN 1.0
      WHEN EXISTS { MATCH (centre)-[:RELATES_TO*2]-(other:Entity)
        WHERE other.uuid IN ends } THEN 2.0
      ELSE 10.0 END AS distance
    UNION
    WITH ends WHERE $centre IS NULL
    RETURN null AS distance
  }
  RETURN kind, uuid, mentions, distance, vector
`;

const MeasureRow = z.object({
  kind: z.string(),
  uuid: z.string(),
  mentions: numberOrNull,
  distance: numberOrNull,
  // Not parsed number by number: a vector index accepts only lists of numbers.
  vector: z.custom<readonly number[]>(Array.isArray).nullable(),
});

/** The numbers that rerankers need, for each candidate that still exists. */
export async function measureCandidates(
  tx: ReadTx,
  { centre }: SearchScope,
  vector: QueryVector | null,
  candidates: readonly Pick<Candidate, 'kind' | 'uuid'>[],
): Promise<Measured[]> {
  const params = { ...uuidsByKind(candidates), centre, slot: vector?.slot ?? null };
  return readAll(tx, MEASURE, params, (row) => {
    const { kind, uuid, ...measures } = parseRow(MeasureRow, row, 'Candidate');
    return { key: `${kind}/${uuid}`, ...measures };
  });
}

function uuidsByKind(candidates: readonly Pick<Candidate, 'kind' | 'uuid'>[]) {
  const uuidsOf = (kind: SearchKind) => [
    ...new Set(candidates.filter((one) => one.kind === kind).map(({ uuid }) => uuid)),
  ];
  return { facts: uuidsOf('fact'), entities: uuidsOf('entity'), episodes: uuidsOf('episode') };
}
