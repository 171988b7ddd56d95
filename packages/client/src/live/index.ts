// Live connections: requests, and subscriptions that resume at their cursor, over server-sent
// events or WebSocket.
export * from './client.ts';
export * from './conversation-graph.ts';
export * from './memory.ts';
export {
  type ConversationEvent,
  connect,
  connectConversation,
  type SubscriptionClient,
  sourceOf,
} from './subscription.ts';
