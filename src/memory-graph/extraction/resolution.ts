import { isNearName, mayBeOneName, nameKey } from './name-match.ts';

/** The part of an extracted entity that decides which known one it is. */
interface Described {
  readonly name: string;
  readonly category: string | null;
}

/** A known entity that an extracted one may be. */
export interface Candidate {
  readonly uuid: string;
  readonly name: string;
  readonly category: string | null;
  readonly summary: string;
  /** Cosine of names and summaries; 0 where it was not found by vector. */
  readonly similarity: number;
  readonly createdAt: string;
  readonly isUsers: boolean;
}

/**
 * Which known entity an extracted one is (docs/decisions/0021): the same name first, then a name that is near, then what is said
 * of both being alike, and what a model says last. Null where it is a new one.
 * @param threshold cosine from which two are one (setting dedupSimilarityThreshold)
 * @param sameUuid what a model says
 */
export function resolveEntity(
  extracted: Described,
  candidates: readonly Candidate[],
  { threshold, sameUuid }: { readonly threshold: number; readonly sameUuid: string | null },
): Candidate | null {
  const key = nameKey(extracted.name);
  const known = candidates.toSorted(byPrecedence);
  return (
    known.find(({ name }) => nameKey(name) === key) ??
    known.find(({ name }) => isNearName(name, extracted.name)) ??
    known
      .filter((one) => isAlike(extracted, one, threshold))
      .toSorted((a, b) => b.similarity - a.similarity)[0] ??
    known.find(({ uuid }) => uuid === sameUuid) ??
    null
  );
}

/** Whether what is said of two is so alike that they are one, and nothing else speaks against it (S4-ENT-07). */
export function isAlike(
  one: Described,
  other: Pick<Candidate, 'name' | 'category' | 'similarity'>,
  threshold: number,
): boolean {
  if (other.similarity < threshold || !mayBeOneName(one.name, other.name)) return false;
  return one.category === null || other.category === null || one.category === other.category;
}

/** A user's own first, then the one that was known first. */
function byPrecedence(a: Candidate, b: Candidate): number {
  if (a.isUsers !== b.isUsers) return a.isUsers ? -1 : 1;
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0;
}

/**
 * What was known of an entity and what is said of it now, as Graphiti joins them. Where both are too long, the older lines are
 * dropped, except of a user's own entity: that one keeps its summary as it is.
 */
export function joinSummaries(
  known: string,
  said: string,
  charsMax: number,
  { isUsers = false }: { readonly isUsers?: boolean } = {},
): string {
  if (said === '' || known.toLowerCase().includes(said.toLowerCase())) return known;
  if (known === '' || said.toLowerCase().includes(known.toLowerCase()))
    return said.slice(0, charsMax);
  const joined = `${known}\n${said}`;
  if (joined.length <= charsMax) return joined;
  if (isUsers) return known;
  const lines = joined.split('\n');
  while (lines.length > 1 && lines.join('\n').length > charsMax) lines.shift();
  return lines.join('\n').slice(0, charsMax);
}
