import type { Instant } from '../../common/clock.ts';
import type { Maybe } from '../../common/maybe.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import type { VectorSlot } from '../embeddings/embedding.ts';

export const SEARCH_KINDS = ['entity', 'fact', 'episode', 'toc', 'event'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
/** Kinds of the memory graph; a search statement lists them in this order. */
export const GRAPH_KINDS = ['entity', 'fact', 'episode'] as const satisfies readonly SearchKind[];
export type GraphKind = (typeof GRAPH_KINDS)[number];
/** Kinds of the agent memory. */
const RECALL_KINDS = ['event', 'toc'] as const satisfies readonly SearchKind[];
const KINDS_DEFAULT: readonly SearchKind[] = GRAPH_KINDS;

export const RERANKERS = ['rrf', 'mmr', 'node_distance', 'episode_mentions'] as const;
export type Reranker = (typeof RERANKERS)[number];

/** The search methods: full text, vector similarity, and the distance from the centre entity. */
export const METHODS = ['words', 'meaning', 'graph'] as const;
export type Method = (typeof METHODS)[number];

export const QUERY_CHARS_MAX = 2_000;
export const SEARCH_LIMIT_MAX = 100;
export const SEARCH_LIMIT_DEFAULT = 10;

/** A search as the caller gave it. */
export interface SearchMemory {
  readonly query: string;
  readonly kinds?: Maybe<readonly SearchKind[]>;
  /** Searches one conversation: its path on screen, or all of it with `allBranches`. */
  readonly conversationId?: Maybe<string>;
  readonly groupIds?: Maybe<readonly string[]>;
  readonly allBranches?: Maybe<boolean>;
  /** The agent whose events and pages are searched; absent: the agent in the settings. */
  readonly agentId?: Maybe<string>;
  /** Facts that held at this moment; absent: facts that hold now. */
  readonly validAt?: Maybe<string>;
  /** The memory graph as it was known at this moment; absent: as it is known now. */
  readonly knownAt?: Maybe<string>;
  readonly limit?: Maybe<number>;
  readonly centerEntityUuid?: Maybe<string>;
  readonly reranker?: Maybe<Reranker>;
}

/** A checked search: every field has its value or its default. */
export interface Search {
  readonly query: string;
  /** The query in Lucene's syntax; any of its words may match. */
  readonly words: string;
  readonly graphKinds: readonly GraphKind[];
  readonly recallKinds: readonly (typeof RECALL_KINDS)[number][];
  readonly conversationId: string | null;
  readonly groupIds: readonly string[] | null;
  readonly allBranches: boolean;
  readonly agentId: string | null;
  readonly validAt: Instant | null;
  readonly knownAt: Instant | null;
  /** Stands for `validAt` where that is null. */
  readonly now: Instant;
  readonly limit: number;
  /** Two steps around this entity are searched, and `node_distance` measures from it. */
  readonly centerEntityUuid: string | null;
  readonly reranker: Reranker;
}

/** The query's embedding in the space of `slot`. A search without one compares words only. */
export interface QueryVector {
  readonly slot: VectorSlot;
  readonly values: readonly number[];
}

export function checkSearch(input: SearchMemory): Problem[] {
  const { query, limit, reranker, centerEntityUuid, groupIds } = input;
  const problems: Problem[] = [];
  if (query.trim() === '')
    problems.push(problem('REQUIRED', ['query'], 'There is nothing to search for.'));
  if (query.length > QUERY_CHARS_MAX)
    problems.push(problem('INVALID', ['query'], `At most ${QUERY_CHARS_MAX} characters.`));
  if (limit != null && !(Number.isInteger(limit) && limit >= 1 && limit <= SEARCH_LIMIT_MAX)) {
    const message = `A whole number from 1 to ${SEARCH_LIMIT_MAX}.`;
    problems.push(problem('INVALID', ['limit'], message));
  }
  if (reranker === 'node_distance' && centerEntityUuid == null) {
    const message = 'A distance needs an entity to be measured from.';
    problems.push(problem('REQUIRED', ['centerEntityUuid'], message));
  }
  if ((groupIds?.length ?? 0) > 1_000)
    problems.push(problem('INVALID', ['groupIds'], 'At most 1000 groups at once.'));
  return problems;
}

/** The search that a checked `input` stands for. */
export function searchOf(input: SearchMemory, now: Instant): Search {
  const kinds = input.kinds ?? KINDS_DEFAULT;
  return {
    query: input.query,
    words: luceneText(input.query),
    graphKinds: GRAPH_KINDS.filter((kind) => kinds.includes(kind)),
    recallKinds: RECALL_KINDS.filter((kind) => kinds.includes(kind)),
    conversationId: input.conversationId ?? null,
    groupIds: input.groupIds ?? null,
    allBranches: input.allBranches === true,
    agentId: input.agentId ?? null,
    validAt: input.validAt ?? null,
    knownAt: input.knownAt ?? null,
    now,
    limit: input.limit ?? SEARCH_LIMIT_DEFAULT,
    centerEntityUuid: input.centerEntityUuid ?? null,
    reranker: input.reranker ?? 'rrf',
  };
}

/** A thing found by one method, with its score in that method. */
export interface Candidate {
  readonly kind: SearchKind;
  readonly uuid: string;
  readonly method: Method;
  /** Lucene's score, the cosine, or the number of steps; compared within one method only. */
  readonly score: number;
  /** Episodes only: key of the Episode's stretch. */
  readonly stretch?: string | null;
  /** Episodes found by words only: the cosine of the Episode's text and the query. */
  readonly near?: number | null;
}

export interface Ranked {
  readonly kind: SearchKind;
  readonly uuid: string;
  readonly score: number;
  /** Reasons for people: `words #1`, `meaning #3`, `graph 1 step`, `around #2` (its stretch). */
  readonly matched: readonly string[];
}

/**
 * Reciprocal rank fusion as Graphiti has it: 1 / (place from 1), summed over the lists.
 * @returns ids with their scores, best first; equal scores keep the order of first appearance
 */
export function fuse(lists: readonly (readonly string[])[]): [string, number][] {
  const scores = new Map<string, number>();
  for (const list of lists)
    for (const [place, id] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (place + 1));
  return [...scores].sort(([, a], [, b]) => b - a);
}

/**
 * Merges the candidates of all methods and kinds into one list, best first. `fuse` orders entities
 * and facts, as in Graphiti; `orderEpisodes` orders Episodes. Relevance orders the kinds among each
 * other (docs/decisions/0004).
 * @param stretches Lucene's score of each stretch of Episodes, by key
 */
export function rank(
  candidates: readonly Candidate[],
  stretches: ReadonlyMap<string, number> = new Map(),
): Ranked[] {
  const byKey = new Map<string, { kind: SearchKind; uuid: string; matched: string[] }>();
  const relevance = relevanceOf(candidates);
  const scores: [string, number][] = [];
  for (const kind of SEARCH_KINDS) {
    const lists: string[][] = [];
    for (const method of METHODS) {
      const found = candidates.filter((one) => one.kind === kind && one.method === method);
      if (found.length === 0) continue;
      const sorted = found.toSorted((a, b) =>
        method === 'graph' ? a.score - b.score : b.score - a.score,
      );
      lists.push(sorted.map(keyOf));
      for (const [place, one] of sorted.entries()) {
        const key = keyOf(one);
        const ranked = byKey.get(key) ?? { kind: one.kind, uuid: one.uuid, matched: [] };
        ranked.matched.push(reason(one, place + 1));
        byKey.set(key, ranked);
      }
    }
    const order =
      kind === 'episode'
        ? orderEpisodes(candidates, stretches).map((uuid) => keyOf({ kind, uuid }))
        : fuse(lists).map(([key]) => key);
    // Relevances are assigned in descending order, which keeps the order within the kind.
    const relevances = order.map((key) => relevance.get(key) ?? 0).sort((a, b) => b - a);
    for (const [place, key] of order.entries()) scores.push([key, relevances[place] ?? 0]);
    if (kind === 'episode')
      for (const [key, why] of reasonsAround(candidates, stretches))
        byKey.get(key)?.matched.push(why);
  }
  return scores
    .sort(([, a], [, b]) => b - a)
    .flatMap(([key, score]) => {
      const ranked = byKey.get(key);
      return ranked === undefined ? [] : [{ ...ranked, score }];
    });
}

function keyOf({ kind, uuid }: Pick<Candidate, 'kind' | 'uuid'>): string {
  return `${kind}/${uuid}`;
}

/**
 * The relevance of each candidate by the measures that all kinds have: words, meaning and graph,
 * each as a share of the best score among all kinds. By ranks alone, the best hit of each kind
 * would come first, even an irrelevant one.
 * @returns relevance by key, weighted as in EPISODE_WEIGHTS
 */
function relevanceOf(candidates: readonly Candidate[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const method of METHODS) {
    const scores = new Map<string, number>();
    for (const one of candidates) {
      const { score, near } = one;
      const scored = one.method === method ? (method === 'graph' ? 1 / score : score) : null;
      const value = scored ?? (method === 'meaning' ? near : null) ?? null;
      if (value !== null && value > (scores.get(keyOf(one)) ?? 0)) scores.set(keyOf(one), value);
    }
    const best = Math.max(...scores.values());
    for (const [key, value] of scores)
      total.set(key, (total.get(key) ?? 0) + (EPISODE_WEIGHTS[method] * value) / best);
  }
  return total;
}

/** The reason `around #2` of each Episode whose stretch was found. */
function reasonsAround(
  candidates: readonly Candidate[],
  stretches: ReadonlyMap<string, number>,
): Map<string, string> {
  const best = [...stretches].sort(([, a], [, b]) => b - a).map(([stretch]) => stretch);
  return new Map(
    candidates.flatMap(({ kind, uuid, stretch }) =>
      stretch != null && stretches.has(stretch)
        ? [[`${kind}/${uuid}`, `around #${best.indexOf(stretch) + 1}`] as const]
        : [],
    ),
  );
}

/**
 * Weight of each measure (docs/decisions/0004): tuned on one half of a public data set, verified on
 * the other.
 */
const EPISODE_WEIGHTS = { words: 1.5, meaning: 0.6, around: 0.8, graph: 0.6 } as const;

/**
 * Uuids of the Episodes among the candidates, best first. The order is by the weighted sum of four
 * measures, each as a share of its best score: words, meaning, stretch (around) and distance from
 * the centre (graph). Ranks alone would let a weak method outvote a strong one.
 */
export function orderEpisodes(
  candidates: readonly Candidate[],
  stretches: ReadonlyMap<string, number>,
): string[] {
  const measures = {
    words: new Map<string, number>(),
    meaning: new Map<string, number>(),
    around: new Map<string, number>(),
    graph: new Map<string, number>(),
  };
  const keepBest = (scores: Map<string, number>, uuid: string, score: Maybe<number>) => {
    if (score != null && score > (scores.get(uuid) ?? 0)) scores.set(uuid, score);
  };
  const uuids = new Set<string>();
  for (const { kind, method, uuid, score, stretch, near } of candidates) {
    if (kind !== 'episode') continue;
    uuids.add(uuid);
    keepBest(measures[method], uuid, method === 'graph' ? 1 / score : score);
    keepBest(measures.meaning, uuid, near);
    if (stretch != null) keepBest(measures.around, uuid, stretches.get(stretch));
  }
  const total = new Map([...uuids].map((uuid) => [uuid, 0]));
  for (const [name, weight] of Object.entries(EPISODE_WEIGHTS)) {
    const scores = measures[name as keyof typeof measures];
    const best = Math.max(...scores.values());
    for (const [uuid, score] of scores)
      total.set(uuid, (total.get(uuid) ?? 0) + (weight * score) / best);
  }
  return [...total].sort(([, a], [, b]) => b - a).map(([uuid]) => uuid);
}

function reason({ method, score }: Candidate, place: number): string {
  if (method === 'graph') return `graph ${score} ${score === 1 ? 'step' : 'steps'}`;
  return method === 'meaning' ? `meaning #${place} (${score.toFixed(2)})` : `words #${place}`;
}

/**
 * Maximal marginal relevance as in Graphiti, in one pass: similar to the query, unlike the others.
 * @param lambda 1: only similarity to the query counts; 0: only unlikeness to the others
 */
export function mmr(
  query: readonly number[],
  vectors: ReadonlyMap<string, readonly number[]>,
  lambda = 0.5,
): [string, number][] {
  const normal = new Map([...vectors].map(([id, vector]) => [id, normalised(vector)]));
  const scored = [...normal].map(([id, vector]): [string, number] => {
    const others = [...normal].filter(([other]) => other !== id);
    const nearest = Math.max(
      ...others.map(([, other]) => dot(vector, other)),
      others.length === 0 ? 0 : -1,
    );
    return [id, lambda * dot(query, vector) + (lambda - 1) * nearest];
  });
  return scored.sort(([, a], [, b]) => b - a);
}

function normalised(vector: readonly number[]): number[] {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** The numbers that rerankers need of one candidate; null where it has none. */
export interface Measured {
  /** `kind/uuid` */
  readonly key: string;
  /** Number of Episodes that mention it. */
  readonly mentions: number | null;
  /** Steps from the centre, FAR at most. */
  readonly distance: number | null;
  readonly vector: readonly number[] | null;
}
/** The distance of candidates more than two steps from the centre. */
const FAR = 10;

/** The score of each measured candidate under the search's reranker, by key. */
export function rerankScores(
  { reranker }: Pick<Search, 'reranker'>,
  vector: QueryVector | null,
  measured: readonly Measured[],
): Map<string, number> {
  if (reranker === 'mmr') return vector === null ? new Map() : mmrScores(vector, measured);
  const score = reranker === 'node_distance' ? nearness : ({ mentions }: Measured) => mentions;
  return new Map(
    measured.flatMap((one) => {
      const value = score(one);
      return value === null ? [] : [[one.key, value] as const];
    }),
  );
}

function mmrScores({ values }: QueryVector, measured: readonly Measured[]): Map<string, number> {
  const vectors = measured.flatMap(({ key, vector }) =>
    vector === null || vector.length !== values.length ? [] : [[key, vector] as const],
  );
  return new Map(mmr(values, new Map(vectors)));
}

/** As in Graphiti: nearer candidates first, the centre itself before all others. */
function nearness({ distance }: Measured): number | null {
  return distance === null || distance >= FAR ? null : 1 / (distance + 0.1);
}

/** Sorts by the scores of a reranker. Candidates without a score follow, in their former order. */
export function rerank(ranked: readonly Ranked[], scores: ReadonlyMap<string, number>): Ranked[] {
  const scored = ranked
    .flatMap((one) => {
      const score = scores.get(keyOf(one));
      return score === undefined ? [] : [{ ...one, score }];
    })
    .sort((a, b) => b.score - a.score);
  const rest = ranked.filter((one) => !scores.has(keyOf(one)));
  const last = scored.at(-1)?.score ?? 1;
  return [...scored, ...rest.map((one, index) => ({ ...one, score: last - 1 - index }))];
}

// Lucene's operators. Graphiti also escapes each letter of AND, OR and NOT.
const SIGNS = /[+\-&|!(){}[\]^"~*?:\\/ORNTAD]/g;

/** Escapes the text's operators of Lucene's query syntax. */
export function luceneEscape(text: string): string {
  return text.replace(SIGNS, '\\$&');
}

/** Keeps a query far below Lucene's limit of clauses; further words add little. */
const WORDS_MAX = 100;

/** The text as a Lucene query of which any word may match. A text without words matches nothing. */
export function luceneText(text: string): string {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_']+/gu) ?? [])];
  return words.length === 0
    ? 'nothingtolookfor'
    : words
        .slice(0, WORDS_MAX)
        .map((word) => luceneEscape(word))
        .join(' ');
}
