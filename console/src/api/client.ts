import { cacheExchange, type Data } from '@urql/exchange-graphcache';
import { createClient as createSseClient } from 'graphql-sse';
import { Client, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import {
  type Client as AidenClient,
  openClient,
} from '../../../packages/client/src/live/client.ts';
import type { DefinedStepFragment } from '../generated/documents.ts';
import { noteLost } from './connection.ts';
import { authorization, refuseToken, session } from './session.ts';

const url = new URL('/graphql', location.href).href;

/** `fetch`, with the connection noted as lost where the API does not answer. */
async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    if (response.status === 502 || response.status === 503) noteLost();
    // A stream that is refused closes its request, so the answer is read before.
    if (response.status === 401) await askToSignIn(response.clone());
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) noteLost();
    throw error;
  }
}

/** A stream whose token ended connects again and is refused; its client gives no GraphQL error. */
async function askToSignIn(response: Response): Promise<void> {
  const answer: { errors?: { message?: string }[] } | null = await response
    .json()
    .catch(() => null);
  refuseToken(answer?.errors?.[0]?.message ?? 'Sign in to go on.');
}

const embedded = () => null;

type StepTarget = DefinedStepFragment['target'];
/** The types of the API for operations of Tools. */
export type OperationName = Extract<StepTarget, { __typename: 'Tool' }>['operation']['__typename'];
const OPERATIONS: Record<OperationName, typeof embedded> = {
  LlmCallOperation: embedded,
  RestCallOperation: embedded,
  McpCallOperation: embedded,
  GraphQueryOperation: embedded,
};

/** Types without an `id`: by their own key, or kept inside the object that holds them. */
const KEYS = {
  ...Object.fromEntries(
    ['Entity', 'Episode', 'Fact'].map((type) => [
      type,
      (data: Data) => (typeof data['uuid'] === 'string' ? data['uuid'] : null),
    ]),
  ),
  ...Object.fromEntries(
    [
      'RunTimes',
      'RunTimesBucket',
      'StepConcurrency',
      'SecretTest',
      'TextPart',
      'ImagePart',
      'FilePart',
      'StepRun',
      'StepMessage',
      'AgentRound',
      'AgentTool',
      'AgentLimits',
      'CallEdge',
      'ProcessStep',
      'StepOutput',
      'StepExecution',
      'StepPages',
      'RetryPolicy',
      'RunError',
      'RunChange',
      'ConversationChange',
      'Usage',
      'RunBudget',
      'Approval',
      'Health',
      'HealthWarning',
      'BackgroundWork',
      'BackgroundWaiting',
      'MemorySettings',
      'ProcessVersion',
      'ProcessPlan',
      'ValidateProcessPayload',
      'UserError',
      'CallGraph',
      'CallNode',
      'Rating',
      'ConversationRecall',
      'ConversationFork',
      'WorkingMemory',
      'TokenBreakdown',
      'ContextMessage',
      'RecalledMemory',
      'RecallSource',
      'EntityReference',
      'EntitySource',
      'EntitySummary',
      'SearchHit',
      'SearchReason',
      'TocNode',
      'TocBullet',
      'Grip',
      'GripContext',
      'MemoryEvent',
      'OperationStats',
      'MetricSeries',
      'MetricPoint',
      'Settings',
      'Retention',
      'McpServerTool',
      'ToolCaller',
      'ToolUpdatePreview',
    ].map((type) => [type, embedded]),
  ),
  ...OPERATIONS,
  Job: (data: Data) => (typeof data['name'] === 'string' ? data['name'] : null),
};

/** The normalised cache and its transports, for one signed-in user. */
function openUrql(): Client {
  // It resumes by itself: `processRun` begins with the run as it is, so nothing is lost between.
  const sse = createSseClient({
    url,
    headers: authorization,
    retryAttempts: Number.POSITIVE_INFINITY,
    fetchFn: send,
  });
  return new Client({
    url,
    preferGetMethod: false,
    fetch: send,
    fetchOptions: () => ({ headers: authorization() }),
    exchanges: [
      mapExchange({
        onError({ graphQLErrors, response }) {
          const isRefused =
            response?.status === 401 ||
            graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHENTICATED');
          if (isRefused) refuseToken(graphQLErrors[0]?.message ?? 'Sign in to go on.');
        },
      }),
      cacheExchange({ keys: KEYS }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: sse.subscribe(
              { query, variables: variables as Record<string, unknown> },
              {
                next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
                error: (error) =>
                  sink.error(error instanceof Error ? error : new Error('The subscription ended.')),
                complete: () => sink.complete(),
              },
            ),
          }),
        }),
      }),
    ],
  });
}

export interface Api {
  readonly urql: Client;
  /** Runs and conversations as they happen, with the client library that every frontend has. */
  readonly live: AidenClient;
}

export function openApi(): Api {
  return {
    urql: openUrql(),
    live: openClient({
      url: location.origin,
      token: () => session.get().token ?? 'dev:dev:admin',
      fetch: send,
    }),
  };
}
