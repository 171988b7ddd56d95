import type { Graph } from '../platform/neo4j/graph.ts';
import { type Bus, type EntryFilter, matches, SlowReader } from './bus.ts';
import { listEntries } from './entry.cypher.ts';
import type { NumberedEntry } from './entry.ts';
import { stream } from './stream.ts';

interface Reader {
  readonly filter: EntryFilter;
  /** Live matching entries that were not read yet. */
  buffer: NumberedEntry[];
  hasOverflowed: boolean;
  wake(): void;
}

/**
 * Opens the bus of one process. `bufferMax`: entries buffered per reader, default 1,000.
 * `pageSize`: entries per query of history, default 500.
 */
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
    // Registered before history is read. Entries published meanwhile wait in the buffer; earlier
    // ones are in Neo4j already. The number identifies entries that are in both.
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
          // The buffer overflowed during a long history. By now all its entries are in Neo4j.
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
