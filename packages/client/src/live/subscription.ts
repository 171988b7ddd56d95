import { print } from 'graphql';
import { type Feed, type FeedOptions, follow } from '../conversation-graph/follow.ts';
import {
  type EventSource,
  type Resumed,
  type ResumeOptions,
  resume,
  SubscriptionRefused,
} from '../conversation-graph/resume.ts';
import { type CursoredEvent, fromGraphQL } from '../conversation-graph/run-event.ts';
import {
  ConversationEventsDocument,
  type ConversationEventsSubscription,
  RunEventsDocument,
  type RunEventsSubscription,
} from '../generated/documents.ts';

/** A client of GraphQL subscriptions, as implemented by graphql-ws and graphql-sse. */
export interface SubscriptionClient {
  iterate(request: { query: string; variables: Record<string, unknown> }): AsyncIterable<{
    readonly data?: unknown;
    readonly errors?: readonly { readonly message: string; readonly extensions?: unknown }[] | null;
  }>;
}

/** One event of `conversationEvents`. */
export type ConversationEvent = ConversationEventsSubscription['conversationEvents'];

const RUN_EVENTS = print(RunEventsDocument);
const CONVERSATION_EVENTS = print(ConversationEventsDocument);

/**
 * Builds a graph from a run's subscription. Resumes at the cursor after a broken connection,
 * without gaps or duplicates.
 */
export function connect(
  client: SubscriptionClient,
  runId: string,
  options: FeedOptions = {},
): Feed {
  return follow(sourceOf(client, runId), runId, options);
}

/** The run's subscription as a source of events. */
export function sourceOf(client: SubscriptionClient, runId: string): EventSource<CursoredEvent> {
  return {
    events: (after) =>
      // Kinds of a newer server that this version does not know give null.
      mapped(
        resultsOf<RunEventsSubscription>(client, RUN_EVENTS, { runId, after }),
        ({ runEvents }) => fromGraphQL(withContent(runEvents)),
      ),
  };
}

/**
 * Calls `onEvent` once for each event of a conversation, in order, until `close`. Resumes at the
 * cursor after a broken connection. A conversation may be silent for hours, so by default it never
 * gives up.
 */
export function connectConversation(
  client: SubscriptionClient,
  conversationId: string,
  options: ResumeOptions<ConversationEvent> = {},
): Resumed {
  const source: EventSource<ConversationEvent> = {
    events: (after) =>
      mapped(
        resultsOf<ConversationEventsSubscription>(client, CONVERSATION_EVENTS, {
          conversationId,
          after,
        }),
        ({ conversationEvents }) => conversationEvents,
      ),
  };
  return resume(source, () => false, { attemptsMax: Number.POSITIVE_INFINITY, ...options });
}

/** Data of each result. @throws SubscriptionRefused, or Error if a retry may succeed */
export function resultsOf<Data>(
  client: SubscriptionClient,
  query: string,
  variables: Record<string, unknown>,
): AsyncGenerator<Data> {
  return mapped(client.iterate({ query, variables }), ({ data, errors }) => {
    if (errors != null && errors.length > 0) throw refusal(errors);
    return data == null ? null : (data as Data);
  });
}

/**
 * The mapped values of a source; null is left out. `return` ends the source at once. A plain
 * generator would end it only after the pending `next`, so that a quiet stream kept its connection.
 */
export function mapped<From, To>(
  source: AsyncIterable<From>,
  map: (value: From) => To | null,
): AsyncGenerator<To> {
  const iterator = source[Symbol.asyncIterator]();
  const values = (async function* () {
    try {
      for (;;) {
        const next = await iterator.next();
        if (next.done === true) return;
        const value = map(next.value);
        if (value !== null) yield value;
      }
    } finally {
      await iterator.return?.();
    }
  })();
  const finish = values.return.bind(values);
  values.return = async (value) => {
    await iterator.return?.();
    return finish(value);
  };
  return values;
}

type RunEventAnswer = RunEventsSubscription['runEvents'];

/** Undoes the aliases of the document: `progress` and `said` are the `content` of their kinds. */
function withContent(answer: RunEventAnswer): Parameters<typeof fromGraphQL>[0] {
  if (answer.__typename === 'ToolProgressEvent') {
    const { progress, ...fields } = answer;
    return { ...fields, content: progress };
  }
  if (answer.__typename === 'UserEvent') {
    const { said, ...fields } = answer;
    return { ...fields, content: said };
  }
  return answer;
}

/** Codes of errors that may end; every other error is final. */
const TEMPORARY = ['INTERNAL', 'RATE_LIMITED', 'UNAVAILABLE'];

function refusal(
  errors: readonly { readonly message: string; readonly extensions?: unknown }[],
): Error {
  const message = errors.map((error) => error.message).join(' ');
  const [{ extensions } = { extensions: undefined }] = errors;
  const code = (extensions as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && TEMPORARY.includes(code)
    ? new Error(message)
    : new SubscriptionRefused(message);
}
