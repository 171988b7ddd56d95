import {
  type ImportedMcpTools,
  type ImportedOpenApiTools,
  importMcpTools,
  importOpenApiTools,
} from '../../src/catalog/import/tool-import.mutations.ts';
import { createTool, deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { UpdateTool } from '../../src/catalog/tools/tool-plan.ts';
import { type ToolTest, testTool } from '../../src/catalog/tools/tool-test.service.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { healthTells } from '../../src/operations/operation.ts';
import { checkToolCallers } from '../../src/processes/tool-callers.service.ts';
import { builder } from '../builder.ts';
import { newestKey, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { argFields, nullable, outputFields } from '../fields.ts';
import { Node, Timestamped } from '../nodes.ts';
import {
  DeletePayload,
  idInput,
  inputOf,
  mutation,
  payloadOf,
  payloadType,
  USER_ERRORS,
} from '../payload.ts';
import { RunError } from '../run-error.ts';
import { Owned } from '../users/users.ts';
import {
  EXPECTED_UPDATED_AT,
  HealthStatus,
  HealthTells,
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
  fields: outputFields({
    name: ['String', 'Display name.'],
    description: ['String?', 'Free-text description.'],
    connectionParams: [
      'JSONObject',
      "Connection parameters, valid against the Service's connectionSchema. Completed by " +
        'the defaults that the schema had when they were written; later changes of the ' +
        'Service do not move the Tool.',
    ],
    operation: [Operation, 'The operation.'],
    inputSchema: [
      'JSONSchema',
      'JSON Schema for the inputs. Its properties are the variables of the operation.',
    ],
    outputSchema: ['JSONSchema', 'JSON Schema for the output.'],
    enabled: ['Boolean', 'Whether it may be called.'],
    shared: ['Boolean', 'Whether other users see it and may call it.'],
    mutating: [
      'Boolean',
      'Whether a call may change data. Such a Tool is called only by Processes, and has one ' +
        'attempt unless the step sets a retry policy.',
    ],
    status: [HealthStatus, 'Result of the last health probe; see `healthTells`.'],
    healthTells: [
      HealthTells,
      'How far the probe can know whether a call would work. It is no promise for all inputs.',
      ({ operation, probeTells }) => probeTells ?? healthTells(operation),
    ],
    lastHealthCheckAt: [
      'DateTime?',
      'Time of the last health probe; null before the first.',
      'lastHealthCheck',
    ],
    errorMessage: ['String?', 'Reason for an unhealthy status; null if healthy.'],
    secretScope: [
      'String?',
      "Target of the Secret's value: bearer, basic, header:<name>, query:<name>, env:<NAME> " +
        'or password.',
    ],
    toolTemplateId: [
      'ID?',
      'Id of the template that it was copied from. Later changes of the template have no effect.',
    ],
    toolTemplate: [
      nullable(ToolTemplate),
      'The template that it was copied from, archived or not; null if there is none or you ' +
        'cannot see it.',
      'toolTemplateId',
    ],
    service: [
      Service,
      'The Service of this Tool. Immutable.',
      ({ serviceId }, _args, context) => serviceOfTool(context, serviceId),
    ],
    secret: [
      nullable(Secret),
      'The Secret that it uses; null if there is none, and for all users but its owner.',
      ({ ownerId, secretId }, _args, context) =>
        ownerId === viewerOf(context).userId ? secretId : null,
    ],
  }),
});

builder.queryFields((t) => ({
  tool: t.field({
    type: Tool,
    nullable: true,
    description: 'A Tool by id; null if it does not exist or you cannot see it.',
    args: argFields(t, { id: ['ID!', 'Id of the Tool.'] }),
    resolve: (_root, { id }) => id,
  }),
  tools: t.field({
    type: ToolConnection,
    description: 'Your Tools and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        serviceId: ['ID', 'Only Tools on this Service.'],
        includeShared: ['Boolean', 'Whether to include objects that other users share.', true],
        query: ['String', 'Substring of the name or description, case-insensitive.'],
      }),
    },
    resolve: (_root, args, context) => pageOfTools(context, args),
  }),
}));

const CreateToolInput = inputOf(
  'CreateToolInput',
  'Input for a new Tool, defined in full or copied from a template.',
  {
    name: ['String!', 'Display name, up to 200 characters.'],
    description: ['String', 'Free-text description.'],
    serviceId: ['ID!', 'Id of a Service that is yours or shared with you.'],
    connectionParams: [
      'JSONObject!',
      "Connection parameters, valid against the Service's connectionSchema. `pricing` may be " +
        'added.',
    ],
    operation: [OperationInput, 'Required without a template.'],
    inputSchema: [
      'JSONSchema',
      'Required without a template. Its properties are the variables of the operation.',
    ],
    outputSchema: ['JSONSchema', 'Required without a template.'],
    toolTemplateId: [
      'ID',
      'Id of the template to copy the operation and both schemas from. Then these fields must ' +
        'be omitted.',
    ],
    secretId: ['ID', 'Id of a Secret of yours. Required if the Service requires one.'],
    secretScope: [
      'String',
      "Target of the Secret's value. Default: the usual one for the Service.",
    ],
    shared: ['Boolean', 'Whether other users may see and call it. Default false.'],
    enabled: ['Boolean', 'Whether it may be called. Default true.'],
    mutating: ['Boolean', 'Whether a call may change data. Default: derived from the operation.'],
  },
);

export const UpdateToolInput = inputOf(
  'UpdateToolInput',
  'Changes to a Tool. Omitted fields stay unchanged. The Service is immutable.',
  {
    id: ['ID!', 'Id of the Tool.'],
    name: ['String', 'Display name.'],
    description: ['String', 'Free-text description; null removes it.'],
    connectionParams: [
      'JSONObject',
      'Connection parameters. A change of origin requires secretId again.',
    ],
    operation: [OperationInput, 'The operation.'],
    inputSchema: ['JSONSchema', 'JSON Schema for the inputs.'],
    outputSchema: ['JSONSchema', 'JSON Schema for the output.'],
    secretId: ['ID', 'Id of another Secret of yours; null removes the Secret.'],
    secretScope: ['String', "Target of the Secret's value; null: the usual one for the Service."],
    shared: ['Boolean', 'Setting false gives IN_USE while Processes need it.'],
    enabled: ['Boolean', 'If false, calls stop at the next step.'],
    mutating: ['Boolean', 'Whether a call may change data.'],
    expectedUpdatedAt: EXPECTED_UPDATED_AT,
  },
);

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
    fields: outputFields({
      output: ['JSON?', 'Output, checked against outputSchema.'],
      durationMs: ['Float?', 'Duration in milliseconds.'],
      error: [nullable(RunError), 'Error of the call; null if it succeeded.'],
      userErrors: USER_ERRORS,
    }),
  });

const ImportToolsPayload = builder
  .objectRef<ImportedOpenApiTools & WithProblems>('ImportToolsPayload')
  .implement({
    description: 'Result of an import: the Tools, or the problems.',
    fields: outputFields({
      tools: [
        [Tool],
        'The Tools of the imported operations, new and existing; empty after a dry run and ' +
          'with problems.',
      ],
      operations: [
        [OpenApiTool],
        'The imported operations beside your Tools, as they were before the import. Without ' +
          'operationIds, also your Tools that the document has no operation for.',
      ],
      userErrors: USER_ERRORS,
    }),
  });

const TestToolInput = inputOf('TestToolInput', 'Input of testTool.', {
  id: ['ID!', 'Id of the Tool.'],
  inputs: ['JSONObject!', 'Inputs of the Tool.'],
});
const ImportMcpToolsInput = inputOf('ImportMcpToolsInput', 'Input of importMcpTools.', {
  serviceId: ['ID!', 'Id of an mcp_server Service.'],
  connectionParams: ['JSONObject!', 'Connection parameters for every created Tool.'],
  secretId: ['ID', 'Id of a Secret of yours, used by every created Tool.'],
  names: [['String'], 'Names to import. Default: all.'],
  dryRun: ['Boolean', 'If true, makes all checks and writes nothing.', false],
});
const ImportOpenApiToolsInput = inputOf('ImportOpenApiToolsInput', 'Input of importOpenApiTools.', {
  serviceId: ['ID!', 'Id of a rest_api Service.'],
  document: ['String!', 'The OpenAPI or Swagger document, as JSON or YAML.'],
  connectionParams: ['JSONObject!', 'Connection parameters for every created Tool.'],
  secretId: ['ID', 'Id of a Secret of yours, used by every created Tool.'],
  operationIds: [['String'], 'Names to import. Default: all.'],
  dryRun: ['Boolean', 'If true, makes all checks and writes nothing.', false],
});

const ImportMcpToolsPayload = builder
  .objectRef<ImportedMcpTools & WithProblems>('ImportMcpToolsPayload')
  .implement({
    description: 'Result of an import from an MCP server: the Tools, or the problems.',
    fields: outputFields({
      tools: [
        [Tool],
        'The Tools of the imported tools, new and existing; empty after a dry run and with ' +
          'problems.',
      ],
      serverTools: [
        [McpServerTool],
        "The server's tools beside your Tools, as they were before the import.",
      ],
      userErrors: USER_ERRORS,
    }),
  });

/** The changes that an input asks for. */
export function toolChangesOf({
  operation,
  ...input
}: typeof UpdateToolInput.$inferInput): UpdateTool {
  return { ...input, ...(operation == null ? {} : { operation: operationOf(operation) }) };
}

mutation('createTool', {
  description: 'Creates a Tool of your own and probes it.',
  input: [CreateToolInput, 'The new Tool.'],
  payload: ToolPayload,
  run: (context, viewer, input) =>
    createTool(context, viewer, {
      ...input,
      operation: operationOf(input.operation),
    }),
});
mutation('updateTool', {
  description:
    'Changes a Tool. Its Service and its template are immutable. New schemas that steps of ' +
    'Processes would not fit are refused (IN_USE) with those Processes.',
  input: [UpdateToolInput, 'The changes.'],
  payload: ToolPayload,
  run: (context, viewer, input) =>
    updateTool(context, viewer, toolChangesOf(input), checkToolCallers),
});
mutation('deleteTool', {
  description: 'Deletes a Tool that no step calls.',
  input: [idInput('DeleteToolInput', 'Id of the Tool.'), 'The Tool.'],
  payload: DeletePayload,
  run: deleteTool,
});

builder.mutationFields((t) => ({
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
      'Lists the tools of an MCP server and creates a Tool for each, all or nothing. Updates ' +
      'the Tools of an earlier import with the same connection.',
    complexity: 50,
    args: {
      input: t.arg({ type: ImportMcpToolsInput, required: true, description: 'The server.' }),
    },
    resolve: (_root, { input }, context) =>
      payloadOf<ImportedMcpTools>({ tools: [], serverTools: [] }, () =>
        importMcpTools(context, viewerOf(context), input, checkToolCallers),
      ),
  }),
  importOpenApiTools: t.field({
    type: ImportToolsPayload,
    description:
      'Creates a rest_call Tool for each operation of an OpenAPI 3 or Swagger 2.0 document, ' +
      'all or nothing. An operation that cannot be called is left out; `operations` names it. ' +
      'Updates Tools with the same connection, method and path. No URL is fetched.',
    complexity: 50,
    args: {
      input: t.arg({ type: ImportOpenApiToolsInput, required: true, description: 'The document.' }),
    },
    resolve: (_root, { input }, context) =>
      payloadOf<ImportedOpenApiTools>({ tools: [], operations: [] }, () =>
        importOpenApiTools(context, viewerOf(context), input, checkToolCallers),
      ),
  }),
}));
