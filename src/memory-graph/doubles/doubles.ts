import { areOneKind, byPrecedence, type Candidate, isPlainKind } from '../resolution/resolution.ts';

/** An entity of one owner among those with its name. */
export type Namesake = Pick<Candidate, 'uuid' | 'category' | 'createdAt' | 'isUsers'>;

/** One entity of a name is taken in by another. */
export interface Merge {
  readonly keptUuid: string;
  readonly lostUuid: string;
}

/**
 * Which entities of one name are one: each stands by itself, or is one with the first before it
 * that may be the same kind of thing. Those that a user made stay.
 * @returns pairs, in the order of merging
 */
export function planMerges(namesakes: readonly Namesake[]): Merge[] {
  const kept: { readonly uuid: string; kind: string | null }[] = [];
  const merges: Merge[] = [];
  for (const { uuid, category, isUsers } of namesakes.toSorted(byPrecedence)) {
    const other = isUsers ? undefined : kept.find(({ kind }) => areOneKind(kind, category));
    if (other === undefined) kept.push({ uuid, kind: category });
    else {
      merges.push({ keptUuid: other.uuid, lostUuid: uuid });
      // What is one with a person is one with no place.
      if (isPlainKind(category)) other.kind = category;
    }
  }
  return merges;
}
