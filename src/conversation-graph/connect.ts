import { createGraph, type Graph } from './graph.ts';
import { hasEnded } from './queries.ts';
import { reduceEvent } from './reduce-event.ts';
import { type CursoredEvent, fromGraphQL, type GraphQLRunEvent } from './run-event.ts';

/** Where events come from: all after a cursor (null: from the beginning), then live ones, then the end of the run. */
export interface RunEventSource {
  events(after: string | null): AsyncIterable<CursoredEvent>;
}

/** A client of GraphQL subscriptions; graphql-ws and graphql-sse both offer this. */
export interface SubscriptionClient {
  iterate(request: { query: string; variables: Record<string, unknown> }): AsyncIterable<{
    readonly data?: unknown;
    readonly errors?: readonly { readonly message: string; readonly extensions?: unknown }[] | null;
  }>;
}

export interface FeedOptions {
  /** Called with every event, once each, before the graph that holds it. */
  readonly onEvent?: (event: CursoredEvent) => void;
  /** Called after every event, with the grown graph. */
  readonly onGraph?: (graph: Graph) => void;
  /** Called when a connection was lost and will be taken up again. */
  readonly onDrop?: (error: unknown) => void;
  /** Connections in a row that bring nothing before it gives up; default 8. */
  readonly attemptsMax?: number;
  /** The pause before an attempt; default doubles from 0.25 s to 10 s. */
  readonly pauseMs?: (attempt: number) => number;
}

export interface Feed {
  /** The graph so far. */
  readonly graph: Graph;
  /** The last event's cursor; null before the first. */
  readonly cursor: string | null;
  /** Settles when the run has ended, `close` was called, or no connection holds (then it rejects). */
  readonly done: Promise<Graph>;
  close(): void;
}

/** The server has understood and refused: another attempt would be refused again. */
export class SubscriptionRefused extends Error {
  override readonly name = 'SubscriptionRefused';
}

/** Events already seen are skipped among the last so many, should a source repeat some where it goes on. */
const REMEMBERED_CURSORS_MAX = 4_096;

/** Feeds a graph from a run's subscription; a dropped connection is taken up at the cursor, without gap or double. */
export function connect(
  client: SubscriptionClient,
  runId: string,
  options: FeedOptions = {},
): Feed {
  return follow(sourceOf(client, runId), runId, options);
}

/** The run's subscription as a source: its events themselves, for whoever folds or records them otherwise. */
export function sourceOf(client: SubscriptionClient, runId: string): RunEventSource {
  return { events: (after) => subscribed(client, runId, after) };
}

/** The same over any source. It ends with the source once the run has ended; a source that ends earlier was dropped. */
export function follow(source: RunEventSource, runId: string, options: FeedOptions = {}): Feed {
  const { attemptsMax = 8, pauseMs = (attempt: number) => Math.min(10_000, 125 * 2 ** attempt) } =
    options;
  const seen = new Set<string>();
  let graph = createGraph();
  let cursor: string | null = null;
  let isClosed = false;
  let wake = (): void => {};
  let current: AsyncIterator<CursoredEvent> | null = null;
  const closed = new Promise<void>((resolve) => {
    wake = resolve;
  });

  function take(event: CursoredEvent): void {
    if (seen.has(event.cursor)) return;
    seen.add(event.cursor);
    const [oldest] = seen;
    if (seen.size > REMEMBERED_CURSORS_MAX && oldest !== undefined) seen.delete(oldest);
    graph = reduceEvent(graph, event);
    cursor = event.cursor;
    options.onEvent?.(event);
    options.onGraph?.(graph);
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

  async function run(): Promise<Graph> {
    let attempt = 0;
    while (!isClosed) {
      const before = cursor;
      let failure: unknown = new Error('The connection ended before the run did.');
      try {
        const drained = drain();
        drained.catch(() => {});
        // One wait for a whole connection: a wait for each event would pile up on `closed` while the run lasts.
        await Promise.race([drained, closed]);
        if (isClosed || hasEnded(graph, runId)) return graph;
      } catch (error) {
        if (error instanceof SubscriptionRefused) throw error;
        if (isClosed || hasEnded(graph, runId)) return graph;
        failure = error;
      }
      attempt = cursor === before ? attempt + 1 : 1;
      if (attempt >= attemptsMax) throw failure;
      options.onDrop?.(failure);
      await Promise.race([pause(pauseMs(attempt)), closed]);
    }
    return graph;
  }

  const done = run();
  // Whoever does not wait for the end shall not be stopped by it.
  done.catch(() => {});
  return {
    get graph() {
      return graph;
    },
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

/** Browsers and Node have this timer; the pure rooms around do not declare it. */
declare function setTimeout(run: () => void, ms: number): unknown;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Every field of every event kind; the aliases keep fields apart that share a name but not a type. */
const RUN_EVENTS = `subscription RunEvents($runId: ID!, $after: Cursor) {
  runEvents(runId: $runId, after: $after) {
    __typename id runId parentId cursor at
    ... on TextEvent { content }
    ... on ReasoningEvent { content }
    ... on ToolCallEvent { name input }
    ... on ToolProgressEvent { toolCallId name progress: content }
    ... on ToolResultEvent { name output }
    ... on UserEvent { said: content }
    ... on HarnessStartEvent { agentId }
    ... on HarnessEndEvent { agentId }
    ... on ErrorEvent { message }
    ... on UsageEvent { inputTokens outputTokens }
    ... on RelayEvent { relayKind toolCallId tool params }
  }
}`;

async function* subscribed(
  client: SubscriptionClient,
  runId: string,
  after: string | null,
): AsyncGenerator<CursoredEvent> {
  for await (const { data, errors } of client.iterate({
    query: RUN_EVENTS,
    variables: { runId, after },
  })) {
    if (errors != null && errors.length > 0) throw refusal(errors);
    const answer = (data as { runEvents?: GraphQLRunEvent } | null | undefined)?.runEvents;
    if (answer === undefined) continue;
    const { progress, said, ...fields } = answer;
    const content = 'progress' in answer ? progress : said;
    const event = fromGraphQL({
      ...fields,
      ...(content === undefined ? {} : { content }),
    } as GraphQLRunEvent);
    if (event !== null) yield event;
  }
}

function refusal(
  errors: readonly { readonly message: string; readonly extensions?: unknown }[],
): Error {
  const message = errors.map((error) => error.message).join(' ');
  const [{ extensions } = { extensions: undefined }] = errors;
  const code = (extensions as { code?: unknown } | undefined)?.code;
  // An inner failure or a limit may pass; everything else is said for good.
  return code === 'INTERNAL' || code === 'RATE_LIMITED'
    ? new Error(message)
    : new SubscriptionRefused(message);
}
