/** A source of events: all after a cursor (null: from the beginning), then live ones. */
export interface EventSource<Event> {
  events(after: string | null): AsyncIterable<Event>;
}

export interface ResumeOptions<Event> {
  /** Only events after this cursor; default: from the beginning. */
  readonly after?: string | null;
  /** Called once for each event. */
  readonly onEvent?: (event: Event) => void;
  /** Called when a connection was lost, before it reconnects. */
  readonly onDrop?: (error: unknown) => void;
  /** Maximum number of consecutive connections without an event; default 8. */
  readonly attemptsMax?: number;
  /** Pause before an attempt in ms; default: doubles from 250 ms to 10 s. */
  readonly pauseMs?: (attempt: number) => number;
}

export interface Resumed {
  /** Cursor of the last event; null before the first. */
  readonly cursor: string | null;
  /**
   * Resolves when the stream has ended or `close` was called; rejects after too many failed
   * connections.
   */
  readonly done: Promise<void>;
  close(): void;
}

/** The server refused the subscription. A retry would be refused again. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused';
}

/** Number of recent cursors kept to skip events that a source repeats after a reconnect. */
const REMEMBERED_CURSORS_MAX = 4_096;

/**
 * Reads a source to its end. After a broken connection it resumes at the cursor, without gaps or
 * duplicates.
 * @param isOver whether the stream has ended; a source that ends before was disconnected
 */
export function resume<Event extends { readonly cursor: string }>(
  source: EventSource<Event>,
  isOver: () => boolean,
  options: ResumeOptions<Event> = {},
): Resumed {
  const { attemptsMax = 8, pauseMs = (attempt: number) => Math.min(10_000, 125 * 2 ** attempt) } =
    options;
  const seen = new Set<string>();
  let cursor: string | null = options.after ?? null;
  let isClosed = false;
  let wake = (): void => {};
  let current: AsyncIterator<Event> | null = null;
  const closed = new Promise<void>((resolve) => {
    wake = resolve;
  });

  function take(event: Event): void {
    if (seen.has(event.cursor)) return;
    seen.add(event.cursor);
    const [oldest] = seen;
    if (seen.size > REMEMBERED_CURSORS_MAX && oldest !== undefined) seen.delete(oldest);
    cursor = event.cursor;
    options.onEvent?.(event);
  }

  /** Reads one connection to its end. */
  async function drain(): Promise<void> {
    const iterator = source.events(cursor)[Symbol.asyncIterator]();
    current = iterator;
    for (;;) {
      const next = await iterator.next();
      if (isClosed || next.done === true) return;
      take(next.value);
    }
  }

  async function run(): Promise<void> {
    let attempt = 0;
    while (!isClosed) {
      const before = cursor;
      let failure: unknown = new Error('The connection ended before the stream did.');
      try {
        const drained = drain();
        drained.catch(() => {});
        // Wait once per connection: one wait per event would accumulate handlers on `closed`.
        await Promise.race([drained, closed]);
        if (isClosed || isOver()) return;
      } catch (error) {
        if (error instanceof SubscriptionRefused) throw error;
        if (isClosed || isOver()) return;
        failure = error;
      }
      attempt = cursor === before ? attempt + 1 : 1;
      if (attempt >= attemptsMax) throw failure;
      options.onDrop?.(failure);
      await Promise.race([pause(pauseMs(attempt)), closed]);
    }
  }

  const done = run();
  // Without this handler, a caller that does not await `done` would get an unhandled rejection.
  done.catch(() => {});
  return {
    get cursor() {
      return cursor;
    },
    done,
    close() {
      isClosed = true;
      wake();
      // A source that waits for its socket stops only through this call.
      void current?.return?.()?.catch(() => {});
    },
  };
}

/** Browsers and Node have this timer; tsconfig.pure.json does not declare it. */
declare function setTimeout(run: () => void, ms: number): unknown;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
