// Entry point for frontends of Aiden; see README.md.

// The API has an enum of this name, in capitals. It is exported as CallStatus of
// @aiden/client/documents.
export type { CallStatus } from './call-graph/index.ts';
export * from './call-graph/index.ts';
export * from './conversation-graph/index.ts';
export * from './generated/documents.ts';
export * from './live/index.ts';
export * from './system-user.ts';
