import type { Maybe } from '../../common/maybe.ts';
import { type Problem, problem } from '../../common/refusal.ts';

export const SEARCH_KINDS = ['entity', 'fact', 'episode', 'toc', 'event'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
/** What is found where nothing is said. */
export const KINDS_DEFAULT: readonly SearchKind[] = ['entity', 'fact', 'episode'];

export const RERANKERS = ['rrf', 'mmr', 'node_distance', 'episode_mentions'] as const;
export type Reranker = (typeof RERANKERS)[number];

/** How something was found: its words, what it means, or by how it hangs together with the centre. */
export const METHODS = ['words', 'meaning', 'graph'] as const;
export type Method = (typeof METHODS)[number];

export const QUERY_CHARS_MAX = 2_000;
export const SEARCH_LIMIT_MAX = 100;
export const SEARCH_LIMIT_DEFAULT = 10;

export interface SearchMemory {
  readonly query: string;
  readonly kinds?: Maybe<readonly SearchKind[]>;
  /** Only what this conversation knows; what it shows, unless `allBranches`. */
  readonly conversationId?: Maybe<string>;
  readonly groupIds?: Maybe<readonly string[]>;
  readonly allBranches?: Maybe<boolean>;
  /** Events and pages of this agent; absent: of the one in the settings. */
  readonly agentId?: Maybe<string>;
  /** What was true then; absent: what is true now. */
  readonly validAt?: Maybe<string>;
  /** What was known then; absent: what is known now. */
  readonly knownAt?: Maybe<string>;
  readonly limit?: Maybe<number>;
  readonly centerEntityUuid?: Maybe<string>;
  readonly reranker?: Maybe<Reranker>;
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

/** Something found by one method, at its place there. */
export interface Candidate {
  readonly kind: SearchKind;
  readonly uuid: string;
  readonly method: Method;
  /** Lucene's score, the cosine, or the number of steps; compared within one method only. */
  readonly score: number;
  /** Of an Episode: the stretch it is part of. */
  readonly stretch?: string | null;
  /** Of an Episode that was found by its words: its cosine. */
  readonly near?: number | null;
}

export interface Ranked {
  readonly kind: SearchKind;
  readonly uuid: string;
  readonly score: number;
  /** Why, in words for people: `words #1`, `meaning #3`, `graph 1 step`, `around #2` (what was said around it). */
  readonly matched: readonly string[];
}

/**
 * Reciprocal rank fusion as Graphiti has it: 1 / (place from 1), summed over the lists.
 * @returns ids with their scores, the best first; of equals the one that came first
 */
export function fuse(lists: readonly (readonly string[])[]): [string, number][] {
  const scores = new Map<string, number>();
  for (const list of lists)
    for (const [place, id] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + 1 / (place + 1));
  return [...scores].sort(([, a], [, b]) => b - a);
}

/**
 * Merges the candidates of all methods and kinds into one list, the best first. Within a kind the order is that of `fuse`, as in
 * Graphiti; of Episodes it is that of `orderEpisodes`. Between kinds the relevance decides (docs/decisions/0004).
 * @param stretches how well each stretch of Episodes answers, in Lucene's score
 */
export function rank(
  candidates: readonly Candidate[],
  stretches: ReadonlyMap<string, number> = new Map(),
): Ranked[] {
  const byKey = new Map<string, { kind: SearchKind; uuid: string; matched: string[] }>();
  const relevance = relevanceOf(candidates);
  const scores: [string, number][] = [];
  for (const kind of SEARCH_KINDS) {
    const own: string[][] = [];
    for (const method of METHODS) {
      const found = candidates.filter((one) => one.kind === kind && one.method === method);
      if (found.length === 0) continue;
      const sorted = found.toSorted((a, b) =>
        method === 'graph' ? a.score - b.score : b.score - a.score,
      );
      own.push(sorted.map(keyOf));
      for (const [place, one] of sorted.entries()) {
        const key = keyOf(one);
        const known = byKey.get(key) ?? { kind: one.kind, uuid: one.uuid, matched: [] };
        known.matched.push(reason(one, place + 1));
        byKey.set(key, known);
      }
    }
    const order =
      kind === 'episode'
        ? orderEpisodes(candidates, stretches).map((uuid) => keyOf({ kind, uuid }))
        : fuse(own).map(([key]) => key);
    // The best of a kind gets its highest relevance, so that the order within the kind stays.
    const shares = order.map((key) => relevance.get(key) ?? 0).sort((a, b) => b - a);
    for (const [place, key] of order.entries()) scores.push([key, shares[place] ?? 0]);
    if (kind === 'episode')
      for (const [key, why] of reasonsAround(candidates, stretches))
        byKey.get(key)?.matched.push(why);
  }
  return scores
    .sort(([, a], [, b]) => b - a)
    .flatMap(([key, score]) => {
      const known = byKey.get(key);
      return known === undefined ? [] : [{ ...known, score }];
    });
}

function keyOf({ kind, uuid }: Pick<Candidate, 'kind' | 'uuid'>): string {
  return `${kind}/${uuid}`;
}

/**
 * How well each candidate answers, by the measures that all kinds have: words, meaning and graph, each as a share of the best among
 * all kinds. Without it the best of each kind would stand in front, even where it has nothing to do with the query.
 * @returns shares by key, weighted as in EPISODE_WEIGHTS
 */
function relevanceOf(candidates: readonly Candidate[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const method of METHODS) {
    const scores = new Map<string, number>();
    for (const one of candidates) {
      const { score, near } = one;
      const own = one.method === method ? (method === 'graph' ? 1 / score : score) : null;
      const value = own ?? (method === 'meaning' ? near : null) ?? null;
      if (value !== null && value > (scores.get(keyOf(one)) ?? 0)) scores.set(keyOf(one), value);
    }
    const best = Math.max(...scores.values());
    for (const [key, value] of scores)
      total.set(key, (total.get(key) ?? 0) + (EPISODE_WEIGHTS[method] * value) / best);
  }
  return total;
}

/** Of Episodes in stretches that answer: `around #2`. */
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

/** What each measure of an Episode counts (docs/decisions/0004): measured on one half of a public data set, and kept on the other. */
const EPISODE_WEIGHTS = { words: 1.5, meaning: 0.6, around: 0.8, graph: 0.6 } as const;

/**
 * The Episodes among these, the best first: by their words, what they mean, what was said around them, and whether they have to do with
 * the centre, each in parts of the best there is. Places alone would let a weak method outvote a strong one.
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
  const note = (of: Map<string, number>, uuid: string, score: number | null | undefined) => {
    if (score != null && score > (of.get(uuid) ?? 0)) of.set(uuid, score);
  };
  const uuids = new Set<string>();
  for (const { kind, method, uuid, score, stretch, near } of candidates) {
    if (kind !== 'episode') continue;
    uuids.add(uuid);
    note(measures[method], uuid, method === 'graph' ? 1 / score : score);
    note(measures.meaning, uuid, near);
    if (stretch != null) note(measures.around, uuid, stretches.get(stretch));
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
 * Maximal marginal relevance as Graphiti has it, in one pass: near the query and far from the others.
 * @param lambda 1: only the query counts; 0: only the others
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
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** Candidates again by what a reranker goes by; what has no such measure stays behind, in the order it had. */
export function rerank(ranked: readonly Ranked[], measure: ReadonlyMap<string, number>): Ranked[] {
  const of = ({ kind, uuid }: Ranked) => measure.get(`${kind}/${uuid}`);
  const measured = ranked.filter((one) => of(one) !== undefined);
  const rest = ranked.filter((one) => of(one) === undefined);
  const best = measured
    .map((one) => ({ ...one, score: of(one) ?? 0 }))
    .sort((a, b) => b.score - a.score);
  const last = best.at(-1)?.score ?? 1;
  return [...best, ...rest.map((one, at) => ({ ...one, score: last - 1 - at }))];
}

// Lucene's own signs, and the letters of AND, OR, NOT, which Graphiti escapes one by one (spec/graphiti-golden.json).
const SIGNS = /[+\-&|!(){}[\]^"~*?:\\/ORNTAD]/g;

/** A text with everything escaped that Lucene would read as an operator. */
export function luceneEscape(text: string): string {
  return text.replace(SIGNS, '\\$&');
}

/** Lucene takes so many clauses and no more; what comes after adds little. */
const WORDS_MAX = 100;

/** Any text as words to look for, one of which has to be there; a word that matches nothing where there is none. */
export function luceneText(text: string): string {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_']+/gu) ?? [])];
  return words.length === 0
    ? 'nothingtolookfor'
    : words
        .slice(0, WORDS_MAX)
        .map((word) => luceneEscape(word))
        .join(' ');
}
