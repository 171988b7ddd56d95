/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
export type CreateProcessInput = {
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly initialContext: ReadonlyArray<string>;
  readonly maxRecursionDepth?: number | null | undefined;
  readonly name: string;
  readonly outputTemplate: string;
  readonly shared?: boolean | null | undefined;
  readonly steps: ReadonlyArray<ProcessStepInput>;
  readonly tokenBudget?: number | null | undefined;
};

export type CreateServiceInput = {
  readonly connectionSchema?: Record<string, unknown> | null | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly name: string;
  readonly protocol?: Protocol | null | undefined;
  readonly requiresSecret?: boolean | null | undefined;
  readonly serviceTemplateId?: string | null | undefined;
  readonly shared?: boolean | null | undefined;
  readonly type?: ServiceType | null | undefined;
};

export type CreateToolInput = {
  readonly connectionParams: Record<string, unknown>;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | null | undefined;
  readonly inputSchema?: Record<string, unknown> | null | undefined;
  readonly mutating?: boolean | null | undefined;
  readonly name: string;
  readonly operation?: OperationInput | null | undefined;
  readonly outputSchema?: Record<string, unknown> | null | undefined;
  readonly secretId?: string | null | undefined;
  readonly secretScope?: string | null | undefined;
  readonly serviceId: string;
  readonly shared?: boolean | null | undefined;
  readonly toolTemplateId?: string | null | undefined;
};

export type ExecutionMode =
  | 'PARALLEL'
  | 'SEQUENTIAL';

export type FailurePolicy =
  | 'CONTINUE'
  | 'FAIL'
  | 'FALLBACK';

export type GraphAccess =
  | 'READ'
  | 'WRITE';

export type GraphQueryInput = {
  readonly access?: GraphAccess;
  readonly query: string;
};

export type HealthStatus =
  | 'DEGRADED'
  | 'DOWN'
  | 'HEALTHY';

export type HttpMethod =
  | 'DELETE'
  | 'GET'
  | 'HEAD'
  | 'PATCH'
  | 'POST'
  | 'PUT';

export type InteractionMode =
  | 'AUTO'
  | 'MANUAL';

export type LlmCallInput = {
  readonly messages?: string | null | undefined;
  readonly promptTemplate: string;
  readonly responseSchema?: Record<string, unknown> | null | undefined;
  readonly systemPrompt?: string | null | undefined;
};

export type McpCallInput = {
  readonly arguments?: Record<string, unknown> | null | undefined;
  readonly tool: string;
};

export type OperationInput =
  {   readonly graphQuery: GraphQueryInput; readonly llmCall?: never; readonly mcpCall?: never; readonly restCall?: never; }
  |  { readonly graphQuery?: never;   readonly llmCall: LlmCallInput; readonly mcpCall?: never; readonly restCall?: never; }
  |  { readonly graphQuery?: never; readonly llmCall?: never;   readonly mcpCall: McpCallInput; readonly restCall?: never; }
  |  { readonly graphQuery?: never; readonly llmCall?: never; readonly mcpCall?: never;   readonly restCall: RestCallInput; };

export type ProcessStepInput = {
  readonly calls: StepTargetInput;
  readonly dependsOn?: ReadonlyArray<string> | null | undefined;
  readonly description?: string | null | undefined;
  readonly execution?: StepExecutionInput | null | undefined;
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly output: StepOutputInput;
};

export type Protocol =
  | 'BOLT'
  | 'BOLT_S'
  | 'HTTP'
  | 'HTTPS'
  | 'SSE'
  | 'STDIO';

export type RestCallInput = {
  readonly body?: unknown;
  readonly headers?: Record<string, unknown> | null | undefined;
  readonly method: HttpMethod;
  readonly path: string;
  readonly query?: Record<string, unknown> | null | undefined;
};

export type RetryPolicyInput = {
  readonly backoffCoefficient?: number | null | undefined;
  readonly initialInterval?: number | null | undefined;
  readonly maximumAttempts?: number | null | undefined;
  readonly maximumInterval?: number | null | undefined;
  readonly nonRetryableErrors?: ReadonlyArray<string> | null | undefined;
};

export type Role =
  | 'ADMIN'
  | 'USER';

export type RunBudgetInput = {
  readonly costUsd?: number | null | undefined;
  readonly tokens?: number | null | undefined;
};

export type RunStatus =
  | 'CANCELLED'
  | 'COMPLETED'
  | 'FAILED'
  | 'PAUSED'
  | 'PENDING'
  | 'RUNNING'
  | 'TIMED_OUT'
  | 'WAITING';

export type ServiceType =
  | 'LLM_PROVIDER'
  | 'MCP_SERVER'
  | 'NEO4J_GRAPH'
  | 'REST_API';

export type StartProcessRunInput = {
  readonly budget?: RunBudgetInput | null | undefined;
  readonly context: Record<string, unknown>;
  readonly conversationId?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly processId: string;
  readonly timeout?: number | null | undefined;
};

export type StepExecutionInput = {
  readonly cacheSeconds?: number | null | undefined;
  readonly condition?: string | null | undefined;
  readonly fallback?: unknown;
  readonly forEach?: string | null | undefined;
  readonly interactionMode?: InteractionMode | null | undefined;
  readonly maxConcurrency?: number | null | undefined;
  readonly mode?: ExecutionMode | null | undefined;
  readonly onFailure?: FailurePolicy | null | undefined;
  readonly retry?: RetryPolicyInput | null | undefined;
  readonly timeout?: number | null | undefined;
};

export type StepOutputInput = {
  readonly required?: boolean | null | undefined;
  readonly tokenBudget?: number | null | undefined;
  readonly variable: string;
};

export type StepStatus =
  | 'CANCELLED'
  | 'COMPLETED'
  | 'FAILED'
  | 'PENDING'
  | 'RUNNING'
  | 'SKIPPED'
  | 'TIMED_OUT'
  | 'WAITING';

export type StepTargetInput =
  {   readonly processId: string; readonly toolId?: never; }
  |  { readonly processId?: never;   readonly toolId: string; };

export type UserErrorCode =
  | 'CONDITION_INVALID'
  | 'CONFLICT'
  | 'CYCLE'
  | 'DISABLED'
  | 'FORBIDDEN'
  | 'FORWARD_DEPENDENCY'
  | 'IMMUTABLE'
  | 'INVALID'
  | 'IN_USE'
  | 'NOT_FOUND'
  | 'NOT_SHARED'
  | 'PARALLEL_DEPENDENCY'
  | 'PROTOCOL_MISMATCH'
  | 'RECURSION_LIMIT'
  | 'REQUIRED'
  | 'SCHEMA_INVALID'
  | 'SCHEMA_VIOLATION'
  | 'SECRET_OWNER'
  | 'SECRET_REQUIRED'
  | 'STATE'
  | 'TAKEN'
  | 'TEMPLATE_INVALID'
  | 'TOO_LARGE'
  | 'TYPE_MISMATCH'
  | 'UNHEALTHY'
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