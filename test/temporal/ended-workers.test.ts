import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { openHealth } from '../../src/platform/telemetry/health.ts';
import { fleetWorld } from '../testkit/fleet-world.ts';
import { eventually, newId } from '../testkit/outbox.ts';

const WORKS = 0;
const POISONS = 1;
const CANNOT_BE_SENT = 2;
const { opens, starts } = fleetWorld();

/**
 * A failure that the SDK can convert only once. The check before it passes, so the SDK itself fails
 * and ends the worker.
 */
function poison(): Error {
  let times = 0;
  const toJSON = () => {
    times += 1;
    if (times > 1) throw new TypeError('no value of JSON');
    return 'well';
  };
  return ApplicationFailure.create({ message: 'poison', details: [{ toJSON }] });
}

/** Two queues of one process. */
async function world() {
  const queue = `test-${newId()}`;
  const executed = { [WORKS]: 0, [POISONS]: 0, [CANNOT_BE_SENT]: 0 };
  const work = async (kind: keyof typeof executed) => {
    executed[kind] += 1;
    if (kind === POISONS) throw poison();
    if (kind === CANNOT_BE_SENT) throw ApplicationFailure.create({ details: [1n] });
    return 'done';
  };
  const fleet = await opens(queue, (kind) => work(kind as keyof typeof executed), {
    pools: ['one', 'other'],
  });
  const call = async (pool: 'one' | 'other', kind: number) =>
    (await starts(queue, kind, { type: 'callAgain', pool })).result();
  return { fleet, call, executed, queue };
}

describe('a Temporal worker that ends by itself', () => {
  it('is started again; other queues go on, health warns, its poison fails for good', async () => {
    const { fleet, call, executed, queue } = await world();
    const answers = async () => {};
    const health = openHealth(
      { neo4j: answers, temporal: answers, eventBus: answers },
      { version: 'test', endedWorkers: fleet.ended },
    );
    expect(await call('one', WORKS)).toBe('done');
    const poisoned = call('one', POISONS).catch((error: unknown) => error);
    await eventually('the worker has ended', () => fleet.ended().length === 1);
    expect(await call('other', WORKS)).toBe('done');
    expect(await poisoned).toMatchObject({
      cause: { cause: { type: 'DEFECT', message: expect.stringContaining('more than once') } },
    });
    expect(executed[POISONS]).toBe(2);
    expect(await call('one', WORKS)).toBe('done');
    expect(fleet.ended()).toEqual([
      { taskQueue: `${queue}-one`, ends: 2, sinceMs: expect.any(Number), isRunning: true },
    ]);
    const report = await health();
    expect(report).toMatchObject({ status: 'healthy', endedWorkers: [{ ends: 2 }] });
    await fleet.stop();
  });

  it('does not end by a failure that cannot be sent; its activity fails for good', async () => {
    const { fleet, call, executed } = await world();
    await expect(call('one', CANNOT_BE_SENT)).rejects.toMatchObject({
      cause: { cause: { type: 'DEFECT' } },
    });
    expect(executed[CANNOT_BE_SENT]).toBe(1);
    expect(fleet.ended()).toEqual([]);
    await fleet.stop();
  });
});
