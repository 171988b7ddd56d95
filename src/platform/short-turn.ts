import type { FairPlaces } from '../common/fair-places.ts';

/**
 * Does the work when it is the owner's turn. Work that takes longer than `turnMsMax` goes on
 * without its place.
 * @throws NoPlace where too many wait, and as the work
 */
export function inShortTurn<T>(
  places: FairPlaces,
  ownerId: string,
  turnMsMax: number,
  work: () => Promise<T>,
): Promise<T> {
  return places.run(ownerId, async (giveBack) => {
    const timer = setTimeout(giveBack, turnMsMax);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  });
}
