/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Input for another active alternative. */
export type ActivateAlternativeInput = {
  /** Id of the alternative. */
  readonly id: string;
  /** Also activates all that it answers, up to the root, so that it is not stale. */
  readonly wholePath?: boolean | null | undefined;
};

/** Input for another alternative of a turn. */
export type AddAlternativeInput = {
  /** The new content. Only for turns of users and of the system. */
  readonly content?: string | null | undefined;
  /** Values for the variables of the Process. message, messages, recalled, workingMemory and conversationId are supplied; values given here take precedence. */
  readonly context?: Record<string, unknown> | null | undefined;
  /** Idempotency key. The same input under the same key returns the first result. */
  readonly idempotencyKey?: string | null | undefined;
  /** Images, files and further texts that follow the text, at most 20. */
  readonly parts?: ReadonlyArray<ContentPartInput> | null | undefined;
  /** Id of the Process that answers. Only for turns of agents. Default: the Process of the active alternative, else the conversation's default. */
  readonly processId?: string | null | undefined;
  /** Id of the parent's alternative to answer. Default: the active one. */
  readonly respondsToId?: string | null | undefined;
  /** Id of an alternative of this turn that has the content and the parts, in their place. So a message is said again after another version of the turn above it. */
  readonly sameAsId?: string | null | undefined;
  /** Id of the turn. */
  readonly turnId: string;
};

/** Whether an alternative answers the active path. */
export type CacheStatus =
  /** Its run is in progress. The content is the text streamed so far. */
  | 'GENERATING'
  /** It answers an alternative that is not active, or one that does so, at any distance above it. A model does not receive it. */
  | 'STALE'
  /** All that it answers is active, from its parent turn up to the root. */
  | 'VALID';

/** Status of a call. */
export type CallStatus =
  /** It was cancelled or lost. */
  | 'ABORTED'
  /** It ended with an output. */
  | 'COMPLETED'
  /** It ended with an error, such as a timeout. */
  | 'FAILED'
  /** It was requested. */
  | 'PENDING'
  /** It was dispatched. */
  | 'RUNNING';

/** Input of cancelProcessRun. */
export type CancelProcessRunInput = {
  /** Id of the run. */
  readonly id: string;
  /** Reason. It is stored in the run's error. */
  readonly reason?: string | null | undefined;
};

/** A part that follows the text of a turn: exactly one of text, image and file. */
export type ContentPartInput =
  {   /** A file. */
  readonly file: FilePartInput; readonly image?: never; readonly text?: never; }
  |  { readonly file?: never;   /** An image. */
  readonly image: ImagePartInput; readonly text?: never; }
  |  { readonly file?: never; readonly image?: never;   /** A text. */
  readonly text: string; };

/** Status of a conversation. */
export type ConversationStatus =
  /** It accepts turns. */
  | 'ACTIVE'
  /** It accepts no turns until it is made active again. */
  | 'ARCHIVED';

/** Input for a new conversation. */
export type CreateConversationInput = {
  /** Id of the default Process that answers. */
  readonly defaultProcessId?: string | null | undefined;
  /** Default: 600 tokens, from all your conversations. */
  readonly recall?: RecallInput | null | undefined;
  /** Display name. */
  readonly title?: string | null | undefined;
};

/** A reference to a file, at most 5 MiB. */
export type FilePartInput = {
  /** application/pdf, application/json, text/plain, text/markdown or text/csv. */
  readonly mediaType: string;
  /** Name of the file, up to 500 characters. */
  readonly name?: string | null | undefined;
  /** https://… or ci-blob://{session}/{key} of a blob of yours, as uploadFile returns it. */
  readonly uri: string;
};

/** Input of forget. */
export type ForgetInput = {
  /** For an entity. Number of facts that you expect to lose, as `forgets` says. If the entity has another number now, nothing is deleted (CONFLICT). Default: not checked. */
  readonly confirmFacts?: number | null | undefined;
  /** Uuid of the fact, the statement or the entity. */
  readonly uuid: string;
};

/** Input for forking a conversation. */
export type ForkConversationInput = {
  /** Id of the alternative of that turn that the fork shows, with all that it answers. */
  readonly alternativeId: string;
  /** Id of the conversation. */
  readonly conversationId: string;
  /** Display name of the fork. Default: that of the original. */
  readonly title?: string | null | undefined;
  /** Id of the last turn to copy. */
  readonly turnId: string;
};

/** Input for an answer to an existing alternative. */
export type GenerateTurnInput = {
  /** Activates the parent alternative with all that it answers, up to the root. Without it, a parent that is inactive or stale gives STATE. */
  readonly activateParent?: boolean | null | undefined;
  /** Values for the variables of the Process. message, messages, recalled, workingMemory and conversationId are supplied; values given here take precedence. */
  readonly context?: Record<string, unknown> | null | undefined;
  /** Id of the conversation. */
  readonly conversationId: string;
  /** Idempotency key. The same input under the same key returns the first result. */
  readonly idempotencyKey?: string | null | undefined;
  /** Id of the alternative to answer. */
  readonly parentAlternativeId: string;
  /** Id of the Process that answers. */
  readonly processId: string;
};

/** A reference to an image, at most 5 MiB. */
export type ImagePartInput = {
  /** Describes the image in words, up to 500 characters. */
  readonly alt?: string | null | undefined;
  /** image/png, image/jpeg, image/gif or image/webp. */
  readonly mediaType: string;
  /** https://… or ci-blob://{session}/{key} of a blob of yours, as uploadFile returns it. */
  readonly uri: string;
};

/** How much of earlier talk is recalled. Omitted fields stay unchanged. */
export type RecallInput = {
  /** Whether to recall memories of your other conversations. null restores true. */
  readonly otherConversations?: boolean | null | undefined;
  /** The most tokens of recalled memories, 0 to 8000; 0 recalls nothing. null restores 600. */
  readonly tokens?: number | null | undefined;
};

/** Kind of a request to the user. */
export type RelayKind =
  /** It asks whether a step may be executed. */
  | 'PERMISSION';

/** Input of remember. */
export type RememberInput = {
  /** The same input under the same key returns the first result. */
  readonly idempotencyKey?: string | null | undefined;
  /** Time at which it was said, from 1970 to now. Default: now. */
  readonly saidAt?: string | null | undefined;
  /** Name of the program that asks, such as that of an editor. Up to 100 characters. Default: `memory`. */
  readonly source?: string | null | undefined;
  /** What you said, in your own words, such as "I moved to Trier in May". Up to 256 KiB. */
  readonly text: string;
};

/** Ranking of the results. */
export type Reranker =
  /** Number of mentions. */
  | 'EPISODE_MENTIONS'
  /** Similarity to the query, less similarity to other results (maximal marginal relevance). */
  | 'MMR'
  /** Number of steps from the centre in the graph. */
  | 'NODE_DISTANCE'
  /** Relevance to the query: words, meaning, surroundings and speaker, on one scale for all kinds. */
  | 'RELEVANCE'
  /** Reciprocal rank fusion: the ranks of all search methods combined. */
  | 'RRF';

/** Budget of a run and all runs below it. It is reserved before each call of a model and is never exceeded. */
export type RunBudgetInput = {
  /** Maximum cost in US dollars. Every called model must have a price. */
  readonly costUsd?: number | null | undefined;
  /** Maximum number of tokens, sent and received; null: no limit. */
  readonly tokens?: number | null | undefined;
};

/** Status of a run. */
export type RunStatus =
  /** A user cancelled it. */
  | 'CANCELLED'
  /** It ended with an output. */
  | 'COMPLETED'
  /** It ended with an error. */
  | 'FAILED'
  /** A user paused it. Steps in progress end, and no other step starts. */
  | 'PAUSED'
  /** Requested. It starts shortly. */
  | 'PENDING'
  /** Its steps are executed. */
  | 'RUNNING'
  /** It exceeded its timeout. */
  | 'TIMED_OUT'
  /** It waits for a user's decision, or for more budget. */
  | 'WAITING';

/** Query for a search in your memory. */
export type SearchInput = {
  /** Only events and nodes of this agent. Default: those of all agents. */
  readonly agentId?: string | null | undefined;
  /** Whether to include Episodes of inactive branches. */
  readonly allBranches?: boolean | null | undefined;
  /** Uuid of an entity whose neighbourhood is searched too. */
  readonly centerEntityUuid?: string | null | undefined;
  /** Only the memory of this conversation. Default: all your memory. */
  readonly conversationId?: string | null | undefined;
  /** Only memories of these groups: ids of conversations, or the group of your entities. Groups of other users give no results. */
  readonly groupIds?: ReadonlyArray<string> | null | undefined;
  /** Kinds of results. Default: all; with `groupIds` or `knownAt` entities, facts and Episodes. Notes are found in a search of all your memory only. Turns of conversations are found as Episodes; as events too only where EVENT is named. */
  readonly kinds?: ReadonlyArray<SearchKind> | null | undefined;
  /** Only facts known at this time. Default: now. */
  readonly knownAt?: string | null | undefined;
  /** Maximum number of results, up to 100. */
  readonly limit?: number | null | undefined;
  /** Text to search for, up to 2,000 characters. */
  readonly query: string;
  /** Ranking of the results. */
  readonly reranker?: Reranker | null | undefined;
  /** Only facts true at this time. Default: now. */
  readonly validAt?: string | null | undefined;
};

/** Kind of search result. */
export type SearchKind =
  /** An entity. */
  | 'ENTITY'
  /** An Episode. */
  | 'EPISODE'
  /** An event of the agent memory. */
  | 'EVENT'
  /** A fact: a relation between two entities. */
  | 'FACT'
  /** A note of an introspection, in the carousel or archived: an Episode, too. */
  | 'NOTE'
  /** A statement: what was said, word for word, with its times. */
  | 'STATEMENT'
  /** A node of the table of contents. */
  | 'TOC';

/** Input for a message that a Process answers. */
export type SendMessageInput = {
  /** Activates the parent alternative with all that it answers, up to the root. Without it, a parent that is inactive or stale gives STATE. */
  readonly activateParent?: boolean | null | undefined;
  /** The text, up to 256 KiB with its parts. It may be empty if there are parts. */
  readonly content: string;
  /** Values for the variables of the Process. message, messages, recalled, workingMemory and conversationId are supplied; values given here take precedence. */
  readonly context?: Record<string, unknown> | null | undefined;
  /** Id of the conversation. */
  readonly conversationId: string;
  /** Idempotency key. The same input under the same key returns the first result. */
  readonly idempotencyKey?: string | null | undefined;
  /** Id of the alternative to follow. Default: the active alternative of the last turn on the active path that is not stale, or none for the first turn. */
  readonly parentAlternativeId?: string | null | undefined;
  /** Images, files and further texts that follow the text, at most 20. */
  readonly parts?: ReadonlyArray<ContentPartInput> | null | undefined;
  /** Id of the Process that answers. Default: the conversation's default Process. */
  readonly processId?: string | null | undefined;
};

/** Author of a turn. */
export type Speaker =
  /** A Process. */
  | 'AGENT'
  /** The system, for instructions. */
  | 'SYSTEM'
  /** The user who owns the conversation. */
  | 'USER';

/** Input for a new run. */
export type StartProcessRunInput = {
  /** Budget. Default: no limit. */
  readonly budget?: RunBudgetInput | null | undefined;
  /** Value for each variable of the Process's initialContext. */
  readonly context: Record<string, unknown>;
  /** The conversation that it belongs to. */
  readonly conversationId?: string | null | undefined;
  /** Idempotency key. The same input under the same key returns the first run. */
  readonly idempotencyKey?: string | null | undefined;
  /** Id of the Process to run. */
  readonly processId: string;
  /** Timeout in seconds; then the run ends as TIMED_OUT. Default: none. */
  readonly timeout?: number | null | undefined;
};

/** Status of a step of a run. */
export type StepStatus =
  /** The run was cancelled before the step ended. */
  | 'CANCELLED'
  /** It ended with an output. */
  | 'COMPLETED'
  /** It ended with an error. */
  | 'FAILED'
  /** It waits for its start or for its next attempt. */
  | 'PENDING'
  /** It is executed. */
  | 'RUNNING'
  /** Its condition was false, or a dependency was skipped or failed. */
  | 'SKIPPED'
  /** It exceeded its timeout. */
  | 'TIMED_OUT'
  /** It waits for a user's decision. */
  | 'WAITING';

/** Machine-readable code of the problem. */
export type UserErrorCode =
  /** The condition does not parse, or uses a construct that is not allowed. */
  | 'CONDITION_INVALID'
  /** The object was changed at the same time, or the key was used for other input. */
  | 'CONFLICT'
  /** Objects depend on each other in a circle. */
  | 'CYCLE'
  /** A required object is disabled. */
  | 'DISABLED'
  /** You can see the object but may not change it. */
  | 'FORBIDDEN'
  /** A step depends on a later one. */
  | 'FORWARD_DEPENDENCY'
  /** The field cannot be changed after creation. */
  | 'IMMUTABLE'
  /** The value is not valid here. */
  | 'INVALID'
  /** Other objects still use it. */
  | 'IN_USE'
  /** No object with this id exists, or you cannot see it. */
  | 'NOT_FOUND'
  /** A required object is not shared. */
  | 'NOT_SHARED'
  /** Steps that run in parallel depend on each other. */
  | 'PARALLEL_DEPENDENCY'
  /** The type does not support this protocol. */
  | 'PROTOCOL_MISMATCH'
  /** Processes call each other more deeply than allowed. */
  | 'RECURSION_LIMIT'
  /** A required value is missing. */
  | 'REQUIRED'
  /** Not a valid JSON Schema, or beyond its limits. */
  | 'SCHEMA_INVALID'
  /** The value is not valid against its JSON Schema. */
  | 'SCHEMA_VIOLATION'
  /** The Secret belongs to another user. */
  | 'SECRET_OWNER'
  /** A Secret is required. */
  | 'SECRET_REQUIRED'
  /** The current state of the object does not allow this. */
  | 'STATE'
  /** The name or key is already in use. */
  | 'TAKEN'
  /** The template does not parse, or uses a construct that is not allowed. */
  | 'TEMPLATE_INVALID'
  /** Larger than the limit. */
  | 'TOO_LARGE'
  /** Two types do not match. */
  | 'TYPE_MISMATCH'
  /** A required service does not answer. */
  | 'UNHEALTHY'
  /** A name that is not defined before its use. */
  | 'UNKNOWN_VARIABLE';

export type GetCallGraphQueryVariables = Exact<{
  requestId: string;
}>;


export type GetCallGraphQuery = { readonly callGraph: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly requestId: string, readonly operationId: string, readonly parentRequestId: string | null, readonly identity: Record<string, unknown> | null, readonly callerAccountId: string | null, readonly status: CallStatus, readonly input: unknown, readonly output: unknown, readonly error: Record<string, unknown> | null, readonly startedAt: string | null, readonly completedAt: string | null }>, readonly edges: ReadonlyArray<{ readonly source: string, readonly target: string, readonly edgeType: string }> } | null };

export type AlternativeFieldsFragment = { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null };

export type TurnFieldsFragment = { readonly id: string, readonly sequence: number, readonly speaker: Speaker, readonly alternatives: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null }> };

export type ListConversationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ListConversationsQuery = { readonly conversations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly title: string | null, readonly status: ConversationStatus, readonly updatedAt: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type GetConversationQueryVariables = Exact<{
  id: string;
}>;


export type GetConversationQuery = { readonly conversation: { readonly id: string, readonly title: string | null, readonly status: ConversationStatus, readonly defaultProcess: { readonly id: string, readonly name: string } | null, readonly activePath: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly speaker: Speaker, readonly alternatives: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null }> }> } | null };

export type ConversationEventsSubscriptionVariables = Exact<{
  conversationId: string;
  after?: string | null | undefined;
}>;


export type ConversationEventsSubscription = { readonly conversationEvents:
    | { readonly __typename: 'AlternativeActivated', readonly staleAlternativeIds: ReadonlyArray<string>, readonly cursor: string, readonly at: string, readonly alternative: { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } }
    | { readonly __typename: 'AlternativeAdded', readonly cursor: string, readonly at: string, readonly alternative: { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } }
    | { readonly __typename: 'AlternativeCompleted', readonly cursor: string, readonly at: string, readonly alternative: { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } }
    | { readonly __typename: 'AlternativeTextAdded', readonly cursor: string, readonly at: string }
    | { readonly __typename: 'EpisodeBound', readonly alternativeId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'IntrospectionAdded', readonly cursor: string, readonly at: string, readonly introspection: { readonly id: string } }
    | { readonly __typename: 'MemoryForgotten', readonly cursor: string, readonly at: string }
    | { readonly __typename: 'SummaryAdded', readonly cursor: string, readonly at: string, readonly summary: { readonly id: string } }
    | { readonly __typename: 'TurnAdded', readonly cursor: string, readonly at: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker, readonly alternatives: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null }> } }
   };

export type CreateConversationMutationVariables = Exact<{
  input: CreateConversationInput;
}>;


export type CreateConversationMutation = { readonly createConversation: { readonly conversation: { readonly id: string, readonly title: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type SendMessageMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendMessageMutation = { readonly sendMessage: { readonly userTurn: { readonly id: string } | null, readonly agentTurn: { readonly id: string, readonly activeAlternative: { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } } | null, readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type GenerateTurnMutationVariables = Exact<{
  input: GenerateTurnInput;
}>;


export type GenerateTurnMutation = { readonly generateTurn: { readonly turn: { readonly id: string, readonly activeAlternative: { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type AddAlternativeMutationVariables = Exact<{
  input: AddAlternativeInput;
}>;


export type AddAlternativeMutation = { readonly addAlternative: { readonly alternative: { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly createdAt: string, readonly turn: { readonly id: string, readonly sequence: number, readonly speaker: Speaker }, readonly respondsTo: { readonly id: string, readonly turn: { readonly speaker: Speaker }, readonly run: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ActivateAlternativeMutationVariables = Exact<{
  input: ActivateAlternativeInput;
}>;


export type ActivateAlternativeMutation = { readonly activateAlternative: { readonly alternative: { readonly id: string, readonly isActive: boolean } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ForkConversationMutationVariables = Exact<{
  input: ForkConversationInput;
}>;


export type ForkConversationMutation = { readonly forkConversation: { readonly conversation: { readonly id: string, readonly title: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RememberMutationVariables = Exact<{
  input: RememberInput;
}>;


export type RememberMutation = { readonly remember: { readonly turn: { readonly id: string, readonly conversation: { readonly id: string } } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type SearchMemoryQueryVariables = Exact<{
  input: SearchInput;
}>;


export type SearchMemoryQuery = { readonly searchMemory: { readonly answerable: boolean, readonly reason: string, readonly hits: ReadonlyArray<{ readonly kind: SearchKind, readonly score: number, readonly why: string, readonly entity: { readonly uuid: string, readonly name: string, readonly summary: string } | null, readonly fact: { readonly uuid: string, readonly fact: string, readonly validAt: string | null, readonly invalidAt: string | null } | null, readonly statement: { readonly uuid: string, readonly text: string, readonly saidAt: string, readonly invalidAt: string | null } | null, readonly episode: { readonly uuid: string, readonly content: string, readonly validAt: string } | null, readonly tocNode: { readonly nodeId: string, readonly title: string, readonly startsAt: string, readonly bullets: ReadonlyArray<{ readonly text: string }> } | null, readonly event: { readonly eventId: string, readonly text: string, readonly occurredAt: string } | null }> } };

export type ForgetMutationVariables = Exact<{
  input: ForgetInput;
}>;


export type ForgetMutation = { readonly forget: { readonly forgotten: { readonly uuid: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ListProcessesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  query?: string | null | undefined;
  name?: string | null | undefined;
}>;


export type ListProcessesQuery = { readonly processes: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly version: number, readonly enabled: boolean }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type GetProcessQueryVariables = Exact<{
  id: string;
}>;


export type GetProcessQuery = { readonly process: { readonly id: string, readonly name: string, readonly version: number, readonly enabled: boolean, readonly initialContext: ReadonlyArray<string> } | null };

export type RunFieldsFragment = { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly processVersion: number, readonly output: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null, readonly rounds: ReadonlyArray<{ readonly index: number, readonly text: string | null, readonly toolCalls: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null }>, readonly usage: { readonly inputTokens: number, readonly outputTokens: number } }> }> };

export type UserErrorFieldsFragment = { readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> };

export type GetProcessRunQueryVariables = Exact<{
  id: string;
}>;


export type GetProcessRunQuery = { readonly processRun: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly processVersion: number, readonly output: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null, readonly rounds: ReadonlyArray<{ readonly index: number, readonly text: string | null, readonly toolCalls: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null }>, readonly usage: { readonly inputTokens: number, readonly outputTokens: number } }> }> } | null };

export type WatchProcessRunSubscriptionVariables = Exact<{
  id: string;
}>;


export type WatchProcessRunSubscription = { readonly processRun: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly processVersion: number, readonly output: string | null, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null, readonly rounds: ReadonlyArray<{ readonly index: number, readonly text: string | null, readonly toolCalls: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null }>, readonly usage: { readonly inputTokens: number, readonly outputTokens: number } }> }> } };

export type RunEventsSubscriptionVariables = Exact<{
  runId: string;
  after?: string | null | undefined;
}>;


export type RunEventsSubscription = { readonly runEvents:
    | { readonly __typename: 'ErrorEvent', readonly message: string, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'HarnessEndEvent', readonly processId: string, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'HarnessStartEvent', readonly processId: string, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ReasoningEvent', readonly textId: string, readonly content: string, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'RelayEvent', readonly approvalId: string, readonly relayKind: RelayKind, readonly callId: string, readonly tool: string, readonly params: Record<string, unknown>, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'TextEvent', readonly textId: string, readonly content: string, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ToolCallEvent', readonly callId: string, readonly name: string, readonly input: unknown, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ToolProgressEvent', readonly callId: string, readonly name: string, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string, readonly progress: unknown }
    | { readonly __typename: 'ToolResultEvent', readonly callId: string, readonly name: string, readonly output: unknown, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'UsageEvent', readonly inputTokens: number, readonly outputTokens: number, readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'UserEvent', readonly id: string, readonly runId: string, readonly parentId: string | null, readonly cursor: string, readonly at: string, readonly said: unknown }
   };

export type StartProcessRunMutationVariables = Exact<{
  input: StartProcessRunInput;
}>;


export type StartProcessRunMutation = { readonly startProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CancelProcessRunMutationVariables = Exact<{
  input: CancelProcessRunInput;
}>;


export type CancelProcessRunMutation = { readonly cancelProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export const AlternativeFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlternativeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<AlternativeFieldsFragment, unknown>;
export const TurnFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TurnFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationTurn"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"alternatives"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlternativeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<TurnFieldsFragment, unknown>;
export const RunFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}}]}}]}}]}}]}}]} as unknown as DocumentNode<RunFieldsFragment, unknown>;
export const UserErrorFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UserErrorFieldsFragment, unknown>;
export const GetCallGraphDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetCallGraph"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"requestId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callGraph"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"requestId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"requestId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"operationId"}},{"kind":"Field","name":{"kind":"Name","value":"parentRequestId"}},{"kind":"Field","name":{"kind":"Name","value":"identity"}},{"kind":"Field","name":{"kind":"Name","value":"callerAccountId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"input"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"target"}},{"kind":"Field","name":{"kind":"Name","value":"edgeType"}}]}}]}}]}}]} as unknown as DocumentNode<GetCallGraphQuery, GetCallGraphQueryVariables>;
export const ListConversationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListConversations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ListConversationsQuery, ListConversationsQueryVariables>;
export const GetConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"defaultProcess"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"activePath"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TurnFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlternativeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TurnFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationTurn"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"alternatives"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}}]} as unknown as DocumentNode<GetConversationQuery, GetConversationQueryVariables>;
export const ConversationEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ConversationEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"conversationId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Cursor"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversationEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"conversationId"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"includeText"},"value":{"kind":"BooleanValue","value":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TurnAdded"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TurnFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AlternativeAdded"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AlternativeActivated"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"staleAlternativeIds"}},{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"AlternativeCompleted"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"EpisodeBound"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternativeId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SummaryAdded"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"IntrospectionAdded"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"introspection"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlternativeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TurnFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationTurn"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"alternatives"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}}]} as unknown as DocumentNode<ConversationEventsSubscription, ConversationEventsSubscriptionVariables>;
export const CreateConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CreateConversationMutation, CreateConversationMutationVariables>;
export const SendMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"agentTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"activeAlternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlternativeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<SendMessageMutation, SendMessageMutationVariables>;
export const GenerateTurnDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"GenerateTurn"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerateTurnInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generateTurn"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"activeAlternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlternativeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<GenerateTurnMutation, GenerateTurnMutationVariables>;
export const AddAlternativeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddAlternative"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddAlternativeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addAlternative"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AlternativeFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AlternativeFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"speaker"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<AddAlternativeMutation, AddAlternativeMutationVariables>;
export const ActivateAlternativeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ActivateAlternative"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ActivateAlternativeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activateAlternative"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ActivateAlternativeMutation, ActivateAlternativeMutationVariables>;
export const ForkConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ForkConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ForkConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forkConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ForkConversationMutation, ForkConversationMutationVariables>;
export const RememberDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Remember"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RememberInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"remember"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<RememberMutation, RememberMutationVariables>;
export const SearchMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SearchMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SearchInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"answerable"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"hits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"score"}},{"kind":"Field","name":{"kind":"Name","value":"why"}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"episode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"bullets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}}]}}]}}]}}]}}]} as unknown as DocumentNode<SearchMemoryQuery, SearchMemoryQueryVariables>;
export const ForgetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Forget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ForgetInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forgotten"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<ForgetMutation, ForgetMutationVariables>;
export const ListProcessesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListProcesses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}},{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<ListProcessesQuery, ListProcessesQueryVariables>;
export const GetProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}}]}}]}}]} as unknown as DocumentNode<GetProcessQuery, GetProcessQueryVariables>;
export const GetProcessRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetProcessRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}}]}}]}}]}}]}}]} as unknown as DocumentNode<GetProcessRunQuery, GetProcessRunQueryVariables>;
export const WatchProcessRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"WatchProcessRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}}]}}]}}]}}]}}]} as unknown as DocumentNode<WatchProcessRunSubscription, WatchProcessRunSubscriptionVariables>;
export const RunEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RunEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"runId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Cursor"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"runId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"runId"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"runId"}},{"kind":"Field","name":{"kind":"Name","value":"parentId"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TextEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"textId"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ReasoningEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"textId"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"input"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolProgressEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","alias":{"kind":"Name","value":"progress"},"name":{"kind":"Name","value":"content"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolResultEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"output"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"said"},"name":{"kind":"Name","value":"content"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"HarnessStartEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"HarnessEndEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processId"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ErrorEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UsageEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RelayEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvalId"}},{"kind":"Field","name":{"kind":"Name","value":"relayKind"}},{"kind":"Field","name":{"kind":"Name","value":"callId"}},{"kind":"Field","name":{"kind":"Name","value":"tool"}},{"kind":"Field","name":{"kind":"Name","value":"params"}}]}}]}}]}}]} as unknown as DocumentNode<RunEventsSubscription, RunEventsSubscriptionVariables>;
export const StartProcessRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartProcessRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<StartProcessRunMutation, StartProcessRunMutationVariables>;
export const CancelProcessRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelProcessRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserErrorFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserErrorFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CancelProcessRunMutation, CancelProcessRunMutationVariables>;