// All that a frontend of Aiden installs; see README.md.

// The API has an enum of this name, in capitals; documents have it as CallStatus of @aiden/client/documents.
export type { CallStatus } from './call-graph/index.ts';
export * from './call-graph/index.ts';
export * from './conversation-graph/index.ts';
export * from './generated/documents.ts';
export * from './live/index.ts';
