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

/** Input of allowProcessMemory. */
export type AllowProcessMemoryInput = {
  /** The digest of memoryAccess that you read. If it is another one by now, this gives CONFLICT. */
  readonly digest?: string | null | undefined;
  /** Id of a Process of another user. */
  readonly processId: string;
  /** Number of the version that you read. Another current version gives CONFLICT. */
  readonly version: number;
};

/** Reason why background work waits. */
export type BackgroundWaitReason =
  /** The tokens of the day are used up. It starts on the next day. */
  | 'BUDGET'
  /** The last try failed or was refused. It is tried again. */
  | 'FAULT';

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

/** Input of checkServiceHealth. */
export type CheckServiceHealthInput = {
  /** Id of the Service. */
  readonly id: string;
};

/** Input for choosing a summary. */
export type ChooseEntitySummaryInput = {
  /** Uuid of the entity. */
  readonly entityUuid: string;
  /** Id of one of its summaries: a proposal, or a former text. */
  readonly summaryId: string;
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

/** Input for a new metric. */
export type CreateMetricDefinitionInput = {
  /** Aggregation of several values. Timestamps cannot be summed. */
  readonly aggregation: MetricAggregation;
  /** Data type of a value. */
  readonly dataType: MetricDataType;
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** Name, unique within the scope and not starting with aiden_. */
  readonly name: string;
  /** Days until a value is deleted, 1 to 3650. Null or absent: never. */
  readonly retentionDays?: number | null | undefined;
  /** Kind of object that it measures. */
  readonly scope: MetricScope;
};

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

/** Input for a new schedule. */
export type CreateProcessScheduleInput = {
  /** Value for each variable of the Process's initialContext, at most 64 KiB. */
  readonly context: Record<string, unknown>;
  /** Cron expression: minute, hour, day of month, month, day of week, such as `30 6 * * 1-5`; or @hourly, @daily, @weekly, @monthly. A time that the clock skips at the change to daylight saving time is not run on that day. */
  readonly cron: string;
  /** Free-text description. */
  readonly note?: string | null | undefined;
  /** Id of a Process that is yours or shared with you. */
  readonly processId: string;
  /** Time zone of `cron`, such as Europe/Berlin. */
  readonly timezone?: string | null | undefined;
};

/** Input for a new Secret. */
export type CreateSecretInput = {
  /** The only origins that may receive the value, such as https://api.example.com. Empty: the first use adds its origin. */
  readonly allowedOrigins?: ReadonlyArray<string> | null | undefined;
  /** Display name, up to 200 characters. */
  readonly name: string;
  /** A label for you. It gives other users no access. Default false. */
  readonly shared?: boolean | null | undefined;
  /** Kind of credential. */
  readonly type: SecretType;
  /** The credential, 8 characters to 64 KiB. It is encrypted on arrival and never returned. */
  readonly value: string;
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

/** Input for a new ServiceTemplate. */
export type CreateServiceTemplateInput = {
  /** JSON Schema for the connectionParams of Tools. */
  readonly connectionSchema: Record<string, unknown>;
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** Display name, up to 200 characters. */
  readonly name: string;
  /** Protocol. Must match the type. */
  readonly protocol: Protocol;
  /** Whether Tools need a Secret. */
  readonly requiresSecret: boolean;
  /** Whether other users may see and copy it. Default false. */
  readonly shared?: boolean | null | undefined;
  /** Kind of endpoint. */
  readonly type: ServiceType;
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

/** Input for a new ToolTemplate. */
export type CreateToolTemplateInput = {
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** JSON Schema for the inputs. Its properties are the variables of the operation. */
  readonly inputSchema: Record<string, unknown>;
  /** Display name, up to 200 characters. */
  readonly name: string;
  /** Operation of its Tools. */
  readonly operation: OperationInput;
  /** JSON Schema for the output. */
  readonly outputSchema: Record<string, unknown>;
  /** Whether other users may see and copy it. Default false. */
  readonly shared?: boolean | null | undefined;
};

/** Kind of a data request. */
export type DataRequestKind =
  /** The deletion of everything of a user. */
  | 'DELETION'
  /** An archive of all data of a user. */
  | 'EXPORT';

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

/** Input of deleteIntrospection. */
export type DeleteIntrospectionInput = {
  /** Id of the note. */
  readonly id: string;
};

/** Input of deleteMetricDefinition. */
export type DeleteMetricDefinitionInput = {
  /** Whether to delete its values too. Default false. */
  readonly cascade?: boolean | null | undefined;
  /** Id of the metric. */
  readonly id: string;
};

/** Input of deleteMyData. */
export type DeleteMyDataInput = {
  /** Exactly `delete all my data`; otherwise INVALID. */
  readonly confirm: string;
};

/** Input of deleteProcess. */
export type DeleteProcessInput = {
  /** Id of the Process. */
  readonly id: string;
};

/** Input of deleteProcessSchedule. */
export type DeleteProcessScheduleInput = {
  /** Id of the schedule. */
  readonly id: string;
};

/** Input of deleteSecret. */
export type DeleteSecretInput = {
  /** Id of the Secret. */
  readonly id: string;
};

/** Input of deleteService. */
export type DeleteServiceInput = {
  /** Id of the Service. */
  readonly id: string;
};

/** Input of deleteServiceTemplate. */
export type DeleteServiceTemplateInput = {
  /** Id of the template. */
  readonly id: string;
};

/** Input of deleteTool. */
export type DeleteToolInput = {
  /** Id of the Tool. */
  readonly id: string;
};

/** Input of deleteToolTemplate. */
export type DeleteToolTemplateInput = {
  /** Id of the template. */
  readonly id: string;
};

/** Input of draftProcess. */
export type DraftProcessInput = {
  /** The same input under the same key returns the first result. */
  readonly idempotencyKey?: string | null | undefined;
  /** What the Process shall do, such as "Every morning fetch the feed, summarise it and ask me before posting it". 1 to 2000 characters. */
  readonly sentence: string;
};

/** Input of dropProcess. */
export type DropProcessInput = {
  /** Id of the Process. */
  readonly processId: string;
};

/** Source of an entity. */
export type EntityOrigin =
  /** An enrichment added data to it. */
  | 'ENRICHMENT'
  /** It was extracted from an Episode. */
  | 'GRAPHITI'
  /** A user created it. */
  | 'USER';

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

/** What the status HEALTHY says of a Tool. */
export type HealthTells =
  /** Only that the target answers: a REST Tool without `probe`, or a provider of models or an MCP server that gives no whole list. Whether a call would work is unknown. */
  | 'ANSWER'
  /** A call would be taken: the database answers a query, the provider knows the model, the MCP server lists the tool, or the request of a REST Tool's `probe` succeeds. */
  | 'CALL';

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

/** A reference to an image, at most 5 MiB. */
export type ImagePartInput = {
  /** Describes the image in words, up to 500 characters. */
  readonly alt?: string | null | undefined;
  /** image/png, image/jpeg, image/gif or image/webp. */
  readonly mediaType: string;
  /** https://… or ci-blob://{session}/{key} of a blob of yours, as uploadFile returns it. */
  readonly uri: string;
};

/** Input of importMcpTools. */
export type ImportMcpToolsInput = {
  /** Connection parameters for every created Tool. */
  readonly connectionParams: Record<string, unknown>;
  /** If true, makes all checks and writes nothing. */
  readonly dryRun?: boolean | null | undefined;
  /** Names to import. Default: all. */
  readonly names?: ReadonlyArray<string> | null | undefined;
  /** Id of a Secret of yours, used by every created Tool. */
  readonly secretId?: string | null | undefined;
  /** Id of an mcp_server Service. */
  readonly serviceId: string;
};

/** Input of importOpenApiTools. */
export type ImportOpenApiToolsInput = {
  /** Connection parameters for every created Tool. */
  readonly connectionParams: Record<string, unknown>;
  /** The OpenAPI or Swagger document, as JSON or YAML. */
  readonly document: string;
  /** If true, makes all checks and writes nothing. */
  readonly dryRun?: boolean | null | undefined;
  /** Names to import. Default: all. */
  readonly operationIds?: ReadonlyArray<string> | null | undefined;
  /** Id of a Secret of yours, used by every created Tool. */
  readonly secretId?: string | null | undefined;
  /** Id of a rest_api Service. */
  readonly serviceId: string;
};

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

/** How a tool of an MCP server and your Tool for it stand to each other. */
export type McpToolState =
  /** Its description or schemas differ from those of your Tool. */
  | 'CHANGED'
  /** You have a Tool for it, and the server does not offer it. */
  | 'GONE'
  /** You have no Tool for it. */
  | 'NEW'
  /** It is as in your Tool. */
  | 'UNCHANGED'
  /** It cannot be called; `problem` says why. An import leaves it out. */
  | 'UNUSABLE';

/** Role of the author of a message to a model. */
export type MessageRole =
  /** The agent. */
  | 'ASSISTANT'
  /** The product: instructions and memory. */
  | 'SYSTEM'
  /** The user. */
  | 'USER';

/** Aggregation of several values into one. */
export type MetricAggregation =
  /** Arithmetic mean. */
  | 'AVG'
  /** Number of values. */
  | 'COUNT'
  /** Latest value. */
  | 'LAST'
  /** Maximum. */
  | 'MAX'
  /** Minimum. */
  | 'MIN'
  /** Sum. */
  | 'SUM';

/** Data type of a value. */
export type MetricDataType =
  /** true or false; aggregated as 1 and 0. */
  | 'BOOLEAN'
  /** A number. */
  | 'FLOAT'
  /** A whole number. */
  | 'INTEGER'
  /** A time in RFC 3339. */
  | 'TIMESTAMP';

/** Kind of object that is measured. */
export type MetricScope =
  /** A Conversation, over all of its runs. */
  | 'CONVERSATION'
  /** A Process, over all of its runs. */
  | 'PROCESS'
  /** A Service, over all of its Tools. */
  | 'SERVICE'
  /** A Tool. */
  | 'TOOL'
  /** A Worker. Only admins can see its metrics. */
  | 'WORKER';

/** How an operation of an OpenAPI document and your Tool for it stand to each other. */
export type OpenApiToolState =
  /** The document differs from your Tool. */
  | 'CHANGED'
  /** You have a Tool for it, and the document has no such operation. */
  | 'GONE'
  /** You have no Tool for it. */
  | 'NEW'
  /** It is as in your Tool. */
  | 'UNCHANGED'
  /** It cannot be called; `problem` says why. An import leaves it out. */
  | 'UNUSABLE';

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

/** Input of pauseJob. */
export type PauseJobInput = {
  /** Name of the job, as in `jobs`. */
  readonly name: string;
};

/** Input of pauseProcessRun. */
export type PauseProcessRunInput = {
  /** Id of the run. */
  readonly id: string;
};

/** Input of pauseProcessSchedule. */
export type PauseProcessScheduleInput = {
  /** Id of the schedule. */
  readonly id: string;
};

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

/** A verdict on an answer. */
export type RateAlternativeInput = {
  /** A word on it, up to 2,000 characters. */
  readonly comment?: string | null | undefined;
  /** Id of the alternative. Its turn is one of an agent. */
  readonly id: string;
  /** The verdict. null removes it with its comment. */
  readonly value?: RatingValue | null | undefined;
};

/** A verdict on an answer. */
export type RatingValue =
  /** The answer was not good. */
  | 'DOWN'
  /** The answer was good. */
  | 'UP';

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

/** Input of restoreProcessVersion. */
export type RestoreProcessVersionInput = {
  /** Id of the Process. */
  readonly id: string;
  /** Number of the version. */
  readonly version: number;
};

/** Input of resumeJob. */
export type ResumeJobInput = {
  /** Name of the job, as in `jobs`. */
  readonly name: string;
};

/** Input of resumeProcessRun. */
export type ResumeProcessRunInput = {
  /** Id of the run. */
  readonly id: string;
};

/** Input of resumeProcessSchedule. */
export type ResumeProcessScheduleInput = {
  /** Id of the schedule. */
  readonly id: string;
};

/** A kind of record that is deleted after a time. */
export type RetentionKind =
  /** Entries of the event log outside of runs. */
  | 'ENTRIES'
  /** Results of idempotency keys. */
  | 'IDEMPOTENCYRECORDS'
  /** Contexts and inputs of runs that are kept, and their events. */
  | 'RUNINPUTS'
  /** Users' runs with steps, events and sub-runs. Runs that answer a turn are kept. */
  | 'RUNS'
  /** Users' sessions of the session graph with events, tool calls and layers. */
  | 'SESSIONS'
  /** The product's own runs with steps, events and calls. */
  | 'SYSTEMRUNS'
  /** Sessions of the product's own runs. */
  | 'SYSTEMSESSIONS';

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

/** Input for the retry of an ended run, with the current definition. */
export type RetryProcessRunInput = {
  /** Id of the step to start from. Completed steps before it keep their outputs. Default: the first step that did not complete. */
  readonly fromStepId?: string | null | undefined;
  /** Whether the first step that runs again keeps its completed forEach items, so that only the others are called. A step that was changed since begins anew. Default: false. */
  readonly keepItems?: boolean | null | undefined;
  /** Whether a step that offers tools keeps its finished rounds and calls. Default: false, it begins anew. */
  readonly keepRounds?: boolean | null | undefined;
  /** Id of the run. */
  readonly runId: string;
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

/** Input of runJob. */
export type RunJobInput = {
  /** Name of the job, as in `jobs`. */
  readonly name: string;
};

/** Who asked for a run. */
export type RunOrigin =
  /** The product, for its own background work, such as extraction or a summary. */
  | 'SYSTEM'
  /** A user: by a start, a message, a schedule or a retry of such a run. */
  | 'USER';

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

/** Part of the relevance of a search result. */
export type SearchMeasure =
  /** Words of the query in the turns before and after, and in the same sitting. */
  | 'AROUND'
  /** Distance from `centerEntityUuid` in the graph, or words of the query that facts of the same entities have. */
  | 'GRAPH'
  /** Similarity of the embeddings, as far as the embedding model can tell texts apart. */
  | 'MEANING'
  /** The text itself asks. Lowers the score. */
  | 'QUESTION'
  /** The query names the speaker, or says `I` or `you`. */
  | 'SPEAKER'
  /** The query names a time, as `in May` or `on 3 June 2023`, and it was said then. */
  | 'TIME'
  /** Words of the query, ignoring endings; rare words count more. */
  | 'WORDS';

/** Result of the test of a Secret. */
export type SecretTestOutcome =
  /** The probe succeeds with the Secret and not without it. */
  | 'ACCEPTED'
  /** The probe does not succeed with the Secret; see `message`. */
  | 'FAILED'
  /** The probe succeeds without the Secret too, so it shows nothing of it. */
  | 'UNTOLD';

/** Kind of credential. */
export type SecretType =
  /** An API key. */
  | 'API_KEY'
  /** A certificate with its private key. */
  | 'CERTIFICATE'
  /** An OAuth token. */
  | 'OAUTH_TOKEN'
  /** A password. */
  | 'PASSWORD';

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

/** Settings of an active entity. Omitted fields stay unchanged. */
export type SetActiveEntityInput = {
  /** Id of the conversation. */
  readonly conversationId: string;
  /** Uuid of the entity. */
  readonly entityUuid: string;
  /** Whether models receive its facets. Default false for a new one. */
  readonly includeFacets?: boolean | null | undefined;
  /** Whether models receive its currently valid facts. Default false for a new one. */
  readonly includeRelationships?: boolean | null | undefined;
  /** Whether models receive its summary. Default true for a new one. */
  readonly includeSummary?: boolean | null | undefined;
  /** Relevance from 0 to 1. Default 1 for a new one. */
  readonly relevanceScore?: number | null | undefined;
};

/** Input of setStepConcurrency. */
export type SetStepConcurrencyInput = {
  /** Items at once, from 1 to 1000. A run makes at most 100 calls at once. */
  readonly maxConcurrency: number;
  /** Id of a run that has begun; of a sub-run where the step is in one. */
  readonly runId: string;
  /** Id of a step with a forEach, as in the definition. */
  readonly stepId: string;
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
  /** The step calls its Tool page after page, until a page names no next one. Its variable is the list of the items of all pages; inputs name the cursor of a page as {item}. */
  readonly pages?: StepPagesInput | null | undefined;
  /** Retry policy. Default: 3 attempts for read-only targets, 1 for targets that may change data. */
  readonly retry?: RetryPolicyInput | null | undefined;
  /** Timeout per attempt in seconds, at most one day. Default 60. */
  readonly timeout?: number | null | undefined;
};

/** Handling of a step's output. */
export type StepOutputInput = {
  /** Only with forEach: the variable is {file, items}, the URI of a file with the list as JSON and the number of its items, in place of the list. */
  readonly asFile?: boolean | null | undefined;
  /** Whether the run fails without this output. */
  readonly required?: boolean | null | undefined;
  /** Token budget of the output. Longer output is truncated. */
  readonly tokenBudget?: number | null | undefined;
  /** Name of the variable for later steps: a letter or _, then letters, digits or _. */
  readonly variable: string;
};

/** The step calls its Tool page after page, until a page names no next one. Its variable is the list of the items of all pages; inputs name the cursor of a page as {item}. */
export type StepPagesInput = {
  /** Cursor of the first page. Default null. */
  readonly first?: unknown;
  /** Path of the list of items in a page, such as data.rows. */
  readonly list: string;
  /** Pages at most, 1 to 1000, default 100; the step fails where there are more. */
  readonly maxPages?: number | null | undefined;
  /** Path of the cursor of the next page. Null, false and '' are no cursor: the page is the last. */
  readonly next: string;
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

/** Input of testSecret. */
export type TestSecretInput = {
  /** Id of the Secret. */
  readonly id: string;
};

/** Input of testTool. */
export type TestToolInput = {
  /** Id of the Tool. */
  readonly id: string;
  /** Inputs of the Tool. */
  readonly inputs: Record<string, unknown>;
};

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

/** Input of triggerProcessSchedule. */
export type TriggerProcessScheduleInput = {
  /** Id of the schedule. */
  readonly id: string;
};

/** Input of tryStep. */
export type TryStepInput = {
  /** Id of a Process of yours that defines the step, such as a draft. Default: the Process of the run. */
  readonly processId?: string | null | undefined;
  /** Id of an ended run, for its context and the outputs of its steps. */
  readonly runId: string;
  /** Id of the step to run, as in the definition. */
  readonly stepId: string;
};

/** Changes to a conversation. Omitted fields stay unchanged. */
export type UpdateConversationInput = {
  /** Id of the default Process; null removes it. */
  readonly defaultProcessId?: string | null | undefined;
  /** Id of the conversation. */
  readonly id: string;
  /** null restores the defaults. */
  readonly recall?: RecallInput | null | undefined;
  /** New status: archive or reactivate the conversation. */
  readonly status?: ConversationStatus | null | undefined;
  /** Display name; null removes it. */
  readonly title?: string | null | undefined;
};

/** Changes to a metric. Omitted fields stay unchanged. */
export type UpdateMetricDefinitionInput = {
  /** Aggregation of several values. */
  readonly aggregation?: MetricAggregation | null | undefined;
  /** Free-text description. */
  readonly description?: string | null | undefined;
  /** Id of the metric. */
  readonly id: string;
  /** Name, unique within the scope and not starting with aiden_. */
  readonly name?: string | null | undefined;
  /** Days until a value is deleted, 1 to 3650. Null or absent: never. */
  readonly retentionDays?: number | null | undefined;
};

/** Changes to a Process. Omitted fields stay unchanged. */
export type UpdateProcessInput = {
  /** JSON Schema of the initial context; null removes it. */
  readonly contextSchema?: Record<string, unknown> | null | undefined;
  /** Free-text description; null removes it. */
  readonly description?: string | null | undefined;
  /** If false, no runs can be started. */
  readonly enabled?: boolean | null | undefined;
  /** Number of the version that you edited. If it is not the current one, the update gives CONFLICT. */
  readonly expectedVersion?: number | null | undefined;
  /** Whether MCP clients may call it as a tool. */
  readonly exposeAsTool?: boolean | null | undefined;
  /** Id of the Process. */
  readonly id: string;
  /** Variables that each run must be given. */
  readonly initialContext?: ReadonlyArray<string> | null | undefined;
  /** Maximum depth of runs below a run of this Process. */
  readonly maxRecursionDepth?: number | null | undefined;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** Handlebars template that renders the result. */
  readonly outputTemplate?: string | null | undefined;
  /** Setting false gives IN_USE while other users need it. */
  readonly shared?: boolean | null | undefined;
  /** All steps. They replace the existing steps. */
  readonly steps?: ReadonlyArray<ProcessStepInput> | null | undefined;
  /** Token budget of the result; null: no limit. */
  readonly tokenBudget?: number | null | undefined;
};

/** Changes to a schedule. Omitted fields stay unchanged. */
export type UpdateProcessScheduleInput = {
  /** Context of each run from now on. It replaces the whole context. */
  readonly context?: Record<string, unknown> | null | undefined;
  /** Cron expression, as in createProcessSchedule. */
  readonly cron?: string | null | undefined;
  /** Revision of the schedule that you edited. If it is not the current one, the update gives CONFLICT. */
  readonly expectedRevision?: number | null | undefined;
  /** Id of the schedule. */
  readonly id: string;
  /** Free-text description; null removes it. */
  readonly note?: string | null | undefined;
  /** Time zone of `cron`. */
  readonly timezone?: string | null | undefined;
};

/** Changes to a Secret. Omitted fields stay unchanged. */
export type UpdateSecretInput = {
  /** The only origins that may receive the value from now on. Empty: the next use adds its origin. */
  readonly allowedOrigins?: ReadonlyArray<string> | null | undefined;
  /** Id of the Secret. */
  readonly id: string;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** A label for you. It gives other users no access. */
  readonly shared?: boolean | null | undefined;
  /** New value. The Secret is rotated and keeps its id. */
  readonly value?: string | null | undefined;
};

/** Changes to a Service. Omitted fields stay unchanged. */
export type UpdateServiceInput = {
  /** Gives IN_USE if existing Tools would not be valid against it. Tools keep the defaults they were written with until their connectionParams are given again. */
  readonly connectionSchema?: Record<string, unknown> | null | undefined;
  /** Free-text description; null removes it. */
  readonly description?: string | null | undefined;
  /** If false, every Tool on it stops at the next step. */
  readonly enabled?: boolean | null | undefined;
  /** `updatedAt` of what you edited. If it was changed since, the update gives CONFLICT. Default: no check. */
  readonly expectedUpdatedAt?: string | null | undefined;
  /** Id of the Service. */
  readonly id: string;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** Setting false gives IN_USE while Tools of other users need it. */
  readonly shared?: boolean | null | undefined;
};

/** Changes to a template. Omitted fields stay unchanged. */
export type UpdateServiceTemplateInput = {
  /** true archives the template, false restores it. */
  readonly archived?: boolean | null | undefined;
  /** Free-text description; null removes it. */
  readonly description?: string | null | undefined;
  /** Id of the template. */
  readonly id: string;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** Whether other users see it and may copy it. */
  readonly shared?: boolean | null | undefined;
};

/** Changes to the settings. Omitted fields stay unchanged; null resets to the default. */
export type UpdateSettingsInput = {
  /** Number of entities of a conversation that mentions make active, counting those that the user pinned; 0: none. From 0 to 200. Default 8. */
  readonly activeEntitiesMax?: number | null | undefined;
  /** Tokens that background work may use for one user on one day in UTC; then it waits until the next day. 0: no limit. From 0 to 1000000000. Default 2000000. */
  readonly backgroundTokensPerDay?: number | null | undefined;
  /** Days until a finished call is deleted. From 1 to 3650. Default 90. */
  readonly callGraphRetentionDays?: number | null | undefined;
  /** Number of tokens in turns without a summary from which a conversation is compressed. From 100 to 1000000. Default 8000. */
  readonly compressionTokenThreshold?: number | null | undefined;
  /** Cosine similarity from which two entities are merged. From 0 to 1. Default 0.85. */
  readonly dedupSimilarityThreshold?: number | null | undefined;
  /** Number of Episodes and Summaries that must mention an entity before it is enriched. From 1 to 1000. Default 5. */
  readonly enrichmentEdgeThreshold?: number | null | undefined;
  /** Days until delivered entries of the event log outside of runs are deleted; 0: never. Cursors of older events start at the oldest kept one. From 0 to 36500. Default 30. */
  readonly entryRetentionDays?: number | null | undefined;
  /** Maximum items of one forEach. Long lists take hours and many records. From 1000 to 100000. Default 1000. */
  readonly forEachItemsMax?: number | null | undefined;
  /** Days in which a repeated idempotency key gives the first result. From 1 to 365. Default 7. */
  readonly idempotencyRetentionDays?: number | null | undefined;
  /** Number of compressions of a conversation that start an introspection. From 1 to 20. Default 5. */
  readonly introspectionCompressionThreshold?: number | null | undefined;
  /** Number of positions in the carousel of introspections. From 1 to 100. Default 10. */
  readonly introspectionMaxRotation?: number | null | undefined;
  /** Minimum share of the content words of a memory line that its evidence has to contain; names and numbers always have to be there. From 0 to 1. Default 0.75. */
  readonly lineSupportThreshold?: number | null | undefined;
  /** Days until agent memory is deleted; 0: never. From 0 to 36500. Default 0. */
  readonly memoryRetentionDays?: number | null | undefined;
  /** Maximum size of a payload that is recorded in full with a call, in bytes of JSON. From 1024 to 262144. Default 10240. */
  readonly payloadTruncationThreshold?: number | null | undefined;
  /** Names of fields whose values are never recorded. Case, _ and - are ignored. */
  readonly redactedFields?: ReadonlyArray<string> | null | undefined;
  /** Patterns of secrets in texts, in RE2 syntax. `:base64:` stands for base64 of 40 characters or more. */
  readonly redactedPatterns?: ReadonlyArray<string> | null | undefined;
  /** Days after its end until a user's run is deleted with its steps and events; 0: never. Runs that answer a turn are kept. From 0 to 36500. Default 90. */
  readonly runRetentionDays?: number | null | undefined;
  /** Maximum runs of a run with all runs below it, itself included. From 1000 to 10000. Default 1000. */
  readonly runsPerRunMax?: number | null | undefined;
  /** Minutes of silence that end a segment. From 1 to 1440. Default 30. */
  readonly segmentGapMinutes?: number | null | undefined;
  /** Maximum number of tokens in a segment. From 100 to 100000. Default 4000. */
  readonly segmentMaxTokens?: number | null | undefined;
  /** Number of events of the previous segment that a segment repeats. From 0 to 100. Default 5. */
  readonly segmentOverlapEvents?: number | null | undefined;
  /** Days after its last event, or after its last recording if that was later, until a session of the session graph is deleted; 0: never. From 0 to 36500. Default 90. */
  readonly sessionRetentionDays?: number | null | undefined;
  /** Maximum step executions of a run with all runs below it; each item of a forEach is one. From 10000 to 1000000. Default 10000. */
  readonly stepsPerRunMax?: number | null | undefined;
  /** Minimum number of tokens in a segment or period that a model sums up; from a shorter one, sentences are quoted. 0: a model sums up all but a few sentences. From 0 to 100000. Default 500. */
  readonly summaryTokensMin?: number | null | undefined;
  /** Days until ended runs of the product are deleted, with their steps, events, calls and sessions; 0: never. From 0 to 36500. Default 7. */
  readonly systemRunRetentionDays?: number | null | undefined;
};

/** Changes to a Tool. Omitted fields stay unchanged. The Service is immutable. */
export type UpdateToolInput = {
  /** Connection parameters. A change of origin requires secretId again. */
  readonly connectionParams?: Record<string, unknown> | null | undefined;
  /** Free-text description; null removes it. */
  readonly description?: string | null | undefined;
  /** If false, calls stop at the next step. */
  readonly enabled?: boolean | null | undefined;
  /** `updatedAt` of what you edited. If it was changed since, the update gives CONFLICT. Default: no check. */
  readonly expectedUpdatedAt?: string | null | undefined;
  /** Id of the Tool. */
  readonly id: string;
  /** JSON Schema for the inputs. */
  readonly inputSchema?: Record<string, unknown> | null | undefined;
  /** Whether a call may change data. */
  readonly mutating?: boolean | null | undefined;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** The operation. */
  readonly operation?: OperationInput | null | undefined;
  /** JSON Schema for the output. */
  readonly outputSchema?: Record<string, unknown> | null | undefined;
  /** Id of another Secret of yours; null removes the Secret. */
  readonly secretId?: string | null | undefined;
  /** Target of the Secret's value; null: the usual one for the Service. */
  readonly secretScope?: string | null | undefined;
  /** Setting false gives IN_USE while Processes need it. */
  readonly shared?: boolean | null | undefined;
};

/** Changes to a template. Omitted fields stay unchanged. */
export type UpdateToolTemplateInput = {
  /** true archives the template, false restores it. */
  readonly archived?: boolean | null | undefined;
  /** Free-text description; null removes it. */
  readonly description?: string | null | undefined;
  /** Id of the template. */
  readonly id: string;
  /** Display name. */
  readonly name?: string | null | undefined;
  /** Whether other users see it and may copy it. */
  readonly shared?: boolean | null | undefined;
};

/** Input for storing a file. */
export type UploadFileInput = {
  /** The bytes in base64, at most 5 MiB before encoding. */
  readonly content: string;
};

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

export type CatalogToolsQueryVariables = Exact<{
  query?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type CatalogToolsQuery = { readonly tools: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly description: string | null, readonly status: HealthStatus, readonly enabled: boolean, readonly shared: boolean, readonly mutating: boolean, readonly errorMessage: string | null, readonly lastHealthCheckAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly service: { readonly id: string, readonly name: string }, readonly operation:
        | { readonly __typename: 'GraphQueryOperation' }
        | { readonly __typename: 'LlmCallOperation' }
        | { readonly __typename: 'McpCallOperation' }
        | { readonly __typename: 'RestCallOperation' }
      , readonly usedBy: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } }> } };

export type CatalogQueryVariables = Exact<{
  services?: string | null | undefined;
  secrets?: string | null | undefined;
  serviceTemplates?: string | null | undefined;
  toolTemplates?: string | null | undefined;
}>;


export type CatalogQuery = { readonly services: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly description: string | null, readonly type: ServiceType, readonly protocol: Protocol, readonly status: HealthStatus, readonly enabled: boolean, readonly shared: boolean, readonly errorMessage: string | null, readonly lastHealthCheckAt: string | null, readonly requiresSecret: boolean, readonly connectionSchema: Record<string, unknown>, readonly owner: { readonly id: string, readonly name: string }, readonly tools: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } }> }, readonly secrets: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly type: SecretType, readonly allowedOrigins: ReadonlyArray<string>, readonly rotatedAt: string | null, readonly createdAt: string, readonly tools: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } }> }, readonly serviceTemplates: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly description: string | null, readonly type: ServiceType, readonly protocol: Protocol, readonly shared: boolean, readonly ownerId: string }> }, readonly toolTemplates: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly description: string | null, readonly shared: boolean, readonly ownerId: string }> } };

export type CatalogUsesQueryVariables = Exact<{
  id: string;
}>;


export type CatalogUsesQuery = { readonly node:
    | { readonly __typename: 'Alternative', readonly id: string }
    | { readonly __typename: 'Approval', readonly id: string }
    | { readonly __typename: 'CallNode', readonly id: string }
    | { readonly __typename: 'Conversation', readonly id: string }
    | { readonly __typename: 'ConversationTurn', readonly id: string }
    | { readonly __typename: 'DataRequest', readonly id: string }
    | { readonly __typename: 'Entity', readonly id: string }
    | { readonly __typename: 'Episode', readonly id: string }
    | { readonly __typename: 'Fact', readonly id: string }
    | { readonly __typename: 'Grip', readonly id: string }
    | { readonly __typename: 'Introspection', readonly id: string }
    | { readonly __typename: 'Job', readonly id: string }
    | { readonly __typename: 'MemoryEvent', readonly id: string }
    | { readonly __typename: 'MetricDefinition', readonly id: string }
    | { readonly __typename: 'Process', readonly id: string }
    | { readonly __typename: 'ProcessAdoption', readonly id: string }
    | { readonly __typename: 'ProcessMemoryAgreement', readonly id: string }
    | { readonly __typename: 'ProcessRun', readonly id: string }
    | { readonly __typename: 'ProcessSchedule', readonly id: string }
    | { readonly __typename: 'ProcessVersion', readonly id: string }
    | { readonly __typename: 'Secret', readonly id: string, readonly tools: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } }
    | { readonly __typename: 'Service', readonly id: string, readonly tools: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } }
    | { readonly __typename: 'ServiceTemplate', readonly id: string }
    | { readonly __typename: 'Session', readonly id: string }
    | { readonly __typename: 'SessionEvent', readonly id: string }
    | { readonly __typename: 'Statement', readonly id: string }
    | { readonly __typename: 'StepRun', readonly id: string }
    | { readonly __typename: 'Summary', readonly id: string }
    | { readonly __typename: 'TocNode', readonly id: string }
    | { readonly __typename: 'Tool', readonly id: string, readonly usedBy: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } }
    | { readonly __typename: 'ToolCall', readonly id: string }
    | { readonly __typename: 'ToolTemplate', readonly id: string }
    | { readonly __typename: 'User', readonly id: string }
    | { readonly __typename: 'Worker', readonly id: string }
   | null };

type WholeOperation_GraphQueryOperation_Fragment = { readonly __typename: 'GraphQueryOperation', readonly access: GraphAccess, readonly cypher: string };

type WholeOperation_LlmCallOperation_Fragment = { readonly __typename: 'LlmCallOperation', readonly systemPrompt: string | null, readonly promptTemplate: string, readonly messages: string | null, readonly responseSchema: Record<string, unknown> | null };

type WholeOperation_McpCallOperation_Fragment = { readonly __typename: 'McpCallOperation', readonly tool: string, readonly arguments: Record<string, unknown> | null };

type WholeOperation_RestCallOperation_Fragment = { readonly __typename: 'RestCallOperation', readonly method: HttpMethod, readonly path: string, readonly headers: Record<string, unknown> | null, readonly cookies: Record<string, unknown> | null, readonly body: unknown, readonly bodyKind: BodyKind | null, readonly parameters: Record<string, unknown> | null, readonly probe: { readonly method: ProbeMethod | null, readonly path: string } | null, readonly styles: ReadonlyArray<{ readonly in: ParameterPlace, readonly name: string, readonly style: ParameterStyleName | null, readonly explode: boolean | null, readonly allowReserved: boolean | null }> };

export type WholeOperationFragment =
  | WholeOperation_GraphQueryOperation_Fragment
  | WholeOperation_LlmCallOperation_Fragment
  | WholeOperation_McpCallOperation_Fragment
  | WholeOperation_RestCallOperation_Fragment
;

export type WholeToolFragment = { readonly id: string, readonly name: string, readonly updatedAt: string, readonly description: string | null, readonly status: HealthStatus, readonly healthTells: HealthTells, readonly enabled: boolean, readonly shared: boolean, readonly mutating: boolean, readonly errorMessage: string | null, readonly lastHealthCheckAt: string | null, readonly connectionParams: Record<string, unknown>, readonly inputSchema: Record<string, unknown>, readonly outputSchema: Record<string, unknown>, readonly secretScope: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly service: { readonly id: string, readonly name: string, readonly type: ServiceType, readonly connectionSchema: Record<string, unknown> }, readonly secret: { readonly id: string, readonly name: string } | null, readonly operation:
    | { readonly __typename: 'GraphQueryOperation', readonly access: GraphAccess, readonly cypher: string }
    | { readonly __typename: 'LlmCallOperation', readonly systemPrompt: string | null, readonly promptTemplate: string, readonly messages: string | null, readonly responseSchema: Record<string, unknown> | null }
    | { readonly __typename: 'McpCallOperation', readonly tool: string, readonly arguments: Record<string, unknown> | null }
    | { readonly __typename: 'RestCallOperation', readonly method: HttpMethod, readonly path: string, readonly headers: Record<string, unknown> | null, readonly cookies: Record<string, unknown> | null, readonly body: unknown, readonly bodyKind: BodyKind | null, readonly parameters: Record<string, unknown> | null, readonly probe: { readonly method: ProbeMethod | null, readonly path: string } | null, readonly styles: ReadonlyArray<{ readonly in: ParameterPlace, readonly name: string, readonly style: ParameterStyleName | null, readonly explode: boolean | null, readonly allowReserved: boolean | null }> }
  , readonly usedBy: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } };

export type ToolPageQueryVariables = Exact<{
  id: string;
}>;


export type ToolPageQuery = { readonly tool: { readonly id: string, readonly name: string, readonly updatedAt: string, readonly description: string | null, readonly status: HealthStatus, readonly healthTells: HealthTells, readonly enabled: boolean, readonly shared: boolean, readonly mutating: boolean, readonly errorMessage: string | null, readonly lastHealthCheckAt: string | null, readonly connectionParams: Record<string, unknown>, readonly inputSchema: Record<string, unknown>, readonly outputSchema: Record<string, unknown>, readonly secretScope: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly service: { readonly id: string, readonly name: string, readonly type: ServiceType, readonly connectionSchema: Record<string, unknown> }, readonly secret: { readonly id: string, readonly name: string } | null, readonly operation:
      | { readonly __typename: 'GraphQueryOperation', readonly access: GraphAccess, readonly cypher: string }
      | { readonly __typename: 'LlmCallOperation', readonly systemPrompt: string | null, readonly promptTemplate: string, readonly messages: string | null, readonly responseSchema: Record<string, unknown> | null }
      | { readonly __typename: 'McpCallOperation', readonly tool: string, readonly arguments: Record<string, unknown> | null }
      | { readonly __typename: 'RestCallOperation', readonly method: HttpMethod, readonly path: string, readonly headers: Record<string, unknown> | null, readonly cookies: Record<string, unknown> | null, readonly body: unknown, readonly bodyKind: BodyKind | null, readonly parameters: Record<string, unknown> | null, readonly probe: { readonly method: ProbeMethod | null, readonly path: string } | null, readonly styles: ReadonlyArray<{ readonly in: ParameterPlace, readonly name: string, readonly style: ParameterStyleName | null, readonly explode: boolean | null, readonly allowReserved: boolean | null }> }
    , readonly usedBy: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } } | null };

export type TryToolMutationVariables = Exact<{
  input: TestToolInput;
}>;


export type TryToolMutation = { readonly testTool: { readonly durationMs: number | null, readonly output: unknown, readonly error: { readonly code: string, readonly message: string, readonly details: unknown } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CheckHealthMutationVariables = Exact<{
  input: CheckServiceHealthInput;
}>;


export type CheckHealthMutation = { readonly checkServiceHealth: { readonly service: { readonly id: string, readonly status: HealthStatus, readonly errorMessage: string | null, readonly lastHealthCheckAt: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ServiceToolsQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ServiceToolsQuery = { readonly service: { readonly id: string, readonly tools: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly connectionParams: Record<string, unknown>, readonly secret: { readonly id: string } | null }> } } | null };

export type McpToolsQueryVariables = Exact<{
  serviceId: string;
  connectionParams?: Record<string, unknown> | null | undefined;
  secretId?: string | null | undefined;
}>;


export type McpToolsQuery = { readonly mcpServerTools: ReadonlyArray<{ readonly name: string, readonly description: string | null, readonly state: McpToolState, readonly changedFields: ReadonlyArray<string>, readonly problem: string | null }> };

export type ImportMcpMutationVariables = Exact<{
  input: ImportMcpToolsInput;
}>;


export type ImportMcpMutation = { readonly importMcpTools: { readonly tools: ReadonlyArray<{ readonly id: string, readonly name: string }>, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ImportOpenApiMutationVariables = Exact<{
  input: ImportOpenApiToolsInput;
}>;


export type ImportOpenApiMutation = { readonly importOpenApiTools: { readonly tools: ReadonlyArray<{ readonly id: string, readonly name: string }>, readonly operations: ReadonlyArray<{ readonly operationId: string | null, readonly name: string, readonly call: string, readonly state: OpenApiToolState, readonly changedFields: ReadonlyArray<string>, readonly problem: string | null }>, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CreateServiceMutationVariables = Exact<{
  input: CreateServiceInput;
}>;


export type CreateServiceMutation = { readonly createService: { readonly service: { readonly id: string, readonly name: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type UpdateServiceMutationVariables = Exact<{
  input: UpdateServiceInput;
}>;


export type UpdateServiceMutation = { readonly updateService: { readonly service: { readonly id: string, readonly name: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteServiceMutationVariables = Exact<{
  input: DeleteServiceInput;
}>;


export type DeleteServiceMutation = { readonly deleteService: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CreateToolMutationVariables = Exact<{
  input: CreateToolInput;
}>;


export type CreateToolMutation = { readonly createTool: { readonly tool: { readonly id: string, readonly name: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type UpdateToolMutationVariables = Exact<{
  input: UpdateToolInput;
}>;


export type UpdateToolMutation = { readonly updateTool: { readonly tool: { readonly id: string, readonly name: string, readonly updatedAt: string, readonly description: string | null, readonly status: HealthStatus, readonly healthTells: HealthTells, readonly enabled: boolean, readonly shared: boolean, readonly mutating: boolean, readonly errorMessage: string | null, readonly lastHealthCheckAt: string | null, readonly connectionParams: Record<string, unknown>, readonly inputSchema: Record<string, unknown>, readonly outputSchema: Record<string, unknown>, readonly secretScope: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly service: { readonly id: string, readonly name: string, readonly type: ServiceType, readonly connectionSchema: Record<string, unknown> }, readonly secret: { readonly id: string, readonly name: string } | null, readonly operation:
        | { readonly __typename: 'GraphQueryOperation', readonly access: GraphAccess, readonly cypher: string }
        | { readonly __typename: 'LlmCallOperation', readonly systemPrompt: string | null, readonly promptTemplate: string, readonly messages: string | null, readonly responseSchema: Record<string, unknown> | null }
        | { readonly __typename: 'McpCallOperation', readonly tool: string, readonly arguments: Record<string, unknown> | null }
        | { readonly __typename: 'RestCallOperation', readonly method: HttpMethod, readonly path: string, readonly headers: Record<string, unknown> | null, readonly cookies: Record<string, unknown> | null, readonly body: unknown, readonly bodyKind: BodyKind | null, readonly parameters: Record<string, unknown> | null, readonly probe: { readonly method: ProbeMethod | null, readonly path: string } | null, readonly styles: ReadonlyArray<{ readonly in: ParameterPlace, readonly name: string, readonly style: ParameterStyleName | null, readonly explode: boolean | null, readonly allowReserved: boolean | null }> }
      , readonly usedBy: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ToolCallersQueryVariables = Exact<{
  input: UpdateToolInput;
}>;


export type ToolCallersQuery = { readonly toolUpdatePreview: { readonly others: number, readonly othersBroken: number, readonly callers: ReadonlyArray<{ readonly fits: boolean, readonly process: { readonly id: string, readonly name: string } }>, readonly problems: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteToolMutationVariables = Exact<{
  input: DeleteToolInput;
}>;


export type DeleteToolMutation = { readonly deleteTool: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CreateSecretMutationVariables = Exact<{
  input: CreateSecretInput;
}>;


export type CreateSecretMutation = { readonly createSecret: { readonly secret: { readonly id: string, readonly name: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type UpdateSecretMutationVariables = Exact<{
  input: UpdateSecretInput;
}>;


export type UpdateSecretMutation = { readonly updateSecret: { readonly secret: { readonly id: string, readonly name: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteSecretMutationVariables = Exact<{
  input: DeleteSecretInput;
}>;


export type DeleteSecretMutation = { readonly deleteSecret: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CreateServiceTemplateMutationVariables = Exact<{
  input: CreateServiceTemplateInput;
}>;


export type CreateServiceTemplateMutation = { readonly createServiceTemplate: { readonly serviceTemplate: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type UpdateServiceTemplateMutationVariables = Exact<{
  input: UpdateServiceTemplateInput;
}>;


export type UpdateServiceTemplateMutation = { readonly updateServiceTemplate: { readonly serviceTemplate: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteServiceTemplateMutationVariables = Exact<{
  input: DeleteServiceTemplateInput;
}>;


export type DeleteServiceTemplateMutation = { readonly deleteServiceTemplate: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CreateToolTemplateMutationVariables = Exact<{
  input: CreateToolTemplateInput;
}>;


export type CreateToolTemplateMutation = { readonly createToolTemplate: { readonly toolTemplate: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type UpdateToolTemplateMutationVariables = Exact<{
  input: UpdateToolTemplateInput;
}>;


export type UpdateToolTemplateMutation = { readonly updateToolTemplate: { readonly toolTemplate: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteToolTemplateMutationVariables = Exact<{
  input: DeleteToolTemplateInput;
}>;


export type DeleteToolTemplateMutation = { readonly deleteToolTemplate: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type TestSecretMutationVariables = Exact<{
  input: TestSecretInput;
}>;


export type TestSecretMutation = { readonly testSecret: { readonly tests: ReadonlyArray<{ readonly outcome: SecretTestOutcome, readonly message: string | null, readonly tools: ReadonlyArray<{ readonly id: string, readonly name: string, readonly service: { readonly id: string, readonly name: string } }> }>, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type VersionFragment = { readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly hasChildren: boolean, readonly createdAt: string, readonly saidAt: string, readonly parts: ReadonlyArray<
    | { readonly __typename: 'FilePart', readonly uri: string, readonly mediaType: string, readonly name: string | null }
    | { readonly __typename: 'ImagePart', readonly uri: string, readonly mediaType: string, readonly alt: string | null }
    | { readonly __typename: 'TextPart' }
  >, readonly respondsTo: { readonly id: string } | null, readonly executedBy: { readonly id: string, readonly name: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null } | null, readonly rating: { readonly value: RatingValue, readonly comment: string | null } | null };

export type RatingFragment = { readonly value: RatingValue, readonly comment: string | null };

export type TurnFragment = { readonly id: string, readonly sequence: number, readonly speaker: Speaker, readonly saidAt: string, readonly alternatives: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly hasChildren: boolean, readonly createdAt: string, readonly saidAt: string, readonly parts: ReadonlyArray<
      | { readonly __typename: 'FilePart', readonly uri: string, readonly mediaType: string, readonly name: string | null }
      | { readonly __typename: 'ImagePart', readonly uri: string, readonly mediaType: string, readonly alt: string | null }
      | { readonly __typename: 'TextPart' }
    >, readonly respondsTo: { readonly id: string } | null, readonly executedBy: { readonly id: string, readonly name: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null } | null, readonly rating: { readonly value: RatingValue, readonly comment: string | null } | null }> };

export type ConversationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  status?: ConversationStatus | null | undefined;
  query?: string | null | undefined;
}>;


export type ConversationsQuery = { readonly conversations: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly title: string | null, readonly status: ConversationStatus, readonly updatedAt: string, readonly createdAt: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ConversationRowFragment = { readonly id: string, readonly title: string | null, readonly status: ConversationStatus, readonly updatedAt: string, readonly createdAt: string };

export type ConversationChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ConversationChangesSubscription = { readonly conversationChanges: { readonly cursor: string, readonly conversation: { readonly id: string, readonly title: string | null, readonly status: ConversationStatus, readonly updatedAt: string, readonly createdAt: string } | null } };

export type AnyConversationChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type AnyConversationChangesSubscription = { readonly conversationChanges: { readonly cursor: string } };

export type ConversationQueryVariables = Exact<{
  id: string;
}>;


export type ConversationQuery = { readonly conversation: { readonly id: string, readonly title: string | null, readonly status: ConversationStatus, readonly createdAt: string, readonly updatedAt: string, readonly owner: { readonly id: string, readonly name: string }, readonly defaultProcess: { readonly id: string, readonly name: string } | null, readonly recall: { readonly tokens: number, readonly otherConversations: boolean }, readonly forkedFrom: { readonly conversation: { readonly id: string, readonly title: string | null }, readonly originTurn: { readonly id: string } } | null, readonly forks: ReadonlyArray<{ readonly id: string, readonly title: string | null }>, readonly activePath: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly speaker: Speaker, readonly saidAt: string, readonly alternatives: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string, readonly hasChildren: boolean, readonly createdAt: string, readonly saidAt: string, readonly parts: ReadonlyArray<
          | { readonly __typename: 'FilePart', readonly uri: string, readonly mediaType: string, readonly name: string | null }
          | { readonly __typename: 'ImagePart', readonly uri: string, readonly mediaType: string, readonly alt: string | null }
          | { readonly __typename: 'TextPart' }
        >, readonly respondsTo: { readonly id: string } | null, readonly executedBy: { readonly id: string, readonly name: string } | null, readonly run: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null } | null, readonly rating: { readonly value: RatingValue, readonly comment: string | null } | null }> }> } | null };

export type ConversationTurnsQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ConversationTurnsQuery = { readonly conversation: { readonly id: string, readonly turns: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly speaker: Speaker, readonly parent: { readonly id: string } | null, readonly viaAlternative: { readonly id: string } | null, readonly alternatives: ReadonlyArray<{ readonly id: string, readonly sequence: number, readonly isActive: boolean, readonly cacheStatus: CacheStatus, readonly content: string }> }> } } | null };

export type RecalledFragment = { readonly targetId: string, readonly kind: RecallKind, readonly text: string, readonly tokens: number, readonly relevance: number, readonly isQuotation: boolean, readonly inReplyTo: string | null, readonly corrects: string | null, readonly sources: ReadonlyArray<{ readonly saidBy: string, readonly saidAt: string, readonly speaker: Speaker, readonly episodeId: string | null, readonly turnId: string | null, readonly conversation: { readonly id: string, readonly title: string | null } | null }> };

export type AnswerSourcesQueryVariables = Exact<{
  runId: string;
  id: string;
  turnId?: string | null | undefined;
  alternativeId?: string | null | undefined;
}>;


export type AnswerSourcesQuery = { readonly processRun: { readonly id: string, readonly context: Record<string, unknown>, readonly steps: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly rounds: ReadonlyArray<{ readonly toolCalls: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly status: StepStatus }> }> }> } | null, readonly workingMemory: { readonly recalled: ReadonlyArray<{ readonly targetId: string, readonly kind: RecallKind, readonly text: string, readonly tokens: number, readonly relevance: number, readonly isQuotation: boolean, readonly inReplyTo: string | null, readonly corrects: string | null, readonly sources: ReadonlyArray<{ readonly saidBy: string, readonly saidAt: string, readonly speaker: Speaker, readonly episodeId: string | null, readonly turnId: string | null, readonly conversation: { readonly id: string, readonly title: string | null } | null }> }> } };

export type WorkingMemoryQueryVariables = Exact<{
  id: string;
}>;


export type WorkingMemoryQuery = { readonly conversation: { readonly id: string, readonly workingMemory: { readonly totalTokens: number, readonly recallReason: string | null, readonly tokenBreakdown: { readonly immediatePath: number, readonly summaries: number, readonly activeEntities: number, readonly introspection: number, readonly recalled: number }, readonly messages: ReadonlyArray<{ readonly role: MessageRole, readonly content: string, readonly tokens: number }>, readonly recalled: ReadonlyArray<{ readonly targetId: string, readonly kind: RecallKind, readonly text: string, readonly tokens: number, readonly relevance: number, readonly isQuotation: boolean, readonly inReplyTo: string | null, readonly corrects: string | null, readonly sources: ReadonlyArray<{ readonly saidBy: string, readonly saidAt: string, readonly speaker: Speaker, readonly episodeId: string | null, readonly turnId: string | null, readonly conversation: { readonly id: string, readonly title: string | null } | null }> }> }, readonly activeEntities: ReadonlyArray<{ readonly entityUuid: string, readonly name: string, readonly category: string | null, readonly pinned: boolean, readonly relevanceScore: number, readonly includeSummary: boolean, readonly includeFacets: boolean, readonly includeRelationships: boolean }>, readonly summaries: ReadonlyArray<{ readonly id: string, readonly content: string, readonly compressionLevel: number, readonly tokenCount: number, readonly createdAt: string }> } | null };

export type ProcessChoiceFragment = { readonly id: string, readonly name: string, readonly enabled: boolean, readonly initialContext: ReadonlyArray<string>, readonly owner: { readonly id: string, readonly name: string } };

export type AnswerersQueryVariables = Exact<{ [key: string]: never; }>;


export type AnswerersQuery = { readonly shipped: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly enabled: boolean, readonly initialContext: ReadonlyArray<string>, readonly owner: { readonly id: string, readonly name: string } }> }, readonly own: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly enabled: boolean, readonly initialContext: ReadonlyArray<string>, readonly owner: { readonly id: string, readonly name: string } }> } };

export type ProcessChoicesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ProcessChoicesQuery = { readonly processes: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly enabled: boolean, readonly initialContext: ReadonlyArray<string>, readonly owner: { readonly id: string, readonly name: string } }> } };

export type NewConversationMutationVariables = Exact<{
  input: CreateConversationInput;
}>;


export type NewConversationMutation = { readonly createConversation: { readonly conversation: { readonly id: string, readonly title: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RenameConversationMutationVariables = Exact<{
  input: UpdateConversationInput;
}>;


export type RenameConversationMutation = { readonly updateConversation: { readonly conversation: { readonly id: string, readonly title: string | null, readonly status: ConversationStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type UploadFileMutationVariables = Exact<{
  input: UploadFileInput;
}>;


export type UploadFileMutation = { readonly uploadFile: { readonly uri: string | null, readonly size: number | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type SendMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendMutation = { readonly sendMessage: { readonly userTurn: { readonly id: string } | null, readonly agentTurn: { readonly id: string } | null, readonly run: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type AnswerMutationVariables = Exact<{
  input: GenerateTurnInput;
}>;


export type AnswerMutation = { readonly generateTurn: { readonly turn: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type AddVersionMutationVariables = Exact<{
  input: AddAlternativeInput;
}>;


export type AddVersionMutation = { readonly addAlternative: { readonly alternative: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ShowVersionMutationVariables = Exact<{
  input: ActivateAlternativeInput;
}>;


export type ShowVersionMutation = { readonly activateAlternative: { readonly alternative: { readonly id: string, readonly isActive: boolean } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RateMutationVariables = Exact<{
  input: RateAlternativeInput;
}>;


export type RateMutation = { readonly rateAlternative: { readonly alternative: { readonly id: string, readonly rating: { readonly value: RatingValue, readonly comment: string | null } | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RatedQueryVariables = Exact<{
  value?: RatingValue | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type RatedQuery = { readonly ratedAlternatives: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly content: string, readonly rating: { readonly updatedAt: string, readonly value: RatingValue, readonly comment: string | null } | null, readonly respondsTo: { readonly id: string, readonly content: string } | null, readonly turn: { readonly id: string, readonly conversation: { readonly id: string, readonly title: string | null } } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ForkMutationVariables = Exact<{
  input: ForkConversationInput;
}>;


export type ForkMutation = { readonly forkConversation: { readonly conversation: { readonly id: string, readonly title: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type SwitchEntityMutationVariables = Exact<{
  input: SetActiveEntityInput;
}>;


export type SwitchEntityMutation = { readonly setActiveEntity: { readonly conversation: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type MemorySearchQueryVariables = Exact<{
  input: SearchInput;
}>;


export type MemorySearchQuery = { readonly searchMemory: { readonly answerable: boolean, readonly reason: string, readonly hits: ReadonlyArray<{ readonly kind: SearchKind, readonly score: number, readonly why: string, readonly entity: { readonly id: string, readonly uuid: string, readonly name: string, readonly summary: string } | null, readonly episode: { readonly uuid: string, readonly name: string, readonly content: string, readonly validAt: string, readonly sourceDescription: string | null } | null, readonly fact: { readonly id: string, readonly uuid: string, readonly fact: string, readonly validAt: string | null, readonly invalidAt: string | null, readonly createdAt: string, readonly source: { readonly uuid: string, readonly name: string }, readonly target: { readonly uuid: string, readonly name: string } } | null, readonly statement: { readonly id: string, readonly uuid: string, readonly text: string, readonly speaker: string, readonly saidAt: string, readonly validAt: string, readonly invalidAt: string | null, readonly recordedAt: string, readonly endedBy: { readonly uuid: string, readonly content: string } | null } | null, readonly event: { readonly eventId: string, readonly text: string } | null, readonly tocNode: { readonly nodeId: string, readonly title: string } | null, readonly reasons: ReadonlyArray<{ readonly measure: SearchMeasure, readonly points: number, readonly text: string }> }>, readonly nearest: ReadonlyArray<{ readonly kind: SearchKind }> } };

export type MemoryNearestQueryVariables = Exact<{
  input: SearchInput;
}>;


export type MemoryNearestQuery = { readonly searchMemory: { readonly nearest: ReadonlyArray<{ readonly kind: SearchKind, readonly score: number, readonly why: string, readonly entity: { readonly id: string, readonly uuid: string, readonly name: string, readonly summary: string } | null, readonly episode: { readonly uuid: string, readonly name: string, readonly content: string, readonly validAt: string, readonly sourceDescription: string | null } | null, readonly fact: { readonly id: string, readonly uuid: string, readonly fact: string, readonly validAt: string | null, readonly invalidAt: string | null, readonly createdAt: string, readonly source: { readonly uuid: string, readonly name: string }, readonly target: { readonly uuid: string, readonly name: string } } | null, readonly statement: { readonly id: string, readonly uuid: string, readonly text: string, readonly speaker: string, readonly saidAt: string, readonly validAt: string, readonly invalidAt: string | null, readonly recordedAt: string, readonly endedBy: { readonly uuid: string, readonly content: string } | null } | null, readonly event: { readonly eventId: string, readonly text: string } | null, readonly tocNode: { readonly nodeId: string, readonly title: string } | null, readonly reasons: ReadonlyArray<{ readonly measure: SearchMeasure, readonly points: number, readonly text: string }> }> } };

export type HitFieldsFragment = { readonly kind: SearchKind, readonly score: number, readonly why: string, readonly entity: { readonly id: string, readonly uuid: string, readonly name: string, readonly summary: string } | null, readonly episode: { readonly uuid: string, readonly name: string, readonly content: string, readonly validAt: string, readonly sourceDescription: string | null } | null, readonly fact: { readonly id: string, readonly uuid: string, readonly fact: string, readonly validAt: string | null, readonly invalidAt: string | null, readonly createdAt: string, readonly source: { readonly uuid: string, readonly name: string }, readonly target: { readonly uuid: string, readonly name: string } } | null, readonly statement: { readonly id: string, readonly uuid: string, readonly text: string, readonly speaker: string, readonly saidAt: string, readonly validAt: string, readonly invalidAt: string | null, readonly recordedAt: string, readonly endedBy: { readonly uuid: string, readonly content: string } | null } | null, readonly event: { readonly eventId: string, readonly text: string } | null, readonly tocNode: { readonly nodeId: string, readonly title: string } | null, readonly reasons: ReadonlyArray<{ readonly measure: SearchMeasure, readonly points: number, readonly text: string }> };

export type EntitiesQueryVariables = Exact<{
  query?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type EntitiesQuery = { readonly entities: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly name: string, readonly entityType: string | null, readonly summary: string, readonly edgeCount: number, readonly createdAt: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type EntityPageQueryVariables = Exact<{
  uuid: string;
}>;


export type EntityPageQuery = { readonly entity: { readonly id: string, readonly uuid: string, readonly name: string, readonly entityType: string | null, readonly summary: string, readonly facets: Record<string, unknown> | null, readonly edgeCount: number, readonly createdAt: string, readonly enrichedAt: string | null, readonly mergedFrom: ReadonlyArray<string>, readonly proposedSummary: { readonly summaryId: string, readonly text: string } | null, readonly sources: ReadonlyArray<{ readonly type: EntityOrigin, readonly originalName: string | null, readonly confidence: number | null, readonly createdAt: string, readonly episodeId: string | null }>, readonly facts: ReadonlyArray<{ readonly id: string, readonly uuid: string, readonly name: string, readonly fact: string, readonly validAt: string | null, readonly invalidAt: string | null, readonly expiredAt: string | null, readonly createdAt: string, readonly source: { readonly uuid: string, readonly name: string }, readonly target: { readonly uuid: string, readonly name: string } }>, readonly statements: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly uuid: string, readonly text: string, readonly speaker: string, readonly saidAt: string, readonly validAt: string, readonly invalidAt: string | null, readonly recordedAt: string, readonly about: ReadonlyArray<{ readonly uuid: string, readonly name: string }>, readonly endedBy: { readonly uuid: string, readonly content: string } | null }> }, readonly episodes: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly name: string, readonly content: string, readonly validAt: string, readonly sourceDescription: string | null }> } } | null };

export type ChooseSummaryMutationVariables = Exact<{
  input: ChooseEntitySummaryInput;
}>;


export type ChooseSummaryMutation = { readonly chooseEntitySummary: { readonly entity: { readonly uuid: string, readonly summary: string, readonly proposedSummary: { readonly summaryId: string, readonly text: string } | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ForgetsQueryVariables = Exact<{
  id: string;
}>;


export type ForgetsQuery = { readonly node:
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string, readonly forgets: { readonly facts: number, readonly statements: number, readonly mentions: number, readonly summaries: number, readonly vectors: number, readonly conversations: number } }
    | { readonly id: string }
    | { readonly id: string, readonly forgets: { readonly facts: number, readonly statements: number, readonly mentions: number, readonly summaries: number, readonly vectors: number, readonly conversations: number } }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
    | { readonly id: string }
   | null };

export type ForgetsFieldsFragment = { readonly facts: number, readonly statements: number, readonly mentions: number, readonly summaries: number, readonly vectors: number, readonly conversations: number };

export type ForgetMutationVariables = Exact<{
  input: ForgetInput;
}>;


export type ForgetMutation = { readonly forget: { readonly forgotten: { readonly uuid: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type TocRootQueryVariables = Exact<{ [key: string]: never; }>;


export type TocRootQuery = { readonly tocRoot: ReadonlyArray<{ readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly startsAt: string, readonly endsAt: string, readonly keywords: ReadonlyArray<string>, readonly provisional: boolean, readonly unsummarised: boolean, readonly unsummarisedReason: string | null, readonly childNodeIds: ReadonlyArray<string>, readonly version: number }> };

export type StatementFieldsFragment = { readonly id: string, readonly uuid: string, readonly text: string, readonly speaker: string, readonly saidAt: string, readonly validAt: string, readonly invalidAt: string | null, readonly recordedAt: string, readonly endedBy: { readonly uuid: string, readonly content: string } | null };

export type FactFieldsFragment = { readonly id: string, readonly uuid: string, readonly name: string, readonly fact: string, readonly validAt: string | null, readonly invalidAt: string | null, readonly expiredAt: string | null, readonly createdAt: string, readonly source: { readonly uuid: string, readonly name: string }, readonly target: { readonly uuid: string, readonly name: string } };

export type TocRowFragment = { readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly startsAt: string, readonly endsAt: string, readonly keywords: ReadonlyArray<string>, readonly provisional: boolean, readonly unsummarised: boolean, readonly unsummarisedReason: string | null, readonly childNodeIds: ReadonlyArray<string>, readonly version: number };

export type TocPageQueryVariables = Exact<{
  nodeId: string;
}>;


export type TocPageQuery = { readonly tocNode: { readonly tokenCount: number | null, readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly startsAt: string, readonly endsAt: string, readonly keywords: ReadonlyArray<string>, readonly provisional: boolean, readonly unsummarised: boolean, readonly unsummarisedReason: string | null, readonly childNodeIds: ReadonlyArray<string>, readonly version: number, readonly parent: { readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly parent: { readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly parent: { readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly parent: { readonly nodeId: string, readonly level: TocLevel, readonly title: string } | null } | null } | null } | null, readonly bullets: ReadonlyArray<{ readonly text: string, readonly quotation: boolean, readonly speakers: ReadonlyArray<string>, readonly support: number, readonly grips: ReadonlyArray<{ readonly gripId: string, readonly excerpt: string, readonly source: string, readonly occurredAt: string }> }>, readonly children: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly nodeId: string, readonly level: TocLevel, readonly title: string, readonly startsAt: string, readonly endsAt: string, readonly keywords: ReadonlyArray<string>, readonly provisional: boolean, readonly unsummarised: boolean, readonly unsummarisedReason: string | null, readonly childNodeIds: ReadonlyArray<string>, readonly version: number }> } } | null };

export type GripQueryVariables = Exact<{
  gripId: string;
}>;


export type GripQuery = { readonly expandGrip: { readonly grip: { readonly gripId: string, readonly excerpt: string, readonly occurredAt: string, readonly source: string }, readonly eventsBefore: ReadonlyArray<{ readonly eventId: string, readonly role: EventRole, readonly text: string, readonly occurredAt: string, readonly sessionId: string }>, readonly excerptEvents: ReadonlyArray<{ readonly eventId: string, readonly role: EventRole, readonly text: string, readonly occurredAt: string, readonly sessionId: string }>, readonly eventsAfter: ReadonlyArray<{ readonly eventId: string, readonly role: EventRole, readonly text: string, readonly occurredAt: string, readonly sessionId: string }> } | null };

export type SaidFragment = { readonly eventId: string, readonly role: EventRole, readonly text: string, readonly occurredAt: string, readonly sessionId: string };

export type IntrospectionsQueryVariables = Exact<{ [key: string]: never; }>;


export type IntrospectionsQuery = { readonly introspections: ReadonlyArray<{ readonly id: string, readonly content: string, readonly createdAt: string, readonly carouselPosition: number }> };

export type ArchiveNoteMutationVariables = Exact<{
  input: DeleteIntrospectionInput;
}>;


export type ArchiveNoteMutation = { readonly deleteIntrospection: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type MemoryGraphQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type MemoryGraphQuery = { readonly entities: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly uuid: string, readonly name: string, readonly entityType: string | null, readonly createdAt: string, readonly facts: ReadonlyArray<{ readonly id: string, readonly uuid: string, readonly name: string, readonly fact: string, readonly validAt: string | null, readonly invalidAt: string | null, readonly expiredAt: string | null, readonly createdAt: string, readonly source: { readonly uuid: string, readonly name: string }, readonly target: { readonly uuid: string, readonly name: string } }> }> } };

export type BlobPartQueryVariables = Exact<{
  uri: string;
  offset: number;
  length: number;
}>;


export type BlobPartQuery = { readonly blob: { readonly size: number, readonly content: string, readonly nextOffset: number | null } | null };

export type MyDataQueryVariables = Exact<{ [key: string]: never; }>;


export type MyDataQuery = { readonly myDataRequests: ReadonlyArray<{ readonly id: string, readonly kind: DataRequestKind, readonly status: DataRequestStatus, readonly phase: string | null, readonly records: number, readonly archive: string | null, readonly error: string | null, readonly createdAt: string }> };

export type ExportMyDataMutationVariables = Exact<{ [key: string]: never; }>;


export type ExportMyDataMutation = { readonly exportMyData: { readonly request: { readonly id: string, readonly status: DataRequestStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteMyDataMutationVariables = Exact<{
  input: DeleteMyDataInput;
}>;


export type DeleteMyDataMutation = { readonly deleteMyData: { readonly request: { readonly id: string, readonly status: DataRequestStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type OperationsQueryVariables = Exact<{ [key: string]: never; }>;


export type OperationsQuery = { readonly health: { readonly status: HealthStatus, readonly neo4j: HealthStatus, readonly temporal: HealthStatus, readonly eventBus: HealthStatus, readonly version: string, readonly warnings: ReadonlyArray<{ readonly subject: string, readonly message: string, readonly advice: string, readonly startedAt: string, readonly waiting: number }> }, readonly workers: ReadonlyArray<{ readonly id: string, readonly type: OperationType, readonly status: WorkerStatus, readonly taskQueue: string, readonly processedCount: number, readonly errorCount: number, readonly lastHeartbeatAt: string, readonly currentJobId: string | null }>, readonly jobs: ReadonlyArray<{ readonly name: string, readonly cron: string, readonly paused: boolean, readonly lastRunAt: string | null, readonly nextRunAt: string | null, readonly lastError: string | null, readonly backlog: number }> | null, readonly retention: ReadonlyArray<{ readonly kind: RetentionKind, readonly days: number, readonly due: number, readonly setting: string, readonly lastDeleted: number | null, readonly lastDeletedAt: string | null }> | null, readonly memorySettings: { readonly llmTool: { readonly id: string, readonly name: string } | null, readonly backgroundWork: { readonly tokensUsed: number, readonly tokensReserved: number, readonly tokensPerDay: number, readonly resetsAt: string, readonly waiting: ReadonlyArray<{ readonly processName: string, readonly reason: BackgroundWaitReason, readonly count: number, readonly oldestAt: string }> } } };

export type PauseJobMutationVariables = Exact<{
  input: PauseJobInput;
}>;


export type PauseJobMutation = { readonly pauseJob: { readonly job: { readonly name: string, readonly paused: boolean, readonly nextRunAt: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ResumeJobMutationVariables = Exact<{
  input: ResumeJobInput;
}>;


export type ResumeJobMutation = { readonly resumeJob: { readonly job: { readonly name: string, readonly paused: boolean, readonly nextRunAt: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RunJobMutationVariables = Exact<{
  input: RunJobInput;
}>;


export type RunJobMutation = { readonly runJob: { readonly job: { readonly name: string, readonly lastRunAt: string | null, readonly nextRunAt: string | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type MetricsQueryVariables = Exact<{ [key: string]: never; }>;


export type MetricsQuery = { readonly metricDefinitions: ReadonlyArray<{ readonly id: string, readonly name: string, readonly scope: MetricScope, readonly description: string | null, readonly dataType: MetricDataType, readonly aggregation: MetricAggregation, readonly retentionDays: number | null }> };

export type ProcessNamesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ProcessNamesQuery = { readonly processes: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } };

export type ToolNamesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ToolNamesQuery = { readonly tools: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } };

export type ServiceNamesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ServiceNamesQuery = { readonly services: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } };

export type CreateMetricMutationVariables = Exact<{
  input: CreateMetricDefinitionInput;
}>;


export type CreateMetricMutation = { readonly createMetricDefinition: { readonly metricDefinition: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type UpdateMetricMutationVariables = Exact<{
  input: UpdateMetricDefinitionInput;
}>;


export type UpdateMetricMutation = { readonly updateMetricDefinition: { readonly metricDefinition: { readonly id: string, readonly name: string, readonly description: string | null, readonly aggregation: MetricAggregation, readonly retentionDays: number | null } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteMetricMutationVariables = Exact<{
  input: DeleteMetricDefinitionInput;
}>;


export type DeleteMetricMutation = { readonly deleteMetricDefinition: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type MetricSeriesQueryVariables = Exact<{
  entityId: string;
  metricId: string;
  from?: string | null | undefined;
  to?: string | null | undefined;
  bucketSeconds?: number | null | undefined;
  includeSystem?: boolean | null | undefined;
}>;


export type MetricSeriesQuery = { readonly metricSeries: { readonly entityId: string, readonly aggregate: unknown, readonly points: ReadonlyArray<{ readonly measuredAt: string, readonly value: unknown }> } | null };

export type SettingsFieldsFragment = { readonly activeEntitiesMax: number, readonly backgroundTokensPerDay: number, readonly callGraphRetentionDays: number, readonly compressionTokenThreshold: number, readonly dedupSimilarityThreshold: number, readonly enrichmentEdgeThreshold: number, readonly entryRetentionDays: number, readonly forEachItemsMax: number, readonly idempotencyRetentionDays: number, readonly introspectionCompressionThreshold: number, readonly introspectionMaxRotation: number, readonly lineSupportThreshold: number, readonly memoryRetentionDays: number, readonly payloadTruncationThreshold: number, readonly redactedFields: ReadonlyArray<string>, readonly redactedPatterns: ReadonlyArray<string>, readonly runRetentionDays: number, readonly runsPerRunMax: number, readonly segmentGapMinutes: number, readonly segmentMaxTokens: number, readonly segmentOverlapEvents: number, readonly sessionRetentionDays: number, readonly stepsPerRunMax: number, readonly summaryTokensMin: number, readonly systemRunRetentionDays: number };

export type SettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type SettingsQuery = { readonly settings: { readonly activeEntitiesMax: number, readonly backgroundTokensPerDay: number, readonly callGraphRetentionDays: number, readonly compressionTokenThreshold: number, readonly dedupSimilarityThreshold: number, readonly enrichmentEdgeThreshold: number, readonly entryRetentionDays: number, readonly forEachItemsMax: number, readonly idempotencyRetentionDays: number, readonly introspectionCompressionThreshold: number, readonly introspectionMaxRotation: number, readonly lineSupportThreshold: number, readonly memoryRetentionDays: number, readonly payloadTruncationThreshold: number, readonly redactedFields: ReadonlyArray<string>, readonly redactedPatterns: ReadonlyArray<string>, readonly runRetentionDays: number, readonly runsPerRunMax: number, readonly segmentGapMinutes: number, readonly segmentMaxTokens: number, readonly segmentOverlapEvents: number, readonly sessionRetentionDays: number, readonly stepsPerRunMax: number, readonly summaryTokensMin: number, readonly systemRunRetentionDays: number } | null };

export type ChangeSettingsMutationVariables = Exact<{
  input: UpdateSettingsInput;
}>;


export type ChangeSettingsMutation = { readonly updateSettings: { readonly settings: { readonly activeEntitiesMax: number, readonly backgroundTokensPerDay: number, readonly callGraphRetentionDays: number, readonly compressionTokenThreshold: number, readonly dedupSimilarityThreshold: number, readonly enrichmentEdgeThreshold: number, readonly entryRetentionDays: number, readonly forEachItemsMax: number, readonly idempotencyRetentionDays: number, readonly introspectionCompressionThreshold: number, readonly introspectionMaxRotation: number, readonly lineSupportThreshold: number, readonly memoryRetentionDays: number, readonly payloadTruncationThreshold: number, readonly redactedFields: ReadonlyArray<string>, readonly redactedPatterns: ReadonlyArray<string>, readonly runRetentionDays: number, readonly runsPerRunMax: number, readonly segmentGapMinutes: number, readonly segmentMaxTokens: number, readonly segmentOverlapEvents: number, readonly sessionRetentionDays: number, readonly stepsPerRunMax: number, readonly summaryTokensMin: number, readonly systemRunRetentionDays: number } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CallStatsQueryVariables = Exact<{
  includeSystem?: boolean | null | undefined;
}>;


export type CallStatsQuery = { readonly operationStats: ReadonlyArray<{ readonly operationId: string, readonly name: string, readonly calls: number, readonly averageMs: number, readonly p50Ms: number, readonly p99Ms: number, readonly errorRate: number }> };

export type RunTimesOfAllQueryVariables = Exact<{
  from: string;
  to: string;
  bucketSeconds: number;
  first?: number | null | undefined;
  includeSystem?: boolean | null | undefined;
  ofEveryone?: boolean | null | undefined;
}>;


export type RunTimesOfAllQuery = { readonly runTimes: { readonly processCount: number, readonly total: { readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null, readonly isWhole: boolean, readonly buckets: ReadonlyArray<{ readonly startedAt: string, readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null }> }, readonly processes: ReadonlyArray<{ readonly processId: string, readonly process: { readonly id: string, readonly name: string } | null, readonly times: { readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null, readonly isWhole: boolean, readonly buckets: ReadonlyArray<{ readonly startedAt: string, readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null }> } }> } };

export type RunTimesFieldsFragment = { readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null, readonly isWhole: boolean, readonly buckets: ReadonlyArray<{ readonly startedAt: string, readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null }> };

export type DefinedStepFragment = { readonly description: string | null, readonly dependsOn: ReadonlyArray<string>, readonly inputs: Record<string, unknown>, readonly id: string, readonly output: { readonly variable: string, readonly required: boolean, readonly tokenBudget: number | null, readonly asFile: boolean }, readonly execution: { readonly mode: ExecutionMode, readonly condition: string | null, readonly forEach: string | null, readonly maxConcurrency: number | null, readonly failedItemsMax: number | null, readonly failedShareMax: number | null, readonly interactionMode: InteractionMode, readonly onFailure: FailurePolicy, readonly fallback: unknown, readonly timeout: number | null, readonly cacheSeconds: number | null, readonly pages: { readonly list: string, readonly next: string, readonly first: unknown, readonly maxPages: number } | null, readonly retry: { readonly maximumAttempts: number, readonly initialInterval: number, readonly backoffCoefficient: number, readonly maximumInterval: number, readonly nonRetryableErrors: ReadonlyArray<string> } | null }, readonly target:
    | { readonly __typename: 'Process', readonly id: string, readonly name: string }
    | { readonly __typename: 'Tool', readonly id: string, readonly name: string, readonly inputSchema: Record<string, unknown>, readonly outputSchema: Record<string, unknown>, readonly mutating: boolean, readonly status: HealthStatus, readonly operation:
        | { readonly __typename: 'GraphQueryOperation', readonly type: OperationType }
        | { readonly __typename: 'LlmCallOperation', readonly type: OperationType }
        | { readonly __typename: 'McpCallOperation', readonly type: OperationType }
        | { readonly __typename: 'RestCallOperation', readonly type: OperationType }
      , readonly service: { readonly id: string, readonly name: string } }
  , readonly tools: ReadonlyArray<{ readonly name: string | null, readonly description: string | null, readonly permission: ToolPermission | null, readonly target:
      | { readonly __typename: 'Process', readonly id: string, readonly name: string }
      | { readonly __typename: 'Tool', readonly id: string, readonly name: string }
     }>, readonly agent: { readonly maxRounds: number, readonly maxToolCalls: number, readonly toolChoice: ToolChoice, readonly approvalTimeout: number | null } | null };

export type ProcessesQueryVariables = Exact<{
  query?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type ProcessesQuery = { readonly processes: { readonly totalCount: number, readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly description: string | null, readonly version: number, readonly enabled: boolean, readonly shared: boolean, readonly exposeAsTool: boolean, readonly updatedAt: string, readonly initialContext: ReadonlyArray<string>, readonly owner: { readonly id: string, readonly name: string }, readonly steps: ReadonlyArray<{ readonly id: string, readonly target:
          | { readonly __typename: 'Process', readonly id: string, readonly name: string }
          | { readonly __typename: 'Tool', readonly id: string, readonly name: string, readonly status: HealthStatus, readonly enabled: boolean }
         }>, readonly runs: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly status: RunStatus }> } }> } };

export type ScheduleFragment = { readonly id: string, readonly cron: string, readonly timezone: string, readonly paused: boolean, readonly note: string | null, readonly context: Record<string, unknown>, readonly revision: number, readonly nextRunsAt: ReadonlyArray<string>, readonly lastError: string | null, readonly recentRuns: ReadonlyArray<{ readonly id: string, readonly status: RunStatus, readonly createdAt: string }> };

export type ProcessPageQueryVariables = Exact<{
  id: string;
  version?: number | null | undefined;
}>;


export type ProcessPageQuery = { readonly process: { readonly id: string, readonly name: string, readonly description: string | null, readonly version: number, readonly enabled: boolean, readonly shared: boolean, readonly initialContext: ReadonlyArray<string>, readonly contextSchema: Record<string, unknown> | null, readonly outputTemplate: string, readonly maxRecursionDepth: number, readonly tokenBudget: number | null, readonly createdAt: string, readonly updatedAt: string, readonly exposeAsTool: boolean, readonly owner: { readonly id: string, readonly name: string }, readonly memoryAccess: { readonly reads: boolean, readonly writes: boolean, readonly toolNames: ReadonlyArray<string>, readonly isAllowed: boolean, readonly digest: string | null } | null, readonly adoption: { readonly id: string, readonly name: string, readonly version: number } | null, readonly steps: ReadonlyArray<{ readonly description: string | null, readonly dependsOn: ReadonlyArray<string>, readonly inputs: Record<string, unknown>, readonly id: string, readonly output: { readonly variable: string, readonly required: boolean, readonly tokenBudget: number | null, readonly asFile: boolean }, readonly execution: { readonly mode: ExecutionMode, readonly condition: string | null, readonly forEach: string | null, readonly maxConcurrency: number | null, readonly failedItemsMax: number | null, readonly failedShareMax: number | null, readonly interactionMode: InteractionMode, readonly onFailure: FailurePolicy, readonly fallback: unknown, readonly timeout: number | null, readonly cacheSeconds: number | null, readonly pages: { readonly list: string, readonly next: string, readonly first: unknown, readonly maxPages: number } | null, readonly retry: { readonly maximumAttempts: number, readonly initialInterval: number, readonly backoffCoefficient: number, readonly maximumInterval: number, readonly nonRetryableErrors: ReadonlyArray<string> } | null }, readonly target:
        | { readonly __typename: 'Process', readonly id: string, readonly name: string }
        | { readonly __typename: 'Tool', readonly id: string, readonly name: string, readonly inputSchema: Record<string, unknown>, readonly outputSchema: Record<string, unknown>, readonly mutating: boolean, readonly status: HealthStatus, readonly operation:
            | { readonly __typename: 'GraphQueryOperation', readonly type: OperationType }
            | { readonly __typename: 'LlmCallOperation', readonly type: OperationType }
            | { readonly __typename: 'McpCallOperation', readonly type: OperationType }
            | { readonly __typename: 'RestCallOperation', readonly type: OperationType }
          , readonly service: { readonly id: string, readonly name: string } }
      , readonly tools: ReadonlyArray<{ readonly name: string | null, readonly description: string | null, readonly permission: ToolPermission | null, readonly target:
          | { readonly __typename: 'Process', readonly id: string, readonly name: string }
          | { readonly __typename: 'Tool', readonly id: string, readonly name: string }
         }>, readonly agent: { readonly maxRounds: number, readonly maxToolCalls: number, readonly toolChoice: ToolChoice, readonly approvalTimeout: number | null } | null }>, readonly schedules: ReadonlyArray<{ readonly id: string, readonly cron: string, readonly timezone: string, readonly paused: boolean, readonly note: string | null, readonly context: Record<string, unknown>, readonly revision: number, readonly nextRunsAt: ReadonlyArray<string>, readonly lastError: string | null, readonly recentRuns: ReadonlyArray<{ readonly id: string, readonly status: RunStatus, readonly createdAt: string }> }>, readonly runs: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly depth: number, readonly status: RunStatus, readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus }> }> }, readonly versions: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly version: number, readonly createdAt: string, readonly definition: Record<string, unknown>, readonly createdBy: { readonly id: string, readonly name: string } | null }> } } | null };

export type CallableToolsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CallableToolsQuery = { readonly tools: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly inputSchema: Record<string, unknown>, readonly outputSchema: Record<string, unknown>, readonly mutating: boolean, readonly status: HealthStatus, readonly operation:
        | { readonly __typename: 'GraphQueryOperation', readonly type: OperationType }
        | { readonly __typename: 'LlmCallOperation', readonly type: OperationType }
        | { readonly __typename: 'McpCallOperation', readonly type: OperationType }
        | { readonly __typename: 'RestCallOperation', readonly type: OperationType }
      , readonly service: { readonly id: string, readonly name: string } }> } };

export type CallableProcessesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CallableProcessesQuery = { readonly processes: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly initialContext: ReadonlyArray<string> }> } };

export type CheckProcessQueryVariables = Exact<{
  input: CreateProcessInput;
}>;


export type CheckProcessQuery = { readonly validateProcess: { readonly plan: { readonly estimatedSteps: number, readonly maxDepth: number, readonly stages: ReadonlyArray<ReadonlyArray<string>>, readonly tools: ReadonlyArray<{ readonly id: string, readonly name: string }>, readonly worstCase: { readonly stepExecutions: number | null, readonly stepExecutionsLimit: number, readonly toolAttempts: number | null, readonly answerTokens: number | null, readonly unboundedStepIds: ReadonlyArray<string>, readonly itemsLimit: number } } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type SaveProcessMutationVariables = Exact<{
  input: UpdateProcessInput;
}>;


export type SaveProcessMutation = { readonly updateProcess: { readonly process: { readonly id: string, readonly version: number } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type NewProcessMutationVariables = Exact<{
  input: CreateProcessInput;
}>;


export type NewProcessMutation = { readonly createProcess: { readonly process: { readonly id: string, readonly version: number } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DraftProcessMutationVariables = Exact<{
  input: DraftProcessInput;
}>;


export type DraftProcessMutation = { readonly draftProcess: { readonly run: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DraftRunQueryVariables = Exact<{
  id: string;
}>;


export type DraftRunQuery = { readonly processRun: { readonly id: string, readonly status: RunStatus, readonly output: string | null, readonly error: { readonly message: string } | null, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly status: StepStatus }> } | null };

export type DeleteProcessMutationVariables = Exact<{
  input: DeleteProcessInput;
}>;


export type DeleteProcessMutation = { readonly deleteProcess: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type OwnProcessQueryVariables = Exact<{
  name: string;
}>;


export type OwnProcessQuery = { readonly processes: { readonly nodes: ReadonlyArray<{ readonly id: string }> } };

export type LastEndedRunQueryVariables = Exact<{
  processId: string;
}>;


export type LastEndedRunQuery = { readonly processRuns: { readonly nodes: ReadonlyArray<{ readonly id: string }> } };

export type ProcessUsesQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ProcessUsesQuery = { readonly process: { readonly id: string, readonly schedules: ReadonlyArray<{ readonly id: string, readonly cron: string }>, readonly runs: { readonly nodes: ReadonlyArray<{ readonly id: string }> } } | null, readonly processes: { readonly pageInfo: { readonly endCursor: string | null, readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly steps: ReadonlyArray<{ readonly id: string, readonly target:
          | { readonly __typename: 'Process', readonly id: string }
          | { readonly __typename: 'Tool', readonly id: string }
        , readonly tools: ReadonlyArray<{ readonly target:
            | { readonly __typename: 'Process', readonly id: string }
            | { readonly __typename: 'Tool', readonly id: string }
           }> }> }> } };

export type RestoreVersionMutationVariables = Exact<{
  input: RestoreProcessVersionInput;
}>;


export type RestoreVersionMutation = { readonly restoreProcessVersion: { readonly process: { readonly id: string, readonly version: number } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type NewScheduleMutationVariables = Exact<{
  input: CreateProcessScheduleInput;
}>;


export type NewScheduleMutation = { readonly createProcessSchedule: { readonly schedule: { readonly id: string, readonly cron: string, readonly timezone: string, readonly paused: boolean, readonly note: string | null, readonly context: Record<string, unknown>, readonly revision: number, readonly nextRunsAt: ReadonlyArray<string>, readonly lastError: string | null, readonly recentRuns: ReadonlyArray<{ readonly id: string, readonly status: RunStatus, readonly createdAt: string }> } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ChangeScheduleMutationVariables = Exact<{
  input: UpdateProcessScheduleInput;
}>;


export type ChangeScheduleMutation = { readonly updateProcessSchedule: { readonly schedule: { readonly id: string, readonly cron: string, readonly timezone: string, readonly paused: boolean, readonly note: string | null, readonly context: Record<string, unknown>, readonly revision: number, readonly nextRunsAt: ReadonlyArray<string>, readonly lastError: string | null, readonly recentRuns: ReadonlyArray<{ readonly id: string, readonly status: RunStatus, readonly createdAt: string }> } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type PauseScheduleMutationVariables = Exact<{
  input: PauseProcessScheduleInput;
}>;


export type PauseScheduleMutation = { readonly pauseProcessSchedule: { readonly schedule: { readonly id: string, readonly cron: string, readonly timezone: string, readonly paused: boolean, readonly note: string | null, readonly context: Record<string, unknown>, readonly revision: number, readonly nextRunsAt: ReadonlyArray<string>, readonly lastError: string | null, readonly recentRuns: ReadonlyArray<{ readonly id: string, readonly status: RunStatus, readonly createdAt: string }> } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ResumeScheduleMutationVariables = Exact<{
  input: ResumeProcessScheduleInput;
}>;


export type ResumeScheduleMutation = { readonly resumeProcessSchedule: { readonly schedule: { readonly id: string, readonly cron: string, readonly timezone: string, readonly paused: boolean, readonly note: string | null, readonly context: Record<string, unknown>, readonly revision: number, readonly nextRunsAt: ReadonlyArray<string>, readonly lastError: string | null, readonly recentRuns: ReadonlyArray<{ readonly id: string, readonly status: RunStatus, readonly createdAt: string }> } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type TriggerScheduleMutationVariables = Exact<{
  input: TriggerProcessScheduleInput;
}>;


export type TriggerScheduleMutation = { readonly triggerProcessSchedule: { readonly schedule: { readonly id: string, readonly cron: string, readonly timezone: string, readonly paused: boolean, readonly note: string | null, readonly context: Record<string, unknown>, readonly revision: number, readonly nextRunsAt: ReadonlyArray<string>, readonly lastError: string | null, readonly recentRuns: ReadonlyArray<{ readonly id: string, readonly status: RunStatus, readonly createdAt: string }> } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DeleteScheduleMutationVariables = Exact<{
  input: DeleteProcessScheduleInput;
}>;


export type DeleteScheduleMutation = { readonly deleteProcessSchedule: { readonly deletedId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type AllowMemoryMutationVariables = Exact<{
  input: AllowProcessMemoryInput;
}>;


export type AllowMemoryMutation = { readonly allowProcessMemory: { readonly agreement: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RevokeMemoryMutationVariables = Exact<{
  input: RevokeProcessMemoryInput;
}>;


export type RevokeMemoryMutation = { readonly revokeProcessMemory: { readonly processId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type AdoptMutationVariables = Exact<{
  input: AdoptProcessInput;
}>;


export type AdoptMutation = { readonly adoptProcess: { readonly adoption: { readonly id: string, readonly name: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type DropMutationVariables = Exact<{
  input: DropProcessInput;
}>;


export type DropMutation = { readonly dropProcess: { readonly processId: string | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RunRowFragment = { readonly id: string, readonly depth: number, readonly status: RunStatus, readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus }> };

export type RunStateFragment = { readonly id: string, readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly temporalRunId: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly inputs: Record<string, unknown> | null, readonly output: unknown, readonly outputTruncated: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null } | null, readonly worker: { readonly id: string, readonly type: OperationType } | null, readonly childRun: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly createdAt: string, readonly completedAt: string | null } | null }> };

export type RunsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  status?: ReadonlyArray<RunStatus> | RunStatus | null | undefined;
  processId?: string | null | undefined;
  includeSystem?: boolean | null | undefined;
  rootsOnly?: boolean | null | undefined;
  query?: string | null | undefined;
  from?: string | null | undefined;
}>;


export type RunsQuery = { readonly processRuns: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly depth: number, readonly status: RunStatus, readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus }> }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type ListChangesSubscriptionVariables = Exact<{
  includeSystem?: boolean | null | undefined;
  rootsOnly?: boolean | null | undefined;
}>;


export type ListChangesSubscription = { readonly runChanges: { readonly cursor: string, readonly run: { readonly id: string, readonly depth: number, readonly status: RunStatus, readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus }> } | null } };

export type AnyRunChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type AnyRunChangesSubscription = { readonly runChanges: { readonly cursor: string } };

export type RunQueryVariables = Exact<{
  id: string;
}>;


export type RunQuery = { readonly processRun: { readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly context: Record<string, unknown>, readonly depth: number, readonly workflowId: string, readonly temporalUrl: string | null, readonly parentStepId: string | null, readonly id: string, readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly temporalRunId: string | null, readonly stepConcurrency: ReadonlyArray<{ readonly stepId: string, readonly maxConcurrency: number }>, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly conversation: { readonly id: string, readonly title: string | null } | null, readonly parentRun: { readonly id: string, readonly processName: string } | null, readonly retryOf: { readonly id: string } | null, readonly budget: { readonly tokens: number | null, readonly tokensUsed: number, readonly costUsd: number | null, readonly costUsdUsed: number } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly inputs: Record<string, unknown> | null, readonly output: unknown, readonly outputTruncated: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null } | null, readonly worker: { readonly id: string, readonly type: OperationType } | null, readonly childRun: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly createdAt: string, readonly completedAt: string | null } | null }> } | null };

export type RunChangesSubscriptionVariables = Exact<{
  id: string;
}>;


export type RunChangesSubscription = { readonly processRun: { readonly id: string, readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly temporalRunId: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly inputs: Record<string, unknown> | null, readonly output: unknown, readonly outputTruncated: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null } | null, readonly worker: { readonly id: string, readonly type: OperationType } | null, readonly childRun: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly createdAt: string, readonly completedAt: string | null } | null }> } };

export type SubRunQueryVariables = Exact<{
  id: string;
}>;


export type SubRunQuery = { readonly processRun: { readonly id: string, readonly status: RunStatus, readonly output: string | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly temporalRunId: string | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly index: number | null, readonly status: StepStatus, readonly attempt: number, readonly cached: boolean, readonly inputs: Record<string, unknown> | null, readonly output: unknown, readonly outputTruncated: boolean, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly code: string, readonly message: string, readonly details: unknown } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null } | null, readonly worker: { readonly id: string, readonly type: OperationType } | null, readonly childRun: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly createdAt: string, readonly completedAt: string | null } | null }> } | null };

export type RunDefinitionQueryVariables = Exact<{
  id: string;
  version?: number | null | undefined;
}>;


export type RunDefinitionQuery = { readonly process: { readonly id: string, readonly name: string, readonly version: number, readonly initialContext: ReadonlyArray<string>, readonly contextSchema: Record<string, unknown> | null, readonly outputTemplate: string, readonly steps: ReadonlyArray<{ readonly description: string | null, readonly dependsOn: ReadonlyArray<string>, readonly inputs: Record<string, unknown>, readonly id: string, readonly output: { readonly variable: string, readonly required: boolean, readonly tokenBudget: number | null, readonly asFile: boolean }, readonly execution: { readonly mode: ExecutionMode, readonly condition: string | null, readonly forEach: string | null, readonly maxConcurrency: number | null, readonly failedItemsMax: number | null, readonly failedShareMax: number | null, readonly interactionMode: InteractionMode, readonly onFailure: FailurePolicy, readonly fallback: unknown, readonly timeout: number | null, readonly cacheSeconds: number | null, readonly pages: { readonly list: string, readonly next: string, readonly first: unknown, readonly maxPages: number } | null, readonly retry: { readonly maximumAttempts: number, readonly initialInterval: number, readonly backoffCoefficient: number, readonly maximumInterval: number, readonly nonRetryableErrors: ReadonlyArray<string> } | null }, readonly target:
        | { readonly __typename: 'Process', readonly id: string, readonly name: string }
        | { readonly __typename: 'Tool', readonly id: string, readonly name: string, readonly inputSchema: Record<string, unknown>, readonly outputSchema: Record<string, unknown>, readonly mutating: boolean, readonly status: HealthStatus, readonly operation:
            | { readonly __typename: 'GraphQueryOperation', readonly type: OperationType }
            | { readonly __typename: 'LlmCallOperation', readonly type: OperationType }
            | { readonly __typename: 'McpCallOperation', readonly type: OperationType }
            | { readonly __typename: 'RestCallOperation', readonly type: OperationType }
          , readonly service: { readonly id: string, readonly name: string } }
      , readonly tools: ReadonlyArray<{ readonly name: string | null, readonly description: string | null, readonly permission: ToolPermission | null, readonly target:
          | { readonly __typename: 'Process', readonly id: string, readonly name: string }
          | { readonly __typename: 'Tool', readonly id: string, readonly name: string }
         }>, readonly agent: { readonly maxRounds: number, readonly maxToolCalls: number, readonly toolChoice: ToolChoice, readonly approvalTimeout: number | null } | null }> } | null };

export type RunAttemptsQueryVariables = Exact<{
  requestId: string;
}>;


export type RunAttemptsQuery = { readonly callGraph: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly requestId: string, readonly operationName: string, readonly status: CallStatus, readonly startedAt: string | null, readonly completedAt: string | null, readonly createdAt: string, readonly parentRequestId: string | null, readonly input: unknown, readonly output: unknown, readonly error: Record<string, unknown> | null }>, readonly edges: ReadonlyArray<{ readonly edgeType: string, readonly source: string, readonly target: string }> } | null };

export type StepWordsQueryVariables = Exact<{
  id: string;
}>;


export type StepWordsQuery = { readonly node:
    | { readonly __typename: 'Alternative' }
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
    | { readonly __typename: 'StepRun', readonly prompt: ReadonlyArray<{ readonly role: MessageRole, readonly content: string }> | null, readonly rounds: ReadonlyArray<{ readonly index: number, readonly text: string | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number }, readonly toolCalls: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly status: StepStatus, readonly inputs: Record<string, unknown> | null, readonly output: unknown, readonly startedAt: string | null, readonly completedAt: string | null, readonly error: { readonly message: string } | null, readonly childRun: { readonly id: string, readonly status: RunStatus, readonly processName: string, readonly createdAt: string, readonly completedAt: string | null } | null }> }> }
    | { readonly __typename: 'Summary' }
    | { readonly __typename: 'TocNode' }
    | { readonly __typename: 'Tool' }
    | { readonly __typename: 'ToolCall' }
    | { readonly __typename: 'ToolTemplate' }
    | { readonly __typename: 'User' }
    | { readonly __typename: 'Worker' }
   | null };

export type WaitingApprovalFragment = { readonly id: string, readonly stepId: string, readonly index: number | null, readonly inputs: Record<string, unknown>, readonly variables: Record<string, unknown>, readonly requestedAt: string, readonly expiresAt: string | null, readonly tool: { readonly id: string, readonly name: string } | null, readonly memoryRequest: { readonly question: string, readonly reads: boolean, readonly writes: boolean, readonly version: number, readonly owner: { readonly id: string, readonly name: string } | null, readonly process: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly processName: string }, readonly rootRun: { readonly id: string, readonly processName: string } };

export type RunApprovalsQueryVariables = Exact<{
  runId: string;
}>;


export type RunApprovalsQuery = { readonly approvals: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly index: number | null, readonly inputs: Record<string, unknown>, readonly variables: Record<string, unknown>, readonly requestedAt: string, readonly expiresAt: string | null, readonly tool: { readonly id: string, readonly name: string } | null, readonly memoryRequest: { readonly question: string, readonly reads: boolean, readonly writes: boolean, readonly version: number, readonly owner: { readonly id: string, readonly name: string } | null, readonly process: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly processName: string }, readonly rootRun: { readonly id: string, readonly processName: string } }> } };

export type StartRunMutationVariables = Exact<{
  input: StartProcessRunInput;
}>;


export type StartRunMutation = { readonly startProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type CancelRunMutationVariables = Exact<{
  input: CancelProcessRunInput;
}>;


export type CancelRunMutation = { readonly cancelProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type PauseRunMutationVariables = Exact<{
  input: PauseProcessRunInput;
}>;


export type PauseRunMutation = { readonly pauseProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ResumeRunMutationVariables = Exact<{
  input: ResumeProcessRunInput;
}>;


export type ResumeRunMutation = { readonly resumeProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type TryStepMutationVariables = Exact<{
  input: TryStepInput;
}>;


export type TryStepMutation = { readonly tryStep: { readonly run: { readonly id: string } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RetryRunMutationVariables = Exact<{
  input: RetryProcessRunInput;
}>;


export type RetryRunMutation = { readonly retryProcessRun: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ResolveStepMutationVariables = Exact<{
  input: ResolveStepInput;
}>;


export type ResolveStepMutation = { readonly resolveStep: { readonly run: { readonly id: string, readonly status: RunStatus } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type RunTimesQueryVariables = Exact<{
  processId: string;
  from: string;
  to: string;
  bucketSeconds: number;
}>;


export type RunTimesQuery = { readonly processRunTimes: { readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null, readonly isWhole: boolean, readonly buckets: ReadonlyArray<{ readonly startedAt: string, readonly runs: number, readonly failedRuns: number, readonly p50Seconds: number | null, readonly p90Seconds: number | null, readonly p99Seconds: number | null, readonly tokens: number, readonly costUsd: number | null }> } };

export type SetStepConcurrencyMutationVariables = Exact<{
  input: SetStepConcurrencyInput;
}>;


export type SetStepConcurrencyMutation = { readonly setStepConcurrency: { readonly run: { readonly id: string, readonly stepConcurrency: ReadonlyArray<{ readonly stepId: string, readonly maxConcurrency: number }> } | null, readonly userErrors: ReadonlyArray<{ readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> }> } };

export type ProblemFragment = { readonly code: UserErrorCode, readonly message: string, readonly path: ReadonlyArray<string> };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: { readonly id: string, readonly name: string, readonly roles: ReadonlyArray<Role> } };

export type PaletteQueryVariables = Exact<{ [key: string]: never; }>;


export type PaletteQuery = { readonly processes: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly owner: { readonly id: string } }> }, readonly conversations: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly title: string | null }> } };

export type HealthStateFragment = { readonly status: HealthStatus, readonly neo4j: HealthStatus, readonly temporal: HealthStatus, readonly eventBus: HealthStatus, readonly version: string, readonly warnings: ReadonlyArray<{ readonly subject: string, readonly message: string, readonly advice: string, readonly startedAt: string, readonly waiting: number }> };

export type BackgroundStateFragment = { readonly tokensUsed: number, readonly tokensReserved: number, readonly tokensPerDay: number, readonly resetsAt: string, readonly waiting: ReadonlyArray<{ readonly processName: string, readonly reason: BackgroundWaitReason, readonly count: number, readonly oldestAt: string }> };

export type HomeQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeQuery = { readonly tour: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly owner: { readonly id: string } }> }, readonly own: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly owner: { readonly id: string } }> }, readonly chat: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly owner: { readonly id: string }, readonly steps: ReadonlyArray<{ readonly id: string, readonly target:
          | { readonly __typename: 'Process', readonly id: string }
          | { readonly __typename: 'Tool', readonly id: string, readonly connectionParams: Record<string, unknown> }
         }> }> }, readonly health: { readonly status: HealthStatus, readonly neo4j: HealthStatus, readonly temporal: HealthStatus, readonly eventBus: HealthStatus, readonly version: string, readonly warnings: ReadonlyArray<{ readonly subject: string, readonly message: string, readonly advice: string, readonly startedAt: string, readonly waiting: number }> }, readonly approvals: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly stepId: string, readonly index: number | null, readonly inputs: Record<string, unknown>, readonly variables: Record<string, unknown>, readonly requestedAt: string, readonly expiresAt: string | null, readonly tool: { readonly id: string, readonly name: string } | null, readonly memoryRequest: { readonly question: string, readonly reads: boolean, readonly writes: boolean, readonly version: number, readonly owner: { readonly id: string, readonly name: string } | null, readonly process: { readonly id: string } | null } | null, readonly run: { readonly id: string, readonly processName: string }, readonly rootRun: { readonly id: string, readonly processName: string } }> }, readonly running: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly depth: number, readonly status: RunStatus, readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus }> }> }, readonly failed: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly depth: number, readonly status: RunStatus, readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus }> }> }, readonly recent: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly depth: number, readonly status: RunStatus, readonly origin: RunOrigin, readonly processName: string, readonly processVersion: number, readonly createdAt: string, readonly startedAt: string | null, readonly completedAt: string | null, readonly owner: { readonly id: string, readonly name: string }, readonly process: { readonly id: string } | null, readonly error: { readonly code: string, readonly message: string, readonly stepId: string | null } | null, readonly usage: { readonly inputTokens: number, readonly outputTokens: number, readonly llmCalls: number, readonly toolCalls: number, readonly costUsd: number | null }, readonly steps: ReadonlyArray<{ readonly stepId: string, readonly index: number | null, readonly status: StepStatus }> }> }, readonly services: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly status: HealthStatus, readonly enabled: boolean, readonly errorMessage: string | null }> }, readonly conversations: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly id: string, readonly title: string | null, readonly updatedAt: string }> }, readonly entities: { readonly totalCount: number }, readonly memorySettings: { readonly backgroundWork: { readonly tokensUsed: number, readonly tokensReserved: number, readonly tokensPerDay: number, readonly resetsAt: string, readonly waiting: ReadonlyArray<{ readonly processName: string, readonly reason: BackgroundWaitReason, readonly count: number, readonly oldestAt: string }> } } };

export const WholeOperationFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WholeOperation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Operation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"systemPrompt"}},{"kind":"Field","name":{"kind":"Name","value":"promptTemplate"}},{"kind":"Field","name":{"kind":"Name","value":"messages"}},{"kind":"Field","name":{"kind":"Name","value":"responseSchema"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","alias":{"kind":"Name","value":"parameters"},"name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"headers"}},{"kind":"Field","name":{"kind":"Name","value":"cookies"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"bodyKind"}},{"kind":"Field","name":{"kind":"Name","value":"probe"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"Field","name":{"kind":"Name","value":"styles"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"in"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"style"}},{"kind":"Field","name":{"kind":"Name","value":"explode"}},{"kind":"Field","name":{"kind":"Name","value":"allowReserved"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"access"}},{"kind":"Field","alias":{"kind":"Name","value":"cypher"},"name":{"kind":"Name","value":"query"}}]}}]}}]} as unknown as DocumentNode<WholeOperationFragment, unknown>;
export const WholeToolFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WholeTool"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"healthTells"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"Field","name":{"kind":"Name","value":"lastHealthCheckAt"}},{"kind":"Field","name":{"kind":"Name","value":"connectionParams"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secretScope"}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"connectionSchema"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WholeOperation"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usedBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WholeOperation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Operation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"systemPrompt"}},{"kind":"Field","name":{"kind":"Name","value":"promptTemplate"}},{"kind":"Field","name":{"kind":"Name","value":"messages"}},{"kind":"Field","name":{"kind":"Name","value":"responseSchema"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","alias":{"kind":"Name","value":"parameters"},"name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"headers"}},{"kind":"Field","name":{"kind":"Name","value":"cookies"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"bodyKind"}},{"kind":"Field","name":{"kind":"Name","value":"probe"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"Field","name":{"kind":"Name","value":"styles"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"in"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"style"}},{"kind":"Field","name":{"kind":"Name","value":"explode"}},{"kind":"Field","name":{"kind":"Name","value":"allowReserved"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"access"}},{"kind":"Field","alias":{"kind":"Name","value":"cypher"},"name":{"kind":"Name","value":"query"}}]}}]}}]} as unknown as DocumentNode<WholeToolFragment, unknown>;
export const RatingFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Rating"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rating"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"comment"}}]}}]} as unknown as DocumentNode<RatingFragment, unknown>;
export const VersionFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Version"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"parts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImagePart"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FilePart"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"hasChildren"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"executedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"rating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Rating"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Rating"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rating"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"comment"}}]}}]} as unknown as DocumentNode<VersionFragment, unknown>;
export const TurnFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Turn"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationTurn"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"alternatives"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Version"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Rating"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rating"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"comment"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Version"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"parts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImagePart"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FilePart"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"hasChildren"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"executedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"rating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Rating"}}]}}]}}]} as unknown as DocumentNode<TurnFragment, unknown>;
export const ConversationRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConversationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Conversation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<ConversationRowFragment, unknown>;
export const RecalledFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Recalled"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RecalledMemory"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"targetId"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"relevance"}},{"kind":"Field","name":{"kind":"Name","value":"isQuotation"}},{"kind":"Field","name":{"kind":"Name","value":"inReplyTo"}},{"kind":"Field","name":{"kind":"Name","value":"corrects"}},{"kind":"Field","name":{"kind":"Name","value":"sources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"saidBy"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"episodeId"}},{"kind":"Field","name":{"kind":"Name","value":"turnId"}},{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}}]} as unknown as DocumentNode<RecalledFragment, unknown>;
export const ProcessChoiceFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProcessChoice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}}]}}]} as unknown as DocumentNode<ProcessChoiceFragment, unknown>;
export const StatementFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Statement"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}}]} as unknown as DocumentNode<StatementFieldsFragment, unknown>;
export const HitFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HitFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SearchHit"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"score"}},{"kind":"Field","name":{"kind":"Name","value":"why"}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"episode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"sourceDescription"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"statement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatementFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reasons"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"measure"}},{"kind":"Field","name":{"kind":"Name","value":"points"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Statement"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}}]} as unknown as DocumentNode<HitFieldsFragment, unknown>;
export const ForgetsFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ForgetsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Forgets"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"facts"}},{"kind":"Field","name":{"kind":"Name","value":"statements"}},{"kind":"Field","name":{"kind":"Name","value":"mentions"}},{"kind":"Field","name":{"kind":"Name","value":"summaries"}},{"kind":"Field","name":{"kind":"Name","value":"vectors"}},{"kind":"Field","name":{"kind":"Name","value":"conversations"}}]}}]} as unknown as DocumentNode<ForgetsFieldsFragment, unknown>;
export const FactFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiredAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<FactFieldsFragment, unknown>;
export const TocRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TocRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TocNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}},{"kind":"Field","name":{"kind":"Name","value":"keywords"}},{"kind":"Field","name":{"kind":"Name","value":"provisional"}},{"kind":"Field","name":{"kind":"Name","value":"unsummarised"}},{"kind":"Field","name":{"kind":"Name","value":"unsummarisedReason"}},{"kind":"Field","name":{"kind":"Name","value":"childNodeIds"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]} as unknown as DocumentNode<TocRowFragment, unknown>;
export const SaidFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Said"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MemoryEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}},{"kind":"Field","name":{"kind":"Name","value":"sessionId"}}]}}]} as unknown as DocumentNode<SaidFragment, unknown>;
export const SettingsFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SettingsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Settings"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activeEntitiesMax"}},{"kind":"Field","name":{"kind":"Name","value":"backgroundTokensPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"callGraphRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"compressionTokenThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"dedupSimilarityThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"enrichmentEdgeThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"entryRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"forEachItemsMax"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"introspectionCompressionThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"introspectionMaxRotation"}},{"kind":"Field","name":{"kind":"Name","value":"lineSupportThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"memoryRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"payloadTruncationThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"redactedFields"}},{"kind":"Field","name":{"kind":"Name","value":"redactedPatterns"}},{"kind":"Field","name":{"kind":"Name","value":"runRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"runsPerRunMax"}},{"kind":"Field","name":{"kind":"Name","value":"segmentGapMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"segmentMaxTokens"}},{"kind":"Field","name":{"kind":"Name","value":"segmentOverlapEvents"}},{"kind":"Field","name":{"kind":"Name","value":"sessionRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"stepsPerRunMax"}},{"kind":"Field","name":{"kind":"Name","value":"summaryTokensMin"}},{"kind":"Field","name":{"kind":"Name","value":"systemRunRetentionDays"}}]}}]} as unknown as DocumentNode<SettingsFieldsFragment, unknown>;
export const RunTimesFieldsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunTimesFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RunTimes"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"failedRuns"}},{"kind":"Field","name":{"kind":"Name","value":"p50Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p90Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p99Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"isWhole"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"failedRuns"}},{"kind":"Field","name":{"kind":"Name","value":"p50Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p90Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p99Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}}]}}]} as unknown as DocumentNode<RunTimesFieldsFragment, unknown>;
export const DefinedStepFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DefinedStep"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessStep"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"dependsOn"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"variable"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"tokenBudget"}},{"kind":"Field","name":{"kind":"Name","value":"asFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"execution"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"condition"}},{"kind":"Field","name":{"kind":"Name","value":"pages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"list"}},{"kind":"Field","name":{"kind":"Name","value":"next"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"maxPages"}}]}},{"kind":"Field","name":{"kind":"Name","value":"forEach"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrency"}},{"kind":"Field","name":{"kind":"Name","value":"failedItemsMax"}},{"kind":"Field","name":{"kind":"Name","value":"failedShareMax"}},{"kind":"Field","name":{"kind":"Name","value":"interactionMode"}},{"kind":"Field","name":{"kind":"Name","value":"onFailure"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}},{"kind":"Field","name":{"kind":"Name","value":"timeout"}},{"kind":"Field","name":{"kind":"Name","value":"cacheSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maximumAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"initialInterval"}},{"kind":"Field","name":{"kind":"Name","value":"backoffCoefficient"}},{"kind":"Field","name":{"kind":"Name","value":"maximumInterval"}},{"kind":"Field","name":{"kind":"Name","value":"nonRetryableErrors"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"permission"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"agent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxRounds"}},{"kind":"Field","name":{"kind":"Name","value":"maxToolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolChoice"}},{"kind":"Field","name":{"kind":"Name","value":"approvalTimeout"}}]}}]}}]} as unknown as DocumentNode<DefinedStepFragment, unknown>;
export const ScheduleFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schedule"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessSchedule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunsAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"recentRuns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<ScheduleFragment, unknown>;
export const RunRowFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"depth"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<RunRowFragment, unknown>;
export const RunStateFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"temporalRunId"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"outputTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]}}]}}]} as unknown as DocumentNode<RunStateFragment, unknown>;
export const WaitingApprovalFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WaitingApproval"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Approval"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"variables"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"question"}},{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rootRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}}]}}]} as unknown as DocumentNode<WaitingApprovalFragment, unknown>;
export const ProblemFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ProblemFragment, unknown>;
export const HealthStateFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HealthState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Health"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"neo4j"}},{"kind":"Field","name":{"kind":"Name","value":"temporal"}},{"kind":"Field","name":{"kind":"Name","value":"eventBus"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"advice"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}}]}}]}}]} as unknown as DocumentNode<HealthStateFragment, unknown>;
export const BackgroundStateFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BackgroundState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BackgroundWork"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokensUsed"}},{"kind":"Field","name":{"kind":"Name","value":"tokensReserved"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"oldestAt"}}]}}]}}]} as unknown as DocumentNode<BackgroundStateFragment, unknown>;
export const CatalogToolsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CatalogTools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"Field","name":{"kind":"Name","value":"lastHealthCheckAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usedBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<CatalogToolsQuery, CatalogToolsQueryVariables>;
export const CatalogDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Catalog"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"services"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"secrets"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"serviceTemplates"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"toolTemplates"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"services"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"services"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"protocol"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"Field","name":{"kind":"Name","value":"lastHealthCheckAt"}},{"kind":"Field","name":{"kind":"Name","value":"requiresSecret"}},{"kind":"Field","name":{"kind":"Name","value":"connectionSchema"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"secrets"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"secrets"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"allowedOrigins"}},{"kind":"Field","name":{"kind":"Name","value":"rotatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"3"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"serviceTemplates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"serviceTemplates"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"protocol"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"toolTemplates"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"toolTemplates"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"ownerId"}}]}}]}}]}}]} as unknown as DocumentNode<CatalogQuery, CatalogQueryVariables>;
export const CatalogUsesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CatalogUses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"usedBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Service"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Secret"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<CatalogUsesQuery, CatalogUsesQueryVariables>;
export const ToolPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ToolPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WholeTool"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WholeOperation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Operation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"systemPrompt"}},{"kind":"Field","name":{"kind":"Name","value":"promptTemplate"}},{"kind":"Field","name":{"kind":"Name","value":"messages"}},{"kind":"Field","name":{"kind":"Name","value":"responseSchema"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","alias":{"kind":"Name","value":"parameters"},"name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"headers"}},{"kind":"Field","name":{"kind":"Name","value":"cookies"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"bodyKind"}},{"kind":"Field","name":{"kind":"Name","value":"probe"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"Field","name":{"kind":"Name","value":"styles"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"in"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"style"}},{"kind":"Field","name":{"kind":"Name","value":"explode"}},{"kind":"Field","name":{"kind":"Name","value":"allowReserved"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"access"}},{"kind":"Field","alias":{"kind":"Name","value":"cypher"},"name":{"kind":"Name","value":"query"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WholeTool"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"healthTells"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"Field","name":{"kind":"Name","value":"lastHealthCheckAt"}},{"kind":"Field","name":{"kind":"Name","value":"connectionParams"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secretScope"}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"connectionSchema"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WholeOperation"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usedBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ToolPageQuery, ToolPageQueryVariables>;
export const TryToolDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TryTool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TestToolInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testTool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"durationMs"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<TryToolMutation, TryToolMutationVariables>;
export const CheckHealthDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CheckHealth"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CheckServiceHealthInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"checkServiceHealth"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"Field","name":{"kind":"Name","value":"lastHealthCheckAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CheckHealthMutation, CheckHealthMutationVariables>;
export const ServiceToolsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ServiceTools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"service"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"connectionParams"}},{"kind":"Field","name":{"kind":"Name","value":"secret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ServiceToolsQuery, ServiceToolsQueryVariables>;
export const McpToolsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"McpTools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"serviceId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"connectionParams"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"JSONObject"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"secretId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mcpServerTools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"serviceId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"serviceId"}}},{"kind":"Argument","name":{"kind":"Name","value":"connectionParams"},"value":{"kind":"Variable","name":{"kind":"Name","value":"connectionParams"}}},{"kind":"Argument","name":{"kind":"Name","value":"secretId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"secretId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"changedFields"}},{"kind":"Field","name":{"kind":"Name","value":"problem"}}]}}]}}]} as unknown as DocumentNode<McpToolsQuery, McpToolsQueryVariables>;
export const ImportMcpDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportMcp"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImportMcpToolsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importMcpTools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ImportMcpMutation, ImportMcpMutationVariables>;
export const ImportOpenApiDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ImportOpenApi"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ImportOpenApiToolsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"importOpenApiTools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"operations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operationId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"call"}},{"kind":"Field","name":{"kind":"Name","value":"state"}},{"kind":"Field","name":{"kind":"Name","value":"changedFields"}},{"kind":"Field","name":{"kind":"Name","value":"problem"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ImportOpenApiMutation, ImportOpenApiMutationVariables>;
export const CreateServiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateService"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateServiceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createService"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CreateServiceMutation, CreateServiceMutationVariables>;
export const UpdateServiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateService"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateServiceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateService"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UpdateServiceMutation, UpdateServiceMutationVariables>;
export const DeleteServiceDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteService"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteServiceInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteService"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteServiceMutation, DeleteServiceMutationVariables>;
export const CreateToolDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateTool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateToolInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createTool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CreateToolMutation, CreateToolMutationVariables>;
export const UpdateToolDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateTool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateToolInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateTool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WholeTool"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WholeOperation"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Operation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"systemPrompt"}},{"kind":"Field","name":{"kind":"Name","value":"promptTemplate"}},{"kind":"Field","name":{"kind":"Name","value":"messages"}},{"kind":"Field","name":{"kind":"Name","value":"responseSchema"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}},{"kind":"Field","alias":{"kind":"Name","value":"parameters"},"name":{"kind":"Name","value":"query"}},{"kind":"Field","name":{"kind":"Name","value":"headers"}},{"kind":"Field","name":{"kind":"Name","value":"cookies"}},{"kind":"Field","name":{"kind":"Name","value":"body"}},{"kind":"Field","name":{"kind":"Name","value":"bodyKind"}},{"kind":"Field","name":{"kind":"Name","value":"probe"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"method"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}},{"kind":"Field","name":{"kind":"Name","value":"styles"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"in"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"style"}},{"kind":"Field","name":{"kind":"Name","value":"explode"}},{"kind":"Field","name":{"kind":"Name","value":"allowReserved"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tool"}},{"kind":"Field","name":{"kind":"Name","value":"arguments"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"access"}},{"kind":"Field","alias":{"kind":"Name","value":"cypher"},"name":{"kind":"Name","value":"query"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WholeTool"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"healthTells"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}},{"kind":"Field","name":{"kind":"Name","value":"lastHealthCheckAt"}},{"kind":"Field","name":{"kind":"Name","value":"connectionParams"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secretScope"}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"connectionSchema"}}]}},{"kind":"Field","name":{"kind":"Name","value":"secret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WholeOperation"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usedBy"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UpdateToolMutation, UpdateToolMutationVariables>;
export const ToolCallersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ToolCallers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateToolInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"toolUpdatePreview"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fits"}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"others"}},{"kind":"Field","name":{"kind":"Name","value":"othersBroken"}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ToolCallersQuery, ToolCallersQueryVariables>;
export const DeleteToolDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteTool"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteToolInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteTool"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteToolMutation, DeleteToolMutationVariables>;
export const CreateSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSecretInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CreateSecretMutation, CreateSecretMutationVariables>;
export const UpdateSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateSecretInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"secret"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UpdateSecretMutation, UpdateSecretMutationVariables>;
export const DeleteSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteSecretInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteSecretMutation, DeleteSecretMutationVariables>;
export const CreateServiceTemplateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateServiceTemplate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateServiceTemplateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createServiceTemplate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceTemplate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CreateServiceTemplateMutation, CreateServiceTemplateMutationVariables>;
export const UpdateServiceTemplateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateServiceTemplate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateServiceTemplateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateServiceTemplate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"serviceTemplate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UpdateServiceTemplateMutation, UpdateServiceTemplateMutationVariables>;
export const DeleteServiceTemplateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteServiceTemplate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteServiceTemplateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteServiceTemplate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteServiceTemplateMutation, DeleteServiceTemplateMutationVariables>;
export const CreateToolTemplateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateToolTemplate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateToolTemplateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createToolTemplate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"toolTemplate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CreateToolTemplateMutation, CreateToolTemplateMutationVariables>;
export const UpdateToolTemplateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateToolTemplate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateToolTemplateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateToolTemplate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"toolTemplate"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UpdateToolTemplateMutation, UpdateToolTemplateMutationVariables>;
export const DeleteToolTemplateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteToolTemplate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteToolTemplateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteToolTemplate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteToolTemplateMutation, DeleteToolTemplateMutationVariables>;
export const TestSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TestSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TestSecretInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"testSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"outcome"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<TestSecretMutation, TestSecretMutationVariables>;
export const ConversationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Conversations"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationStatus"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}},{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConversationRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConversationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Conversation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<ConversationsQuery, ConversationsQueryVariables>;
export const ConversationChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ConversationChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversationChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ConversationRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ConversationRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Conversation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]} as unknown as DocumentNode<ConversationChangesSubscription, ConversationChangesSubscriptionVariables>;
export const AnyConversationChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"AnyConversationChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversationChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}}]}}]}}]} as unknown as DocumentNode<AnyConversationChangesSubscription, AnyConversationChangesSubscriptionVariables>;
export const ConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Conversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"defaultProcess"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"recall"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"otherConversations"}}]}},{"kind":"Field","name":{"kind":"Name","value":"forkedFrom"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"originTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"forks"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"activePath"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Turn"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Rating"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rating"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"comment"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Version"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Alternative"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"parts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ImagePart"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"alt"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"FilePart"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"mediaType"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"hasChildren"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"executedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"rating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Rating"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Turn"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ConversationTurn"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"alternatives"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Version"}}]}}]}}]} as unknown as DocumentNode<ConversationQuery, ConversationQueryVariables>;
export const ConversationTurnsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ConversationTurns"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"turns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"viaAlternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"alternatives"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sequence"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}},{"kind":"Field","name":{"kind":"Name","value":"cacheStatus"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ConversationTurnsQuery, ConversationTurnsQueryVariables>;
export const AnswerSourcesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"AnswerSources"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"runId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"turnId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"alternativeId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"runId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"workingMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"conversationId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"turnId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"turnId"}}},{"kind":"Argument","name":{"kind":"Name","value":"alternativeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"alternativeId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"recalled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Recalled"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Recalled"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RecalledMemory"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"targetId"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"relevance"}},{"kind":"Field","name":{"kind":"Name","value":"isQuotation"}},{"kind":"Field","name":{"kind":"Name","value":"inReplyTo"}},{"kind":"Field","name":{"kind":"Name","value":"corrects"}},{"kind":"Field","name":{"kind":"Name","value":"sources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"saidBy"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"episodeId"}},{"kind":"Field","name":{"kind":"Name","value":"turnId"}},{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}}]} as unknown as DocumentNode<AnswerSourcesQuery, AnswerSourcesQueryVariables>;
export const WorkingMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"WorkingMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"workingMemory"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalTokens"}},{"kind":"Field","name":{"kind":"Name","value":"tokenBreakdown"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"immediatePath"}},{"kind":"Field","name":{"kind":"Name","value":"summaries"}},{"kind":"Field","name":{"kind":"Name","value":"activeEntities"}},{"kind":"Field","name":{"kind":"Name","value":"introspection"}},{"kind":"Field","name":{"kind":"Name","value":"recalled"}}]}},{"kind":"Field","name":{"kind":"Name","value":"messages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"recallReason"}},{"kind":"Field","name":{"kind":"Name","value":"recalled"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Recalled"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"activeEntities"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityUuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"category"}},{"kind":"Field","name":{"kind":"Name","value":"pinned"}},{"kind":"Field","name":{"kind":"Name","value":"relevanceScore"}},{"kind":"Field","name":{"kind":"Name","value":"includeSummary"}},{"kind":"Field","name":{"kind":"Name","value":"includeFacets"}},{"kind":"Field","name":{"kind":"Name","value":"includeRelationships"}}]}},{"kind":"Field","name":{"kind":"Name","value":"summaries"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"compressionLevel"}},{"kind":"Field","name":{"kind":"Name","value":"tokenCount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Recalled"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RecalledMemory"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"targetId"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"relevance"}},{"kind":"Field","name":{"kind":"Name","value":"isQuotation"}},{"kind":"Field","name":{"kind":"Name","value":"inReplyTo"}},{"kind":"Field","name":{"kind":"Name","value":"corrects"}},{"kind":"Field","name":{"kind":"Name","value":"sources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"saidBy"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"episodeId"}},{"kind":"Field","name":{"kind":"Name","value":"turnId"}},{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}}]} as unknown as DocumentNode<WorkingMemoryQuery, WorkingMemoryQueryVariables>;
export const AnswerersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Answerers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"shipped"},"name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"chat","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProcessChoice"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"own"},"name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"includeShared"},"value":{"kind":"BooleanValue","value":false}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProcessChoice"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProcessChoice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}}]}}]} as unknown as DocumentNode<AnswerersQuery, AnswerersQueryVariables>;
export const ProcessChoicesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProcessChoices"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ProcessChoice"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ProcessChoice"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}}]}}]} as unknown as DocumentNode<ProcessChoicesQuery, ProcessChoicesQueryVariables>;
export const NewConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"NewConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<NewConversationMutation, NewConversationMutationVariables>;
export const RenameConversationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RenameConversation"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<RenameConversationMutation, RenameConversationMutationVariables>;
export const UploadFileDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UploadFile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UploadFileInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uploadFile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uri"}},{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UploadFileMutation, UploadFileMutationVariables>;
export const SendDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Send"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SendMessageInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sendMessage"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"agentTurn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<SendMutation, SendMutationVariables>;
export const AnswerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Answer"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GenerateTurnInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"generateTurn"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<AnswerMutation, AnswerMutationVariables>;
export const AddVersionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddVersion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AddAlternativeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"addAlternative"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<AddVersionMutation, AddVersionMutationVariables>;
export const ShowVersionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ShowVersion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ActivateAlternativeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activateAlternative"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"isActive"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ShowVersionMutation, ShowVersionMutationVariables>;
export const RateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Rate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RateAlternativeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rateAlternative"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"alternative"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"rating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Rating"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Rating"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rating"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"comment"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<RateMutation, RateMutationVariables>;
export const RatedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Rated"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"value"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"RatingValue"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"ratedAlternatives"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"value"},"value":{"kind":"Variable","name":{"kind":"Name","value":"value"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"rating"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Rating"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"respondsTo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"turn"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Rating"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Rating"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"}},{"kind":"Field","name":{"kind":"Name","value":"comment"}}]}}]} as unknown as DocumentNode<RatedQuery, RatedQueryVariables>;
export const ForkDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Fork"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ForkConversationInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forkConversation"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ForkMutation, ForkMutationVariables>;
export const SwitchEntityDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SwitchEntity"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetActiveEntityInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setActiveEntity"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<SwitchEntityMutation, SwitchEntityMutationVariables>;
export const MemorySearchDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemorySearch"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SearchInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"answerable"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"hits"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"HitFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nearest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Statement"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HitFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SearchHit"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"score"}},{"kind":"Field","name":{"kind":"Name","value":"why"}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"episode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"sourceDescription"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"statement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatementFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reasons"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"measure"}},{"kind":"Field","name":{"kind":"Name","value":"points"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]} as unknown as DocumentNode<MemorySearchQuery, MemorySearchQueryVariables>;
export const MemoryNearestDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemoryNearest"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SearchInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"searchMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nearest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"HitFields"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Statement"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HitFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SearchHit"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"score"}},{"kind":"Field","name":{"kind":"Name","value":"why"}},{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}}]}},{"kind":"Field","name":{"kind":"Name","value":"episode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"sourceDescription"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fact"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"statement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatementFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"event"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"reasons"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"measure"}},{"kind":"Field","name":{"kind":"Name","value":"points"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}}]} as unknown as DocumentNode<MemoryNearestQuery, MemoryNearestQueryVariables>;
export const EntitiesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Entities"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entities"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"edgeCount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}}]} as unknown as DocumentNode<EntitiesQuery, EntitiesQueryVariables>;
export const EntityPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"EntityPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entity"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"uuid"},"value":{"kind":"Variable","name":{"kind":"Name","value":"uuid"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"facets"}},{"kind":"Field","name":{"kind":"Name","value":"edgeCount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"enrichedAt"}},{"kind":"Field","name":{"kind":"Name","value":"mergedFrom"}},{"kind":"Field","name":{"kind":"Name","value":"proposedSummary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summaryId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}},{"kind":"Field","name":{"kind":"Name","value":"sources"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"originalName"}},{"kind":"Field","name":{"kind":"Name","value":"confidence"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"episodeId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"facts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"statements"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"includeEnded"},"value":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"StatementFields"}},{"kind":"Field","name":{"kind":"Name","value":"about"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"episodes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"sourceDescription"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiredAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"StatementFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Statement"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"speaker"}},{"kind":"Field","name":{"kind":"Name","value":"saidAt"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"recordedAt"}},{"kind":"Field","name":{"kind":"Name","value":"endedBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}}]}}]} as unknown as DocumentNode<EntityPageQuery, EntityPageQueryVariables>;
export const ChooseSummaryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChooseSummary"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ChooseEntitySummaryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"chooseEntitySummary"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entity"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"summary"}},{"kind":"Field","name":{"kind":"Name","value":"proposedSummary"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"summaryId"}},{"kind":"Field","name":{"kind":"Name","value":"text"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ChooseSummaryMutation, ChooseSummaryMutationVariables>;
export const ForgetsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Forgets"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forgets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ForgetsFields"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Entity"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forgets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"ForgetsFields"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"ForgetsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Forgets"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"facts"}},{"kind":"Field","name":{"kind":"Name","value":"statements"}},{"kind":"Field","name":{"kind":"Name","value":"mentions"}},{"kind":"Field","name":{"kind":"Name","value":"summaries"}},{"kind":"Field","name":{"kind":"Name","value":"vectors"}},{"kind":"Field","name":{"kind":"Name","value":"conversations"}}]}}]} as unknown as DocumentNode<ForgetsQuery, ForgetsQueryVariables>;
export const ForgetDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Forget"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ForgetInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forget"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"forgotten"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ForgetMutation, ForgetMutationVariables>;
export const TocRootDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TocRoot"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tocRoot"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TocRow"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TocRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TocNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}},{"kind":"Field","name":{"kind":"Name","value":"keywords"}},{"kind":"Field","name":{"kind":"Name","value":"provisional"}},{"kind":"Field","name":{"kind":"Name","value":"unsummarised"}},{"kind":"Field","name":{"kind":"Name","value":"unsummarisedReason"}},{"kind":"Field","name":{"kind":"Name","value":"childNodeIds"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]} as unknown as DocumentNode<TocRootQuery, TocRootQueryVariables>;
export const TocPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"TocPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"nodeId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tocNode"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"nodeId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"nodeId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TocRow"}},{"kind":"Field","name":{"kind":"Name","value":"tokenCount"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"parent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"bullets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"quotation"}},{"kind":"Field","name":{"kind":"Name","value":"speakers"}},{"kind":"Field","name":{"kind":"Name","value":"support"}},{"kind":"Field","name":{"kind":"Name","value":"grips"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gripId"}},{"kind":"Field","name":{"kind":"Name","value":"excerpt"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"children"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"TocRow"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"TocRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"TocNode"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodeId"}},{"kind":"Field","name":{"kind":"Name","value":"level"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"startsAt"}},{"kind":"Field","name":{"kind":"Name","value":"endsAt"}},{"kind":"Field","name":{"kind":"Name","value":"keywords"}},{"kind":"Field","name":{"kind":"Name","value":"provisional"}},{"kind":"Field","name":{"kind":"Name","value":"unsummarised"}},{"kind":"Field","name":{"kind":"Name","value":"unsummarisedReason"}},{"kind":"Field","name":{"kind":"Name","value":"childNodeIds"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}}]} as unknown as DocumentNode<TocPageQuery, TocPageQueryVariables>;
export const GripDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Grip"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"gripId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"expandGrip"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"gripId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"gripId"}}},{"kind":"Argument","name":{"kind":"Name","value":"eventsBefore"},"value":{"kind":"IntValue","value":"2"}},{"kind":"Argument","name":{"kind":"Name","value":"eventsAfter"},"value":{"kind":"IntValue","value":"2"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"grip"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"gripId"}},{"kind":"Field","name":{"kind":"Name","value":"excerpt"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"}}]}},{"kind":"Field","name":{"kind":"Name","value":"eventsBefore"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Said"}}]}},{"kind":"Field","name":{"kind":"Name","value":"excerptEvents"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Said"}}]}},{"kind":"Field","name":{"kind":"Name","value":"eventsAfter"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Said"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Said"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"MemoryEvent"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"eventId"}},{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"}},{"kind":"Field","name":{"kind":"Name","value":"sessionId"}}]}}]} as unknown as DocumentNode<GripQuery, GripQueryVariables>;
export const IntrospectionsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Introspections"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"introspections"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"carouselPosition"}}]}}]}}]} as unknown as DocumentNode<IntrospectionsQuery, IntrospectionsQueryVariables>;
export const ArchiveNoteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ArchiveNote"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteIntrospectionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteIntrospection"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ArchiveNoteMutation, ArchiveNoteMutationVariables>;
export const MemoryGraphDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MemoryGraph"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entities"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"entityType"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"facts"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"FactFields"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"FactFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Fact"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"fact"}},{"kind":"Field","name":{"kind":"Name","value":"validAt"}},{"kind":"Field","name":{"kind":"Name","value":"invalidAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiredAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"source"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"uuid"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]} as unknown as DocumentNode<MemoryGraphQuery, MemoryGraphQueryVariables>;
export const BlobPartDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"BlobPart"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"uri"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"offset"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"length"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"blob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"uri"},"value":{"kind":"Variable","name":{"kind":"Name","value":"uri"}}},{"kind":"Argument","name":{"kind":"Name","value":"offset"},"value":{"kind":"Variable","name":{"kind":"Name","value":"offset"}}},{"kind":"Argument","name":{"kind":"Name","value":"length"},"value":{"kind":"Variable","name":{"kind":"Name","value":"length"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"size"}},{"kind":"Field","name":{"kind":"Name","value":"content"}},{"kind":"Field","name":{"kind":"Name","value":"nextOffset"}}]}}]}}]} as unknown as DocumentNode<BlobPartQuery, BlobPartQueryVariables>;
export const MyDataDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MyData"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"myDataRequests"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"phase"}},{"kind":"Field","name":{"kind":"Name","value":"records"}},{"kind":"Field","name":{"kind":"Name","value":"archive"}},{"kind":"Field","name":{"kind":"Name","value":"error"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}}]} as unknown as DocumentNode<MyDataQuery, MyDataQueryVariables>;
export const ExportMyDataDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ExportMyData"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"exportMyData"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"request"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ExportMyDataMutation, ExportMyDataMutationVariables>;
export const DeleteMyDataDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteMyData"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteMyDataInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteMyData"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"request"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteMyDataMutation, DeleteMyDataMutationVariables>;
export const OperationsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Operations"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"HealthState"}}]}},{"kind":"Field","name":{"kind":"Name","value":"workers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"taskQueue"}},{"kind":"Field","name":{"kind":"Name","value":"processedCount"}},{"kind":"Field","name":{"kind":"Name","value":"errorCount"}},{"kind":"Field","name":{"kind":"Name","value":"lastHeartbeatAt"}},{"kind":"Field","name":{"kind":"Name","value":"currentJobId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"jobs"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"backlog"}}]}},{"kind":"Field","name":{"kind":"Name","value":"retention"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"kind"}},{"kind":"Field","name":{"kind":"Name","value":"days"}},{"kind":"Field","name":{"kind":"Name","value":"due"}},{"kind":"Field","name":{"kind":"Name","value":"setting"}},{"kind":"Field","name":{"kind":"Name","value":"lastDeleted"}},{"kind":"Field","name":{"kind":"Name","value":"lastDeletedAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memorySettings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"llmTool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"backgroundWork"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BackgroundState"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HealthState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Health"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"neo4j"}},{"kind":"Field","name":{"kind":"Name","value":"temporal"}},{"kind":"Field","name":{"kind":"Name","value":"eventBus"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"advice"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BackgroundState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BackgroundWork"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokensUsed"}},{"kind":"Field","name":{"kind":"Name","value":"tokensReserved"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"oldestAt"}}]}}]}}]} as unknown as DocumentNode<OperationsQuery, OperationsQueryVariables>;
export const PauseJobDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PauseJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PauseJobInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pauseJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"job"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<PauseJobMutation, PauseJobMutationVariables>;
export const ResumeJobDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResumeJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResumeJobInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resumeJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"job"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ResumeJobMutation, ResumeJobMutationVariables>;
export const RunJobDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RunJob"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RunJobInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runJob"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"job"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"lastRunAt"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<RunJobMutation, RunJobMutationVariables>;
export const MetricsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Metrics"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metricDefinitions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"scope"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"dataType"}},{"kind":"Field","name":{"kind":"Name","value":"aggregation"}},{"kind":"Field","name":{"kind":"Name","value":"retentionDays"}}]}}]}}]} as unknown as DocumentNode<MetricsQuery, MetricsQueryVariables>;
export const ProcessNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProcessNames"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ProcessNamesQuery, ProcessNamesQueryVariables>;
export const ToolNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ToolNames"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ToolNamesQuery, ToolNamesQueryVariables>;
export const ServiceNamesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ServiceNames"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"services"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]} as unknown as DocumentNode<ServiceNamesQuery, ServiceNamesQueryVariables>;
export const CreateMetricDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateMetric"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateMetricDefinitionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createMetricDefinition"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metricDefinition"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CreateMetricMutation, CreateMetricMutationVariables>;
export const UpdateMetricDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateMetric"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateMetricDefinitionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateMetricDefinition"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metricDefinition"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"aggregation"}},{"kind":"Field","name":{"kind":"Name","value":"retentionDays"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<UpdateMetricMutation, UpdateMetricMutationVariables>;
export const DeleteMetricDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteMetric"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteMetricDefinitionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteMetricDefinition"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteMetricMutation, DeleteMetricMutationVariables>;
export const MetricSeriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MetricSeries"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"entityId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"metricId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"bucketSeconds"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Float"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"metricSeries"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"entityId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"entityId"}}},{"kind":"Argument","name":{"kind":"Name","value":"metricId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"metricId"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"bucketSeconds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"bucketSeconds"}}},{"kind":"Argument","name":{"kind":"Name","value":"includeSystem"},"value":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"entityId"}},{"kind":"Field","name":{"kind":"Name","value":"aggregate"}},{"kind":"Field","name":{"kind":"Name","value":"points"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1000"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"measuredAt"}},{"kind":"Field","name":{"kind":"Name","value":"value"}}]}}]}}]}}]} as unknown as DocumentNode<MetricSeriesQuery, MetricSeriesQueryVariables>;
export const SettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Settings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"settings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SettingsFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SettingsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Settings"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activeEntitiesMax"}},{"kind":"Field","name":{"kind":"Name","value":"backgroundTokensPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"callGraphRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"compressionTokenThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"dedupSimilarityThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"enrichmentEdgeThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"entryRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"forEachItemsMax"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"introspectionCompressionThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"introspectionMaxRotation"}},{"kind":"Field","name":{"kind":"Name","value":"lineSupportThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"memoryRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"payloadTruncationThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"redactedFields"}},{"kind":"Field","name":{"kind":"Name","value":"redactedPatterns"}},{"kind":"Field","name":{"kind":"Name","value":"runRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"runsPerRunMax"}},{"kind":"Field","name":{"kind":"Name","value":"segmentGapMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"segmentMaxTokens"}},{"kind":"Field","name":{"kind":"Name","value":"segmentOverlapEvents"}},{"kind":"Field","name":{"kind":"Name","value":"sessionRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"stepsPerRunMax"}},{"kind":"Field","name":{"kind":"Name","value":"summaryTokensMin"}},{"kind":"Field","name":{"kind":"Name","value":"systemRunRetentionDays"}}]}}]} as unknown as DocumentNode<SettingsQuery, SettingsQueryVariables>;
export const ChangeSettingsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeSettings"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateSettingsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSettings"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"settings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"SettingsFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"SettingsFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Settings"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"activeEntitiesMax"}},{"kind":"Field","name":{"kind":"Name","value":"backgroundTokensPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"callGraphRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"compressionTokenThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"dedupSimilarityThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"enrichmentEdgeThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"entryRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"forEachItemsMax"}},{"kind":"Field","name":{"kind":"Name","value":"idempotencyRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"introspectionCompressionThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"introspectionMaxRotation"}},{"kind":"Field","name":{"kind":"Name","value":"lineSupportThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"memoryRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"payloadTruncationThreshold"}},{"kind":"Field","name":{"kind":"Name","value":"redactedFields"}},{"kind":"Field","name":{"kind":"Name","value":"redactedPatterns"}},{"kind":"Field","name":{"kind":"Name","value":"runRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"runsPerRunMax"}},{"kind":"Field","name":{"kind":"Name","value":"segmentGapMinutes"}},{"kind":"Field","name":{"kind":"Name","value":"segmentMaxTokens"}},{"kind":"Field","name":{"kind":"Name","value":"segmentOverlapEvents"}},{"kind":"Field","name":{"kind":"Name","value":"sessionRetentionDays"}},{"kind":"Field","name":{"kind":"Name","value":"stepsPerRunMax"}},{"kind":"Field","name":{"kind":"Name","value":"summaryTokensMin"}},{"kind":"Field","name":{"kind":"Name","value":"systemRunRetentionDays"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ChangeSettingsMutation, ChangeSettingsMutationVariables>;
export const CallStatsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CallStats"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operationStats"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"includeSystem"},"value":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operationId"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"calls"}},{"kind":"Field","name":{"kind":"Name","value":"averageMs"}},{"kind":"Field","name":{"kind":"Name","value":"p50Ms"}},{"kind":"Field","name":{"kind":"Name","value":"p99Ms"}},{"kind":"Field","name":{"kind":"Name","value":"errorRate"}}]}}]}}]} as unknown as DocumentNode<CallStatsQuery, CallStatsQueryVariables>;
export const RunTimesOfAllDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RunTimesOfAll"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"bucketSeconds"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Float"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"ofEveryone"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runTimes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"bucketSeconds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"bucketSeconds"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"includeSystem"},"value":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}}},{"kind":"Argument","name":{"kind":"Name","value":"ofEveryone"},"value":{"kind":"Variable","name":{"kind":"Name","value":"ofEveryone"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processCount"}},{"kind":"Field","name":{"kind":"Name","value":"total"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunTimesFields"}}]}},{"kind":"Field","name":{"kind":"Name","value":"processes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processId"}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"times"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunTimesFields"}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunTimesFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RunTimes"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"failedRuns"}},{"kind":"Field","name":{"kind":"Name","value":"p50Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p90Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p99Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"isWhole"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"failedRuns"}},{"kind":"Field","name":{"kind":"Name","value":"p50Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p90Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p99Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}}]}}]} as unknown as DocumentNode<RunTimesOfAllQuery, RunTimesOfAllQueryVariables>;
export const ProcessesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Processes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"exposeAsTool"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"runs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"8"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ProcessesQuery, ProcessesQueryVariables>;
export const ProcessPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProcessPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"version"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"version"},"value":{"kind":"Variable","name":{"kind":"Name","value":"version"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"shared"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}},{"kind":"Field","name":{"kind":"Name","value":"contextSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputTemplate"}},{"kind":"Field","name":{"kind":"Name","value":"maxRecursionDepth"}},{"kind":"Field","name":{"kind":"Name","value":"tokenBudget"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}},{"kind":"Field","name":{"kind":"Name","value":"exposeAsTool"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryAccess"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"toolNames"}},{"kind":"Field","name":{"kind":"Name","value":"isAllowed"}},{"kind":"Field","name":{"kind":"Name","value":"digest"}}]}},{"kind":"Field","name":{"kind":"Name","value":"adoption"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DefinedStep"}}]}},{"kind":"Field","name":{"kind":"Name","value":"schedules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schedule"}}]}},{"kind":"Field","name":{"kind":"Name","value":"runs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"versions"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"definition"}},{"kind":"Field","name":{"kind":"Name","value":"createdBy"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DefinedStep"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessStep"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"dependsOn"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"variable"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"tokenBudget"}},{"kind":"Field","name":{"kind":"Name","value":"asFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"execution"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"condition"}},{"kind":"Field","name":{"kind":"Name","value":"pages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"list"}},{"kind":"Field","name":{"kind":"Name","value":"next"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"maxPages"}}]}},{"kind":"Field","name":{"kind":"Name","value":"forEach"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrency"}},{"kind":"Field","name":{"kind":"Name","value":"failedItemsMax"}},{"kind":"Field","name":{"kind":"Name","value":"failedShareMax"}},{"kind":"Field","name":{"kind":"Name","value":"interactionMode"}},{"kind":"Field","name":{"kind":"Name","value":"onFailure"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}},{"kind":"Field","name":{"kind":"Name","value":"timeout"}},{"kind":"Field","name":{"kind":"Name","value":"cacheSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maximumAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"initialInterval"}},{"kind":"Field","name":{"kind":"Name","value":"backoffCoefficient"}},{"kind":"Field","name":{"kind":"Name","value":"maximumInterval"}},{"kind":"Field","name":{"kind":"Name","value":"nonRetryableErrors"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"permission"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"agent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxRounds"}},{"kind":"Field","name":{"kind":"Name","value":"maxToolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolChoice"}},{"kind":"Field","name":{"kind":"Name","value":"approvalTimeout"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schedule"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessSchedule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunsAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"recentRuns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"depth"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ProcessPageQuery, ProcessPageQueryVariables>;
export const CallableToolsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CallableTools"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tools"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CallableToolsQuery, CallableToolsQueryVariables>;
export const CallableProcessesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CallableProcesses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"200"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}}]}}]}}]}}]} as unknown as DocumentNode<CallableProcessesQuery, CallableProcessesQueryVariables>;
export const CheckProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CheckProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"validateProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"plan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"estimatedSteps"}},{"kind":"Field","name":{"kind":"Name","value":"maxDepth"}},{"kind":"Field","name":{"kind":"Name","value":"stages"}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"worstCase"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepExecutions"}},{"kind":"Field","name":{"kind":"Name","value":"stepExecutionsLimit"}},{"kind":"Field","name":{"kind":"Name","value":"toolAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"answerTokens"}},{"kind":"Field","name":{"kind":"Name","value":"unboundedStepIds"}},{"kind":"Field","name":{"kind":"Name","value":"itemsLimit"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CheckProcessQuery, CheckProcessQueryVariables>;
export const SaveProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SaveProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<SaveProcessMutation, SaveProcessMutationVariables>;
export const NewProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"NewProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<NewProcessMutation, NewProcessMutationVariables>;
export const DraftProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DraftProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DraftProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"draftProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DraftProcessMutation, DraftProcessMutationVariables>;
export const DraftRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DraftRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]}}]} as unknown as DocumentNode<DraftRunQuery, DraftRunQueryVariables>;
export const DeleteProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteProcessMutation, DeleteProcessMutationVariables>;
export const OwnProcessDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OwnProcess"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"name"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"Variable","name":{"kind":"Name","value":"name"}}},{"kind":"Argument","name":{"kind":"Name","value":"includeShared"},"value":{"kind":"BooleanValue","value":false}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<OwnProcessQuery, OwnProcessQueryVariables>;
export const LastEndedRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LastEndedRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"processId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"processId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"processId"}}},{"kind":"Argument","name":{"kind":"Name","value":"rootsOnly"},"value":{"kind":"BooleanValue","value":true}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"COMPLETED"},{"kind":"EnumValue","value":"FAILED"},{"kind":"EnumValue","value":"CANCELLED"},{"kind":"EnumValue","value":"TIMED_OUT"}]}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]} as unknown as DocumentNode<LastEndedRunQuery, LastEndedRunQueryVariables>;
export const ProcessUsesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProcessUses"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"schedules"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}}]}},{"kind":"Field","name":{"kind":"Name","value":"runs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"3"}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"PENDING"},{"kind":"EnumValue","value":"RUNNING"},{"kind":"EnumValue","value":"WAITING"},{"kind":"EnumValue","value":"PAUSED"}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"endCursor"}},{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<ProcessUsesQuery, ProcessUsesQueryVariables>;
export const RestoreVersionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RestoreVersion"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RestoreProcessVersionInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"restoreProcessVersion"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"version"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<RestoreVersionMutation, RestoreVersionMutationVariables>;
export const NewScheduleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"NewSchedule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateProcessScheduleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createProcessSchedule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schedule"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schedule"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessSchedule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunsAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"recentRuns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<NewScheduleMutation, NewScheduleMutationVariables>;
export const ChangeScheduleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ChangeSchedule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateProcessScheduleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateProcessSchedule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schedule"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schedule"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessSchedule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunsAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"recentRuns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ChangeScheduleMutation, ChangeScheduleMutationVariables>;
export const PauseScheduleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PauseSchedule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PauseProcessScheduleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pauseProcessSchedule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schedule"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schedule"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessSchedule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunsAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"recentRuns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<PauseScheduleMutation, PauseScheduleMutationVariables>;
export const ResumeScheduleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResumeSchedule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResumeProcessScheduleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resumeProcessSchedule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schedule"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schedule"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessSchedule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunsAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"recentRuns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ResumeScheduleMutation, ResumeScheduleMutationVariables>;
export const TriggerScheduleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TriggerSchedule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TriggerProcessScheduleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"triggerProcessSchedule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schedule"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schedule"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schedule"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessSchedule"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"cron"}},{"kind":"Field","name":{"kind":"Name","value":"timezone"}},{"kind":"Field","name":{"kind":"Name","value":"paused"}},{"kind":"Field","name":{"kind":"Name","value":"note"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"revision"}},{"kind":"Field","name":{"kind":"Name","value":"nextRunsAt"}},{"kind":"Field","name":{"kind":"Name","value":"lastError"}},{"kind":"Field","name":{"kind":"Name","value":"recentRuns"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<TriggerScheduleMutation, TriggerScheduleMutationVariables>;
export const DeleteScheduleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteSchedule"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteProcessScheduleInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteProcessSchedule"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deletedId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DeleteScheduleMutation, DeleteScheduleMutationVariables>;
export const AllowMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AllowMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AllowProcessMemoryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"allowProcessMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"agreement"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<AllowMemoryMutation, AllowMemoryMutationVariables>;
export const RevokeMemoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeMemory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeProcessMemoryInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeProcessMemory"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<RevokeMemoryMutation, RevokeMemoryMutationVariables>;
export const AdoptDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Adopt"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"AdoptProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"adoptProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"adoption"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<AdoptMutation, AdoptMutationVariables>;
export const DropDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Drop"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DropProcessInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"dropProcess"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processId"}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<DropMutation, DropMutationVariables>;
export const RunsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Runs"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"status"}},"type":{"kind":"ListType","type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RunStatus"}}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"processId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"rootsOnly"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"query"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"Variable","name":{"kind":"Name","value":"status"}}},{"kind":"Argument","name":{"kind":"Name","value":"processId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"processId"}}},{"kind":"Argument","name":{"kind":"Name","value":"includeSystem"},"value":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}}},{"kind":"Argument","name":{"kind":"Name","value":"rootsOnly"},"value":{"kind":"Variable","name":{"kind":"Name","value":"rootsOnly"}}},{"kind":"Argument","name":{"kind":"Name","value":"query"},"value":{"kind":"Variable","name":{"kind":"Name","value":"query"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunRow"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"depth"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<RunsQuery, RunsQueryVariables>;
export const ListChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"ListChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"rootsOnly"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Boolean"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runChanges"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"includeSystem"},"value":{"kind":"Variable","name":{"kind":"Name","value":"includeSystem"}}},{"kind":"Argument","name":{"kind":"Name","value":"rootsOnly"},"value":{"kind":"Variable","name":{"kind":"Name","value":"rootsOnly"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunRow"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"depth"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}}]} as unknown as DocumentNode<ListChangesSubscription, ListChangesSubscriptionVariables>;
export const AnyRunChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"AnyRunChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runChanges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}}]}}]}}]} as unknown as DocumentNode<AnyRunChangesSubscription, AnyRunChangesSubscriptionVariables>;
export const RunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Run"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunState"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"context"}},{"kind":"Field","name":{"kind":"Name","value":"depth"}},{"kind":"Field","name":{"kind":"Name","value":"workflowId"}},{"kind":"Field","name":{"kind":"Name","value":"stepConcurrency"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrency"}}]}},{"kind":"Field","name":{"kind":"Name","value":"temporalUrl"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"conversation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}},{"kind":"Field","name":{"kind":"Name","value":"parentRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"parentStepId"}},{"kind":"Field","name":{"kind":"Name","value":"retryOf"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"budget"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"tokensUsed"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"costUsdUsed"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"temporalRunId"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"outputTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]}}]}}]} as unknown as DocumentNode<RunQuery, RunQueryVariables>;
export const RunChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"RunChanges"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunState"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"temporalRunId"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"outputTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]}}]}}]} as unknown as DocumentNode<RunChangesSubscription, RunChangesSubscriptionVariables>;
export const SubRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SubRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunState"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"temporalRunId"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"attempt"}},{"kind":"Field","name":{"kind":"Name","value":"cached"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"outputTruncated"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"details"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"worker"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]}}]}}]} as unknown as DocumentNode<SubRunQuery, SubRunQueryVariables>;
export const RunDefinitionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RunDefinition"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"version"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"process"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}},{"kind":"Argument","name":{"kind":"Name","value":"version"},"value":{"kind":"Variable","name":{"kind":"Name","value":"version"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"initialContext"}},{"kind":"Field","name":{"kind":"Name","value":"contextSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputTemplate"}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"DefinedStep"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"DefinedStep"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessStep"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"dependsOn"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"variable"}},{"kind":"Field","name":{"kind":"Name","value":"required"}},{"kind":"Field","name":{"kind":"Name","value":"tokenBudget"}},{"kind":"Field","name":{"kind":"Name","value":"asFile"}}]}},{"kind":"Field","name":{"kind":"Name","value":"execution"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mode"}},{"kind":"Field","name":{"kind":"Name","value":"condition"}},{"kind":"Field","name":{"kind":"Name","value":"pages"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"list"}},{"kind":"Field","name":{"kind":"Name","value":"next"}},{"kind":"Field","name":{"kind":"Name","value":"first"}},{"kind":"Field","name":{"kind":"Name","value":"maxPages"}}]}},{"kind":"Field","name":{"kind":"Name","value":"forEach"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrency"}},{"kind":"Field","name":{"kind":"Name","value":"failedItemsMax"}},{"kind":"Field","name":{"kind":"Name","value":"failedShareMax"}},{"kind":"Field","name":{"kind":"Name","value":"interactionMode"}},{"kind":"Field","name":{"kind":"Name","value":"onFailure"}},{"kind":"Field","name":{"kind":"Name","value":"fallback"}},{"kind":"Field","name":{"kind":"Name","value":"timeout"}},{"kind":"Field","name":{"kind":"Name","value":"cacheSeconds"}},{"kind":"Field","name":{"kind":"Name","value":"retry"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maximumAttempts"}},{"kind":"Field","name":{"kind":"Name","value":"initialInterval"}},{"kind":"Field","name":{"kind":"Name","value":"backoffCoefficient"}},{"kind":"Field","name":{"kind":"Name","value":"maximumInterval"}},{"kind":"Field","name":{"kind":"Name","value":"nonRetryableErrors"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"inputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"outputSchema"}},{"kind":"Field","name":{"kind":"Name","value":"mutating"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"operation"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"LlmCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RestCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"McpCallOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"GraphQueryOperation"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"type"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"service"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"tools"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"permission"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"agent"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"maxRounds"}},{"kind":"Field","name":{"kind":"Name","value":"maxToolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolChoice"}},{"kind":"Field","name":{"kind":"Name","value":"approvalTimeout"}}]}}]}}]} as unknown as DocumentNode<RunDefinitionQuery, RunDefinitionQueryVariables>;
export const RunAttemptsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RunAttempts"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"requestId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callGraph"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"requestId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"requestId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"requestId"}},{"kind":"Field","name":{"kind":"Name","value":"operationName"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"parentRequestId"}},{"kind":"Field","name":{"kind":"Name","value":"input"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"error"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edgeType"}},{"kind":"Field","name":{"kind":"Name","value":"source"}},{"kind":"Field","name":{"kind":"Name","value":"target"}}]}}]}}]}}]} as unknown as DocumentNode<RunAttemptsQuery, RunAttemptsQueryVariables>;
export const StepWordsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"StepWords"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"StepRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"prompt"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"role"}},{"kind":"Field","name":{"kind":"Name","value":"content"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rounds"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"text"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}}]}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"output"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}}]}},{"kind":"Field","name":{"kind":"Name","value":"childRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}}]}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<StepWordsQuery, StepWordsQueryVariables>;
export const RunApprovalsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RunApprovals"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"runId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"approvals"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"runId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"runId"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"50"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WaitingApproval"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WaitingApproval"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Approval"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"variables"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"question"}},{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rootRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}}]}}]} as unknown as DocumentNode<RunApprovalsQuery, RunApprovalsQueryVariables>;
export const StartRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"StartRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"StartProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<StartRunMutation, StartRunMutationVariables>;
export const CancelRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CancelRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CancelProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cancelProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<CancelRunMutation, CancelRunMutationVariables>;
export const PauseRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PauseRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PauseProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pauseProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<PauseRunMutation, PauseRunMutationVariables>;
export const ResumeRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResumeRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResumeProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resumeProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ResumeRunMutation, ResumeRunMutationVariables>;
export const TryStepDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"TryStep"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"TryStepInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tryStep"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<TryStepMutation, TryStepMutationVariables>;
export const RetryRunDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RetryRun"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RetryProcessRunInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"retryProcessRun"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<RetryRunMutation, RetryRunMutationVariables>;
export const ResolveStepDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"ResolveStep"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ResolveStepInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"resolveStep"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<ResolveStepMutation, ResolveStepMutationVariables>;
export const RunTimesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RunTimes"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"processId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"from"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"to"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DateTime"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"bucketSeconds"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Float"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processRunTimes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"processId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"processId"}}},{"kind":"Argument","name":{"kind":"Name","value":"from"},"value":{"kind":"Variable","name":{"kind":"Name","value":"from"}}},{"kind":"Argument","name":{"kind":"Name","value":"to"},"value":{"kind":"Variable","name":{"kind":"Name","value":"to"}}},{"kind":"Argument","name":{"kind":"Name","value":"bucketSeconds"},"value":{"kind":"Variable","name":{"kind":"Name","value":"bucketSeconds"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunTimesFields"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunTimesFields"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"RunTimes"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"failedRuns"}},{"kind":"Field","name":{"kind":"Name","value":"p50Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p90Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p99Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}},{"kind":"Field","name":{"kind":"Name","value":"isWhole"}},{"kind":"Field","name":{"kind":"Name","value":"buckets"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"runs"}},{"kind":"Field","name":{"kind":"Name","value":"failedRuns"}},{"kind":"Field","name":{"kind":"Name","value":"p50Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p90Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"p99Seconds"}},{"kind":"Field","name":{"kind":"Name","value":"tokens"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}}]}}]} as unknown as DocumentNode<RunTimesQuery, RunTimesQueryVariables>;
export const SetStepConcurrencyDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"SetStepConcurrency"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SetStepConcurrencyInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"setStepConcurrency"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepConcurrency"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"maxConcurrency"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Problem"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Problem"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"UserError"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]} as unknown as DocumentNode<SetStepConcurrencyMutation, SetStepConcurrencyMutationVariables>;
export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const PaletteDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Palette"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"conversations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}}]} as unknown as DocumentNode<PaletteQuery, PaletteQueryVariables>;
export const HomeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Home"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"tour"},"name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"tour","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"own"},"name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}},{"kind":"Argument","name":{"kind":"Name","value":"includeShared"},"value":{"kind":"BooleanValue","value":false}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"chat"},"name":{"kind":"Name","value":"processes"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"name"},"value":{"kind":"StringValue","value":"chat","block":false}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"id"},"name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"target"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"__typename"}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Tool"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"connectionParams"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Process"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"health"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"HealthState"}}]}},{"kind":"Field","name":{"kind":"Name","value":"approvals"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"WaitingApproval"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"running"},"name":{"kind":"Name","value":"processRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"PENDING"},{"kind":"EnumValue","value":"RUNNING"},{"kind":"EnumValue","value":"WAITING"},{"kind":"EnumValue","value":"PAUSED"}]}},{"kind":"Argument","name":{"kind":"Name","value":"rootsOnly"},"value":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunRow"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"failed"},"name":{"kind":"Name","value":"processRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"5"}},{"kind":"Argument","name":{"kind":"Name","value":"status"},"value":{"kind":"ListValue","values":[{"kind":"EnumValue","value":"FAILED"},{"kind":"EnumValue","value":"TIMED_OUT"}]}},{"kind":"Argument","name":{"kind":"Name","value":"rootsOnly"},"value":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunRow"}}]}}]}},{"kind":"Field","alias":{"kind":"Name","value":"recent"},"name":{"kind":"Name","value":"processRuns"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"20"}},{"kind":"Argument","name":{"kind":"Name","value":"rootsOnly"},"value":{"kind":"BooleanValue","value":true}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"RunRow"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"services"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"enabled"}},{"kind":"Field","name":{"kind":"Name","value":"errorMessage"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"conversations"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"4"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"entities"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memorySettings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"backgroundWork"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"BackgroundState"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"HealthState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Health"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"neo4j"}},{"kind":"Field","name":{"kind":"Name","value":"temporal"}},{"kind":"Field","name":{"kind":"Name","value":"eventBus"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"warnings"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subject"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"advice"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"WaitingApproval"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Approval"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"inputs"}},{"kind":"Field","name":{"kind":"Name","value":"variables"}},{"kind":"Field","name":{"kind":"Name","value":"requestedAt"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"tool"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"memoryRequest"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"question"}},{"kind":"Field","name":{"kind":"Name","value":"reads"}},{"kind":"Field","name":{"kind":"Name","value":"writes"}},{"kind":"Field","name":{"kind":"Name","value":"version"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"run"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}},{"kind":"Field","name":{"kind":"Name","value":"rootRun"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"RunRow"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"ProcessRun"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"depth"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"origin"}},{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"processVersion"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"startedAt"}},{"kind":"Field","name":{"kind":"Name","value":"completedAt"}},{"kind":"Field","name":{"kind":"Name","value":"owner"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"process"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}}]}},{"kind":"Field","name":{"kind":"Name","value":"error"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"stepId"}}]}},{"kind":"Field","name":{"kind":"Name","value":"usage"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"inputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"outputTokens"}},{"kind":"Field","name":{"kind":"Name","value":"llmCalls"}},{"kind":"Field","name":{"kind":"Name","value":"toolCalls"}},{"kind":"Field","name":{"kind":"Name","value":"costUsd"}}]}},{"kind":"Field","name":{"kind":"Name","value":"steps"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"stepId"}},{"kind":"Field","name":{"kind":"Name","value":"index"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"BackgroundState"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"BackgroundWork"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"tokensUsed"}},{"kind":"Field","name":{"kind":"Name","value":"tokensReserved"}},{"kind":"Field","name":{"kind":"Name","value":"tokensPerDay"}},{"kind":"Field","name":{"kind":"Name","value":"resetsAt"}},{"kind":"Field","name":{"kind":"Name","value":"waiting"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"processName"}},{"kind":"Field","name":{"kind":"Name","value":"reason"}},{"kind":"Field","name":{"kind":"Name","value":"count"}},{"kind":"Field","name":{"kind":"Name","value":"oldestAt"}}]}}]}}]} as unknown as DocumentNode<HomeQuery, HomeQueryVariables>;