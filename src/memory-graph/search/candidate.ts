import type { Maybe } from '../../common/maybe.ts';
import { CHUNK_CHARS } from '../episodes/episode-text.ts';
import type { Method, SearchKind } from './search.ts';

/** Texts of candidates are cut to this length: a piece of an Episode stays whole. */
export const TEXT_CHARS_MAX = CHUNK_CHARS;

/** A thing found by one method, with its score in that method and its texts. */
export interface Candidate {
  readonly kind: SearchKind;
  readonly uuid: string;
  readonly method: Method;
  /** Lucene's score, the cosine, or the number of steps; compared within one method only. */
  readonly score: number;
  readonly text?: Maybe<string>;
  /** Episodes: the text with the turns before and after it. */
  readonly window?: Maybe<string>;
  /** Episodes: key of the Episode's stretch. */
  readonly stretch?: Maybe<string>;
  /** The cosine of the text and the query, also where `method` is another one. */
  readonly near?: Maybe<number>;
  /** Facts: uuids of the Episodes that state it. */
  readonly episodes?: Maybe<readonly string[]>;
  /** Facts and statements: uuids of the entities that they name. */
  readonly ends?: Maybe<readonly string[]>;
  /** Episodes and events: the role of the speaker. */
  readonly speaker?: Maybe<string>;
  /** Entities: the name. */
  readonly name?: Maybe<string>;
  /** Entities: the category. */
  readonly category?: Maybe<string>;
  /** Episodes: when they were said. Facts: since when they hold. */
  readonly saidAt?: Maybe<string>;
  /** Episodes: when they were written; a fork's copy is younger than its original. */
  readonly createdAt?: Maybe<string>;
}

/** One thing among the candidates, found by one method or several. */
export interface Thing {
  readonly key: string;
  readonly kind: SearchKind;
  readonly uuid: string;
  readonly text: string;
  readonly window: string | null;
  readonly stretch: string | null;
  /** The cosine of the text and the query; null without a vector. */
  readonly cosine: number | null;
  /** Steps from the centre; null where the search has none, or where it is too far. */
  readonly steps: number | null;
  readonly episodes: readonly string[];
  readonly ends: readonly string[];
  readonly speaker: string | null;
  readonly name: string | null;
  readonly category: string | null;
  /** '' where it is unknown. */
  readonly saidAt: string;
  readonly createdAt: string;
  /** Reasons by method, such as `words #1`. */
  readonly places: readonly string[];
}

/** The candidates of all methods. */
export interface Found {
  readonly candidates: readonly Candidate[];
  /** Lucene's score of each stretch of Episodes, by its key. */
  readonly stretches: ReadonlyMap<string, number>;
}

export function keyOf({ kind, uuid }: Pick<Candidate, 'kind' | 'uuid'>): string {
  return `${kind}/${uuid}`;
}

/** Joins the candidates of all methods: each thing once, in order of first appearance. */
export function thingsOf(candidates: readonly Candidate[]): Thing[] {
  const places = placesOf(candidates);
  const byKey = Map.groupBy(candidates, keyOf);
  return [...byKey].map(([key, found]) => thingOf(key, found, places.get(key) ?? []));
}

function thingOf(key: string, found: readonly Candidate[], places: readonly string[]): Thing {
  const [first] = found;
  if (first === undefined) throw new Error(`No candidate ${key}.`);
  const known = <Field extends keyof Candidate>(field: Field) =>
    found.find((one) => one[field] != null)?.[field] ?? null;
  const cosines = found.flatMap(({ method, score, near }) =>
    method === 'meaning' ? [score] : near == null ? [] : [near],
  );
  const steps = found.filter(({ method }) => method === 'graph').map(({ score }) => score);
  return {
    key,
    kind: first.kind,
    uuid: first.uuid,
    text: known('text') ?? '',
    window: known('window'),
    stretch: known('stretch'),
    cosine: cosines.length === 0 ? null : Math.max(...cosines),
    steps: steps.length === 0 ? null : Math.min(...steps),
    episodes: known('episodes') ?? [],
    ends: known('ends') ?? [],
    speaker: known('speaker'),
    name: known('name'),
    category: known('category'),
    saidAt: known('saidAt') ?? '',
    createdAt: known('createdAt') ?? '',
    places,
  };
}

/** The place of each candidate within its kind and method, for people. */
function placesOf(candidates: readonly Candidate[]): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const [list, found] of rankedLists(candidates))
    for (const [place, one] of found.entries()) {
      const key = keyOf(one);
      reasons.set(key, [...(reasons.get(key) ?? []), reason(list, one, place + 1)]);
    }
  return reasons;
}

/** The candidates of each kind and method, best first. */
export function rankedLists(candidates: readonly Candidate[]): [Method, Candidate[]][] {
  const lists = Map.groupBy(candidates, ({ kind, method }) => `${kind}/${method}`);
  return [...lists.values()].map((found) => {
    const method = found[0]?.method ?? 'words';
    const sorted = found.toSorted((a, b) =>
      method === 'graph' ? a.score - b.score : b.score - a.score,
    );
    return [method, sorted];
  });
}

function reason(method: Method, { score }: Candidate, place: number): string {
  if (method === 'graph') return `graph ${score} ${score === 1 ? 'step' : 'steps'}`;
  return method === 'meaning' ? `meaning #${place} (${score.toFixed(2)})` : `words #${place}`;
}
