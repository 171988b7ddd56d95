import { keyOf } from './candidate.ts';
import type { Ranked } from './rank.ts';
import type { QueryVector, Search } from './search.ts';

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

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

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
const nearness = ({ distance }: Measured): number | null =>
  distance === null || distance >= FAR ? null : 1 / (distance + 0.1);

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
