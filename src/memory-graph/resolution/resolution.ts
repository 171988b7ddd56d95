import { isNearName, mayBeOneName, nameKey } from '../entities/name-match.ts';

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
 * The known entity that an extracted one is (docs/decisions/0021). Decided by the same name, then a
 * near name, then similar content, then the model. Null where it is a new entity.
 * @param threshold lowest cosine of similar content (setting dedupSimilarityThreshold)
 * @param sameUuid the model's answer
 */
export function resolveEntity(
  extracted: Described,
  candidates: readonly Candidate[],
  { threshold, sameUuid }: { readonly threshold: number; readonly sameUuid: string | null },
): Candidate | null {
  const key = nameKey(extracted.name);
  const known = candidates.toSorted(byPrecedence);
  const isOneKind = ({ category }: Candidate) => areOneKind(extracted.category, category);
  return (
    known.find((one) => nameKey(one.name) === key && isOneKind(one)) ??
    known.find((one) => isNearName(one.name, extracted.name) && isOneKind(one)) ??
    known
      .filter((one) => isAlike(extracted, one, threshold))
      .toSorted((a, b) => b.similarity - a.similarity)[0] ??
    known.find(({ uuid }) => uuid === sameUuid) ??
    null
  );
}

const PLAIN_KINDS: ReadonlySet<string | null> = new Set(['Person', 'Organization', 'Place']);

/**
 * Whether two things of one name may be one. A person, an organization and a place never are: the
 * town Lincoln is not the man. The other kinds are how a text looks at a thing, and nearly anything
 * may be called an Object or a Concept.
 */
export function areOneKind(one: string | null, other: string | null): boolean {
  return one === other || !isPlainKind(one) || !isPlainKind(other);
}

/** Whether the kind alone tells some things of one name apart. */
export function isPlainKind(kind: string | null): boolean {
  return PLAIN_KINDS.has(kind);
}

/** Whether two entities are one by similar content, compatible names and category (S4-ENT-07). */
export function isAlike(
  one: Described,
  other: Pick<Candidate, 'name' | 'category' | 'similarity'>,
  threshold: number,
): boolean {
  if (other.similarity < threshold || !mayBeOneName(one.name, other.name)) return false;
  return one.category === null || other.category === null || one.category === other.category;
}

/** Entities that a user created first, then the oldest. */
export function byPrecedence(
  a: Pick<Candidate, 'isUsers' | 'createdAt'>,
  b: Pick<Candidate, 'isUsers' | 'createdAt'>,
): number {
  if (a.isUsers !== b.isUsers) return a.isUsers ? -1 : 1;
  return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0;
}
