import type { MeaningScale } from '../embeddings/meaning-scale.ts';
import { type Found, keyOf, rankedLists, TEXT_CHARS_MAX, type Thing } from './candidate.ts';
import { type Reason, relevanceOf, type Scored } from './relevance.ts';
import type { SearchKind } from './search.ts';
import type { SearchQuery } from './search-query.ts';
import { isFitting, type Verdict, verdictOf } from './verdict.ts';

/** A kind of result with its id. */
export interface HitRef {
  readonly kind: SearchKind;
  readonly uuid: string;
}

export interface Ranked extends HitRef {
  readonly score: number;
  /** Whether it belongs to the answer; no hit does where nothing answers. */
  readonly fits: boolean;
  /** Where each method placed it: `words #1`, `meaning #3 (0.71)`, `graph 1 step`, `around #2`. */
  readonly matched: readonly string[];
  /** The parts of its relevance. */
  readonly reasons: readonly Reason[];
  /** Results with the same text that were merged into this one. */
  readonly same: readonly HitRef[];
}

/** A verdict with all candidates, those that do not fit too. */
export interface RankedAnswer extends Verdict {
  readonly ranked: readonly Ranked[];
}

/**
 * Merges the candidates of all methods and kinds into one list, best first, and judges whether they
 * answer.
 * @param isFused the order of Graphiti's reciprocal rank fusion over the lists of all methods
 *   instead of the relevance
 */
export function rank(
  query: SearchQuery,
  found: Found,
  scale: MeaningScale,
  isFused = false,
): RankedAnswer {
  const scored = relevanceOf(query, found, scale).sort((a, b) => b.score - a.score);
  const verdict = verdictOf(query, scored);
  const [best] = scored;
  const all = scored.map((one) => ({
    ...one,
    fits: verdict.answerable && best !== undefined && isFitting(query, one, best),
  }));
  return { ...verdict, ranked: merged(isFused ? fused(all, found) : all, found) };
}

function fused(all: readonly Judged[], { candidates }: Found): Judged[] {
  const lists = rankedLists(candidates).map(([, list]) => list.map(keyOf));
  const scores = new Map(fuse(lists));
  return all.map((one) => ({ ...one, score: scores.get(one.thing.key) ?? 0 }));
}

type Judged = Scored & { readonly fits: boolean };

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

/** Results are merged where their texts are equal, within one of these groups. */
const MERGED_AS: { readonly [K in SearchKind]?: string } = {
  episode: 'said',
  event: 'said',
  statement: 'said',
  fact: 'fact',
};
/** Among equal texts, the first of these kinds stands for all. */
const KIND_ORDER: readonly SearchKind[] = [
  ...(['entity', 'fact', 'episode', 'event', 'statement', 'note', 'toc'] as const),
];

/**
 * One result per text, at the score of its best: an event and the Episode of one turn, a turn and
 * its copies in forks. The oldest Episode stands for all, so a fork's copy never hides its
 * original.
 */
function merged(all: readonly Judged[], { stretches }: Found): Ranked[] {
  const sorted = all.toSorted((a, b) => b.score - a.score);
  const bestStretches = [...stretches].sort(([, a], [, b]) => b - a).map(([stretch]) => stretch);
  return [...Map.groupBy(sorted, ({ thing }) => textKey(thing)).values()].flatMap((group) => {
    const things = group.map(({ thing }) => thing).sort(byKindAndAge);
    const [thing, ...others] = things;
    const [best] = group;
    if (thing === undefined || best === undefined) return [];
    const around = thing.stretch === null ? -1 : bestStretches.indexOf(thing.stretch);
    return [
      {
        kind: thing.kind,
        uuid: thing.uuid,
        score: best.score,
        fits: group.some(({ fits }) => fits),
        reasons: best.reasons,
        matched: [...thing.places, ...(around < 0 ? [] : [`around #${around + 1}`])],
        same: others.map(({ kind, uuid }) => ({ kind, uuid })),
      },
    ];
  });
}

function textKey({ kind, key, text }: Thing): string {
  const group = MERGED_AS[kind];
  // The rest of a cut text is unknown.
  if (group === undefined || text.length >= TEXT_CHARS_MAX) return key;
  const plain = text.trim().replace(/\s+/g, ' ');
  return plain === '' ? key : `${group} ${plain}`;
}

function byKindAndAge(a: Thing, b: Thing): number {
  const kinds = KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind);
  return kinds || (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0);
}
