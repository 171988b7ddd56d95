import { setTimeout as sleep } from 'node:timers/promises';
import { boundLog, type Say, type Server } from './child.ts';

/** A server that is started again when it ends by itself. */
export interface Supervision {
  /** For messages: Neo4j. */
  readonly name: string;
  readonly log: string;
  /** Starts the server, always on the same ports. */
  spawn(): Promise<Server>;
  /**
   * Resolves when the server works.
   * @throws Error when it ended, or does not work in time
   */
  untilReady(server: Server): Promise<void>;
  /**
   * Whether the running server refuses all work until it is started again. Asked every 10 s; such a
   * server is killed when there is room. Default: never.
   */
  isBroken?(): Promise<boolean>;
  /** Whether the server's disk has room for a start. A start waits for it. Default: always. */
  hasRoom?(): Promise<boolean>;
  readonly say: Say;
  /** Wait before the second restart in ms; default 1,000. The next ones are twice as long each. */
  readonly firstWaitMs?: number;
  /** Wait in ms between two looks whether the server is broken; default 10,000. */
  readonly lookEveryMs?: number;
}

export interface Supervised {
  /** Calls `listener` each time the server ended by itself. */
  onEnded(listener: () => void): void;
  /** Resolves when the server ended too often and is not started again. */
  readonly failed: Promise<Error>;
  /** Ends the supervision and the server. */
  stop(graceMs?: number): Promise<void>;
}

/** A server that runs for this time has recovered: its earlier ends no longer count. */
const STABLE_MS = 60_000;
const ENDS_MAX = 8;
/** The first restart is immediate; the next ones wait 1 s, 2 s, 4 s, at most 15 s. */
const WAIT_MS_MAX = 15_000;
const LOG_CHECK_MS = 60_000;
const LOOK_EVERY_MS = 10_000;
const ROOM_CHECK_MS = 1_000;

/** Watches a ready server, and starts it again each time it ends, until `stop`. */
export function supervise(first: Server, supervision: Supervision): Supervised {
  return new Supervisor(first, supervision);
}

class Supervisor implements Supervised {
  readonly failed: Promise<Error>;
  readonly #supervision: Supervision;
  readonly #listeners = new Set<() => void>();
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  readonly #fail: (error: Error) => void;
  #server: Server;

  constructor(first: Server, supervision: Supervision) {
    const failed = Promise.withResolvers<Error>();
    this.failed = failed.promise;
    this.#fail = failed.resolve;
    this.#server = first;
    this.#supervision = supervision;
    this.#running = this.#run();
  }

  onEnded(listener: () => void): void {
    this.#listeners.add(listener);
  }

  readonly stop = async (graceMs?: number): Promise<void> => {
    this.#stopping.abort();
    await this.#server.stop(graceMs);
    await this.#running;
    // A restart may have started another one meanwhile.
    await this.#server.stop(graceMs);
  };

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(): Promise<void> {
    const { name, log, say } = this.#supervision;
    const bounding = setInterval(() => void boundLog(log).catch(() => {}), LOG_CHECK_MS);
    bounding.unref();
    let readyAtMs = performance.now();
    for (let ends = 0; ; ) {
      const looking = this.#killWhenBroken(this.#server);
      const tail = await this.#server.ended.catch(String);
      looking.abort();
      if (this.#isStopping) break;
      this.#server.endRemains();
      for (const listener of this.#listeners) listener();
      ends = performance.now() - readyAtMs > STABLE_MS ? 1 : ends + 1;
      if (ends >= ENDS_MAX) {
        const end = tail === '' ? '' : ` It ends with:\n${tail}`;
        this.#fail(
          new Error(
            `${name} ended ${ends} times and is not started again. Its log is ${log}.${end}`,
          ),
        );
        break;
      }
      say(
        ends === 1
          ? `${name} ended by itself; it is started again.`
          : `${name} ended again (${ends} of ${ENDS_MAX} times); its log is ${log}.`,
      );
      await this.#rest(ends);
      await this.#untilRoom(this.#stopping.signal);
      if (this.#isStopping) break;
      await this.#start();
      readyAtMs = performance.now();
    }
    clearInterval(bounding);
  }

  async #rest(ends: number): Promise<void> {
    if (ends === 1) return;
    const { firstWaitMs = 1_000 } = this.#supervision;
    const ms = Math.min(WAIT_MS_MAX, firstWaitMs * 2 ** (ends - 2));
    await rest(ms, this.#stopping.signal);
  }

  /** Looks until the signal aborts. The end of a killed server is handled as any other. */
  #killWhenBroken(server: Server): AbortController {
    const looking = new AbortController();
    const { isBroken, name, say, lookEveryMs = LOOK_EVERY_MS } = this.#supervision;
    const { signal } = looking;
    const look = async () => {
      while (isBroken !== undefined && !signal.aborted) {
        await rest(lookEveryMs, signal);
        const found = !signal.aborted && (await isBroken().catch(() => false));
        if (!found || signal.aborted) continue;
        say(`${name} refuses all work until it is started again.`);
        await this.#untilRoom(signal);
        if (!signal.aborted) server.endRemains();
        return;
      }
    };
    void look();
    return looking;
  }

  async #untilRoom(signal: AbortSignal): Promise<void> {
    const { hasRoom, name, say } = this.#supervision;
    for (let told = false; hasRoom !== undefined && !signal.aborted; told = true) {
      if (await hasRoom()) return;
      if (!told) say(`The disk of ${name} is full; it is started when there is room.`);
      await rest(ROOM_CHECK_MS, signal);
    }
  }

  /** One that never becomes ready is stopped here, so it counts as ended. */
  async #start(): Promise<void> {
    const { name, say } = this.#supervision;
    try {
      this.#server = await this.#supervision.spawn();
      if (this.#isStopping) return await this.#server.stop();
      await this.#supervision.untilReady(this.#server);
    } catch (error) {
      if (!this.#isStopping) say(`${name} was not started: ${firstLine(error)}`);
      await this.#server.stop();
    }
  }
}

/** Sleeps, at most until the signal aborts. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, null, { signal, ref: false }).catch(() => {});
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
