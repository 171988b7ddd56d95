/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A new Process. */
export type CreateProcessInput = {
  /** What it is for. */
  readonly description?: string | null | undefined;
  /** Whether it may be executed. */
  readonly enabled?: boolean | null | undefined;
  /** The variables a run has to be given. */
  readonly initialContext: ReadonlyArray<string>;
  /** How deep runs may nest below a run of it, 0 to 50. */
  readonly maxRecursionDepth?: number | null | undefined;
  /** How it is called; up to 200 characters. */
  readonly name: string;
  /** Handlebars over context and outputs; what it renders is the result of a run. */
  readonly outputTemplate: string;
  /** Whether others find it and may run it; then it calls only what is shared. */
  readonly shared?: boolean | null | undefined;
  /** Its steps, in order; 1 to 500. */
  readonly steps: ReadonlyArray<ProcessStepInput>;
  /** Tokens the result may have. */
  readonly tokenBudget?: number | null | undefined;
};

/** A new Service, written out or copied from a template. */
export type CreateServiceInput = {
  /** Required without a template. */
  readonly connectionSchema?: Record<string, unknown> | null | undefined;
  /** What it is for. */
  readonly description?: string | null | undefined;
  /** Whether its Tools may be called; true if not said. */
  readonly enabled?: boolean | null | undefined;
  /** How it is called; up to 200 characters. */
  readonly name: string;
  /** Required without a template; has to go with the type. */
  readonly protocol?: Protocol | null | undefined;
  /** Whether its Tools need a Secret; false if not said. */
  readonly requiresSecret?: boolean | null | undefined;
  /** The template to copy type, protocol, connectionSchema and requiresSecret from; then they may not be given. */
  readonly serviceTemplateId?: string | null | undefined;
  /** Whether others may find and use it; false if not said. */
  readonly shared?: boolean | null | undefined;
  /** Required without a template. */
  readonly type?: ServiceType | null | undefined;
};

/** A new Tool, written out or copied from a template. */
export type CreateToolInput = {
  /** How it connects; has to fulfil the Service's connectionSchema. `pricing` may stand beside. */
  readonly connectionParams: Record<string, unknown>;
  /** What it is for. */
  readonly description?: string | null | undefined;
  /** Whether it may be called; true if not said. */
  readonly enabled?: boolean | null | undefined;
  /** Required without a template; its properties are the variables of the operation. */
  readonly inputSchema?: Record<string, unknown> | null | undefined;
  /** Whether a call may change something; left out: as the operation suggests. */
  readonly mutating?: boolean | null | undefined;
  /** How it is called; up to 200 characters. */
  readonly name: string;
  /** Required without a template. */
  readonly operation?: OperationInput | null | undefined;
  /** Required without a template. */
  readonly outputSchema?: Record<string, unknown> | null | undefined;
  /** A Secret of yours; required where the Service says so. */
  readonly secretId?: string | null | undefined;
  /** Where the Secret's value goes; left out: what is usual for the Service. */
  readonly secretScope?: string | null | undefined;
  /** Your Service, or one shared with you. */
  readonly serviceId: string;
  /** Whether others may find and call it; false if not said. */
  readonly shared?: boolean | null | undefined;
  /** The template to copy operation and both schemas from; then they may not be given. */
  readonly toolTemplateId?: string | null | undefined;
};

/** Whether a step waits for its neighbours. */
export type ExecutionMode =
  /** At once with the parallel steps next to it. */
  | 'PARALLEL'
  /** When every earlier step has ended. */
  | 'SEQUENTIAL';

/** What a failed step means for its run. */
export type FailurePolicy =
  /** The run goes on, the variable is null. */
  | 'CONTINUE'
  /** The run fails. */
  | 'FAIL'
  /** The run goes on, the variable is the fallback. */
  | 'FALLBACK';

/** What a statement may do to the graph. */
export type GraphAccess =
  /** Only read; the database refuses anything else. */
  | 'READ'
  /** Read and write. */
  | 'WRITE';

/** A Cypher statement. */
export type GraphQueryInput = {
  /** What it may do. */
  readonly access?: GraphAccess;
  /** The statement; its $names are the properties of inputSchema. */
  readonly query: string;
};

/** How something is. */
export type HealthStatus =
  /** It answers in part, or has not been asked yet. */
  | 'DEGRADED'
  /** It does not answer, or is switched off. */
  | 'DOWN'
  /** It answers. */
  | 'HEALTHY';

/** The method of an HTTP request. */
export type HttpMethod =
  /** Deletes. */
  | 'DELETE'
  /** Reads. */
  | 'GET'
  /** Reads the headers only. */
  | 'HEAD'
  /** Changes in part. */
  | 'PATCH'
  /** Sends something new. */
  | 'POST'
  /** Replaces. */
  | 'PUT';

/** Whether a step waits for a person. */
export type InteractionMode =
  /** It runs by itself. */
  | 'AUTO'
  /** It waits until somebody approves, rejects or substitutes it. */
  | 'MANUAL';

/** A prompt to a language model. */
export type LlmCallInput = {
  /** The property of inputSchema that holds [{role, content}], sent before the prompt. */
  readonly messages?: string | null | undefined;
  /** What it is asked; a template. */
  readonly promptTemplate: string;
  /** Given: the answer is an object that fulfils it. */
  readonly responseSchema?: Record<string, unknown> | null | undefined;
  /** What the model is told to be; a template. */
  readonly systemPrompt?: string | null | undefined;
};

/** A call of a tool on an MCP server. */
export type McpCallInput = {
  /** Its arguments; left out: the inputs as they are. */
  readonly arguments?: Record<string, unknown> | null | undefined;
  /** The server's name for it. */
  readonly tool: string;
};

/** What a Tool does: exactly one of these. */
export type OperationInput =
  {   /** For a neo4j_graph Service. */
  readonly graphQuery: GraphQueryInput; readonly llmCall?: never; readonly mcpCall?: never; readonly restCall?: never; }
  |  { readonly graphQuery?: never;   /** For an llm_provider Service. */
  readonly llmCall: LlmCallInput; readonly mcpCall?: never; readonly restCall?: never; }
  |  { readonly graphQuery?: never; readonly llmCall?: never;   /** For an mcp_server Service. */
  readonly mcpCall: McpCallInput; readonly restCall?: never; }
  |  { readonly graphQuery?: never; readonly llmCall?: never; readonly mcpCall?: never;   /** For a rest_api Service. */
  readonly restCall: RestCallInput; };

/** One step of a Process. */
export type ProcessStepInput = {
  /** What it calls. */
  readonly calls: StepTargetInput;
  /** Earlier steps without which it is skipped. */
  readonly dependsOn?: ReadonlyArray<string> | null | undefined;
  /** What it is for. */
  readonly description?: string | null | undefined;
  /** How it is executed. */
  readonly execution?: StepExecutionInput | null | undefined;
  /** Unique within its Process. */
  readonly id: string;
  /** Parameter by parameter a literal, or text with {step.variable.path}, {context.variable.path}, {item}, {index}. */
  readonly inputs: Record<string, unknown>;
  /** What becomes of its result. */
  readonly output: StepOutputInput;
};

/** How a Service is reached. */
export type Protocol =
  /** Bolt, in the clear. */
  | 'BOLT'
  /** Bolt over TLS. */
  | 'BOLT_S'
  /** HTTP, in the clear; streamable HTTP for MCP. */
  | 'HTTP'
  /** HTTP over TLS; streamable HTTP for MCP. */
  | 'HTTPS'
  /** Server-sent events (MCP). */
  | 'SSE'
  /** A process the operator registered, over its standard input and output (MCP). */
  | 'STDIO';

/** An HTTP request. Values that are one whole {{name}} keep their JSON type in query, headers and body. */
export type RestCallInput = {
  /** The body. */
  readonly body?: unknown;
  /** Headers, without those of the connection itself. */
  readonly headers?: Record<string, unknown> | null | undefined;
  /** Its method. */
  readonly method: HttpMethod;
  /** Handlebars, appended to the endpoint: /items/{{id}}. */
  readonly path: string;
  /** Query parameters. */
  readonly query?: Record<string, unknown> | null | undefined;
};

/** How often and when a failed attempt is repeated; times in seconds. */
export type RetryPolicyInput = {
  /** By how much each wait is longer than the one before. */
  readonly backoffCoefficient?: number | null | undefined;
  /** Before the second attempt. */
  readonly initialInterval?: number | null | undefined;
  /** Attempts in all, 1 to 100. */
  readonly maximumAttempts?: number | null | undefined;
  /** No wait is longer. */
  readonly maximumInterval?: number | null | undefined;
  /** Codes of run errors after which there is no other attempt. */
  readonly nonRetryableErrors?: ReadonlyArray<string> | null | undefined;
};

/** What somebody may do. */
export type Role =
  /** May also change settings, jobs and what belongs to the system. */
  | 'ADMIN'
  /** May author and run what is theirs or shared. */
  | 'USER';

/** What a run and all runs below it may spend. Reserved before each call of a model, so it is never overshot. */
export type RunBudgetInput = {
  /** US dollars; every model called has to have a price. */
  readonly costUsd?: number | null | undefined;
  /** Tokens, sent and received; null = no bound. */
  readonly tokens?: number | null | undefined;
};

/** How far a run is. */
export type RunStatus =
  /** Somebody cancelled it. */
  | 'CANCELLED'
  /** It has its output. */
  | 'COMPLETED'
  /** It ended with an error. */
  | 'FAILED'
  /** Somebody paused it; steps in work end, no other starts. */
  | 'PAUSED'
  /** Requested; it starts in a moment. */
  | 'PENDING'
  /** Its steps execute. */
  | 'RUNNING'
  /** Its own time was over. */
  | 'TIMED_OUT'
  /** It waits for a person, or for more budget. */
  | 'WAITING';

/** What kind of endpoint a Service is. */
export type ServiceType =
  /** A language model behind an OpenAI-compatible or Anthropic API. */
  | 'LLM_PROVIDER'
  /** A server of the Model Context Protocol. */
  | 'MCP_SERVER'
  /** A Neo4j database, called with Cypher. */
  | 'NEO4J_GRAPH'
  /** An HTTP API. */
  | 'REST_API';

/** A run to start. */
export type StartProcessRunInput = {
  /** What it may spend; absent = no bound. */
  readonly budget?: RunBudgetInput | null | undefined;
  /** A value for each variable of its initialContext. */
  readonly context: Record<string, unknown>;
  /** The conversation it belongs to. */
  readonly conversationId?: string | null | undefined;
  /** Starts at most one run under this key; the same input again gives that run. */
  readonly idempotencyKey?: string | null | undefined;
  /** The Process to execute. */
  readonly processId: string;
  /** Seconds after which it ends as TIMED_OUT; absent = never. */
  readonly timeout?: number | null | undefined;
};

/** How a step is executed. */
export type StepExecutionInput = {
  /** For how long an equal call of yours answers from the cache; read-only Tools. */
  readonly cacheSeconds?: number | null | undefined;
  /** CEL over step and context; false skips the step. */
  readonly condition?: string | null | undefined;
  /** The value of the variable for FALLBACK. */
  readonly fallback?: unknown;
  /** CEL giving a list; the step runs once for each item. */
  readonly forEach?: string | null | undefined;
  /** Whether it waits for a person. */
  readonly interactionMode?: InteractionMode | null | undefined;
  /** How many items of forEach at once; 10 if not said. */
  readonly maxConcurrency?: number | null | undefined;
  /** Whether it waits for its neighbours. */
  readonly mode?: ExecutionMode | null | undefined;
  /** If not said: FAIL where the output is required, else CONTINUE. */
  readonly onFailure?: FailurePolicy | null | undefined;
  /** If not said: 3 attempts for what only reads, 1 for what may change something. */
  readonly retry?: RetryPolicyInput | null | undefined;
  /** Seconds, per attempt; 60 if not said, at most a day. */
  readonly timeout?: number | null | undefined;
};

/** What becomes of a step's result. */
export type StepOutputInput = {
  /** Whether the run fails without it. */
  readonly required?: boolean | null | undefined;
  /** Tokens it may have; what is longer is cut. */
  readonly tokenBudget?: number | null | undefined;
  /** The name later steps read it by: a letter or _, then letters, digits, _. */
  readonly variable: string;
};

/** How far a step of a run is. */
export type StepStatus =
  /** The run was cancelled first. */
  | 'CANCELLED'
  /** It has its output. */
  | 'COMPLETED'
  /** It ended with an error. */
  | 'FAILED'
  /** It waits for its turn, or for its next attempt. */
  | 'PENDING'
  /** It executes. */
  | 'RUNNING'
  /** Its condition or a failed dependency left it out. */
  | 'SKIPPED'
  /** Its time was over. */
  | 'TIMED_OUT'
  /** It waits for a person. */
  | 'WAITING';

/** What a step calls: exactly one of these. */
export type StepTargetInput =
  {   /** A Process of yours, or one shared with you; itself too. */
  readonly processId: string; readonly toolId?: never; }
  |  { readonly processId?: never;   /** A Tool of yours, or one shared with you. */
  readonly toolId: string; };

/** What is wrong, for machines. */
export type UserErrorCode =
  /** The condition does not parse, or uses what is not allowed. */
  | 'CONDITION_INVALID'
  /** Somebody else was faster, or the key was used for something else. */
  | 'CONFLICT'
  /** Things depend on each other in a circle. */
  | 'CYCLE'
  /** What it needs is switched off. */
  | 'DISABLED'
  /** You can see it, but not change it. */
  | 'FORBIDDEN'
  /** A step depends on a later one. */
  | 'FORWARD_DEPENDENCY'
  /** This can not be changed after it was made. */
  | 'IMMUTABLE'
  /** The value is not one that fits here. */
  | 'INVALID'
  /** Others still use it. */
  | 'IN_USE'
  /** Nothing with this id, or it is not yours to see. */
  | 'NOT_FOUND'
  /** What it needs is not shared. */
  | 'NOT_SHARED'
  /** Steps that run at once depend on each other. */
  | 'PARALLEL_DEPENDENCY'
  /** This type does not speak this protocol. */
  | 'PROTOCOL_MISMATCH'
  /** Processes call each other deeper than allowed. */
  | 'RECURSION_LIMIT'
  /** Something that is needed was not given. */
  | 'REQUIRED'
  /** Not a JSON Schema, or one beyond the limits. */
  | 'SCHEMA_INVALID'
  /** The value does not fit its JSON Schema. */
  | 'SCHEMA_VIOLATION'
  /** The Secret belongs to somebody else. */
  | 'SECRET_OWNER'
  /** A Secret has to be named. */
  | 'SECRET_REQUIRED'
  /** Its present state does not allow this. */
  | 'STATE'
  /** The name or key is already in use. */
  | 'TAKEN'
  /** The template does not parse, or uses what is not allowed. */
  | 'TEMPLATE_INVALID'
  /** Larger than the limit. */
  | 'TOO_LARGE'
  /** Two types that have to fit do not. */
  | 'TYPE_MISMATCH'
  /** What it needs does not answer. */
  | 'UNHEALTHY'
  /** A name that nothing before it defines. */
  | 'UNKNOWN_VARIABLE';

export type CreateServiceMutationVariables = Exact<{
  input: CreateServiceInput;
}>;


export type CreateServiceMutation = { readonly createService: { readonly service: { readonly id: string, readonly name: string, readonly status: HealthStatus, readonly owner: { readonly id: string } } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CreateToolMutationVariables = Exact<{
  input: CreateToolInput;
}>;


export type CreateToolMutation = { readonly createTool: { readonly tool: { readonly id: string, readonly name: string, readonly status: HealthStatus, readonly service: { readonly id: string }, readonly operation:
        | { readonly __typename: 'GraphQueryOperation' }
        | { readonly __typename: 'LlmCallOperation' }
        | { readonly __typename: 'McpCallOperation' }
        | { readonly __typename: 'RestCallOperation' }
       } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CreateProcessMutationVariables = Exact<{
  input: CreateProcessInput;
}>;


export type CreateProcessMutation = { readonly createProcess: { readonly process: { readonly id: string, readonly name: string, readonly version: number, readonly steps: ReadonlyArray<{ readonly id: string, readonly target:
          | { readonly __typename: 'Process' }
          | { readonly __typename: 'Tool' }
         }> } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type StartProcessRunMutationVariables = Exact<{
  input: StartProcessRunInput;
}>;


export type StartProcessRunMutation = { readonly startProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus, readonly processVersion: number } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type FinishedRunQueryVariables = Exact<{
  id: string;
}>;


export type FinishedRunQuery = { readonly processRun: { readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly process: { readonly id: string } | null, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly status: StepStatus, readonly attempt: number, readonly output: unknown, readonly inputs: Record<string, unknown> | null, readonly startedAt: string | null, readonly completedAt: string | null }>, readonly usage: { readonly toolCalls: number, readonly llmCalls: number } } | null };

export type RunEventsSubscriptionVariables = Exact<{
  runId: string;
  after?: string | null | undefined;
}>;


export type RunEventsSubscription = { readonly runEvents:
    | { readonly __typename: 'ErrorEvent', readonly message: string, readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'HarnessEndEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'HarnessStartEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ReasoningEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'RelayEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'TextEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ToolCallEvent', readonly name: string, readonly input: unknown, readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ToolProgressEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ToolResultEvent', readonly name: string, readonly output: unknown, readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'UsageEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'UserEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
   };

export type RunChangesSubscriptionVariables = Exact<{
  id: string;
}>;


export type RunChangesSubscription = { readonly processRun: { readonly id: string, readonly status: RunStatus, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly status: StepStatus }> } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: { readonly id: string, readonly name: string, readonly roles: ReadonlyArray<Role>, readonly workspace: string } };


export const CreateServiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateService"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateServiceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createService"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<CreateServiceMutation, CreateServiceMutationVariables>;
export const CreateToolDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateTool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateToolInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createTool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<CreateToolMutation, CreateToolMutationVariables>;
export const CreateProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<CreateProcessMutation, CreateProcessMutationVariables>;
export const StartProcessRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartProcessRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<StartProcessRunMutation, StartProcessRunMutationVariables>;
export const FinishedRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FinishedRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]}}]} as unknown as DocumentNode<FinishedRunQuery, FinishedRunQueryVariables>;
export const RunEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RunEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"runId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Cursor"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"runId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"runId"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"runId"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"input"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolResultEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"output"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ErrorEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<RunEventsSubscription, RunEventsSubscriptionVariables>;
export const RunChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RunChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<RunChangesSubscription, RunChangesSubscriptionVariables>;
export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"workspace"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;