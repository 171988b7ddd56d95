import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import type { Active } from '../conversation-graph/active.ts';
import type { Feed, FeedOptions } from '../conversation-graph/follow.ts';
import type { Graph } from '../conversation-graph/graph.ts';
import type { Resumed, ResumeOptions } from '../conversation-graph/resume.ts';
import { type ConversationFeed, followConversationGraph } from './conversation-graph.ts';
import {
  type ConversationEvent,
  connect,
  connectConversation,
  resultsOf,
  type SubscriptionClient,
} from './subscription.ts';

export interface ClientOptions {
  /** The API's origin, without `/graphql`, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /**
   * Bearer token. A function is called for each request and connection, so that a token can be
   * renewed. Default: none.
   */
  readonly token?: string | (() => string | Promise<string>);
  /** Transport of subscriptions; default `sse` (server-sent events). */
  readonly transport?: 'sse' | 'ws';
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
  /** A WebSocket class; default: that of the platform (browsers, Node 22 or later). */
  readonly webSocket?: unknown;
}

export interface GraphQLFault {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly requestId?: string };
}

/** The API returned errors, or a response that is not GraphQL. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  /** The HTTP status. */
  readonly status: number;
  /** Errors as returned by the API; empty for a response that is not GraphQL. */
  readonly errors: readonly GraphQLFault[];

  constructor(status: number, errors: readonly GraphQLFault[]) {
    super(errors.map(({ message }) => message).join(' ') || `The API answered ${status}.`);
    this.status = status;
    this.errors = errors;
  }
}

/** One user's connection to Aiden. Connections are opened on first use. */
export interface Client {
  /** Sends a query or mutation. @throws RequestFailed, or the error of `fetch` */
  request<Data, Variables extends Record<string, unknown>>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    signal?: AbortSignal,
  ): Promise<Data>;
  /** One subscription over one connection, without reconnects. @throws SubscriptionRefused */
  subscribe<Data, Variables extends Record<string, unknown>>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): AsyncGenerator<Data>;
  /** Builds a graph from a run's events until the run has ended; resumes at the cursor. */
  followRun(runId: string, options?: FeedOptions): Feed;
  /** Calls `onEvent` with a conversation's events until `close`; resumes at the cursor. */
  followConversation(conversationId: string, options?: ResumeOptions<ConversationEvent>): Resumed;
  /** Builds the graph of a conversation, with its users and its runs, until `close`. */
  followConversationGraph(
    conversationId: string,
    options?: { readonly onGraph?: (graph: Graph, active: Active) => void },
  ): ConversationFeed;
  /** Closes all connections. */
  close(): void;
}

/** Interval of pings, because proxies close silent WebSockets. */
const KEEP_ALIVE_MS = 15_000;

export function openClient(options: ClientOptions): Client {
  const endpoint = new URL('/graphql', options.url).href;
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const feeds = new Set<{ close(): void }>();

  async function authorization(): Promise<Record<string, string>> {
    const { token } = options;
    const given = typeof token === 'function' ? await token() : token;
    return given === undefined ? {} : { authorization: `Bearer ${given}` };
  }

  // Disable their retries: they would restart at the first cursor, while `resume` continues at the
  // last.
  const transport =
    options.transport === 'ws'
      ? createWsClient({
          url: endpoint.replace(/^http/, 'ws'),
          connectionParams: authorization,
          retryAttempts: 0,
          keepAlive: KEEP_ALIVE_MS,
          ...(options.webSocket === undefined ? {} : { webSocketImpl: options.webSocket }),
        })
      : createSseClient({
          url: endpoint,
          headers: authorization,
          retryAttempts: 0,
          fetchFn: send,
        });
  const subscriptions: SubscriptionClient = {
    iterate: (request) => transport.iterate<Record<string, unknown>>(request),
  };

  function kept<F extends { readonly done: Promise<unknown>; close(): void }>(feed: F): F {
    feeds.add(feed);
    const drop = () => feeds.delete(feed);
    feed.done.then(drop, drop);
    return feed;
  }

  const source = {
    followRun: (runId: string, feedOptions?: FeedOptions) =>
      kept(connect(subscriptions, runId, feedOptions)),
    followConversation: (id: string, resumeOptions?: ResumeOptions<ConversationEvent>) =>
      kept(connectConversation(subscriptions, id, resumeOptions)),
  };
  return {
    ...source,
    followConversationGraph: (conversationId, graphOptions) =>
      followConversationGraph(source, conversationId, graphOptions),
    async request(document, variables, signal) {
      const response = await send(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json, application/json',
          ...(await authorization()),
        },
        body: JSON.stringify({ query: print(document), variables }),
        ...(signal === undefined ? {} : { signal }),
      });
      const { data, errors = [] } = await answerOf(response);
      if (errors.length > 0 || data == null) throw new RequestFailed(response.status, errors);
      return data as never;
    },
    subscribe: (document, variables) => resultsOf(subscriptions, print(document), variables),
    close() {
      for (const feed of feeds) feed.close();
      void transport.dispose();
    },
  };
}

async function answerOf(
  response: Response,
): Promise<{ data?: unknown; errors?: readonly GraphQLFault[] }> {
  try {
    return await response.json();
  } catch {
    throw new RequestFailed(response.status, []);
  }
}
