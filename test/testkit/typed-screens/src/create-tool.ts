import type { CreateToolInput, OperationInput } from './gql/graphql.ts';
import { graphql } from './gql/index.ts';

export const CreateTool = graphql(/* GraphQL */ `
  mutation CreateTool($input: CreateToolInput!) {
    createTool(input: $input) {
      toolEdge {
        cursor
        node {
          id
          name
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

export function toolOf(serviceId: string, endpoint: string): CreateToolInput {
  return {
    name: 'Read the time',
    serviceId,
    connectionParams: { endpoint },
    operation: { restCall: { method: 'GET', path: '/time' } },
    inputSchema: { type: 'object' },
    outputSchema: {},
  };
}

const both = {
  restCall: { method: 'GET', path: '/' },
  llmCall: { promptTemplate: 'Hello' },
} as const;
// @ts-expect-error: one of the members, not two (@oneOf).
both satisfies OperationInput;
// @ts-expect-error: a method is one of the enum's.
({ restCall: { method: 'FETCH', path: '/' } }) satisfies OperationInput;
