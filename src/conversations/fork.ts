import type { Alternative } from './alternative.ts';

type Copied<T> = T & { readonly isShown: boolean };
type Original = Pick<
  Alternative,
  'id' | 'turnId' | 'sequence' | 'isActive' | 'respondsToId' | 'outcome'
>;

/**
 * The alternatives that a fork copies: `endId` with all that it answers, which the fork shows, so
 * none of it is stale; and the active ones of the path with all that these answer.
 * @param path ids of the turns, root first
 * @returns in the order of turns, then sequences; null if `endId` is not of the last turn
 */
export function copiedAlternatives<T extends Original>(
  path: readonly string[],
  alternatives: readonly T[],
  endId: string,
): Copied<T>[] | null {
  const byId = new Map(alternatives.map((alternative) => [alternative.id, alternative]));
  const end = path.at(-1);
  if (byId.get(endId)?.turnId !== end) return null;
  const addLineage = (start: string, to: Set<string>) => {
    for (let id: string | null = start; id !== null && !to.has(id); ) {
      to.add(id);
      id = byId.get(id)?.respondsToId ?? null;
    }
    return to;
  };
  const shown = addLineage(endId, new Set());
  const taken = new Set(shown);
  for (const { id, turnId, isActive } of alternatives)
    if (isActive && turnId !== end) addLineage(id, taken);
  return path.flatMap((turnId) =>
    alternatives
      .filter((one) => one.turnId === turnId && taken.has(one.id))
      .sort((a, b) => a.sequence - b.sequence)
      .map((one) => ({ ...one, isShown: shown.has(one.id) })),
  );
}
