import type { Graph } from '../platform/neo4j/graph.ts';
import { type Bus, type EntryFilter, matches, SlowReader } from './bus.ts';
import { listEntries } from './entry.cypher.ts';
import type { NumberedEntry } from './entry.ts';
import { stream } from './stream.ts';

interface Reader {
  readonly filter: EntryFilter;
  /** Matching entries that came live and were not read yet. */
  buffer: NumberedEntry[];
  hasOverflowed: boolean;
  wake(): void;
}

/** The bus of one process. `bufferMax` entries may wait for a reader, `pageSize` are read from Neo4j at once. */
export function openBus({
  graph,
  bufferMax = 1_000,
  pageSize = 500,
}: {
  readonly graph: Graph;
  readonly bufferMax?: number;
  readonly pageSize?: number;
}): Bus {
  const readers = new Set<Reader>();
  const closing = new AbortController();
  let highestSeq = 0;

  async function* read(
    filter: EntryFilter,
    afterSeq: number | null,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedEntry, void, void> {
    let wake = () => {};
    const reader: Reader = { filter, buffer: [], hasOverflowed: false, wake: () => wake() };
    signal.addEventListener('abort', reader.wake);
    // Registered before history is read: what is published meanwhile waits in the buffer, what was published before is in
    // Neo4j already, and what is in both is told by its number.
    readers.add(reader);
    let lastSeq = afterSeq;
    try {
      if (lastSeq !== null) {
        do {
          reader.buffer = [];
          reader.hasOverflowed = false;
          for (let isMore = true; isMore && !signal.aborted; ) {
            const from: number = lastSeq;
            const page: NumberedEntry[] = await graph.read((tx) =>
              listEntries(tx, filter, { afterSeq: from, limit: pageSize }),
            );
            for (const entry of page) {
              lastSeq = entry.seq;
              yield entry;
            }
            isMore = page.length === pageSize;
          }
          // So much came during a long history that the buffer gave up; it is all in Neo4j by now.
        } while (reader.hasOverflowed && !signal.aborted);
      }
      while (!signal.aborted) {
        const entry = reader.buffer.shift();
        if (entry !== undefined) {
          if (lastSeq !== null && entry.seq <= lastSeq) continue;
          lastSeq = entry.seq;
          yield entry;
        } else if (reader.hasOverflowed) {
          throw new SlowReader(lastSeq);
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      readers.delete(reader);
      signal.removeEventListener('abort', reader.wake);
    }
  }

  return {
    publish(entries) {
      for (const entry of entries) {
        if (entry.seq <= highestSeq) continue;
        highestSeq = entry.seq;
        for (const reader of readers) {
          if (reader.hasOverflowed || !matches(reader.filter, entry)) continue;
          if (reader.buffer.length < bufferMax) reader.buffer.push(entry);
          else reader.hasOverflowed = true;
          reader.wake();
        }
      }
    },
    subscribe(filter, afterSeq, signal) {
      const until =
        signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
      return stream((stopped) => read(filter, afterSeq, stopped), until);
    },
    get readers() {
      return readers.size;
    },
    close: () => closing.abort(),
  };
}
