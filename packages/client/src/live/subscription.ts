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
    async *events(after) {
      const results = resultsOf<RunEventsSubscription>(client, RUN_EVENTS, { runId, after });
      for await (const { runEvents } of results) {
        const event = fromGraphQL(withContent(runEvents));
        // Skip kinds of a newer server that this version does not know.
        if (event !== null) yield event;
      }
    },
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
    async *events(after) {
      const variables = { conversationId, after };
      const results = resultsOf<ConversationEventsSubscription>(
        client,
        CONVERSATION_EVENTS,
        variables,
      );
      for await (const { conversationEvents } of results) yield conversationEvents;
    },
  };
  return resume(source, () => false, { attemptsMax: Number.POSITIVE_INFINITY, ...options });
}

/** Data of each result. @throws SubscriptionRefused, or Error if a retry may succeed */
export async function* resultsOf<Data>(
  client: SubscriptionClient,
  query: string,
  variables: Record<string, unknown>,
): AsyncGenerator<Data> {
  for await (const { data, errors } of client.iterate({ query, variables })) {
    if (errors != null && errors.length > 0) throw refusal(errors);
    if (data != null) yield data as Data;
  }
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

function refusal(
  errors: readonly { readonly message: string; readonly extensions?: unknown }[],
): Error {
  const message = errors.map((error) => error.message).join(' ');
  const [{ extensions } = { extensions: undefined }] = errors;
  const code = (extensions as { code?: unknown } | undefined)?.code;
  // Internal errors and rate limits may be temporary. Every other error is final.
  return code === 'INTERNAL' || code === 'RATE_LIMITED'
    ? new Error(message)
    : new SubscriptionRefused(message);
}
