import { Float, type Params, type ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import type { VectorSlot } from '../embeddings/embedding.ts';
import { userGroupOf } from '../group.ts';
import { viewerParams } from '../visible.cypher.ts';
import type { Candidate, Method, SearchKind } from './search.ts';
import { luceneText } from './search.ts';
import type { SearchScope } from './search-scope.cypher.ts';
import {
  candidatesStatement,
  exact,
  meaning,
  RankedHits,
  SEARCHED,
  statementOf,
  wordsOf,
} from './search-ways.cypher.ts';

/** When: `now` is what neither is said. */
export interface SearchTime {
  readonly validAt: string | null;
  readonly knownAt: string | null;
  readonly now: string;
}

/** What is asked; without a vector only words are compared. `centre`: the uuid of an Entity to stay near to. */
export interface SearchQuery {
  readonly text: string;
  readonly vector: readonly number[] | null;
  readonly slot: VectorSlot | null;
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
): Params & { readonly episodes: number } {
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
    vector: query.vector?.map((value) => new Float(value)) ?? null,
    centre: query.centre,
    k,
    exactMax: EXACT_MAX,
  };
}

/** What all ways found, and how well each stretch of Episodes answers. */
export interface Found {
  readonly candidates: Candidate[];
  readonly stretches: ReadonlyMap<string, number>;
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
  const deepOf = (deep: number) => ({
    deep,
    deepEpisodes: Math.max(params.episodes * EPISODES_DEPTH, deep),
  });
  const find = async (cypher: string, deep: number) =>
    (await tx.run(cypher, { ...params, ...deepOf(deep) })).map((row) =>
      parseRow(RankedHits, row, 'Way of a search'),
    );
  const ways = await find(
    candidatesStatement({ kinds: searched, slot, hasCentre: centre !== null }),
    k,
  );
  /** Kinds of which a method shows less than half of what is wanted, although the index had more to offer. */
  const thin = (method: Method, among: readonly RankedHits[], depth: number) => {
    const { deep, deepEpisodes } = deepOf(depth);
    return among.flatMap(({ kind, looked, found, ...one }) => {
      if (kind === 'stretch' || one.method !== method || found.length >= k / 2) return [];
      const hadMore = looked >= (kind === 'episode' && method === 'words' ? deepEpisodes : deep);
      return hadMore ? [kind] : [];
    });
  };
  const again = thin('words', ways, k);
  const afar = slot === null ? [] : thin('meaning', ways, k);
  const deep = Math.max(k, Math.min(k * DEEPER, DEEP_MAX));
  const further: RankedHits[] = [];
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
