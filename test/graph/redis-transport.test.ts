import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bus } from '../../src/outbox/bus.ts';
import { listEntries, lookAtOutbox } from '../../src/outbox/entry.cypher.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import type { EventTransport } from '../../src/outbox/event-transport.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRedisTransport } from '../../src/outbox/redis-transport.service.ts';
import { openRelay, type Relay } from '../../src/outbox/relay.service.ts';
import { readWith, testGraph } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet, someEntry, take, write } from '../testkit/outbox.ts';
import { findRedisServer, type RedisServer, startRedis } from '../testkit/redis-server.ts';

const command = findRedisServer();
const graph = testGraph();
let redis: RedisServer;
const closers: (() => Promise<void>)[] = [];
beforeAll(async () => {
  if (command !== null) redis = await startRedis(command);
});
// Tests share one outbox: a relay that was left open would number entries of the next test.
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await redis?.kill();
  await graph.close();
});

const lastSeq = async () => (await readWith(graph, lookAtOutbox)).lastSeq;
const stored = (rootRunId: string) =>
  readWith(graph, listEntries, { rootRunId }, { afterSeq: 0, limit: 10_000 });

interface Process {
  readonly bus: Bus;
  readonly relay: Relay;
  readonly line: EventTransport;
  /** As a mutation or activity of this process does after its commit. */
  wake(): void;
}

const looks = (ms: number) => ({ pollBusyMs: ms, pollIdleMs: ms });

/**
 * The parts of one API process. Unless a test says otherwise it hardly ever looks into
 * Neo4j by itself.
 */
function open(prefix: string, lookMs = 120_000): Process {
  const input = { url: redis.url, prefix, log: quiet, lastSeq, entriesMax: 200 };
  const transport = openRedisTransport(input);
  const bus = openBus({ graph });
  const relay = openRelay(
    { graph, clock, newId, bus, log: quiet, transport },
    { settings: { ...{ leaseName: `test-${prefix}`, leaseMs: 600_000 }, ...looks(lookMs) } },
  );
  closers.push(async () => {
    bus.close();
    await relay.close();
    await transport.close();
  });
  const wake = () => {
    relay.wake();
    if (!relay.isHolder) transport.wake();
  };
  return { bus, relay, line: transport, wake };
}

async function connect() {
  const client = createClient({ url: redis.url });
  client.on('error', () => {});
  await client.connect();
  closers.push(async () => client.destroy());
  return client;
}

/** Two processes of one installation: the one that numbers, and another. */
async function two(lookMs?: number) {
  const prefix = `${newId()}-`;
  const first = open(prefix, lookMs);
  await eventually('the first numbers', () => first.relay.isHolder);
  const second = open(prefix, lookMs);
  await eventually('both are on the line', () => first.line.isUp && second.line.isUp);
  // A relay does not tell entries that were numbered before its first look.
  await Promise.all([first.relay.ready, second.relay.ready]);
  return { prefix, first, second };
}

/** Reads the entries of a run, from now on, until it is stopped. */
function reading({ bus }: Process, rootRunId: string, afterSeq: number | null = null) {
  const entries: NumberedEntry[] = [];
  const stopping = new AbortController();
  const ended = (async () => {
    for await (const entry of bus.subscribe({ rootRunId }, afterSeq, stopping.signal))
      entries.push(entry);
  })();
  return {
    entries,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

describe.skipIf(command === null)(
  'Redis Streams between two processes (redis-server needed)',
  () => {
    it('a subscriber on one sees entries of the other at once, either way round', async () => {
      const { first, second } = await two();
      for (const [writer, subscriber] of [
        [first, second],
        [second, first],
      ] as const) {
        const entry = someEntry();
        const seen = reading(subscriber, entry.rootRunId ?? '');
        await eventually('it reads', () => subscriber.bus.readers === 1);
        await write(graph, entry);
        writer.wake();
        // No process looks into Neo4j for two minutes, so it came by Redis.
        await eventually('it arrived', () => seen.entries.length === 1);
        expect(seen.entries[0]?.id).toBe(entry.id);
        await seen.stop();
      }
    });

    it('text that streams from a worker is seen live on every API process', async () => {
      const { prefix, first, second } = await two();
      // A worker has no relay: it writes, and wakes by the line.
      const worker = openRedisTransport({ url: redis.url, prefix, log: quiet, lastSeq });
      closers.push(() => worker.close());
      await eventually('the worker is on the line', () => worker.isUp);
      const rootRunId = newId();
      const seen = [reading(first, rootRunId), reading(second, rootRunId)];
      await eventually('both read', () => first.bus.readers + second.bus.readers === 2);
      const said = ['Once ', 'upon ', 'a ', 'time'];
      for (const [index, text] of said.entries()) {
        await write(graph, someEntry({ rootRunId, kind: 'step.text', payload: { text } }));
        worker.wake();
        await eventually('both have heard it before the next is said', () =>
          seen.every(({ entries }) => entries.length === index + 1),
        );
      }
      for (const { entries, stop } of seen) {
        expect(entries.map(({ payload }) => payload['text'])).toEqual(said);
        await stop();
      }
    });

    it('Redis killed and started again in the middle loses and doubles nothing', async () => {
      const { first, second } = await two(100);
      const rootRunId = newId();
      const seen = [reading(first, rootRunId, 0), reading(second, rootRunId, 0)];
      for (let index = 0; index < 45; index++) {
        await write(graph, someEntry({ rootRunId }));
        [first, second][index % 2]?.wake();
        if (index === 15) await redis.kill();
        // Health asks the event transport.
        if (index === 16) await expect(first.line.verify()).rejects.toThrow();
        if (index === 30) await redis.start();
      }
      await eventually('both have all', () => seen.every(({ entries }) => entries.length >= 45));
      const expected = (await stored(rootRunId)).map(({ seq }) => seq);
      expect(expected).toHaveLength(45);
      for (const { entries, stop } of seen) {
        expect(entries.map(({ seq }) => seq)).toEqual(expected);
        await stop();
      }
      await eventually('the line is up again', () => first.line.isUp && second.line.isUp);
      await first.line.verify();
    });

    it('a stream stays short, and an entry too large for it arrives all the same', async () => {
      const { prefix, first, second } = await two();
      const rootRunId = newId();
      const seen = reading(second, rootRunId);
      await eventually('it reads', () => second.bus.readers === 1);
      const text = 'x'.repeat(100_000);
      await write(graph, someEntry({ rootRunId, payload: { text } }), someEntry({ rootRunId }));
      first.wake();
      await eventually('both arrived', () => seen.entries.length === 2);
      expect(seen.entries[0]?.payload).toEqual({ text });
      await seen.stop();
      const client = await connect();
      const key = `aiden:${prefix}entries`;
      expect(await client.memoryUsage(key)).toBeLessThan(50_000);
      for (let batch = 0; batch < 2; batch++) {
        await write(graph, ...Array.from({ length: 250 }, () => someEntry({ rootRunId })));
        first.wake();
      }
      await eventually('all are numbered', async () => (await stored(rootRunId)).length === 502);
      await eventually('the last is in the stream', async () => {
        const newest = await client.xRevRange(key, '+', '-', { COUNT: 1 });
        const last = (await stored(rootRunId)).at(-1)?.seq ?? 0;
        // Entries of other tests are told too.
        return Number(newest?.[0]?.id.split('-')[0]) >= last;
      });
      // It is cut by whole nodes of a hundred.
      expect(await client.xLen(key)).toBeLessThan(320);
    });

    it('a stream with the numbers of another database is begun anew', async () => {
      const { prefix, first, second } = await two();
      const client = await connect();
      const key = `aiden:${prefix}entries`;
      const foreign = `${(await lastSeq()) + 1_000_000}-0`;
      await client.xAdd(key, foreign, { entry: '{"seq":-1}' });
      const rootRunId = newId();
      await write(graph, someEntry({ rootRunId }));
      first.wake();
      // Entries of other tests may begin the new stream at once.
      await eventually('it was dropped', async () => {
        const newest = await client.xRevRange(key, '+', '-', { COUNT: 1 });
        return newest?.[0]?.id !== foreign;
      });
      expect(second.line.isUp).toBe(true);
    });

    it('a process that finds the stream of another database gets later entries', async () => {
      const prefix = `${newId()}-`;
      const client = await connect();
      const key = `aiden:${prefix}entries`;
      await client.xAdd(key, `${(await lastSeq()) + 1_000_000}-0`, { entry: '{"seq":-1}' });
      const first = open(prefix);
      await eventually('the first numbers', () => first.relay.isHolder);
      const second = open(prefix);
      await eventually('both are on the line', () => first.line.isUp && second.line.isUp);
      await Promise.all([first.relay.ready, second.relay.ready]);
      const entry = someEntry();
      const seen = reading(second, entry.rootRunId ?? '');
      await eventually('it reads', () => second.bus.readers === 1);
      await write(graph, entry);
      first.wake();
      await eventually('it arrived', () => seen.entries.length === 1);
      await seen.stop();
    });
  },
);

describe('without Redis', () => {
  it('a process starts and works, and says that the line is down', async () => {
    const nowhere = { url: 'redis://127.0.0.1:1', prefix: '', log: quiet, lastSeq };
    const transport = openRedisTransport(nowhere);
    const bus = openBus({ graph });
    const relay = openRelay(
      { graph, clock, newId, bus, log: quiet, transport },
      { settings: { leaseName: `test-${newId()}` } },
    );
    const entry = someEntry();
    const taking = take(bus.subscribe({ rootRunId: entry.rootRunId ?? '' }, 0), 1);
    await write(graph, entry);
    relay.wake();
    transport.wake();
    expect((await taking)[0]?.id).toBe(entry.id);
    expect(transport.isUp).toBe(false);
    await expect(transport.verify()).rejects.toThrow();
    bus.close();
    await relay.close();
    await transport.close();
  });
});
