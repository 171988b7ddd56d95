import { MockActivityEnvironment } from '@temporalio/testing';
import { Neo4jError } from 'neo4j-driver';
import { describe, expect, it } from 'vitest';
import { isInfrastructure, TIMED_OUT_TRIES_MAX } from '../../activities/failure.ts';
import { paced } from '../../activities/paced.ts';

interface Held {
  /** Ends the activity after so many ms. */
  readonly end: (tookMs: number) => Promise<void>;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** Activities that end when the test says so, on a clock of its own. */
function heldActivities() {
  let nowMs = 0;
  const underWay: Held[] = [];
  const { work } = paced(
    {
      work: () =>
        new Promise<void>((resolve) => {
          underWay.push({
            end: async (tookMs) => {
              nowMs += tookMs;
              resolve();
              await settled();
            },
          });
        }),
    },
    Promise.resolve(),
    () => nowMs,
  );
  return { work, underWay };
}

describe('waiting work after a start (docs/decisions/0115)', () => {
  it('is taken a few at a time, and more while it ends in time', async () => {
    const { work, underWay } = heldActivities();
    const works = Array.from({ length: 12 }, () => work());
    await settled();
    expect(underWay.length).toBe(4);
    for (let ended = 0; ended < 4; ended++) await underWay[ended]?.end(10);
    // Four ended, four took their places, and one more is at once.
    expect(underWay.length).toBe(4 + 4 + 1);
    for (let ended = 4; ended < 12; ended++) await underWay[ended]?.end(10);
    await Promise.all(works);
  });

  it('is halved once by all that were slow together, and one is always taken', async () => {
    const { work, underWay } = heldActivities();
    const works = Array.from({ length: 12 }, () => work());
    await settled();
    await underWay[0]?.end(6_000);
    expect(underWay.length).toBe(4);
    for (const held of underWay.slice(1, 4)) await held.end(0);
    // Two at once now: those that began before the halving do not count again.
    expect(underWay.length).toBe(4 + 2);
    for (let ended = 4; ended < 12; ended++) {
      await underWay[ended]?.end(6_000);
      expect(underWay.length).toBeGreaterThan(Math.min(ended, 11));
    }
    await Promise.all(works);
  });

  it('is left in Temporal where too much waits here, and the log is silent', async () => {
    const { work, underWay } = heldActivities();
    const works = Array.from({ length: 4 + 16 }, () => work());
    await settled();
    await expect(work()).rejects.toMatchObject({ nonRetryable: false, category: 'BENIGN' });
    for (let ended = 0; ended < works.length; ended++) await underWay[ended]?.end(1);
    await Promise.all(works);
  });

  it.each(['LockClientStopped', 'TransactionTimedOut', 'Terminated'])(
    'is tried again where the database ended its transaction, and not for ever: %s',
    async (name) => {
      const code = `Neo.ClientError.Transaction.${name}`;
      const error = new Neo4jError('It took too long.', code, '50N42', '');
      const at = (attempt: number) =>
        new MockActivityEnvironment({ attempt }).run(async () => isInfrastructure(error));
      expect([await at(1), await at(TIMED_OUT_TRIES_MAX)]).toEqual([true, false]);
    },
  );
});
