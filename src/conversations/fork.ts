import type { Alternative } from './alternative.ts';

type Copied<T> = T & { readonly isShown: boolean };
type Original = Pick<
  Alternative,
  'id' | 'turnId' | 'sequence' | 'isActive' | 'respondsToId' | 'outcome'
>;

/**
 * The alternatives that a fork copies: those on the path (the active ones, and `endId` at its end)
 * and the alternatives they answer, recursively. Each copy answers a copy, so it stays stale or
 * valid as its original.
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
  const shown = path.map((turnId) =>
    turnId === end
      ? endId
      : (alternatives.find((one) => one.turnId === turnId && one.isActive)?.id ?? null),
  );
  const taken = new Set<string>();
  for (const start of shown) {
    for (let id = start; id !== null && !taken.has(id); id = byId.get(id)?.respondsToId ?? null) {
      taken.add(id);
    }
  }
  return path.flatMap((turnId) =>
    alternatives
      .filter((one) => one.turnId === turnId && taken.has(one.id))
      .sort((a, b) => a.sequence - b.sequence)
      .map((one) => ({ ...one, isShown: shown.includes(one.id) })),
  );
}
