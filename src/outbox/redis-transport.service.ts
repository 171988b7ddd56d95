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
export function openRedisTransport(settings: RedisTransportSettings): EventTransport {
  return new RedisTransport(settings);
}

class RedisTransport implements EventTransport {
  readonly #settings: RedisTransportSettings;
  readonly #stream: string;
  readonly #channel: string;
  readonly #listeners = new Set<TransportListener>();
  // Three connections, because a blocking read must delay neither writes nor wake-ups.
  readonly #writer: Client;
  readonly #reader: Client;
  readonly #wakeups: Client;
  readonly #reading: Promise<void>;
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;
  #isOutageLogged = false;
  #isSubscribed = false;
  /** Id of the last entry read; `null` until the end of the stream is known. */
  #lastId: string | null = null;
  #wakeTimer: NodeJS.Timeout | null = null;

  constructor(settings: RedisTransportSettings) {
    this.#settings = settings;
    this.#stream = `aiden:${settings.prefix}entries`;
    this.#channel = `aiden:${settings.prefix}wake`;
    this.#writer = this.#connect();
    this.#reader = this.#connect();
    this.#wakeups = this.#connect();
    this.#wakeups.on('ready', () => this.#subscribe());
    this.#reading = this.#read();
  }

  get isUp(): boolean {
    const clients = [this.#writer, this.#reader, this.#wakeups];
    return clients.every(({ isReady }) => isReady) && this.#isSubscribed && this.#lastId !== null;
  }

  send(entries: readonly NumberedEntry[]): void {
    if (!this.#writer.isReady) return;
    // In order: Redis refuses an id below the newest one.
    this.#sending = this.#sending.then(() => this.#add(entries)).catch(() => {});
  }

  wake(): void {
    if (!this.#writer.isReady || this.#wakeTimer !== null) return;
    this.#wakeTimer = globalThis.setTimeout(() => {
      this.#wakeTimer = null;
      if (this.#writer.isReady) this.#writer.publish(this.#channel, '').catch(() => {});
    }, WAKE_GATHER_MS);
  }

  listen(listener: TransportListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async verify(): Promise<void> {
    await this.#writer.ping();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#wakeTimer !== null) clearTimeout(this.#wakeTimer);
    await this.#sending;
    for (const client of [this.#writer, this.#reader, this.#wakeups]) client.destroy();
    await this.#reading;
  }

  #connect(): Client {
    const client = clientFor(this.#settings.url);
    client.on('error', (error: unknown) => this.#logOutage(error));
    client.on('ready', () => {
      if (this.#isOutageLogged) this.#settings.log.info('Redis answers again');
      this.#isOutageLogged = false;
    });
    // Rejects only when closed before the first connection; otherwise it reconnects without end.
    client.connect().catch(() => {});
    return client;
  }

  #logOutage(error: unknown): void {
    if (!this.#isOutageLogged && !this.#isClosed)
      this.#settings.log.warn('Redis does not answer; live updates follow Neo4j until it does', {
        error,
      });
    this.#isOutageLogged = true;
  }

  #subscribe(): void {
    // After a break the client subscribes again by itself.
    if (this.#wakeups.isPubSubActive) return;
    const wakeListeners = () => {
      for (const { onWake } of this.#listeners) onWake();
    };
    this.#wakeups.subscribe(this.#channel, wakeListeners).then(
      () => {
        this.#isSubscribed = true;
      },
      () => {},
    );
  }

  async #read(): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (!this.#reader.isReady) throw new Error('Not connected.');
        // Starts at the newest entry; earlier ones are in Neo4j.
        this.#lastId ??= await this.#findStart();
        const found = await this.#reader.xRead(
          { key: this.#stream, id: this.#lastId },
          { COUNT: READ_COUNT, BLOCK: READ_BLOCK_MS },
        );
        const messages = (found as Found)?.[0]?.messages ?? [];
        this.#lastId = messages.at(-1)?.id ?? this.#lastId;
        const entries = messages.map(carriedOf);
        if (entries.length > 0) for (const { onEntries } of this.#listeners) onEntries(entries);
      } catch {
        if (!this.#isClosed) await setTimeout(100);
      }
    }
  }

  /**
   * The id after which this process reads: the newest entry's, or `0-0` in an empty stream. The
   * stream of a former database is deleted first: its numbers are higher, so a reader would skip
   * all new entries.
   */
  async #findStart(): Promise<string> {
    const newest = await this.#writer.xRevRange(this.#stream, '+', '-', { COUNT: 1 });
    const top = newest?.[0]?.id ?? '0-0';
    if (seqOf(top) <= (await this.#settings.lastSeq())) return top;
    await this.#writer.del(this.#stream);
    return '0-0';
  }

  async #add(entries: readonly NumberedEntry[]): Promise<void> {
    const { entriesMax = STREAM_ENTRIES_MAX } = this.#settings;
    const added = await Promise.allSettled(
      entries.map((entry) =>
        this.#writer.xAdd(this.#stream, `${entry.seq}-0`, fieldsOf(entry), {
          TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: entriesMax },
        }),
      ),
    );
    const refused = added.some(
      (one) => one.status === 'rejected' && one.reason instanceof ErrorReply,
    );
    // Either another process sent the entry, or the stream has the higher numbers of a former
    // database.
    if (refused && (await this.#isOfAnotherDatabase())) await this.#writer.del(this.#stream);
  }

  async #isOfAnotherDatabase(): Promise<boolean> {
    const { 'last-generated-id': top } = await this.#writer.xInfoStream(this.#stream);
    return seqOf(String(top)) > (await this.#settings.lastSeq());
  }
}

const clientFor = (url: string) =>
  createClient({
    url,
    // Entries that can not be sent are read from Neo4j; a queue would only fill memory.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 10_000,
      reconnectStrategy: (tries) => backoffMs(RECONNECT_BACKOFF, tries + 1) + Math.random() * 100,
    },
  });

type Client = ReturnType<typeof clientFor>;

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

const seqOf = (id: string): number => Number(id.split('-')[0]);
