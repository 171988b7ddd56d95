import { graphql } from './gql/index.ts';

export const Memory = graphql(/* GraphQL */ `
  query Memory($input: SearchInput!, $agentId: ID) {
    search(input: $input) {
      kind
      score
      entity {
        id
        uuid
        name
        facts {
          id
          fact
          validAt
        }
      }
      episode {
        id
        content
      }
    }
    tocRoot(agentId: $agentId) {
      id
      title
      bullets {
        text
        grips {
          id
          excerpt
        }
      }
    }
  }
`);
