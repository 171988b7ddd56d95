import {
  type ImportedMcpTools,
  type ImportedOpenApiTools,
  importMcpTools,
  importOpenApiTools,
} from '../../src/catalog/import/tool-import.mutations.ts';
import { createTool, deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import { type ToolTest, testTool } from '../../src/catalog/tools/tool-test.service.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { builder } from '../builder.ts';
import { newestKey, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, Timestamped } from '../nodes.ts';
import {
  DeletePayload,
  idInput,
  payload,
  payloadOf,
  payloadType,
  userErrorsField,
} from '../payload.ts';
import { RunError } from '../run-error.ts';
import { Owned } from '../users/users.ts';
import {
  HealthStatus,
  pageOfTools,
  Secret,
  Service,
  serviceOfTool,
  Tool,
  ToolConnection,
} from './catalog.ts';
import { McpServerTool } from './mcp-server-tools.ts';
import { OpenApiTool } from './openapi-tools.ts';
import { Operation, OperationInput, operationOf } from './operations.ts';
import { ToolTemplate } from './templates.ts';

Tool.implement({
  description: 'One operation on a Service, with its connection. Steps of Processes call Tools.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Free-text description.',
    }),
    service: t.field({
      type: Service,
      description: 'The Service of this Tool. Immutable.',
      resolve: ({ serviceId }, _args, context) => serviceOfTool(context, serviceId),
    }),
    connectionParams: t.expose('connectionParams', {
      type: 'JSONObject',
      description:
        "Connection parameters, valid against the Service's connectionSchema. Completed by the defaults that the schema had when they were written; later changes of the Service do not move the Tool.",
    }),
    operation: t.expose('operation', { type: Operation, description: 'The operation.' }),
    inputSchema: t.expose('inputSchema', {
      type: 'JSONSchema',
      description: 'JSON Schema for the inputs. Its properties are the variables of the operation.',
    }),
    outputSchema: t.expose('outputSchema', {
      type: 'JSONSchema',
      description: 'JSON Schema for the output.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it may be called.' }),
    shared: t.exposeBoolean('shared', {
      description: 'Whether other users see it and may call it.',
    }),
    mutating: t.exposeBoolean('mutating', {
      description:
        'Whether a call may change data. Such a Tool is called only by Processes, and has one attempt unless the step sets a retry policy.',
    }),
    status: t.expose('status', {
      type: HealthStatus,
      description: 'Result of the last health probe.',
    }),
    lastHealthCheckAt: t.expose('lastHealthCheck', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last health probe; null before the first.',
    }),
    errorMessage: t.exposeString('errorMessage', {
      nullable: true,
      description: 'Reason for an unhealthy status; null if healthy.',
    }),
    secret: t.field({
      type: Secret,
      nullable: true,
      description:
        'The Secret that it uses; null if there is none, and for all users but its owner.',
      resolve: ({ ownerId, secretId }, _args, context) =>
        ownerId === viewerOf(context).userId ? secretId : null,
    }),
    secretScope: t.exposeString('secretScope', {
      nullable: true,
      description:
        "Target of the Secret's value: bearer, basic, header:<name>, query:<name>, env:<NAME> or password.",
    }),
    toolTemplateId: t.exposeID('toolTemplateId', {
      nullable: true,
      description:
        'Id of the template that it was copied from. Later changes of the template have no effect.',
    }),
    toolTemplate: t.field({
      type: ToolTemplate,
      nullable: true,
      description:
        'The template that it was copied from, archived or not; null if there is none or you cannot see it.',
      resolve: ({ toolTemplateId }) => toolTemplateId,
    }),
  }),
});

builder.queryFields((t) => ({
  tool: t.field({
    type: Tool,
    nullable: true,
    description: 'A Tool by id; null if it does not exist or you cannot see it.',
    args: { id: t.arg.id({ required: true, description: 'Id of the Tool.' }) },
    resolve: (_root, { id }) => id,
  }),
  tools: t.field({
    type: ToolConnection,
    description: 'Your Tools and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      serviceId: t.arg.id({ description: 'Only Tools on this Service.' }),
      includeShared: t.arg.boolean({
        defaultValue: true,
        description: 'Whether to include objects that other users share.',
      }),
      query: t.arg.string({
        description: 'Substring of the name or description, case-insensitive.',
      }),
    },
    resolve: (_root, args, context) => pageOfTools(context, args),
  }),
}));

const CreateToolInput = builder.inputType('CreateToolInput', {
  description: 'Input for a new Tool, defined in full or copied from a template.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Display name, up to 200 characters.' }),
    description: t.string({ description: 'Free-text description.' }),
    serviceId: t.id({
      required: true,
      description: 'Id of a Service that is yours or shared with you.',
    }),
    connectionParams: t.field({
      type: 'JSONObject',
      required: true,
      description:
        "Connection parameters, valid against the Service's connectionSchema. `pricing` may be added.",
    }),
    operation: t.field({ type: OperationInput, description: 'Required without a template.' }),
    inputSchema: t.field({
      type: 'JSONSchema',
      description:
        'Required without a template. Its properties are the variables of the operation.',
    }),
    outputSchema: t.field({ type: 'JSONSchema', description: 'Required without a template.' }),
    toolTemplateId: t.id({
      description:
        'Id of the template to copy the operation and both schemas from. Then these fields must be omitted.',
    }),
    secretId: t.id({
      description: 'Id of a Secret of yours. Required if the Service requires one.',
    }),
    secretScope: t.string({
      description: "Target of the Secret's value. Default: the usual one for the Service.",
    }),
    shared: t.boolean({ description: 'Whether other users may see and call it. Default false.' }),
    enabled: t.boolean({ description: 'Whether it may be called. Default true.' }),
    mutating: t.boolean({
      description: 'Whether a call may change data. Default: derived from the operation.',
    }),
  }),
});

const UpdateToolInput = builder.inputType('UpdateToolInput', {
  description: 'Changes to a Tool. Omitted fields stay unchanged. The Service is immutable.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the Tool.' }),
    name: t.string({ description: 'Display name.' }),
    description: t.string({ description: 'Free-text description; null removes it.' }),
    connectionParams: t.field({
      type: 'JSONObject',
      description: 'Connection parameters. A change of origin requires secretId again.',
    }),
    operation: t.field({ type: OperationInput, description: 'The operation.' }),
    inputSchema: t.field({ type: 'JSONSchema', description: 'JSON Schema for the inputs.' }),
    outputSchema: t.field({ type: 'JSONSchema', description: 'JSON Schema for the output.' }),
    secretId: t.id({ description: 'Id of another Secret of yours; null removes the Secret.' }),
    secretScope: t.string({
      description: "Target of the Secret's value; null: the usual one for the Service.",
    }),
    shared: t.boolean({ description: 'Setting false gives IN_USE while Processes need it.' }),
    enabled: t.boolean({ description: 'If false, calls stop at the next step.' }),
    mutating: t.boolean({ description: 'Whether a call may change data.' }),
  }),
});

const ToolPayload = payloadType('ToolPayload', 'tool', Tool, {
  connection: ToolConnection,
  key: newestKey,
});

interface WithProblems {
  readonly userErrors: readonly Problem[];
}

const TestToolPayload = builder
  .objectRef<{ [Field in keyof ToolTest]: ToolTest[Field] | null } & WithProblems>(
    'TestToolPayload',
  )
  .implement({
    description: 'Result of one test call of a Tool.',
    fields: (t) => ({
      output: t.expose('output', {
        type: 'JSON',
        nullable: true,
        description: 'Output, checked against outputSchema.',
      }),
      durationMs: t.exposeFloat('durationMs', {
        nullable: true,
        description: 'Duration in milliseconds.',
      }),
      error: t.field({
        type: RunError,
        nullable: true,
        description: 'Error of the call; null if it succeeded.',
        resolve: ({ error }) => error,
      }),
      userErrors: userErrorsField(t as never),
    }),
  });

const ImportToolsPayload = builder
  .objectRef<ImportedOpenApiTools & WithProblems>('ImportToolsPayload')
  .implement({
    description: 'Result of an import: the Tools, or the problems.',
    fields: (t) => ({
      tools: t.field({
        type: [Tool],
        description:
          'The Tools of the imported operations, new and existing; empty after a dry run and with problems.',
        resolve: ({ tools }) => [...tools],
      }),
      operations: t.field({
        type: [OpenApiTool],
        description:
          'The imported operations beside your Tools, as they were before the import. Without operationIds, also your Tools that the document has no operation for.',
        resolve: ({ operations }) => [...operations],
      }),
      userErrors: userErrorsField(t as never),
    }),
  });

const TestToolInput = builder.inputType('TestToolInput', {
  description: 'Input of testTool.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the Tool.' }),
    inputs: t.field({ type: 'JSONObject', required: true, description: 'Inputs of the Tool.' }),
  }),
});
const ImportMcpToolsInput = builder.inputType('ImportMcpToolsInput', {
  description: 'Input of importMcpTools.',
  fields: (t) => ({
    serviceId: t.id({ required: true, description: 'Id of an mcp_server Service.' }),
    connectionParams: t.field({
      type: 'JSONObject',
      required: true,
      description: 'Connection parameters for every created Tool.',
    }),
    secretId: t.id({ description: 'Id of a Secret of yours, used by every created Tool.' }),
    names: t.stringList({ description: 'Names to import. Default: all.' }),
    dryRun: t.boolean({
      defaultValue: false,
      description: 'If true, makes all checks and writes nothing.',
    }),
  }),
});
const ImportOpenApiToolsInput = builder.inputType('ImportOpenApiToolsInput', {
  description: 'Input of importOpenApiTools.',
  fields: (t) => ({
    serviceId: t.id({ required: true, description: 'Id of a rest_api Service.' }),
    document: t.string({
      required: true,
      description: 'The OpenAPI or Swagger document, as JSON or YAML.',
    }),
    connectionParams: t.field({
      type: 'JSONObject',
      required: true,
      description: 'Connection parameters for every created Tool.',
    }),
    secretId: t.id({ description: 'Id of a Secret of yours, used by every created Tool.' }),
    operationIds: t.stringList({ description: 'Names to import. Default: all.' }),
    dryRun: t.boolean({
      defaultValue: false,
      description: 'If true, makes all checks and writes nothing.',
    }),
  }),
});
const DeleteToolInput = idInput('DeleteToolInput', 'Id of the Tool.');

const ImportMcpToolsPayload = builder
  .objectRef<ImportedMcpTools & WithProblems>('ImportMcpToolsPayload')
  .implement({
    description: 'Result of an import from an MCP server: the Tools, or the problems.',
    fields: (t) => ({
      tools: t.field({
        type: [Tool],
        description:
          'The Tools of the imported tools, new and existing; empty after a dry run and with problems.',
        resolve: ({ tools }) => [...tools],
      }),
      serverTools: t.field({
        type: [McpServerTool],
        description: "The server's tools beside your Tools, as they were before the import.",
        resolve: ({ serverTools }) => [...serverTools],
      }),
      userErrors: userErrorsField(t as never),
    }),
  });

builder.mutationFields((t) => ({
  createTool: t.field({
    type: ToolPayload,
    description: 'Creates a Tool of your own and probes it.',
    args: {
      input: t.arg({ type: CreateToolInput, required: true, description: 'The new Tool.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('tool', () =>
        createTool(context, viewerOf(context), {
          ...input,
          operation: operationOf(input.operation),
        }),
      ),
  }),
  updateTool: t.field({
    type: ToolPayload,
    description: 'Changes a Tool. Its Service and its template are immutable.',
    args: { input: t.arg({ type: UpdateToolInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input: { operation, ...input } }, context) =>
      payload('tool', () =>
        updateTool(context, viewerOf(context), {
          ...input,
          ...(operation == null ? {} : { operation: operationOf(operation) }),
        }),
      ),
  }),
  deleteTool: t.field({
    type: DeletePayload,
    description: 'Deletes a Tool that no step calls.',
    args: { input: t.arg({ type: DeleteToolInput, required: true, description: 'The Tool.' }) },
    resolve: (_root, { input }, context) =>
      payload('deletedId', () => deleteTool(context, viewerOf(context), input)),
  }),
  testTool: t.field({
    type: TestToolPayload,
    description:
      'Calls a read-only Tool once and records nothing. Gives STATE if the Tool may change data.',
    complexity: 50,
    args: {
      input: t.arg({
        type: TestToolInput,
        required: true,
        description: 'The Tool and its inputs.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payloadOf<{ [Field in keyof ToolTest]: ToolTest[Field] | null }>(
        { output: null, durationMs: null, error: null },
        () => testTool(context, viewerOf(context), input),
      ),
  }),
  importMcpTools: t.field({
    type: ImportMcpToolsPayload,
    description:
      'Lists the tools of an MCP server and creates a Tool for each, all or nothing. Updates the Tools of an earlier import with the same connection.',
    complexity: 50,
    args: {
      input: t.arg({ type: ImportMcpToolsInput, required: true, description: 'The server.' }),
    },
    resolve: (_root, { input }, context) =>
      payloadOf<ImportedMcpTools>({ tools: [], serverTools: [] }, () =>
        importMcpTools(context, viewerOf(context), input),
      ),
  }),
  importOpenApiTools: t.field({
    type: ImportToolsPayload,
    description:
      'Creates a rest_call Tool for each operation of an OpenAPI 3 or Swagger 2.0 document, all or nothing. An operation that cannot be called is left out; `operations` names it. Updates Tools with the same connection, method and path. No URL is fetched.',
    complexity: 50,
    args: {
      input: t.arg({ type: ImportOpenApiToolsInput, required: true, description: 'The document.' }),
    },
    resolve: (_root, { input }, context) =>
      payloadOf<ImportedOpenApiTools>({ tools: [], operations: [] }, () =>
        importOpenApiTools(context, viewerOf(context), input),
      ),
  }),
}));
