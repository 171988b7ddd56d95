import { graphql } from './gql/index.ts';

export const Chat = graphql(/* GraphQL */ `
  query Chat($id: ID!) {
    conversation(id: $id) {
      id
      title
      activePath {
        id
        speaker
        content
        activeAlternative {
          id
          run {
            id
            status
          }
        }
      }
      workingMemory {
        messages {
          role
          content
        }
      }
    }
  }
`);

export const SendMessage = graphql(/* GraphQL */ `
  mutation SendMessage($input: SendMessageInput!) {
    sendMessage(input: $input) {
      userTurn {
        id
      }
      agentTurn {
        id
      }
      run {
        id
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const ConversationEvents = graphql(/* GraphQL */ `
  subscription ConversationEvents($id: ID!, $after: Cursor) {
    conversationEvents(conversationId: $id, after: $after) {
      __typename
      at
      cursor
    }
  }
`);
