import { type FragmentType, graphql, useFragment } from './gql/index.ts';

/** A row of the list; other screens see its id only. */
const ProcessRow = graphql(/* GraphQL */ `
  fragment ProcessRow on Process {
    name
    version
    steps {
      stepId
      description
      target {
        __typename
        ... on Tool {
          id
          operation {
            __typename
            ... on RestCallOperation {
              method
              path
            }
            ... on LlmCallOperation {
              promptTemplate
            }
          }
        }
        ... on Process {
          id
          name
        }
      }
    }
  }
`);

export const Processes = graphql(/* GraphQL */ `
  query Processes($first: Int, $after: String) {
    processes(first: $first, after: $after, includeShared: false) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        ...ProcessRow
      }
    }
  }
`);

export function rowOf(row: FragmentType<typeof ProcessRow>) {
  // @ts-expect-error: the fields of a fragment are hidden until it is unmasked.
  void row.name;
  const { name, version, steps } = useFragment(ProcessRow, row);
  const calls = steps.map(({ target }) => {
    if (target.__typename === 'Process') return target.name;
    const { operation } = target satisfies { __typename: 'Tool' };
    return operation.__typename === 'RestCallOperation'
      ? `${operation.method} ${operation.path}`
      : operation.__typename;
  });
  return { name, version: version satisfies number, calls: calls satisfies string[] };
}
