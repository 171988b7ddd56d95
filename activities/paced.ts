import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { FairPlaces, NoPlace } from '../src/common/fair-places.ts';

/** Activities at once after a start, and the most that they come to. */
const FIRST = 4;
const MOST = 32;
/** So many may wait in this process; the others wait in Temporal and come again. */
const WAITING_MAX = 16;
/** An activity of these statements takes 50 ms; the database ends one that takes 60 s. */
const SLOW_MS = 5_000;

/**
 * Takes waiting work at the rate that succeeds: as many activities at once as have ended in time,
 * one more for each round of them, and half as many after a slow one. After a start with thousands
 * of waiting turns, the database answers people first (docs/decisions/0115).
 * @param startOver resolves when the start is over; the work begins then
 */
export function paced<A extends object>(
  activities: A,
  startOver: Promise<void>,
  nowMs: () => number = () => performance.now(),
): A {
  let atOnce = FIRST;
  let wellInRow = 0;
  let halvedAtMs = Number.NEGATIVE_INFINITY;
  const places = new FairPlaces({ places: FIRST, placesPerOwner: MOST, waiting: WAITING_MAX });
  const note = (startedMs: number) => {
    const endedMs = nowMs();
    const isSlow = endedMs - startedMs >= SLOW_MS;
    // Those that were under way together are slow together, and count once.
    if (isSlow && startedMs < halvedAtMs) return;
    wellInRow = isSlow ? 0 : wellInRow + 1;
    if (isSlow) {
      halvedAtMs = endedMs;
      atOnce = Math.max(1, Math.floor(atOnce / 2));
    } else if (wellInRow >= atOnce) {
      wellInRow = 0;
      atOnce = Math.min(MOST, atOnce + 1);
    }
    places.resize(atOnce);
  };
  const pacedOne =
    <Args extends unknown[], R>(activity: (...args: Args) => Promise<R>) =>
    async (...args: Args): Promise<R> => {
      try {
        return await places.run('', async () => {
          await startOver;
          const startedMs = nowMs();
          try {
            return await activity(...args);
          } finally {
            note(startedMs);
          }
        });
      } catch (error) {
        if (!(error instanceof NoPlace)) throw error;
        const { message } = error;
        throw ApplicationFailure.create({ message, category: ApplicationFailureCategory.BENIGN });
      }
    };
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [name, pacedOne(activity)]),
  ) as A;
}
