/** Where events come from: all after a cursor (null: from the beginning), then live ones. */
export interface EventSource<Event> {
  events(after: string | null): AsyncIterable<Event>;
}

export interface ResumeOptions<Event> {
  /** Only events after this cursor; default: from the beginning. */
  readonly after?: string | null;
  /** Called with every event, once each. */
  readonly onEvent?: (event: Event) => void;
  /** Called when a connection was lost and will be taken up again. */
  readonly onDrop?: (error: unknown) => void;
  /** Connections in a row that bring nothing before it gives up; default 8. */
  readonly attemptsMax?: number;
  /** The pause before an attempt; default doubles from 0.25 s to 10 s. */
  readonly pauseMs?: (attempt: number) => number;
}

export interface Resumed {
  /** The last event's cursor; null before the first. */
  readonly cursor: string | null;
  /** Settles when the stream is over or `close` was called; rejects when no connection holds. */
  readonly done: Promise<void>;
  close(): void;
}

/** The server has understood and refused: another attempt would be refused again. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused';
}

/** Events already seen are skipped among the last so many, should a source repeat some where it goes on. */
const REMEMBERED_CURSORS_MAX = 4_096;

/**
 * Reads a source to its end; a dropped connection is taken up at the cursor, without gap or double.
 * @param isOver whether the stream has ended; a source that ends before was dropped
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

  /** One connection, to its end. */
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
        // One wait for a whole connection: a wait for each event would pile up on `closed` while the stream lasts.
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
  // A caller that does not wait for the end must not be stopped by its rejection.
  done.catch(() => {});
  return {
    get cursor() {
      return cursor;
    },
    done,
    close() {
      isClosed = true;
      wake();
      // A source that is waiting for its socket only hears of it here.
      void current?.return?.()?.catch(() => {});
    },
  };
}

/** Browsers and Node have this timer; tsconfig.pure.json does not declare it. */
declare function setTimeout(run: () => void, ms: number): unknown;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
