import type { RunEventsSubscription } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';

export const StartRun = graphql(/* GraphQL */ `
  mutation StartRun($input: StartProcessRunInput!) {
    startProcessRun(input: $input) {
      run {
        id
        status
        usage {
          llmCalls
          inputTokens
          outputTokens
        }
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const RunEvents = graphql(/* GraphQL */ `
  subscription RunEvents($runId: ID!, $after: Cursor) {
    runEvents(runId: $runId, after: $after) {
      __typename
      cursor
      at
      ... on ToolCallEvent {
        callId
        name
        input
      }
      ... on ToolResultEvent {
        callId
        output
      }
      ... on RelayEvent {
        approvalId
        relayKind
      }
      ... on UsageEvent {
        inputTokens
        outputTokens
      }
    }
  }
`);

/** A line of the run's screen. */
export function lineOf({ runEvents: event }: RunEventsSubscription): string {
  switch (event.__typename) {
    case 'ToolCallEvent':
      return `${event.at} ${event.name} is called (${event.callId})`;
    case 'ToolResultEvent':
      return `${event.at} ${event.callId} answered`;
    case 'RelayEvent':
      return `${event.at} ${event.relayKind} ${event.approvalId}`;
    case 'UsageEvent':
      return `${event.at} ${event.inputTokens + event.outputTokens} tokens`;
    default:
      return `${event.at} ${event.__typename}`;
  }
}
