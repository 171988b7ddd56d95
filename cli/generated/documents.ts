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

/** Input of adoptProcess. */
export type AdoptProcessInput = {
  /** Name of the tool and of the model: letters, digits, _ and -, at most 64. No other tool or model of yours has it. */
  readonly name: string;
  /** Id of a Process of another user. */
  readonly processId: string;
  /** Number of the version that you read. Another current version gives CONFLICT. Default: the current one. */
  readonly version?: number | null | undefined;
};

/** Input of allowProcessMemory. */
export type AllowProcessMemoryInput = {
  /** The digest of memoryAccess that you read. If it is another one by now, this gives CONFLICT. */
  readonly digest?: string | null | undefined;
  /** Id of a Process of another user. */
  readonly processId: string;
  /** Number of the version that you read. Another current version gives CONFLICT. */
  readonly version: number;
};

/** Whether an alternative answers the active path. */
export type CacheStatus =
  /** Its run is in progress. The content is the text streamed so far. */
  | 'GENERATING'
  /** It answers an alternative that is not active, or one that does so, at any distance above it. A model does not receive it. */
  | 'STALE'
  /** All that it answers is active, from its parent turn up to the root. */
  | 'VALID';

/** A part that follows the text of a turn: exactly one of text, image and file. */
export type ContentPartInput =
  {   /** A file. */
  readonly file: FilePartInput; readonly image?: never; readonly text?: never; }
  |  { readonly file?: never;   /** An image. */
  readonly image: ImagePartInput; readonly text?: never; }
  |  { readonly file?: never; readonly image?: never;   /** A text. */
  readonly text: string; };

/** Input for a new conversation. */
export type CreateConversationInput = {
  /** Id of the default Process that answers. */
  readonly defaultProcessId?: string | null | undefined;
  /** Default: 600 tokens, from all your conversations. */
  readonly recall?: RecallInput | null | undefined;
  /** Display name. */
  readonly title?: string | null | undefined;
};

/** Status of a data request. */
export type DataRequestStatus =
  /** It is complete. */
  | 'DONE'
  /** An export failed; ask for another one. */
  | 'FAILED'
  /** It begins soon; a deletion about a minute after it was asked for. */
  | 'WAITING'
  /** Work is in progress. After a crash it goes on by itself. */
  | 'WORKING';

/** Input of dropProcess. */
export type DropProcessInput = {
  /** Id of the Process. */
  readonly processId: string;
};

/** Source of an event. */
export type EventRole =
  /** The agent. */
  | 'ASSISTANT'
  /** The program that runs the agent. */
  | 'SYSTEM'
  /** A Tool. */
  | 'TOOL'
  /** A user. */
  | 'USER';

/** A reference to a file, at most 5 MiB. */
export type FilePartInput = {
  /** application/pdf, application/json, text/plain, text/markdown or text/csv. */
  readonly mediaType: string;
  /** Name of the file, up to 500 characters. */
  readonly name?: string | null | undefined;
  /** https://… or ci-blob://{session}/{key} of a blob of yours, as uploadFile returns it. */
  readonly uri: string;
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

/** Health of a component. */
export type HealthStatus =
  /** It works in part, or has not been probed yet. */
  | 'DEGRADED'
  /** It does not answer, or is disabled. */
  | 'DOWN'
  /** It works. */
  | 'HEALTHY';

/** A reference to an image, at most 5 MiB. */
export type ImagePartInput = {
  /** Describes the image in words, up to 500 characters. */
  readonly alt?: string | null | undefined;
  /** image/png, image/jpeg, image/gif or image/webp. */
  readonly mediaType: string;
  /** https://… or ci-blob://{session}/{key} of a blob of yours, as uploadFile returns it. */
  readonly uri: string;
};

/** Input for one event. Times and names are strings here, so that one invalid event does not fail the whole batch. */
export type MemoryEventInput = {
  /** Id of the agent that sends the event. Default: the agent of the settings. */
  readonly agentId?: string | null | undefined;
  /** ULID of the event. Default: generated. */
  readonly eventId?: string | null | undefined;
  /** A MemoryEventType. USER_MESSAGE and UserMessage are equivalent. */
  readonly eventType: string;
  /** Metadata: names with string values. */
  readonly metadata?: Record<string, unknown> | null | undefined;
  /** An EventRole, in either spelling. */
  readonly role: string;
  /** Id of the conversation: any non-empty string. */
  readonly sessionId: string;
  /** Text of the event, at most 8 MiB. May be empty for types without text. */
  readonly text: string;
  /** Time of the event in RFC 3339, not in the future. */
  readonly timestamp: string;
};

/** Type of a memory event. */
export type MemoryEventType =
  /** The agent wrote a message. */
  | 'ASSISTANT_MESSAGE'
  /** The agent ended its turn. */
  | 'ASSISTANT_STOP'
  /** The conversation ended. */
  | 'SESSION_END'
  /** A conversation with an agent started. */
  | 'SESSION_START'
  /** A sub-agent received a task. */
  | 'SUBAGENT_START'
  /** A sub-agent ended its task. */
  | 'SUBAGENT_STOP'
  /** A Tool was called and returned. */
  | 'TOOL_RESULT'
  /** A user wrote a message. */
  | 'USER_MESSAGE';

/** Role of the author of a message to a model. */
export type MessageRole =
  /** The agent. */
  | 'ASSISTANT'
  /** The product: instructions and memory. */
  | 'SYSTEM'
  /** The user. */
  | 'USER';

/** Type of an operation. */
export type OperationType =
  /** A Cypher statement. */
  | 'GRAPH_QUERY'
  /** A prompt to a language model. */
  | 'LLM_CALL'
  /** A call of a tool on an MCP server. */
  | 'MCP_CALL'
  /** An HTTP request. */
  | 'REST_CALL';

/** How much of earlier talk is recalled. Omitted fields stay unchanged. */
export type RecallInput = {
  /** Whether to recall memories of your other conversations. null restores true. */
  readonly otherConversations?: boolean | null | undefined;
  /** The most tokens of recalled memories, 0 to 8000; 0 recalls nothing. null restores 600. */
  readonly tokens?: number | null | undefined;
};

/** Kind of a recalled memory. */
export type RecallKind =
  /** An entity of the memory graph, with its summary. */
  | 'ENTITY'
  /** A turn of a conversation, word for word. */
  | 'EPISODE'
  /** A fact of the memory graph that holds now. */
  | 'FACT'
  /** A line of the table of contents of the agent memory. */
  | 'TOC';

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

/** Input for a decision on a waiting step. */
export type ResolveStepInput = {
  /** Whether later calls of the same tool in this run need no decision. Only for APPROVE of a model's call. */
  readonly allowForRun?: boolean | null | undefined;
  /** The decision. */
  readonly decision: StepDecision;
  /** Index of the forEach item, from 0. */
  readonly index?: number | null | undefined;
  /** Inputs that replace the step's inputs. Only for APPROVE. */
  readonly inputs?: Record<string, unknown> | null | undefined;
  /** Reason for the decision. It is stored with the decision. */
  readonly note?: string | null | undefined;
  /** Output of the step. Only for SUBSTITUTE. */
  readonly output?: unknown;
  /** Id of the waiting run, at any depth. */
  readonly runId: string;
  /** Id of the waiting step. */
  readonly stepId: string;
};

/** Input of revokeProcessMemory. */
export type RevokeProcessMemoryInput = {
  /** Id of the Process. */
  readonly processId: string;
};

/** Role of a user. */
export type Role =
  /** May also change settings, jobs and objects of the system. */
  | 'ADMIN'
  /** May create objects, and run those that are theirs or shared. */
  | 'USER';

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

/** Decision on a waiting step. */
export type StepDecision =
  /** The step calls its target, with other inputs if given. */
  | 'APPROVE'
  /** The step fails with REJECTED. */
  | 'REJECT'
  /** The step uses `output` instead of calling its target. */
  | 'SUBSTITUTE';

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

/** Level of a node of the table of contents. */
export type TocLevel =
  /** A day, in UTC. */
  | 'DAY'
  /** The ISO weeks whose Thursday is in the month. */
  | 'MONTH'
  /** A part of one conversation without a long silence. */
  | 'SEGMENT'
  /** An ISO week. */
  | 'WEEK'
  /** A year of ISO weeks. */
  | 'YEAR';

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

/** Status of a Worker. */
export type WorkerStatus =
  /** It executes a step. */
  | 'BUSY'
  /** It waits for a step. */
  | 'IDLE'
  /** It sent no heartbeat for 20 seconds, or announced its end. */
  | 'OFFLINE';

export type AnswerFieldsFragment = { readonly id: string, readonly sequence: number, readonly content: string, readonly cacheStatus: CacheStatus, readonly turn: { readonly id: string, readonly parent: { readonly id: string } | null }, readonly respondsTo: { readonly id: string, readonly content: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null };

export type CreateConversationMutationVariables = Exact<{
  input: CreateConversationInput;
}>;


export type CreateConversationMutation = { readonly createConversation: { readonly conversation: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type GetTalkQueryVariables = Exact<{
  id: string;
}>;


export type GetTalkQuery = { readonly conversation: { readonly id: string, readonly title: string | null, readonly defaultProcess: { readonly id: string, readonly name: string } | null, readonly activePath: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly speaker: Speaker, readonly alternatives: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly respondsTo: { readonly id: string } | null }> }> } | null };

export type SendMessageMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendMessageMutation = { readonly sendMessage: { readonly agentTurn: { readonly activeAlternative: { readonly id: string, readonly sequence: number, readonly content: string, readonly cacheStatus: CacheStatus, readonly turn: { readonly id: string, readonly parent: { readonly id: string } | null }, readonly respondsTo: { readonly id: string, readonly content: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type GenerateTurnMutationVariables = Exact<{
  input: GenerateTurnInput;
}>;


export type GenerateTurnMutation = { readonly generateTurn: { readonly turn: { readonly activeAlternative: { readonly id: string, readonly sequence: number, readonly content: string, readonly cacheStatus: CacheStatus, readonly turn: { readonly id: string, readonly parent: { readonly id: string } | null }, readonly respondsTo: { readonly id: string, readonly content: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type AddAlternativeMutationVariables = Exact<{
  input: AddAlternativeInput;
}>;


export type AddAlternativeMutation = { readonly addAlternative: { readonly alternative: { readonly id: string, readonly sequence: number, readonly content: string, readonly cacheStatus: CacheStatus, readonly turn: { readonly id: string, readonly parent: { readonly id: string } | null }, readonly respondsTo: { readonly id: string, readonly content: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ActivateAlternativeMutationVariables = Exact<{
  input: ActivateAlternativeInput;
}>;


export type ActivateAlternativeMutation = { readonly activateAlternative: { readonly alternative: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type GetAnswerQueryVariables = Exact<{
  id: string;
}>;


export type GetAnswerQuery = { readonly node:
    | { readonly __typename: 'Alternative', readonly id: string, readonly sequence: number, readonly content: string, readonly cacheStatus: CacheStatus, readonly turn: { readonly id: string, readonly parent: { readonly id: string } | null }, readonly respondsTo: { readonly id: string, readonly content: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly error: { readonly code: string, readonly message: string } | null } | null }
    | { readonly __typename: 'Approval' }
    | { readonly __typename: 'CallNode' }
    | { readonly __typename: 'Conversation' }
    | { readonly __typename: 'ConversationTurn' }
    | { readonly __typename: 'DataRequest' }
    | { readonly __typename: 'Entity' }
    | { readonly __typename: 'Episode' }
    | { readonly __typename: 'Fact' }
    | { readonly __typename: 'Grip' }
    | { readonly __typename: 'Introspection' }
    | { readonly __typename: 'Job' }
    | { readonly __typename: 'MemoryEvent' }
    | { readonly __typename: 'MetricDefinition' }
    | { readonly __typename: 'Process' }
    | { readonly __typename: 'ProcessAdoption' }
    | { readonly __typename: 'ProcessMemoryAgreement' }
    | { readonly __typename: 'ProcessRun' }
    | { readonly __typename: 'ProcessSchedule' }
    | { readonly __typename: 'ProcessVersion' }
    | { readonly __typename: 'Secret' }
    | { readonly __typename: 'Service' }
    | { readonly __typename: 'ServiceTemplate' }
    | { readonly __typename: 'Session' }
    | { readonly __typename: 'SessionEvent' }
    | { readonly __typename: 'Statement' }
    | { readonly __typename: 'StepRun' }
    | { readonly __typename: 'Summary' }
    | { readonly __typename: 'TocNode' }
    | { readonly __typename: 'Tool' }
    | { readonly __typename: 'ToolCall' }
    | { readonly __typename: 'ToolTemplate' }
    | { readonly __typename: 'User' }
    | { readonly __typename: 'Worker' }
   | null };

export type ForkConversationMutationVariables = Exact<{
  input: ForkConversationInput;
}>;


export type ForkConversationMutation = { readonly forkConversation: { readonly conversation: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RecalledFieldsFragment = { readonly kind: RecallKind, readonly text: string, readonly isQuotation: boolean, readonly sources: ReadonlyArray<{ readonly saidBy: string, readonly saidAt: string, readonly conversation: { readonly id: string, readonly title: string | null } | null }> };

export type GetRecalledQueryVariables = Exact<{
  id: string;
  turnId?: string | null | undefined;
  alternativeId?: string | null | undefined;
}>;


export type GetRecalledQuery = { readonly workingMemory: { readonly recalled: ReadonlyArray<{ readonly kind: RecallKind, readonly text: string, readonly isQuotation: boolean, readonly sources: ReadonlyArray<{ readonly saidBy: string, readonly saidAt: string, readonly conversation: { readonly id: string, readonly title: string | null } | null }> }> } };

export type GetMemoryQueryVariables = Exact<{
  id: string;
}>;


export type GetMemoryQuery = { readonly workingMemory: { readonly totalTokens: number, readonly tokenBreakdown: { readonly immediatePath: number, readonly summaries: number, readonly activeEntities: number, readonly introspection: number, readonly recalled: number }, readonly recalled: ReadonlyArray<{ readonly kind: RecallKind, readonly text: string, readonly isQuotation: boolean, readonly sources: ReadonlyArray<{ readonly saidBy: string, readonly saidAt: string, readonly conversation: { readonly id: string, readonly title: string | null } | null }> }>, readonly messages: ReadonlyArray<{ readonly role: MessageRole, readonly tokens: number, readonly content: string }>, readonly excludedStale: ReadonlyArray<{ readonly turnId: string }> } };

export type IngestEventsMutationVariables = Exact<{
  input: ReadonlyArray<MemoryEventInput> | MemoryEventInput;
}>;


export type IngestEventsMutation = { readonly ingestEvents: { readonly created: number, readonly duplicates: number, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type MemoryFieldsFragment = { readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly bullets: ReadonlyArray<{ readonly text: string }> };

export type MemoryRootQueryVariables = Exact<{
  agentId?: string | null | undefined;
}>;


export type MemoryRootQuery = { readonly tocRoot: ReadonlyArray<{ readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly bullets: ReadonlyArray<{ readonly text: string }> }> };

export type MemoryNodeQueryVariables = Exact<{
  nodeId: string;
  agentId?: string | null | undefined;
}>;


export type MemoryNodeQuery = { readonly tocNode: { readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly parent: { readonly nodeId: string } | null, readonly bullets: ReadonlyArray<{ readonly text: string }> } | null };

export type MemorySegmentQueryVariables = Exact<{
  nodeId: string;
  agentId?: string | null | undefined;
}>;


export type MemorySegmentQuery = { readonly tocNode: { readonly events: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly occurredAt: string, readonly role: EventRole, readonly eventType: MemoryEventType, readonly text: string }> } } | null };

export type BrowseMemoryQueryVariables = Exact<{
  parentId: string;
  limit?: number | null | undefined;
  agentId?: string | null | undefined;
}>;


export type BrowseMemoryQuery = { readonly browseToc: { readonly nodes: ReadonlyArray<{ readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly bullets: ReadonlyArray<{ readonly text: string }> }> } };

export type AskMemoryQueryVariables = Exact<{
  input: SearchInput;
}>;


export type AskMemoryQuery = { readonly searchMemory: { readonly reason: string, readonly hits: ReadonlyArray<{ readonly kind: SearchKind, readonly tocNode: { readonly nodeId: string, readonly title: string, readonly startsAt: string, readonly level: TocLevel, readonly bullets: ReadonlyArray<{ readonly text: string }> } | null, readonly event: { readonly occurredAt: string, readonly role: EventRole, readonly text: string, readonly sessionId: string } | null }> } };

export type FindMemoriesQueryVariables = Exact<{
  input: SearchInput;
}>;


export type FindMemoriesQuery = { readonly searchMemory: { readonly reason: string, readonly hits: ReadonlyArray<{ readonly kind: SearchKind, readonly entity: { readonly id: string, readonly name: string } | null, readonly fact: { readonly id: string, readonly fact: string } | null }>, readonly nearest: ReadonlyArray<{ readonly kind: SearchKind, readonly entity: { readonly id: string, readonly name: string } | null, readonly fact: { readonly id: string, readonly fact: string } | null }> } };

export type FoundMemoryFragment = { readonly kind: SearchKind, readonly entity: { readonly id: string, readonly name: string } | null, readonly fact: { readonly id: string, readonly fact: string } | null };

export type MemoryToForgetQueryVariables = Exact<{
  id: string;
}>;


export type MemoryToForgetQuery = { readonly node:
    | { readonly __typename: 'Alternative' }
    | { readonly __typename: 'Approval' }
    | { readonly __typename: 'CallNode' }
    | { readonly __typename: 'Conversation' }
    | { readonly __typename: 'ConversationTurn' }
    | { readonly __typename: 'DataRequest' }
    | { readonly __typename: 'Entity', readonly uuid: string, readonly name: string, readonly forgets: { readonly facts: number, readonly mentions: number, readonly summaries: number, readonly vectors: number, readonly conversations: number } }
    | { readonly __typename: 'Episode' }
    | { readonly __typename: 'Fact', readonly uuid: string, readonly fact: string, readonly forgets: { readonly facts: number, readonly mentions: number, readonly summaries: number, readonly vectors: number, readonly conversations: number } }
    | { readonly __typename: 'Grip' }
    | { readonly __typename: 'Introspection' }
    | { readonly __typename: 'Job' }
    | { readonly __typename: 'MemoryEvent' }
    | { readonly __typename: 'MetricDefinition' }
    | { readonly __typename: 'Process' }
    | { readonly __typename: 'ProcessAdoption' }
    | { readonly __typename: 'ProcessMemoryAgreement' }
    | { readonly __typename: 'ProcessRun' }
    | { readonly __typename: 'ProcessSchedule' }
    | { readonly __typename: 'ProcessVersion' }
    | { readonly __typename: 'Secret' }
    | { readonly __typename: 'Service' }
    | { readonly __typename: 'ServiceTemplate' }
    | { readonly __typename: 'Session' }
    | { readonly __typename: 'SessionEvent' }
    | { readonly __typename: 'Statement' }
    | { readonly __typename: 'StepRun' }
    | { readonly __typename: 'Summary' }
    | { readonly __typename: 'TocNode' }
    | { readonly __typename: 'Tool' }
    | { readonly __typename: 'ToolCall' }
    | { readonly __typename: 'ToolTemplate' }
    | { readonly __typename: 'User' }
    | { readonly __typename: 'Worker' }
   | null };

export type ForgetsFieldsFragment = { readonly facts: number, readonly mentions: number, readonly summaries: number, readonly vectors: number, readonly conversations: number };

export type ForgetMutationVariables = Exact<{
  uuid: string;
  confirmFacts?: number | null | undefined;
}>;


export type ForgetMutation = { readonly forget: { readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ImportBundleMutationVariables = Exact<{
  document: string;
  dryRun: boolean;
}>;


export type ImportBundleMutation = { readonly importBundle: { readonly created: ReadonlyArray<string>, readonly updated: ReadonlyArray<string>, readonly unchanged: ReadonlyArray<string>, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ExportBundleQueryVariables = Exact<{
  processIds?: ReadonlyArray<string> | string | null | undefined;
}>;


export type ExportBundleQuery = { readonly exportBundle: string };

export type GetBlobQueryVariables = Exact<{
  uri: string;
  offset: number;
  length: number;
}>;


export type GetBlobQuery = { readonly blob: { readonly size: number, readonly content: string, readonly nextOffset: number | null } | null };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { readonly health: { readonly status: HealthStatus, readonly neo4j: HealthStatus, readonly temporal: HealthStatus, readonly eventBus: HealthStatus, readonly version: string, readonly warnings: ReadonlyArray<{ readonly message: string, readonly startedAt: string, readonly waiting: number, readonly advice: string }> }, readonly viewer: { readonly name: string, readonly roles: ReadonlyArray<Role> }, readonly workers: ReadonlyArray<{ readonly type: OperationType, readonly status: WorkerStatus }> };

export type ExportMyDataMutationVariables = Exact<{ [key: string]: never; }>;


export type ExportMyDataMutation = { readonly exportMyData: { readonly request: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteMyDataMutationVariables = Exact<{
  confirm: string;
}>;


export type DeleteMyDataMutation = { readonly deleteMyData: { readonly request: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteUserMutationVariables = Exact<{
  userId: string;
  confirm: string;
}>;


export type DeleteUserMutation = { readonly deleteUser: { readonly request: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type MyDataRequestsQueryVariables = Exact<{ [key: string]: never; }>;


export type MyDataRequestsQuery = { readonly myDataRequests: ReadonlyArray<{ readonly id: string, readonly status: DataRequestStatus, readonly phase: string | null, readonly records: number, readonly archive: string | null, readonly error: string | null }> };

export type ShownRunFieldsFragment = { readonly id: string, readonly processName: string, readonly processVersion: number, readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null, readonly rounds: ReadonlyArray<{ readonly index: number, readonly toolCalls: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null }> }> }> };

export type FindProcessesQueryVariables = Exact<{
  query?: string | null | undefined;
}>;


export type FindProcessesQuery = { readonly processes: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly version: number, readonly enabled: boolean, readonly initialContext: ReadonlyArray<string>, readonly owner: { readonly id: string } }> }, readonly viewer: { readonly id: string } };

export type GetProcessQueryVariables = Exact<{
  id: string;
}>;


export type GetProcessQuery = { readonly process: { readonly id: string, readonly name: string, readonly version: number, readonly enabled: boolean, readonly initialContext: ReadonlyArray<string>, readonly owner: { readonly id: string } } | null };

export type StartRunMutationVariables = Exact<{
  input: StartProcessRunInput;
}>;


export type StartRunMutation = { readonly startProcessRun: { readonly run: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type GetRunQueryVariables = Exact<{
  id: string;
}>;


export type GetRunQuery = { readonly processRun: { readonly id: string, readonly processName: string, readonly processVersion: number, readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null, readonly rounds: ReadonlyArray<{ readonly index: number, readonly toolCalls: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null }> }> }> } | null };

export type WatchRunSubscriptionVariables = Exact<{
  id: string;
}>;


export type WatchRunSubscription = { readonly processRun: { readonly id: string, readonly processName: string, readonly processVersion: number, readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly createdAt: string, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null, readonly rounds: ReadonlyArray<{ readonly index: number, readonly toolCalls: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null }> }> }> } };

export type CancelRunMutationVariables = Exact<{
  id: string;
}>;


export type CancelRunMutation = { readonly cancelProcessRun: { readonly run: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type FindQueryToolQueryVariables = Exact<{ [key: string]: never; }>;


export type FindQueryToolQuery = { readonly tools: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly owner: { readonly id: string } }> } };

export type QueryOwnGraphMutationVariables = Exact<{
  id: string;
  inputs: Record<string, unknown>;
}>;


export type QueryOwnGraphMutation = { readonly testTool: { readonly output: unknown, readonly error: { readonly message: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ApprovalFieldsFragment = { readonly id: string, readonly stepId: string, readonly index: number | null, readonly requestedAt: string, readonly expiresAt: string | null, readonly inputs: Record<string, unknown>, readonly tool: { readonly name: string } | null, readonly memoryRequest: { readonly processName: string, readonly version: number, readonly reads: boolean, readonly writes: boolean, readonly question: string, readonly owner: { readonly name: string } | null } | null, readonly run: { readonly id: string, readonly processName: string }, readonly rootRun: { readonly id: string, readonly processName: string } };

export type ListApprovalsQueryVariables = Exact<{
  runId?: string | null | undefined;
  first: number;
}>;


export type ListApprovalsQuery = { readonly approvals: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly index: number | null, readonly requestedAt: string, readonly expiresAt: string | null, readonly inputs: Record<string, unknown>, readonly tool: { readonly name: string } | null, readonly memoryRequest: { readonly processName: string, readonly version: number, readonly reads: boolean, readonly writes: boolean, readonly question: string, readonly owner: { readonly name: string } | null } | null, readonly run: { readonly id: string, readonly processName: string }, readonly rootRun: { readonly id: string, readonly processName: string } }> } };

export type GetApprovalQueryVariables = Exact<{
  id: string;
}>;


export type GetApprovalQuery = { readonly node:
    | { readonly __typename: 'Alternative' }
    | { readonly __typename: 'Approval', readonly id: string, readonly stepId: string, readonly index: number | null, readonly requestedAt: string, readonly expiresAt: string | null, readonly inputs: Record<string, unknown>, readonly tool: { readonly name: string } | null, readonly memoryRequest: { readonly processName: string, readonly version: number, readonly reads: boolean, readonly writes: boolean, readonly question: string, readonly owner: { readonly name: string } | null } | null, readonly run: { readonly id: string, readonly processName: string }, readonly rootRun: { readonly id: string, readonly processName: string } }
    | { readonly __typename: 'CallNode' }
    | { readonly __typename: 'Conversation' }
    | { readonly __typename: 'ConversationTurn' }
    | { readonly __typename: 'DataRequest' }
    | { readonly __typename: 'Entity' }
    | { readonly __typename: 'Episode' }
    | { readonly __typename: 'Fact' }
    | { readonly __typename: 'Grip' }
    | { readonly __typename: 'Introspection' }
    | { readonly __typename: 'Job' }
    | { readonly __typename: 'MemoryEvent' }
    | { readonly __typename: 'MetricDefinition' }
    | { readonly __typename: 'Process' }
    | { readonly __typename: 'ProcessAdoption' }
    | { readonly __typename: 'ProcessMemoryAgreement' }
    | { readonly __typename: 'ProcessRun' }
    | { readonly __typename: 'ProcessSchedule' }
    | { readonly __typename: 'ProcessVersion' }
    | { readonly __typename: 'Secret' }
    | { readonly __typename: 'Service' }
    | { readonly __typename: 'ServiceTemplate' }
    | { readonly __typename: 'Session' }
    | { readonly __typename: 'SessionEvent' }
    | { readonly __typename: 'Statement' }
    | { readonly __typename: 'StepRun' }
    | { readonly __typename: 'Summary' }
    | { readonly __typename: 'TocNode' }
    | { readonly __typename: 'Tool' }
    | { readonly __typename: 'ToolCall' }
    | { readonly __typename: 'ToolTemplate' }
    | { readonly __typename: 'User' }
    | { readonly __typename: 'Worker' }
   | null };

export type ResolveStepMutationVariables = Exact<{
  input: ResolveStepInput;
}>;


export type ResolveStepMutation = { readonly resolveStep: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ListRunsQueryVariables = Exact<{
  processId?: string | null | undefined;
  status?: ReadonlyArray<RunStatus> | RunStatus | null | undefined;
  first: number;
  includeSystem: boolean;
}>;


export type ListRunsQuery = { readonly processRuns: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly processName: string, readonly processVersion: number, readonly status: RunStatus, readonly createdAt: string, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string } | null }> } };

export type FindSharedQueryVariables = Exact<{
  query: string;
  after?: string | null | undefined;
}>;


export type FindSharedQuery = { readonly processes: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly version: number, readonly owner: { readonly name: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ListAdoptionsQueryVariables = Exact<{
  first: number;
}>;


export type ListAdoptionsQuery = { readonly processAdoptions: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly version: number, readonly process: { readonly id: string, readonly name: string, readonly version: number, readonly owner: { readonly name: string } } | null }> } };

export type AdoptProcessMutationVariables = Exact<{
  input: AdoptProcessInput;
}>;


export type AdoptProcessMutation = { readonly adoptProcess: { readonly adoption: { readonly id: string, readonly name: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DropProcessMutationVariables = Exact<{
  input: DropProcessInput;
}>;


export type DropProcessMutation = { readonly dropProcess: { readonly processId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ListMemoryAgreementsQueryVariables = Exact<{
  first: number;
}>;


export type ListMemoryAgreementsQuery = { readonly processMemoryAgreements: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly processName: string, readonly version: number, readonly reads: boolean, readonly writes: boolean, readonly createdAt: string, readonly process: { readonly id: string, readonly owner: { readonly name: string } } | null }> } };

export type AllowProcessMemoryMutationVariables = Exact<{
  input: AllowProcessMemoryInput;
}>;


export type AllowProcessMemoryMutation = { readonly allowProcessMemory: { readonly agreement: { readonly id: string, readonly processName: string, readonly version: number } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RevokeProcessMemoryMutationVariables = Exact<{
  input: RevokeProcessMemoryInput;
}>;


export type RevokeProcessMemoryMutation = { readonly revokeProcessMemory: { readonly processId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type GetMemoryAccessQueryVariables = Exact<{
  id: string;
}>;


export type GetMemoryAccessQuery = { readonly process: { readonly id: string, readonly name: string, readonly version: number, readonly owner: { readonly name: string }, readonly memoryAccess: { readonly reads: boolean, readonly writes: boolean, readonly toolNames: ReadonlyArray<string>, readonly isAllowed: boolean, readonly digest: string | null } | null } | null };

export const AnswerFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnswerFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<AnswerFieldsFragment, unknown>;
export const RecalledFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecalledFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RecalledMemory"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"isQuotation"}},{"kind":"Field","name":{"kind":"Name","value":"sources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"saidBy"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}}]}}]}}]} as unknown as DocumentNode<RecalledFieldsFragment, unknown>;
export const MemoryFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemoryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TocNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"bullets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]} as unknown as DocumentNode<MemoryFieldsFragment, unknown>;
export const FoundMemoryFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FoundMemory"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SearchHit"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}}]}}]}}]} as unknown as DocumentNode<FoundMemoryFragment, unknown>;
export const ForgetsFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ForgetsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Forgets"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"facts"}},{"kind":"Field","name":{"kind":"Name","value":"mentions"}},{"kind":"Field","name":{"kind":"Name","value":"summaries"}},{"kind":"Field","name":{"kind":"Name","value":"vectors"}},{"kind":"Field","name":{"kind":"Name","value":"conversations"}}]}}]} as unknown as DocumentNode<ForgetsFieldsFragment, unknown>;
export const ShownRunFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ShownRunFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ShownRunFieldsFragment, unknown>;
export const ApprovalFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ApprovalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Approval"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"question"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rootRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}}]}}]} as unknown as DocumentNode<ApprovalFieldsFragment, unknown>;
export const CreateConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<CreateConversationMutation, CreateConversationMutationVariables>;
export const GetTalkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetTalk"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"defaultProcess"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"activePath"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"alternatives"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<GetTalkQuery, GetTalkQueryVariables>;
export const SendMessageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SendMessage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agentTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activeAlternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnswerFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnswerFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<SendMessageMutation, SendMessageMutationVariables>;
export const GenerateTurnDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"GenerateTurn"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerateTurnInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generateTurn"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activeAlternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnswerFields"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnswerFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<GenerateTurnMutation, GenerateTurnMutationVariables>;
export const AddAlternativeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddAlternative"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddAlternativeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addAlternative"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnswerFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnswerFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<AddAlternativeMutation, AddAlternativeMutationVariables>;
export const ActivateAlternativeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ActivateAlternative"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ActivateAlternativeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activateAlternative"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<ActivateAlternativeMutation, ActivateAlternativeMutationVariables>;
export const GetAnswerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetAnswer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"AnswerFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"AnswerFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<GetAnswerQuery, GetAnswerQueryVariables>;
export const ForkConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ForkConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ForkConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forkConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<ForkConversationMutation, ForkConversationMutationVariables>;
export const GetRecalledDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetRecalled"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"turnId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"alternativeId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workingMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"turnId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"turnId"}}},{"kind":"Argument","name":{"kind":"Name","value":"alternativeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"alternativeId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recalled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecalledFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecalledFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RecalledMemory"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"isQuotation"}},{"kind":"Field","name":{"kind":"Name","value":"sources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"saidBy"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}}]}}]}}]} as unknown as DocumentNode<GetRecalledQuery, GetRecalledQueryVariables>;
export const GetMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"workingMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}},{"kind":"Field","name":{"kind":"Name","value":"tokenBreakdown"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"immediatePath"}},{"kind":"Field","name":{"kind":"Name","value":"summaries"}},{"kind":"Field","name":{"kind":"Name","value":"activeEntities"}},{"kind":"Field","name":{"kind":"Name","value":"introspection"}},{"kind":"Field","name":{"kind":"Name","value":"recalled"}}]}},{"kind":"Field","name":{"kind":"Name","value":"recalled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RecalledFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"excludedStale"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"turnId"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RecalledFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RecalledMemory"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"isQuotation"}},{"kind":"Field","name":{"kind":"Name","value":"sources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"saidBy"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}}]}}]}}]} as unknown as DocumentNode<GetMemoryQuery, GetMemoryQueryVariables>;
export const IngestEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IngestEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MemoryEventInput"}}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ingestEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"duplicates"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<IngestEventsMutation, IngestEventsMutationVariables>;
export const MemoryRootDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemoryRoot"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tocRoot"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"agentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MemoryFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemoryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TocNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"bullets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]} as unknown as DocumentNode<MemoryRootQuery, MemoryRootQueryVariables>;
export const MemoryNodeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemoryNode"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"nodeId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"nodeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"nodeId"}}},{"kind":"Argument","name":{"kind":"Name","value":"agentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MemoryFields"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemoryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TocNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"bullets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]} as unknown as DocumentNode<MemoryNodeQuery, MemoryNodeQueryVariables>;
export const MemorySegmentDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemorySegment"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"nodeId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"nodeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"nodeId"}}},{"kind":"Argument","name":{"kind":"Name","value":"agentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"events"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"eventType"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]}}]}}]} as unknown as DocumentNode<MemorySegmentQuery, MemorySegmentQueryVariables>;
export const BrowseMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BrowseMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"parentId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"limit"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"browseToc"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"parentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"parentId"}}},{"kind":"Argument","name":{"kind":"Name","value":"limit"},"value":{"kind":"Variable","name":{"kind":"Name","value":"limit"}}},{"kind":"Argument","name":{"kind":"Name","value":"agentId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"agentId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"MemoryFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"MemoryFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TocNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"bullets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]} as unknown as DocumentNode<BrowseMemoryQuery, BrowseMemoryQueryVariables>;
export const AskMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AskMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SearchInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"hits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"bullets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"sessionId"}}]}}]}}]}}]}}]} as unknown as DocumentNode<AskMemoryQuery, AskMemoryQueryVariables>;
export const FindMemoriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindMemories"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SearchInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"hits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FoundMemory"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nearest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FoundMemory"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FoundMemory"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SearchHit"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}}]}}]}}]} as unknown as DocumentNode<FindMemoriesQuery, FindMemoriesQueryVariables>;
export const MemoryToForgetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemoryToForget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"forgets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ForgetsFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"forgets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ForgetsFields"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ForgetsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Forgets"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"facts"}},{"kind":"Field","name":{"kind":"Name","value":"mentions"}},{"kind":"Field","name":{"kind":"Name","value":"summaries"}},{"kind":"Field","name":{"kind":"Name","value":"vectors"}},{"kind":"Field","name":{"kind":"Name","value":"conversations"}}]}}]} as unknown as DocumentNode<MemoryToForgetQuery, MemoryToForgetQueryVariables>;
export const ForgetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Forget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"confirmFacts"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"uuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"confirmFacts"},"value":{"kind":"Variable","name":{"kind":"Name","value":"confirmFacts"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<ForgetMutation, ForgetMutationVariables>;
export const ImportBundleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportBundle"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"document"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"dryRun"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importBundle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"document"},"value":{"kind":"Variable","name":{"kind":"Name","value":"document"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"dryRun"},"value":{"kind":"Variable","name":{"kind":"Name","value":"dryRun"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"created"}},{"kind":"Field","name":{"kind":"Name","value":"updated"}},{"kind":"Field","name":{"kind":"Name","value":"unchanged"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<ImportBundleMutation, ImportBundleMutationVariables>;
export const ExportBundleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ExportBundle"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"processIds"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exportBundle"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"processIds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"processIds"}}}]}]}}]} as unknown as DocumentNode<ExportBundleQuery, ExportBundleQueryVariables>;
export const GetBlobDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetBlob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"uri"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"length"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"uri"},"value":{"kind":"Variable","name":{"kind":"Name","value":"uri"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"length"},"value":{"kind":"Variable","name":{"kind":"Name","value":"length"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"nextOffset"}}]}}]}}]} as unknown as DocumentNode<GetBlobQuery, GetBlobQueryVariables>;
export const HealthDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"neo4j"}},{"kind":"Field","name":{"kind":"Name","value":"temporal"}},{"kind":"Field","name":{"kind":"Name","value":"eventBus"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}},{"kind":"Field","name":{"kind":"Name","value":"advice"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}}]}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<HealthQuery, HealthQueryVariables>;
export const ExportMyDataDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ExportMyData"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exportMyData"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"request"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<ExportMyDataMutation, ExportMyDataMutationVariables>;
export const DeleteMyDataDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteMyData"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteMyData"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"confirm"},"value":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"request"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteMyDataMutation, DeleteMyDataMutationVariables>;
export const DeleteUserDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"userId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"userId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"userId"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"confirm"},"value":{"kind":"Variable","name":{"kind":"Name","value":"confirm"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"request"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<DeleteUserMutation, DeleteUserMutationVariables>;
export const MyDataRequestsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MyDataRequests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"myDataRequests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"records"}},{"kind":"Field","name":{"kind":"Name","value":"archive"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}}]}}]} as unknown as DocumentNode<MyDataRequestsQuery, MyDataRequestsQueryVariables>;
export const FindProcessesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindProcesses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]} as unknown as DocumentNode<FindProcessesQuery, FindProcessesQueryVariables>;
export const GetProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<GetProcessQuery, GetProcessQueryVariables>;
export const StartRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<StartRunMutation, StartRunMutationVariables>;
export const GetRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ShownRunFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ShownRunFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<GetRunQuery, GetRunQueryVariables>;
export const WatchRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"WatchRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ShownRunFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ShownRunFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<WatchRunSubscription, WatchRunSubscriptionVariables>;
export const CancelRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"reason"},"value":{"kind":"StringValue","value":"cancelled from the terminal","block":false}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<CancelRunMutation, CancelRunMutationVariables>;
export const FindQueryToolDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindQueryTool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"StringValue","value":"query_graph","block":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}}]} as unknown as DocumentNode<FindQueryToolQuery, FindQueryToolQueryVariables>;
export const QueryOwnGraphDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"QueryOwnGraph"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"inputs"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"JSONObject"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testTool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"inputs"},"value":{"kind":"Variable","name":{"kind":"Name","value":"inputs"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<QueryOwnGraphMutation, QueryOwnGraphMutationVariables>;
export const ListApprovalsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListApprovals"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"runId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvals"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"runId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"runId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ApprovalFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ApprovalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Approval"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"question"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rootRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}}]}}]} as unknown as DocumentNode<ListApprovalsQuery, ListApprovalsQueryVariables>;
export const GetApprovalDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetApproval"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"FragmentSpread","name":{"kind":"Name","value":"ApprovalFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ApprovalFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Approval"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"question"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rootRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}}]}}]} as unknown as DocumentNode<GetApprovalQuery, GetApprovalQueryVariables>;
export const ResolveStepDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResolveStep"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResolveStepInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resolveStep"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<ResolveStepMutation, ResolveStepMutationVariables>;
export const ListRunsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListRuns"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"processId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RunStatus"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"processId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"processId"}}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"includeSystem"},"value":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]}}]} as unknown as DocumentNode<ListRunsQuery, ListRunsQueryVariables>;
export const FindSharedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FindShared"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<FindSharedQuery, FindSharedQueryVariables>;
export const ListAdoptionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListAdoptions"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processAdoptions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ListAdoptionsQuery, ListAdoptionsQueryVariables>;
export const AdoptProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AdoptProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AdoptProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"adoptProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"adoption"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<AdoptProcessMutation, AdoptProcessMutationVariables>;
export const DropProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DropProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DropProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"dropProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<DropProcessMutation, DropProcessMutationVariables>;
export const ListMemoryAgreementsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ListMemoryAgreements"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processMemoryAgreements"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ListMemoryAgreementsQuery, ListMemoryAgreementsQueryVariables>;
export const AllowProcessMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AllowProcessMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllowProcessMemoryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allowProcessMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agreement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<AllowProcessMemoryMutation, AllowProcessMemoryMutationVariables>;
export const RevokeProcessMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeProcessMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeProcessMemoryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeProcessMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<RevokeProcessMemoryMutation, RevokeProcessMemoryMutationVariables>;
export const GetMemoryAccessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GetMemoryAccess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryAccess"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"toolNames"}},{"kind":"Field","name":{"kind":"Name","value":"isAllowed"}},{"kind":"Field","name":{"kind":"Name","value":"digest"}}]}}]}}]}}]} as unknown as DocumentNode<GetMemoryAccessQuery, GetMemoryAccessQueryVariables>;