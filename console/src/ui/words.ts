import type {
  DataRequestStatus,
  EntityOrigin,
  EventRole,
  FailurePolicy,
  MessageRole,
  OperationType,
  RecallKind,
  RetentionKind,
  SearchKind,
} from '../generated/documents.ts';

/** The calls that the Workers of each type make. */
export const CALLS_OF: Readonly<Record<OperationType, string>> = {
  LLM_CALL: 'model calls',
  REST_CALL: 'HTTP requests',
  MCP_CALL: 'MCP calls',
  GRAPH_QUERY: 'graph queries',
};

export const MEMORY_KINDS: Readonly<Record<SearchKind | RecallKind, string>> = {
  ENTITY: 'entity',
  EPISODE: 'said',
  EVENT: 'event',
  FACT: 'fact',
  NOTE: 'note',
  STATEMENT: 'statement',
  TOC: 'contents',
};

export const ROLES: Readonly<Record<MessageRole | EventRole, string>> = {
  ASSISTANT: 'agent',
  SYSTEM: 'system',
  TOOL: 'Tool',
  USER: 'user',
};

export const ORIGINS: Readonly<Record<EntityOrigin, string>> = {
  GRAPHITI: 'read in a text',
  ENRICHMENT: 'added by a model',
  USER: 'made by you',
};

export const KEPT_DATA: Readonly<Record<RetentionKind, string>> = {
  RUNS: 'Runs',
  SYSTEMRUNS: 'Background runs',
  RUNINPUTS: 'Inputs of runs that are kept',
  ENTRIES: 'Events outside of runs',
  SESSIONS: 'Sessions of agents',
  SYSTEMSESSIONS: 'Sessions of background runs',
  IDEMPOTENCYRECORDS: 'Answers to repeated requests',
};

export const REQUEST_STATES: Readonly<Record<DataRequestStatus, string>> = {
  WAITING: 'waiting',
  WORKING: 'in progress',
  DONE: 'done',
  FAILED: 'failed',
};

/** The course of a run after a step has failed. */
export const AFTER_FAILURE: Readonly<Record<FailurePolicy, string>> = {
  FAIL: 'the run fails',
  CONTINUE: 'the run goes on without its output',
  FALLBACK: 'the run goes on with another value',
};
