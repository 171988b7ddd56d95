import { setTimeout } from 'node:timers/promises';
import { createClient, ErrorReply } from '@redis/client';
import { type Backoff, backoffMs } from '../common/backoff.ts';
import { jsonText, parseStored } from '../common/stored.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { NumberedEntry } from './entry.ts';
import { EntryShape } from './entry-payload.ts';
import type { Carried, EventTransport, TransportListener } from './event-transport.ts';

export interface RedisTransportSettings {
  /** redis:// or rediss://, with user, password and database where they are needed. */
  readonly url: string;
  /** Put before the names of its stream and channel, where installations share a Redis. */
  readonly prefix: string;
  readonly log: Log;
  /** How many entries the stream holds, about. A reader that falls further behind reads from Neo4j. */
  readonly entriesMax?: number;
  /** The number given last, by Neo4j; asked when the stream is ahead of us. */
  lastSeq(): Promise<number>;
}

// With entries of 16 KiB at most, 32 MiB at the very most.
const STREAM_ENTRIES_MAX = 2_000;
const ENTRY_BYTES_MAX = 16 * 1024;
const READ_COUNT = 500;
const READ_BLOCK_MS = 5_000;
const RECONNECT_BACKOFF: Backoff = { firstMs: 50, maxMs: 5_000 };
// A burst of commits is one wake-up.
const WAKE_GATHER_MS = 3;

/**
 * The line over Redis Streams. An entry's number is its id in the stream, so one that was sent twice is there once, and
 * a reader that lost its connection goes on after the last number it saw.
 */
export function openRedisTransport({
  url,
  prefix,
  log,
  lastSeq,
  entriesMax = STREAM_ENTRIES_MAX,
}: RedisTransportSettings): EventTransport {
  const stream = `aiden:${prefix}entries`;
  const channel = `aiden:${prefix}wake`;
  const listeners = new Set<TransportListener>();
  let isClosed = false;
  let isTold = false;
  let sending: Promise<void> = Promise.resolve();
  let isHearing = false;
  /** After which entry we read; `null` until we know where the stream stands. */
  let lastId: string | null = null;
  let wakeTimer: NodeJS.Timeout | null = null;

  const connect = () => {
    const client = createClient({
      url,
      // What can not be sent now is found in Neo4j; keeping it would only fill memory.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: 10_000,
        reconnectStrategy: (tries) => backoffMs(RECONNECT_BACKOFF, tries + 1) + Math.random() * 100,
      },
    });
    client.on('error', (error: unknown) => {
      if (!isTold && !isClosed)
        log.warn('Redis does not answer; live updates follow Neo4j until it does', { error });
      isTold = true;
    });
    client.on('ready', () => {
      if (isTold) log.info('Redis answers again');
      isTold = false;
    });
    // Fails only where it is closed before it ever connected; otherwise it tries for ever.
    client.connect().catch(() => {});
    return client;
  };
  // One that speaks, one that waits for entries, one that hears wake-ups: neither may wait for another.
  const [speaker, reader, hearer] = [connect(), connect(), connect()];

  const hear = () => {
    for (const { onWake } of listeners) onWake();
  };
  hearer.on('ready', () => {
    // After a break the client subscribes again by itself.
    if (hearer.isPubSubActive) return;
    hearer.subscribe(channel, hear).then(
      () => {
        isHearing = true;
      },
      () => {},
    );
  });

  async function read(): Promise<void> {
    while (!isClosed) {
      try {
        if (!reader.isReady) throw new Error('Not connected.');
        // From now on; what was before is in Neo4j.
        lastId ??= await whereToBegin();
        const found = await reader.xRead(
          { key: stream, id: lastId },
          { COUNT: READ_COUNT, BLOCK: READ_BLOCK_MS },
        );
        const messages = (found as Found)?.[0]?.messages ?? [];
        lastId = messages.at(-1)?.id ?? lastId;
        const entries = messages.map(carriedOf);
        if (entries.length > 0) for (const { onEntries } of listeners) onEntries(entries);
      } catch {
        if (!isClosed) await setTimeout(100);
      }
    }
  }
  const reading = read();

  /**
   * The id after which this process reads: that of the newest entry; `0-0` while there is none. A stream of another database is
   * dropped first: after its higher numbers a reader would wait past all that is sent from now on.
   */
  async function whereToBegin(): Promise<string> {
    const newest = await speaker.xRevRange(stream, '+', '-', { COUNT: 1 });
    const top = newest?.[0]?.id ?? '0-0';
    if (seqOf(top) <= (await lastSeq())) return top;
    await speaker.del(stream);
    return '0-0';
  }

  async function append(entries: readonly NumberedEntry[]): Promise<void> {
    const added = await Promise.allSettled(
      entries.map((entry) =>
        speaker.xAdd(stream, `${entry.seq}-0`, fieldsOf(entry), {
          TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: entriesMax },
        }),
      ),
    );
    const refused = added.some(
      (one) => one.status === 'rejected' && one.reason instanceof ErrorReply,
    );
    // Somebody else was faster, or the stream is of another time: of a database that is gone, with higher numbers.
    if (refused && (await isOfAnotherTime())) await speaker.del(stream);
  }

  async function isOfAnotherTime(): Promise<boolean> {
    const { 'last-generated-id': top } = await speaker.xInfoStream(stream);
    return seqOf(String(top)) > (await lastSeq());
  }

  return {
    send(entries) {
      if (!speaker.isReady) return;
      // One batch after the other, or a later one would bar the way of an earlier one.
      sending = sending.then(() => append(entries)).catch(() => {});
    },
    wake() {
      if (!speaker.isReady || wakeTimer !== null) return;
      wakeTimer = globalThis.setTimeout(() => {
        wakeTimer = null;
        if (speaker.isReady) speaker.publish(channel, '').catch(() => {});
      }, WAKE_GATHER_MS);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get isUp() {
      const isConnected = speaker.isReady && reader.isReady && hearer.isReady;
      return isConnected && isHearing && lastId !== null;
    },
    async verify() {
      await speaker.ping();
    },
    async close() {
      isClosed = true;
      if (wakeTimer !== null) clearTimeout(wakeTimer);
      await sending;
      for (const client of [speaker, reader, hearer]) client.destroy();
      await reading;
    },
  };
}

type Found =
  | readonly {
      readonly messages: readonly {
        readonly id: string;
        readonly message: Readonly<Record<string, string>>;
      }[];
    }[]
  | null;

function fieldsOf(entry: NumberedEntry): Record<string, string> {
  const text = JSON.stringify(entry);
  return Buffer.byteLength(text) > ENTRY_BYTES_MAX ? { big: '1' } : { entry: text };
}

const EntryText = jsonText(EntryShape);

function carriedOf({
  id,
  message,
}: {
  id: string;
  message: Readonly<Record<string, string>>;
}): Carried {
  const text = message['entry'];
  return text === undefined
    ? { seq: seqOf(id) }
    : parseStored(EntryText, text, () => `Entry ${id} of the stream`);
}

function seqOf(id: string): number {
  return Number(id.split('-')[0]);
}
