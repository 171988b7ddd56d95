import { fork } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../src/outbox/bus.ts';
import { listEntries } from '../../src/outbox/entry.cypher.ts';
import type { NumberedEntry, OutboxEntry } from '../../src/outbox/entry.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import type { PeriodicTask } from '../../src/outbox/periodic-task.service.ts';
import {
  PROJECTOR_DEFAULTS,
  type Projection,
  type Projector,
  type ProjectorSettings,
  startProjector,
} from '../../src/outbox/projector.service.ts';
import {
  numberEntries,
  renewLease,
  saveCheckpoints,
  takeLease,
} from '../../src/outbox/relay.cypher.ts';
import { openRelay, type Relay } from '../../src/outbox/relay.service.ts';
import type { RelaySettings } from '../../src/outbox/relay-settings.service.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { readWith, runCypher, testGraph, writeCypher, writeWith } from '../testkit/graph.ts';
import {
  beginsHere,
  clock,
  eventually,
  newId,
  quiet,
  someEntry,
  take,
  write,
} from '../testkit/outbox.ts';

const graph = testGraph();
const opened: Relay[] = [];
afterAll(async () => {
  await Promise.all(opened.map((relay) => relay.close()));
  await graph.close();
});

// Tests share one outbox, so the relay of one may number entries of another; a lease of its own
// keeps the state of each relay apart.
interface Given extends Partial<RelaySettings> {
  readonly on?: Graph;
  readonly bus?: Bus;
  readonly projections?: Projection[];
  readonly periodicTasks?: PeriodicTask[];
  readonly startOver?: Promise<void>;
  readonly onDeadLetter?: (projection: string) => void;
}
function relay(given: Given = {}): Relay {
  const { on = graph, bus = openBus({ graph }), projections, periodicTasks, ...more } = given;
  const { onDeadLetter, startOver, ...settings } = more;
  const made = openRelay(
    { graph: on, clock, newId, bus, log: quiet, ...(onDeadLetter && { onDeadLetter }) },
    {
      ...(projections && { projections }),
      ...(periodicTasks && { periodicTasks }),
      ...(startOver && { startOver }),
      settings: { leaseName: `test-${newId()}`, ...settings },
    },
  );
  opened.push(made);
  return made;
}
const holds = (made: Relay) => eventually('it holds its lease', () => made.isHolder);
/** So long that polling finds nothing within a test. */
const NEVER_POLLS = { pollBusyMs: 120_000, pollIdleMs: 120_000 };
const isRead = (bus: Bus) => eventually('the reader is there', () => bus.readers === 1);
const writes = async (rootRunId: string, count: number) => {
  for (let index = 0; index < count; index++) await write(graph, someEntry({ rootRunId }));
};
const lease = (holder: string, ttlMs: number, name = `test-${newId()}`) =>
  writeWith(graph, takeLease, { name, holder, ttlMs });

function collecting(name = `collect-${newId()}`) {
  const entries: NumberedEntry[] = [];
  const projection: Projection = {
    name,
    startsAt: 'now',
    handle: async (batch) => void entries.push(...batch),
  };
  const of = (rootRunId: string) => entries.filter((entry) => entry.rootRunId === rootRunId);
  return { projection, of };
}

const fedOnes: Projector[] = [];
afterAll(() => Promise.all(fedOnes.map((one) => one.stop())));

/** A projection fed with entries of the test only: in the database others come in between. */
function fed(projection: Projection, given: Partial<ProjectorSettings>) {
  const log: NumberedEntry[] = [];
  const projector = startProjector(
    { graph, clock, log: quiet, settings: { ...PROJECTOR_DEFAULTS, ...given } },
    projection,
    { note() {}, async close() {} },
    async (afterSeq, limit) => log.slice(afterSeq, afterSeq + limit),
  );
  fedOnes.push(projector);
  return (...entries: OutboxEntry[]) => {
    for (const entry of entries) log.push({ ...entry, seq: log.length + 1 });
    projector.advance(log.length);
  };
}

const stored = (rootRunId: string) =>
  readWith(graph, listEntries, { rootRunId }, { afterSeq: 0, limit: 1_000 });

describe('the relay', () => {
  it('numbers each entry of concurrent writers once, each writer in its order', async () => {
    const seen = collecting();
    const relays = [relay({ projections: [seen.projection] }), relay(), relay()];
    await Promise.all(relays.map(holds));
    const rootRunId = newId();
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let turn = 0; turn < 10; turn++) {
          await write(graph, someEntry({ rootRunId, payload: { writer, turn } }));
          relays[turn % 3]?.wake();
        }
      }),
    );
    await eventually('all are numbered', async () => (await stored(rootRunId)).length === 80);
    const entries = await stored(rootRunId);
    expect(new Set(entries.map(({ seq }) => seq)).size).toBe(80);
    for (let writer = 0; writer < 8; writer++) {
      const turns = entries
        .filter(({ payload }) => payload['writer'] === writer)
        .map(({ payload }) => payload['turn']);
      expect(turns).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    await eventually('the projection has all', () => seen.of(rootRunId).length >= 80);
    expect(seen.of(rootRunId).map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
  });

  it('begins work that is not urgent after the start, and loses nothing', async () => {
    const { promise: startOver, resolve } = Promise.withResolvers<void>();
    const urgent = collecting();
    const derived = collecting();
    const ran: string[] = [];
    const task = (name: string) => ({
      name,
      everyMs: 60_000,
      run: async () => void ran.push(name),
    });
    const made = relay({
      projections: [{ ...urgent.projection, isUrgent: true }, derived.projection],
      periodicTasks: [task('first'), { ...task('urgent'), isUrgent: true }, task('second')],
      startOver,
    });
    await holds(made);
    const rootRunId = newId();
    await writes(rootRunId, 3);
    made.wake();
    await eventually('the urgent one has all', () => urgent.of(rootRunId).length === 3);
    expect(derived.of(rootRunId)).toEqual([]);
    expect(ran).toEqual(['urgent']);
    resolve();
    await eventually('the derived one has all', () => derived.of(rootRunId).length === 3);
    await eventually('all tasks have run', () => ran.length === 3);
    expect(ran).toEqual(['urgent', 'first', 'second']);
  });

  it('is ready once it knows where the log stands, and tells all entries after that', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const slow: Graph = { ...graph, read: (work) => gate.then(() => graph.read(work)) };
    const bus = openBus({ graph });
    const late = relay({ on: slow, bus, ...NEVER_POLLS });
    let isReady = false;
    void late.ready.then(() => {
      isReady = true;
    });
    const other = relay();
    const rootRunId = newId();
    const told = take(bus.subscribe({ rootRunId }, null), 1);
    const [before, after] = [someEntry({ rootRunId }), someEntry({ rootRunId })];
    await write(graph, before);
    other.wake();
    await eventually('the first is numbered', async () => (await stored(rootRunId)).length === 1);
    expect(isReady).toBe(false);
    open();
    await late.ready;
    await write(graph, after);
    late.wake();
    expect((await told)[0]?.id).toBe(after.id);
  });

  it('woken, tells at once; a failed try does not wait for its next look', async () => {
    // The first call after the entry is written fails, whichever it is: a relay of another test may
    // number the entry.
    let inFlight = 0;
    let isArmed = false;
    let isWritten = false;
    let failedAfter = 0;
    const hiccup = () => {
      if (!isArmed || failedAfter > 0) return;
      if (isWritten) failedAfter++;
      throw new Error('The database hiccups.');
    };
    const during = async <T>(call: () => Promise<T>): Promise<T> => {
      hiccup();
      inFlight++;
      return call().finally(() => void inFlight--);
    };
    const failing: Graph = {
      ...graph,
      read: (work) => during(() => graph.read(work)),
      write: (work) => during(() => graph.write(work)),
    };
    const bus = openBus({ graph });
    const made = relay({ on: failing, bus, leaseMs: 600_000, ...NEVER_POLLS });
    const entry = someEntry();
    const reading = take(bus.subscribe({ rootRunId: entry.rootRunId ?? '' }, null), 1);
    await isRead(bus);
    // A write of its first round could number the entry before anything fails.
    await eventually('it rests as the holder', () => made.isHolder && inFlight === 0);
    isArmed = true;
    await write(graph, entry);
    isWritten = true;
    const startedMs = performance.now();
    made.wake();
    expect((await reading)[0]?.id).toBe(entry.id);
    expect(failedAfter).toBe(1);
    expect(performance.now() - startedMs).toBeLessThan(60_000);
  });

  it('of two with one lease one holds it, and both tell their readers everything', async () => {
    const leaseName = `test-${newId()}`;
    const buses = [openBus({ graph }), openBus({ graph })];
    // None is woken, as by a writer in another process.
    const relays = buses.map((bus) => relay({ bus, leaseName }));
    await eventually('one holds it', () => relays.some(({ isHolder }) => isHolder));
    expect(relays.filter(({ isHolder }) => isHolder)).toHaveLength(1);
    const rootRunId = newId();
    const readings = buses.map((bus) => take(bus.subscribe({ rootRunId }, 0), 20));
    await writes(rootRunId, 20);
    const [first, second] = await Promise.all(readings);
    expect(first?.map(({ seq }) => seq)).toEqual(second?.map(({ seq }) => seq));
    expect(new Set(first?.map(({ seq }) => seq)).size).toBe(20);
  });

  it('goes on where the holder stopped: the next one takes over after a close', async () => {
    const leaseName = `test-${newId()}`;
    const name = `collect-${newId()}`;
    const before = collecting(name);
    const first = relay({ leaseName, projections: [before.projection] });
    await holds(first);
    const after = collecting(name);
    relay({ leaseName, projections: [after.projection], leaseMs: 400 });
    const rootRunId = newId();
    await write(graph, someEntry({ rootRunId }));
    await eventually('the first projected it', () => before.of(rootRunId).length === 1);
    await first.close();
    await write(graph, someEntry({ rootRunId }));
    await eventually('the second projected the next', () => after.of(rootRunId).length === 1);
    // Its checkpoint was saved, so nothing was handed out again.
    expect(after.of(rootRunId)[0]?.id).not.toBe(before.of(rootRunId)[0]?.id);
  });

  it('an overtaken holder numbers nothing, renews nothing and moves no checkpoint', async () => {
    const name = `test-${newId()}`;
    const old = await lease('old', 1, name);
    await setTimeout(20);
    const next = await lease('new', 60_000, name);
    if (old === null || next === null) throw new Error('A lease was not given.');
    expect(next.epoch).toBe(old.epoch + 1);
    await write(graph, someEntry());
    expect(await writeWith(graph, numberEntries, old, { ttlMs: 1_000, limit: 10 })).toEqual([]);
    expect(await writeWith(graph, renewLease, old, 1_000)).toBe(false);
    const input = { lease: old, checkpoints: [{ name, seq: 7 }], now: new Date().toISOString() };
    await writeWith(graph, saveCheckpoints, input);
    const rows = await runCypher(graph, 'MATCH (c:Checkpoint {name: $name}) RETURN c', { name });
    expect(rows).toEqual([]);
  });

  const HOUR_MS = 3_600_000;
  const movesLease = (name: string, toMs: number) =>
    writeCypher(graph, 'MATCH (l:Lease {name: $name}) SET l.expiresAtMs = timestamp() + $toMs', {
      name,
      toMs,
    });
  const leaseOf = async (name: string) => {
    const [row] = await runCypher(
      graph,
      `MATCH (l:Lease {name: $name}) RETURN l.epoch AS epoch, l.expiresAtMs > timestamp()
        AS isValid`,
      { name },
    );
    return row;
  };

  it('a lost lease is free after its time, also where the clock was set back', async ({
    expect,
  }) => {
    const leaseName = `test-${newId()}`;
    await lease('lost', HOUR_MS, leaseName);
    const next = relay({ leaseName, leaseMs: 500 });
    await expect.poll(() => next.isHolder).toBe(true);
    expect(await leaseOf(leaseName)).toMatchObject({ epoch: 2 });
  });

  it("a holder keeps its lease while Neo4j's clock is set forward an hour, and back", async ({
    expect,
  }) => {
    const leaseName = `test-${newId()}`;
    const holder = relay({ leaseName, leaseMs: 1_500 });
    await expect.poll(() => holder.isHolder).toBe(true);
    let looks = 0;
    const counted: Graph = {
      ...graph,
      read: async (work) => {
        const found = await graph.read(work);
        looks += 1;
        return found;
      },
    };
    // It waits longer than a busy machine keeps the holder from renewing.
    const other = relay({ on: counted, leaseName, leaseMs: 5_000 });
    // Its first round reads three times, the lease among them.
    await expect.poll(() => looks).toBeGreaterThan(2);
    for (const toMs of [-HOUR_MS, HOUR_MS]) {
      await movesLease(leaseName, toMs);
      const until = looks + 6;
      await expect.poll(() => looks).toBeGreaterThan(until);
      await expect.poll(() => leaseOf(leaseName)).toMatchObject({ epoch: 1, isValid: true });
      expect([holder.isHolder, other.isHolder]).toEqual([true, false]);
    }
  });

  it('of ten that ask for one lease one gets it; ten leases give no number twice', async () => {
    const [name, rootRunId] = [`test-${newId()}`, newId()];
    const ten = Array.from({ length: 10 }, (_, index) => `holder ${index}`);
    const asked = await Promise.all(ten.map((holder) => lease(holder, 60_000, name)));
    expect(asked.filter((given) => given !== null)).toHaveLength(1);
    await write(graph, ...Array.from({ length: 60 }, () => someEntry({ rootRunId })));
    const leases = await Promise.all(ten.map((holder) => lease(holder, 60_000)));
    const batches = await Promise.all(
      leases.map((own) =>
        own === null ? [] : writeWith(graph, numberEntries, own, { ttlMs: 1_000, limit: 10 }),
      ),
    );
    // Nor has one entry two numbers.
    for (const all of [
      batches.flat().map(({ seq }) => seq),
      batches.flat().map(({ id }) => id),
      (await stored(rootRunId)).map(({ seq }) => seq),
    ])
      expect(new Set<unknown>(all).size).toBe(all.length);
  });

  it('survives kill -9 of the holder: another takes over and nothing is lost', async () => {
    const leaseName = `test-${newId()}`;
    const child = fork(new URL('../testkit/relay-process.ts', import.meta.url), [leaseName], {
      execArgv: [],
    });
    let holds = false;
    child.on('message', (message) => {
      holds ||= message === 'holds';
    });
    await eventually('it holds the lease', () => holds);
    const seen = collecting(await beginsHere(graph, `collect-${newId()}`));
    const rootRunId = newId();
    const writing = writes(rootRunId, 40);
    await eventually('some are numbered', async () => (await stored(rootRunId)).length > 5);
    child.kill('SIGKILL');
    relay({ leaseName, leaseMs: 1_500, projections: [seen.projection] });
    await writing;
    await eventually('all are numbered', async () => (await stored(rootRunId)).length === 40);
    await eventually('all are projected', () => seen.of(rootRunId).length >= 40);
    const numbers = seen.of(rootRunId).map(({ seq }) => seq);
    expect(new Set(numbers).size).toBe(40);
  });

  it('runs its periodic tasks again and again, and a failure does not end them', async () => {
    let turns = 0;
    const run = async () => {
      turns += 1;
      throw new Error('not this time');
    };
    relay({ periodicTasks: [{ name: 'try', everyMs: 10, run }] });
    await eventually('it came round three times', () => turns >= 3);
  });
});

describe('a projection', () => {
  it('that can not take an entry sets it aside; later ones still flow', async () => {
    const rootRunId = newId();
    const taken: string[] = [];
    const attempts: string[] = [];
    const letters: string[] = [];
    const projection: Projection = {
      name: `poison-${newId()}`,
      startsAt: 'now',
      handle: async (batch) => {
        for (const entry of batch) {
          if (entry.rootRunId !== rootRunId) continue;
          if (entry.payload['poison'] === true) {
            attempts.push(entry.id);
            throw new Error('can not read this; Bearer abcdefgh12345678');
          }
          if (!taken.includes(entry.id)) taken.push(entry.id);
        }
      },
    };
    const quick = { batchMax: 50, attemptsMax: 3, backoffMs: 1, backoffMaxMs: 5, checkpointMs: 50 };
    const projector = { ...PROJECTOR_DEFAULTS, ...quick };
    const onDeadLetter = (name: string) => letters.push(name);
    await holds(relay({ projections: [projection], onDeadLetter, projector }));
    const before = someEntry({ rootRunId });
    const bad = someEntry({ rootRunId, payload: { poison: true } });
    const after = someEntry({ rootRunId });
    await write(graph, before, bad, after);
    await eventually('the later one came through', () => taken.length === 2);
    expect(taken).toEqual([before.id, after.id]);
    // Once in the batch that it spoilt, three times on its own.
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    expect(letters).toEqual([projection.name]);
    const rows = await runCypher(
      graph,
      `MATCH (l:DeadLetter {projection: $name})-[:OF_ENTRY]->(o)
       RETURN l.attempts AS attempts, l.error AS error, o.id AS id`,
      { name: projection.name },
    );
    expect(rows).toEqual([
      { attempts: 3, error: expect.not.stringContaining('abcdefgh'), id: bad.id },
    ]);
  });

  it('that gathers takes entries of its time together, a backlog without a rest', async () => {
    const taken: NumberedEntry[] = [];
    const batches: { readonly count: number; readonly atMs: number }[] = [];
    const handle = async (entries: readonly NumberedEntry[]) => {
      batches.push({ count: entries.length, atMs: performance.now() });
      taken.push(...entries);
    };
    const tell = fed({ name: `gather-${newId()}`, gatherMs: 2_500, handle }, { batchMax: 20 });
    const startedMs = performance.now();
    for (let count = 0; count < 6; count++) {
      tell(someEntry());
      await setTimeout(20);
    }
    await eventually('all are taken', () => taken.length === 6);
    expect(batches).toHaveLength(1);
    expect((batches[0]?.atMs ?? 0) - startedMs).toBeGreaterThanOrEqual(2_450);

    batches.length = 0;
    tell(...Array.from({ length: 60 }, () => someEntry()));
    await eventually('the backlog is taken', () => taken.length === 66);
    expect(batches.map(({ count }) => count)).toEqual([20, 20, 20]);
    const [first, , last] = batches;
    // With a rest before each it would have been twice the 2.5 s.
    expect((last?.atMs ?? Number.POSITIVE_INFINITY) - (first?.atMs ?? 0)).toBeLessThan(4_700);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(66);
  });

  it('that gathers rests the longer the longer its last batch took', async () => {
    const starts: number[] = [];
    const ends: number[] = [];
    const handle = async () => {
      starts.push(performance.now());
      await setTimeout(200);
      ends.push(performance.now());
    };
    const slow = { name: `rest-${newId()}`, gatherMs: 1, handle };
    const tell = fed(slow, { restFactor: 5, restMaxMs: 60_000 });
    for (const count of [1, 2]) {
      tell(someEntry());
      await eventually('it is taken', () => ends.length === count);
    }
    expect((starts[1] ?? 0) - (ends[0] ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it('that is slow or broken does not hold up another one', async () => {
    const seen = collecting();
    const { promise, resolve } = Promise.withResolvers<void>();
    const name = `stuck-${newId()}`;
    const stuck: Projection = { name, startsAt: 'now', handle: () => promise };
    await holds(relay({ projections: [stuck, seen.projection] }));
    const rootRunId = newId();
    await writes(rootRunId, 5);
    await eventually('the other has all five', () => seen.of(rootRunId).length === 5);
    resolve();
  });
});
