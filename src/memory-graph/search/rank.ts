import type { MeaningScale } from '../embeddings/meaning-scale.ts';
import { type Found, keyOf, rankedLists, TEXT_CHARS_MAX, type Thing } from './candidate.ts';
import { type Reason, relevanceOf, type Scored } from './relevance.ts';
import type { SearchKind } from './search.ts';
import type { SearchQuery } from './search-query.ts';

/** A kind of result with its id. */
export interface HitRef {
  readonly kind: SearchKind;
  readonly uuid: string;
}

export interface Ranked extends HitRef {
  readonly score: number;
  /** Where each method placed it: `words #1`, `meaning #3 (0.71)`, `graph 1 step`, `around #2`. */
  readonly matched: readonly string[];
  /** The parts of its relevance. */
  readonly reasons: readonly Reason[];
  /** Results with the same text that were merged into this one. */
  readonly same: readonly HitRef[];
}

/** Merges the candidates of all methods and kinds into one list by relevance, best first. */
export function rank(query: SearchQuery, found: Found, scale: MeaningScale): Ranked[] {
  return merged(relevanceOf(query, found, scale), found);
}

/** As `rank`, in the order of Graphiti's reciprocal rank fusion over the lists of all methods. */
export function rankByFusion(query: SearchQuery, found: Found, scale: MeaningScale): Ranked[] {
  const lists = rankedLists(found.candidates).map(([, candidates]) => candidates.map(keyOf));
  const scores = new Map(fuse(lists));
  const fused = relevanceOf(query, found, scale).map((one) => ({
    ...one,
    score: scores.get(one.thing.key) ?? 0,
  }));
  return merged(fused, found);
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

/** Results are merged where their texts are equal, within one of these groups. */
const MERGED_AS: { readonly [K in SearchKind]?: string } = {
  episode: 'said',
  event: 'said',
  fact: 'fact',
};
/** Among equal texts, the first of these kinds stands for all. */
const KIND_ORDER: readonly SearchKind[] = ['entity', 'fact', 'episode', 'event', 'toc'];

/**
 * One result per text, at the score of its best: an event and the Episode of one turn, a turn and
 * its copies in forks. The oldest Episode stands for all, so a fork's copy never hides its
 * original.
 */
function merged(all: readonly Scored[], { stretches }: Found): Ranked[] {
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
