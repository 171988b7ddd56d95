import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { testGraph } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet, someEntry, write } from '../testkit/outbox.ts';
import { beginTally, readTally, tallyProjection } from '../testkit/tally.ts';

const graph = testGraph();
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});
afterAll(() => graph.close());

// The twenty kills over 5,000 entries are those of all records, in record-crash.test.ts; here
// everything is counted.
const KILLS = 6;
const ENTRIES = 1_500;
const LONG = { timeout: 900_000 };

interface RelayProcess {
  readonly child: ChildProcess;
  readonly isHolder: () => boolean;
}
async function startRelay(leaseName: string, tally: string): Promise<RelayProcess> {
  const child = fork(new URL('../testkit/relay-process.ts', import.meta.url), [leaseName, tally], {
    execArgv: [],
  });
  children.add(child);
  let isHolder = false;
  child.on('message', (message) => {
    if (message === 'holds') isHolder = true;
  });
  await once(child, 'message');
  return { child, isHolder: () => isHolder };
}
async function kill({ child }: RelayProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  children.delete(child);
}
async function writeSome(rootRunId: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 25) {
    const batch = Array.from({ length: Math.min(25, left) }, () => someEntry({ rootRunId }));
    await write(graph, ...batch);
  }
}
/** Nothing lost, nothing doubled: every entry has one number, was counted, and was counted once. */
async function isWhole(name: string, count: number): Promise<void> {
  await eventually(
    'every entry was counted',
    async () => (await readTally(graph, name)).marked === count,
    300_000,
  );
  expect(await readTally(graph, name)).toEqual({
    count,
    marked: count,
    numbers: count,
    pending: 0,
    deadLetters: 0,
  });
}

describe('a projection of the outbox', LONG, () => {
  it(`loses and doubles none of ${ENTRIES} entries while it is killed ${KILLS} times`, async () => {
    const name = newId();
    const leaseName = `test-${name}`;
    await beginTally(graph, name);
    let relays: RelayProcess[] = await Promise.all([
      startRelay(leaseName, name),
      startRelay(leaseName, name),
    ]);
    let kills = 0;
    const writing = (async () => {
      for (let turn = 0; turn < KILLS; turn++) {
        await writeSome(name, ENTRIES / KILLS);
        // The writer does not run away from those who are killed.
        await eventually('its turn was killed in', () => kills >= turn, 300_000);
      }
    })();
    while (kills < KILLS) {
      await eventually('one of two holds the lease', () => relays.some((one) => one.isHolder()));
      // Anywhere: numbering, between two batches, within one of the projection, before its
      // checkpoint.
      await setTimeout(Math.random() * 300);
      const holder = relays.find((one) => one.isHolder());
      if (holder === undefined) continue;
      await kill(holder);
      kills += 1;
      const rest = relays.filter((one) => one !== holder);
      relays = [...rest, await startRelay(leaseName, name)];
    }
    await writing;
    await isWhole(name, ENTRIES);
  });

  it('loses and doubles no entry when it freezes, loses its lease and comes back', async () => {
    const name = newId();
    const leaseName = `test-${name}`;
    await beginTally(graph, name);
    const frozen = await startRelay(leaseName, name);
    await eventually('the first holds the lease', frozen.isHolder);
    const writing = writeSome(name, 500);
    await setTimeout(Math.random() * 300);
    frozen.child.kill('SIGSTOP');
    const thief = await startRelay(leaseName, name);
    await eventually('the second has taken the lease', thief.isHolder);
    // It believes that it still holds the lease, in the middle of whatever it did.
    frozen.child.kill('SIGCONT');
    await writeSome(name, 250);
    await writing;
    await isWhole(name, 750);
  });

  it('loses and doubles no entry while two relays race under leases of their own', async () => {
    const name = newId();
    await beginTally(graph, name);
    const relays = [1, 2].map((which) =>
      openRelay(
        { graph, clock, newId, bus: openBus({ graph }), log: quiet },
        {
          projections: [tallyProjection(graph, name)],
          settings: { leaseName: `test-${name}-${which}`, batchMax: 7 },
        },
      ),
    );
    await eventually('both hold one', () => relays.every(({ isHolder }) => isHolder));
    await Promise.all([1, 2, 3, 4].map(() => writeSome(name, 150)));
    await isWhole(name, 600);
    await Promise.all(relays.map((relay) => relay.close()));
  });
});
