import { setTimeout } from 'node:timers/promises';
import { createClient, ErrorReply } from '@redis/client';
import { type Backoff, backoffMs } from '../common/backoff.ts';
import { jsonText, parseStored } from '../common/stored.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { NumberedEntry } from './entry.ts';
import { EntryShape } from './entry-payload.ts';
import type { Carried, EventTransport, TransportListener } from './event-transport.ts';

export interface RedisTransportSettings {
  /** redis:// or rediss://, with user, password and database if needed. */
  readonly url: string;
  /** Prefix of the stream and channel names, for installations that share a Redis. */
  readonly prefix: string;
  readonly log: Log;
  /**
   * Approximate maximum number of entries in the stream. Slower readers read from Neo4j. Default
   * 2,000.
   */
  readonly entriesMax?: number;
  /**
   * The last number assigned in Neo4j. A stream with a higher number belongs to another database.
   */
  lastSeq(): Promise<number>;
}

// With entries of at most 16 KiB, this is at most 32 MiB.
const STREAM_ENTRIES_MAX = 2_000;
const ENTRY_BYTES_MAX = 16 * 1024;
const READ_COUNT = 500;
const READ_BLOCK_MS = 5_000;
const RECONNECT_BACKOFF: Backoff = { firstMs: 50, maxMs: 5_000 };
// A burst of commits sends one wake-up.
const WAKE_GATHER_MS = 3;

/**
 * The event transport over Redis Streams. An entry's number is its id in the stream, so sending it
 * twice stores it once. After a lost connection a reader resumes after the last number it read.
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
  let isOutageLogged = false;
  let sending: Promise<void> = Promise.resolve();
  let isSubscribed = false;
  /** Id of the last entry read; `null` until the end of the stream is known. */
  let lastId: string | null = null;
  let wakeTimer: NodeJS.Timeout | null = null;

  const connect = () => {
    const client = createClient({
      url,
      // Entries that can not be sent are read from Neo4j; a queue would only fill memory.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: 10_000,
        reconnectStrategy: (tries) => backoffMs(RECONNECT_BACKOFF, tries + 1) + Math.random() * 100,
      },
    });
    client.on('error', (error: unknown) => {
      if (!isOutageLogged && !isClosed)
        log.warn('Redis does not answer; live updates follow Neo4j until it does', { error });
      isOutageLogged = true;
    });
    client.on('ready', () => {
      if (isOutageLogged) log.info('Redis answers again');
      isOutageLogged = false;
    });
    // Rejects only when closed before the first connection; otherwise it reconnects without end.
    client.connect().catch(() => {});
    return client;
  };
  // Three connections, because a blocking read must delay neither writes nor wake-ups.
  const [writer, reader, wakeups] = [connect(), connect(), connect()];

  const wakeListeners = () => {
    for (const { onWake } of listeners) onWake();
  };
  wakeups.on('ready', () => {
    // After a break the client subscribes again by itself.
    if (wakeups.isPubSubActive) return;
    wakeups.subscribe(channel, wakeListeners).then(
      () => {
        isSubscribed = true;
      },
      () => {},
    );
  });

  async function read(): Promise<void> {
    while (!isClosed) {
      try {
        if (!reader.isReady) throw new Error('Not connected.');
        // Starts at the newest entry; earlier ones are in Neo4j.
        lastId ??= await findStart();
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
   * The id after which this process reads: the newest entry's, or `0-0` in an empty stream. The
   * stream of a former database is deleted first: its numbers are higher, so a reader would skip
   * all new entries.
   */
  async function findStart(): Promise<string> {
    const newest = await writer.xRevRange(stream, '+', '-', { COUNT: 1 });
    const top = newest?.[0]?.id ?? '0-0';
    if (seqOf(top) <= (await lastSeq())) return top;
    await writer.del(stream);
    return '0-0';
  }

  async function addToStream(entries: readonly NumberedEntry[]): Promise<void> {
    const added = await Promise.allSettled(
      entries.map((entry) =>
        writer.xAdd(stream, `${entry.seq}-0`, fieldsOf(entry), {
          TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: entriesMax },
        }),
      ),
    );
    const refused = added.some(
      (one) => one.status === 'rejected' && one.reason instanceof ErrorReply,
    );
    // Either another process sent the entry, or the stream has the higher numbers of a former
    // database.
    if (refused && (await isOfAnotherDatabase())) await writer.del(stream);
  }

  async function isOfAnotherDatabase(): Promise<boolean> {
    const { 'last-generated-id': top } = await writer.xInfoStream(stream);
    return seqOf(String(top)) > (await lastSeq());
  }

  return {
    send(entries) {
      if (!writer.isReady) return;
      // In order: Redis refuses an id below the newest one.
      sending = sending.then(() => addToStream(entries)).catch(() => {});
    },
    wake() {
      if (!writer.isReady || wakeTimer !== null) return;
      wakeTimer = globalThis.setTimeout(() => {
        wakeTimer = null;
        if (writer.isReady) writer.publish(channel, '').catch(() => {});
      }, WAKE_GATHER_MS);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get isUp() {
      const isConnected = writer.isReady && reader.isReady && wakeups.isReady;
      return isConnected && isSubscribed && lastId !== null;
    },
    async verify() {
      await writer.ping();
    },
    async close() {
      isClosed = true;
      if (wakeTimer !== null) clearTimeout(wakeTimer);
      await sending;
      for (const client of [writer, reader, wakeups]) client.destroy();
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
