import { setTimeout as sleep } from 'node:timers/promises';

/** The longest wait for a plan. */
const WAIT_MS_MAX = 2_000;

/**
 * Neo4j plans a statement again for each run that comes before its first plan is ready: five runs
 * at once take the time of five plans. Here the first run of a plan goes alone, and those that come
 * meanwhile wait for its end (docs/decisions/0132).
 */
export class FirstRuns {
  readonly #planned = new Set<string>();
  readonly #underWay = new Map<string, Promise<unknown>>();

  /**
   * Runs `work`, which needs this plan. Waits before it 2 s at most: the first run may wait for a
   * lock that this one holds.
   */
  async run<T>(plan: string, work: () => PromiseLike<T>): Promise<T> {
    if (this.#planned.has(plan)) return work();
    const first = this.#underWay.get(plan);
    if (first !== undefined) {
      await endOf(first);
      return work();
    }
    const running = Promise.resolve(work());
    this.#underWay.set(plan, running);
    try {
      const value = await running;
      this.#planned.add(plan);
      return value;
    } finally {
      this.#underWay.delete(plan);
    }
  }

  /** To be called where the plans may be lost: Neo4j keeps them in memory alone. */
  forget(): void {
    this.#planned.clear();
  }
}

async function endOf(first: Promise<unknown>): Promise<void> {
  const waited = new AbortController();
  const ended = first.then(
    () => {},
    () => {},
  );
  const late = sleep(WAIT_MS_MAX, undefined, { signal: waited.signal }).catch(() => {});
  await Promise.race([ended, late]);
  waited.abort();
}
