import { afterAll, describe, expect, it } from 'vitest';
import { SlowReader } from '../../src/outbox/bus.ts';
import { listEntries } from '../../src/outbox/entry.cypher.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import { decodeCursor, encodeCursor } from '../../src/outbox/entry.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { readWith, testGraph } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet, someEntry, take, write } from '../testkit/outbox.ts';

const graph = testGraph();
const bus = openBus({ graph, pageSize: 7 });
const relay = openRelay(
  { graph, clock, newId, bus, log: quiet },
  { settings: { leaseName: `test-${newId()}` } },
);
afterAll(async () => {
  bus.close();
  await relay.close();
  await graph.close();
});

async function writeSome(rootRunId: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await write(graph, someEntry({ rootRunId }));
    relay.wake();
  }
}
const stored = (rootRunId: string) =>
  readWith(graph, listEntries, { rootRunId }, { afterSeq: 0, limit: 1_000 });

describe('a subscription', () => {
  it('gives history, then live entries, each once without a gap, while writers write', async () => {
    const rootRunId = newId();
    await writeSome(rootRunId, 10);
    // Readers come at any moment of the writing.
    const writing = Promise.all([writeSome(rootRunId, 15), writeSome(rootRunId, 15)]);
    const readings: Promise<NumberedEntry[]>[] = [];
    for (let reader = 0; reader < 6; reader++) {
      readings.push(take(bus.subscribe({ rootRunId }, 0), 40));
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await writing;
    const all = await Promise.all(readings);
    const expected = (await stored(rootRunId)).map(({ seq }) => seq);
    expect(expected).toHaveLength(40);
    for (const read of all) expect(read.map(({ seq }) => seq)).toEqual(expected);
  });

  it('shows a sub-run to its reader, and leaves out its siblings', async () => {
    const [rootRunId, childId, siblingId] = [newId(), newId(), newId()];
    const of = (runId: string) => someEntry({ rootRunId, runId, runPath: [rootRunId, runId] });
    const [sibling, own] = [of(siblingId), of(childId)];
    const input = { rootRunId, runId: newId(), runPath: [rootRunId, childId, newId()] };
    const grandchild = someEntry(input);
    await write(graph, sibling, own, grandchild);
    relay.wake();
    const tree = await take(bus.subscribe({ rootRunId, underRunId: childId }, 0), 2);
    expect(tree.map(({ id }) => id)).toEqual([own.id, grandchild.id]);
    const alone = await take(bus.subscribe({ rootRunId, runId: childId }, 0), 1);
    expect(alone.map(({ id }) => id)).toEqual([own.id]);
  });

  it('lets go at once of a reader that stops while nothing happens', async () => {
    const rootRunId = newId();
    const before = bus.readers;
    const entries = bus.subscribe({ rootRunId }, 0)[Symbol.asyncIterator]();
    const waiting = entries.next();
    await eventually('it reads', () => bus.readers === before + 1);
    await entries.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(bus.readers).toBe(before);
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const reading = take(bus.subscribe({ rootRunId: newId() }, 0, stop.signal), 1);
    stop.abort();
    expect(await reading).toEqual([]);
  });

  it('lets go of a slow reader, which goes on from its last cursor', async () => {
    const small = openBus({ graph, bufferMax: 5 });
    const rootRunId = newId();
    const numbered = (seq: number): NumberedEntry => ({ ...someEntry({ rootRunId }), seq });
    const entries = small.subscribe({ rootRunId }, null)[Symbol.asyncIterator]();
    const first = entries.next();
    await eventually('it reads', () => small.readers === 1);
    small.publish([numbered(1)]);
    await first;
    small.publish(Array.from({ length: 20 }, (_, index) => numbered(index + 2)));
    const read: number[] = [];
    const failure = await (async () => {
      for (;;) {
        const { value } = await entries.next();
        if (value !== undefined) read.push(value.seq);
      }
    })().catch((error: unknown) => error);
    expect(read).toEqual([2, 3, 4, 5, 6]);
    expect(failure).toBeInstanceOf(SlowReader);
    expect((failure as SlowReader).lastSeq).toBe(6);
    expect(small.readers).toBe(0);
  });

  it('that reads a long history while much happens is not let go', async () => {
    const rootRunId = newId();
    const tight = openBus({ graph, bufferMax: 2, pageSize: 3 });
    const tightRelay = openRelay(
      { graph, clock, newId, bus: tight, log: quiet },
      { settings: { leaseName: `test-${newId()}` } },
    );
    await writeSome(rootRunId, 9);
    await eventually('history is there', async () => (await stored(rootRunId)).length === 9);
    const entries = tight.subscribe({ rootRunId }, 0)[Symbol.asyncIterator]();
    const read = [(await entries.next()).value?.seq];
    await writeSome(rootRunId, 9);
    await eventually('all are there', async () => (await stored(rootRunId)).length === 18);
    await new Promise((resolve) => setTimeout(resolve, 200));
    while (read.length < 18) read.push((await entries.next()).value?.seq);
    expect(read).toEqual((await stored(rootRunId)).map(({ seq }) => seq));
    tight.close();
    await tightRelay.close();
  });
});

it('a cursor comes back as it was given; others are refused at their path', () => {
  for (const cursor of [
    { seq: 0, index: 0 },
    { seq: 9_007_199_254_740_991, index: 3 },
  ])
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
  const tooLarge = encodeCursor({ seq: 2 ** 60, index: 0 });
  for (const text of ['', 'x', 'bm9wZQ', '../../etc', 'a'.repeat(1_000), tooLarge])
    expect(() => decodeCursor(text, ['after'])).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path: ['after'] })] }),
    );
});
