import type { Alternative } from './alternative.ts';

type Copied<T> = T & { readonly isShown: boolean };
type Known = Pick<
  Alternative,
  'id' | 'turnId' | 'sequence' | 'isActive' | 'respondsToId' | 'outcome'
>;

/**
 * Which alternatives a fork takes along: what the path shows (the active ones, at its end the one named) and what those
 * answer, recursively, so that each copy answers a copy and stays as stale or valid as it was.
 * @param path the turns' ids, root first
 * @returns in the order of their turns and sequences; null where `endId` is no alternative of the last turn
 */
export function copiedAlternatives<T extends Known>(
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
