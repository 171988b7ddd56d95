/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Limits of a step that offers tools. Its timeout holds for all rounds together. */
export type AgentLimitsInput = {
  /** Seconds until a waiting call counts as rejected. Default: no limit. */
  readonly approvalTimeout?: number | null | undefined;
  /** Maximum number of calls of the model, 1 to 500. The last one may call no tool. */
  readonly maxRounds?: number | null | undefined;
  /** Maximum number of calls of tools, 0 to 1000. */
  readonly maxToolCalls?: number | null | undefined;
  /** Whether the model may or has to call tools. */
  readonly toolChoice?: ToolChoice | null | undefined;
};

/** A Tool or Process that a step offers to its model: exactly one of the ids. */
export type AgentToolInput = {
  /** Description for the model. Default: the target's description. */
  readonly description?: string | null | undefined;
  /** Name for the model: letters, digits, _ and -, at most 64. Default: made from the target's name. */
  readonly name?: string | null | undefined;
  /** Effect of a request to call it. Default: ASK for a target that may change data, else ALLOW. */
  readonly permission?: ToolPermission | null | undefined;
  /** Id of a Process that is yours or shared with you. The model gives it its initialContext. */
  readonly processId?: string | null | undefined;
  /** Id of a Tool that is yours or shared with you. */
  readonly toolId?: string | null | undefined;
};

/** How the body of an HTTP request is written. */
export type BodyKind =
  /** As the bytes of a file: a ci-blob:// URI, or an object with it as uri. */
  | 'BINARY'
  /** As a form (application/x-www-form-urlencoded). Lists repeat their name. */
  | 'FORM'
  /** As JSON. */
  | 'JSON'
  /** As multipart/form-data. A value that is a ci-blob:// URI, or an object with it as uri, is sent as a file. */
  | 'MULTIPART'
  /** As text, in the media type of the header Content-Type. */
  | 'TEXT';

/** Input for a new Process. */
export type CreateProcessInput = {
  /** JSON Schema of the initial context. Its properties are in initialContext; one with a default may be left out. */
  readonly contextSchema?: Record<string, unknown> | null | undefined;
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** Whether runs may be started. */
  readonly enabled?: boolean | null | undefined;
  /** Whether MCP clients may call it as a tool, at /mcp: yours, and, if it is shared, those of users who took it over. */
  readonly exposeAsTool?: boolean | null | undefined;
  /** Variables that each run must be given. */
  readonly initialContext: ReadonlyArray<string>;
  /** Maximum depth of runs below a run of this Process, 0 to 50. */
  readonly maxRecursionDepth?: number | null | undefined;
  /** Display name, up to 200 characters. */
  readonly name: string;
  /** Handlebars template over context and outputs. It renders the result of a run. */
  readonly outputTemplate: string;
  /** Whether other users see it and may run it. A shared Process may call only shared objects. */
  readonly shared?: boolean | null | undefined;
  /** Steps, in order; 1 to 500. */
  readonly steps: ReadonlyArray<ProcessStepInput>;
  /** Token budget of the result. */
  readonly tokenBudget?: number | null | undefined;
};

/** Input for a new Service, defined in full or copied from a template. */
export type CreateServiceInput = {
  /** Required without a template. */
  readonly connectionSchema?: Record<string, unknown> | null | undefined;
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** Whether its Tools may be called. Default true. */
  readonly enabled?: boolean | null | undefined;
  /** Display name, up to 200 characters. */
  readonly name: string;
  /** Required without a template. Must match the type. */
  readonly protocol?: Protocol | null | undefined;
  /** Whether its Tools need a Secret. Default false. */
  readonly requiresSecret?: boolean | null | undefined;
  /** Id of the template to copy type, protocol, connectionSchema and requiresSecret from. Then these fields must be omitted. */
  readonly serviceTemplateId?: string | null | undefined;
  /** Whether other users may see and use it. Default false. */
  readonly shared?: boolean | null | undefined;
  /** Required without a template. */
  readonly type?: ServiceType | null | undefined;
};

/** Input for a new Tool, defined in full or copied from a template. */
export type CreateToolInput = {
  /** Connection parameters, valid against the Service's connectionSchema. `pricing` may be added. */
  readonly connectionParams: Record<string, unknown>;
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** Whether it may be called. Default true. */
  readonly enabled?: boolean | null | undefined;
  /** Required without a template. Its properties are the variables of the operation. */
  readonly inputSchema?: Record<string, unknown> | null | undefined;
  /** Whether a call may change data. Default: derived from the operation. */
  readonly mutating?: boolean | null | undefined;
  /** Display name, up to 200 characters. */
  readonly name: string;
  /** Required without a template. */
  readonly operation?: OperationInput | null | undefined;
  /** Required without a template. */
  readonly outputSchema?: Record<string, unknown> | null | undefined;
  /** Id of a Secret of yours. Required if the Service requires one. */
  readonly secretId?: string | null | undefined;
  /** Target of the Secret's value. Default: the usual one for the Service. */
  readonly secretScope?: string | null | undefined;
  /** Id of a Service that is yours or shared with you. */
  readonly serviceId: string;
  /** Whether other users may see and call it. Default false. */
  readonly shared?: boolean | null | undefined;
  /** Id of the template to copy the operation and both schemas from. Then these fields must be omitted. */
  readonly toolTemplateId?: string | null | undefined;
};

/** Whether a step runs in parallel with its neighbours. */
export type ExecutionMode =
  /** Runs at the same time as adjacent parallel steps. */
  | 'PARALLEL'
  /** Runs after every earlier step has ended. */
  | 'SEQUENTIAL';

/** Effect of a failed step on its run. */
export type FailurePolicy =
  /** The run continues; the variable is null. */
  | 'CONTINUE'
  /** The run fails. */
  | 'FAIL'
  /** The run continues; the variable is the fallback. */
  | 'FALLBACK';

/** Permission of a Cypher statement. */
export type GraphAccess =
  /** Read only. The database refuses writes. */
  | 'READ'
  /** Read and write. */
  | 'WRITE';

/** A Cypher statement. */
export type GraphQueryInput = {
  /** Whether the statement may write. */
  readonly access?: GraphAccess;
  /** The Cypher statement. Its $parameters are the properties of inputSchema. */
  readonly query: string;
};

/** Health of a component. */
export type HealthStatus =
  /** It works in part, or has not been probed yet. */
  | 'DEGRADED'
  /** It does not answer, or is disabled. */
  | 'DOWN'
  /** It works. */
  | 'HEALTHY';

/** Method of an HTTP request. */
export type HttpMethod =
  /** Delete a resource. */
  | 'DELETE'
  /** Read a resource. */
  | 'GET'
  /** Read the headers only. */
  | 'HEAD'
  /** Change parts of a resource. */
  | 'PATCH'
  /** Submit data, for example to create a resource. */
  | 'POST'
  /** Replace a resource. */
  | 'PUT';

/** Whether a step needs a user's decision. */
export type InteractionMode =
  /** Runs without a decision. */
  | 'AUTO'
  /** Waits until a user approves, rejects or substitutes it. */
  | 'MANUAL';

/** A prompt to a language model. */
export type LlmCallInput = {
  /** Name of the inputSchema property that holds messages [{role, content}], sent before the prompt. */
  readonly messages?: string | null | undefined;
  /** User prompt, a template. */
  readonly promptTemplate: string;
  /** If set, the answer is a JSON object that is valid against this schema. */
  readonly responseSchema?: Record<string, unknown> | null | undefined;
  /** System prompt, a template. */
  readonly systemPrompt?: string | null | undefined;
};

/** A call of a tool on an MCP server. */
export type McpCallInput = {
  /** Arguments of the tool. Default: the inputs, unchanged. */
  readonly arguments?: Record<string, unknown> | null | undefined;
  /** Name of the tool on the MCP server. */
  readonly tool: string;
};

/** Operation of a Tool: exactly one of these fields. */
export type OperationInput =
  {   /** For a neo4j_graph Service. */
  readonly graphQuery: GraphQueryInput; readonly llmCall?: never; readonly mcpCall?: never; readonly restCall?: never; }
  |  { readonly graphQuery?: never;   /** For an llm_provider Service. */
  readonly llmCall: LlmCallInput; readonly mcpCall?: never; readonly restCall?: never; }
  |  { readonly graphQuery?: never; readonly llmCall?: never;   /** For an mcp_server Service. */
  readonly mcpCall: McpCallInput; readonly restCall?: never; }
  |  { readonly graphQuery?: never; readonly llmCall?: never; readonly mcpCall?: never;   /** For a rest_api Service. */
  readonly restCall: RestCallInput; };

/** Where a parameter stands. */
export type ParameterPlace =
  /** A cookie. */
  | 'COOKIE'
  /** A field of a form's body. */
  | 'FORM'
  /** A header. */
  | 'HEADER'
  /** A variable of the path. */
  | 'PATH'
  /** A query parameter. */
  | 'QUERY';

/** How one parameter of an HTTP request is written. */
export type ParameterStyleInput = {
  /** Whether characters such as / and : are not encoded. Default: false. */
  readonly allowReserved?: boolean | null | undefined;
  /** Whether each item is a parameter of its own. Default: only with the style FORM. */
  readonly explode?: boolean | null | undefined;
  /** Where the parameter stands. */
  readonly in: ParameterPlace;
  /** Variable of the path, or key of query, headers, cookies or the form. */
  readonly name: string;
  /** Default: SIMPLE in path and header, FORM elsewhere. */
  readonly style?: ParameterStyleName | null | undefined;
};

/** How a value is written into a parameter, by the names of OpenAPI. */
export type ParameterStyleName =
  /** name[key]=a. For queries and forms. */
  | 'DEEPOBJECT'
  /** name=a&name=b, or name=a,b without explode. For queries, cookies and forms. */
  | 'FORM'
  /** The JSON text of the value. */
  | 'JSON'
  /** .a.b. For paths. */
  | 'LABEL'
  /** ;name=a,b. For paths. */
  | 'MATRIX'
  /** name=a%7Cb. For queries and forms. */
  | 'PIPEDELIMITED'
  /** a,b. For paths and headers. */
  | 'SIMPLE'
  /** name=a%20b. For queries and forms. */
  | 'SPACEDELIMITED';

/** Method of a probe. */
export type ProbeMethod =
  /** Read the resource. */
  | 'GET'
  /** Read its headers only. */
  | 'HEAD';

/** Input for one step of a Process. */
export type ProcessStepInput = {
  /** Limits of the calls of tools. */
  readonly agent?: AgentLimitsInput | null | undefined;
  /** The Tool or Process that the step calls. */
  readonly calls: StepTargetInput;
  /** Ids of earlier steps. If one of them is skipped or failed, this step is skipped. */
  readonly dependsOn?: ReadonlyArray<string> | null | undefined;
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** Execution options. */
  readonly execution?: StepExecutionInput | null | undefined;
  /** For each input a literal, or text with {step.variable.path}, {context.variable.path}, {item}, {index}. */
  readonly inputs: Record<string, unknown>;
  /** Handling of its output. */
  readonly output: StepOutputInput;
  /** Id of the step, unique within its Process. */
  readonly stepId: string;
  /** Tools and Processes that the model may call, at most 64. Only for a step that calls an LLM Tool. */
  readonly tools?: ReadonlyArray<AgentToolInput> | null | undefined;
};

/** Protocol of a Service. */
export type Protocol =
  /** Bolt without encryption. */
  | 'BOLT'
  /** Bolt over TLS. */
  | 'BOLT_S'
  /** HTTP without encryption; streamable HTTP for MCP. */
  | 'HTTP'
  /** HTTP over TLS; streamable HTTP for MCP. */
  | 'HTTPS'
  /** Server-sent events (MCP). */
  | 'SSE'
  /** A process registered by the operator, over standard input and output (MCP). */
  | 'STDIO';

/** An HTTP request. In query, headers and body, a value that is exactly one {{name}} keeps its JSON type. */
export type RestCallInput = {
  /** Request body. */
  readonly body?: unknown;
  /** How the body is written. Default: text as text, other values as JSON, or as a form where the header Content-Type says so. */
  readonly bodyKind?: BodyKind | null | undefined;
  /** Cookies. */
  readonly cookies?: Record<string, unknown> | null | undefined;
  /** Headers, in addition to those of the connection. */
  readonly headers?: Record<string, unknown> | null | undefined;
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Handlebars template, appended to the endpoint: /items/{{id}}. */
  readonly path: string;
  /** How its health is checked: healthy is an answer of 2xx. Default: by a GET of the endpoint. */
  readonly probe?: RestProbeInput | null | undefined;
  /** Query parameters. */
  readonly query?: Record<string, unknown> | null | undefined;
  /** Parameters that are written in a style of their own. */
  readonly styles?: ReadonlyArray<ParameterStyleInput> | null | undefined;
};

/** A request without side effects that says whether a Tool would work. */
export type RestProbeInput = {
  /** Default: GET. */
  readonly method?: ProbeMethod | null | undefined;
  /** Path below the endpoint, without templates: /health. */
  readonly path: string;
};

/** Retry policy for failed attempts. Times are in seconds. */
export type RetryPolicyInput = {
  /** Factor by which each wait is longer than the previous one. */
  readonly backoffCoefficient?: number | null | undefined;
  /** Wait before the second attempt, in seconds. */
  readonly initialInterval?: number | null | undefined;
  /** Total number of attempts, 1 to 100. */
  readonly maximumAttempts?: number | null | undefined;
  /** Maximum wait, in seconds. */
  readonly maximumInterval?: number | null | undefined;
  /** Codes of run errors that are not retried. */
  readonly nonRetryableErrors?: ReadonlyArray<string> | null | undefined;
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

/** Kind of endpoint of a Service. */
export type ServiceType =
  /** A language model behind an OpenAI-compatible or Anthropic API. */
  | 'LLM_PROVIDER'
  /** A Model Context Protocol server. */
  | 'MCP_SERVER'
  /** A Neo4j database, called with Cypher. */
  | 'NEO4J_GRAPH'
  /** An HTTP API. */
  | 'REST_API';

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

/** Execution options of a step. */
export type StepExecutionInput = {
  /** Seconds for which an equal call of yours is answered from the cache. Only for read-only Tools. */
  readonly cacheSeconds?: number | null | undefined;
  /** CEL expression over step and context. If false, the step is skipped. */
  readonly condition?: string | null | undefined;
  /** Number of forEach items that may fail; the step fails with the next one. Their values are null, or the fallback. With failedShareMax the smaller number counts. Default: none where onFailure is FAIL, else all. */
  readonly failedItemsMax?: number | null | undefined;
  /** Share of the forEach items that may fail, from 0 to 1, rounded down. As failedItemsMax. */
  readonly failedShareMax?: number | null | undefined;
  /** Value of the variable for FALLBACK. */
  readonly fallback?: unknown;
  /** CEL expression that gives a list. The step runs once for each item. */
  readonly forEach?: string | null | undefined;
  /** Whether it needs a user's decision. */
  readonly interactionMode?: InteractionMode | null | undefined;
  /** Number of forEach items in parallel. Default 10. */
  readonly maxConcurrency?: number | null | undefined;
  /** Whether it runs in parallel with its neighbours. */
  readonly mode?: ExecutionMode | null | undefined;
  /** Effect of a failure. Default: FAIL if the output is required, else CONTINUE. */
  readonly onFailure?: FailurePolicy | null | undefined;
  /** Retry policy. Default: 3 attempts for read-only targets, 1 for targets that may change data. */
  readonly retry?: RetryPolicyInput | null | undefined;
  /** Timeout per attempt in seconds, at most one day. Default 60. */
  readonly timeout?: number | null | undefined;
};

/** Handling of a step's output. */
export type StepOutputInput = {
  /** Whether the run fails without this output. */
  readonly required?: boolean | null | undefined;
  /** Token budget of the output. Longer output is truncated. */
  readonly tokenBudget?: number | null | undefined;
  /** Name of the variable for later steps: a letter or _, then letters, digits or _. */
  readonly variable: string;
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

/** Target of a step: exactly one of these fields. */
export type StepTargetInput =
  {   /** Id of a Process that is yours or shared with you. A Process may call itself. */
  readonly processId: string; readonly toolId?: never; }
  |  { readonly processId?: never;   /** Id of a Tool that is yours or shared with you. */
  readonly toolId: string; };

/** Whether a model may or has to call tools. */
export type ToolChoice =
  /** The model decides. */
  | 'AUTO'
  /** The model calls no tool. */
  | 'NONE'
  /** The first round has to call a tool. Later rounds may. */
  | 'REQUIRED';

/** Effect of a request by a model to call an offered tool. */
export type ToolPermission =
  /** The tool is called. */
  | 'ALLOW'
  /** The call waits for your decision, as an approval. */
  | 'ASK'
  /** The tool is not offered. */
  | 'DENY';

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


export type CreateProcessMutation = { readonly createProcess: { readonly process: { readonly id: string, readonly name: string, readonly version: number, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly target:
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
    | { readonly __typename: 'ToolCallEvent', readonly callId: string, readonly name: string, readonly input: unknown, readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ToolProgressEvent', readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
    | { readonly __typename: 'ToolResultEvent', readonly callId: string, readonly name: string, readonly output: unknown, readonly id: string, readonly runId: string, readonly cursor: string, readonly at: string }
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
export const CreateProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<CreateProcessMutation, CreateProcessMutationVariables>;
export const StartProcessRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartProcessRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<StartProcessRunMutation, StartProcessRunMutationVariables>;
export const FinishedRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"FinishedRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}}]}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]}}]} as unknown as DocumentNode<FinishedRunQuery, FinishedRunQueryVariables>;
export const RunEventsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RunEvents"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"runId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Cursor"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runEvents"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"runId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"runId"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"runId"}},{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"at"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolCallEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"input"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ToolResultEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"output"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ErrorEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}}]}}]}}]} as unknown as DocumentNode<RunEventsSubscription, RunEventsSubscriptionVariables>;
export const RunChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RunChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<RunChangesSubscription, RunChangesSubscriptionVariables>;
export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"workspace"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;