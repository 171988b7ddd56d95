import {
  importMcpTools,
  importOpenApiTools,
} from '../../src/catalog/import/tool-import.mutations.ts';
import { createTool, deleteTool, updateTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { Tool as ToolModel } from '../../src/catalog/tools/tool.ts';
import { type ToolTest, testTool } from '../../src/catalog/tools/tool-test.service.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { builder } from '../builder.ts';
import { pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, Timestamped } from '../nodes.ts';
import { HealthStatus } from '../operations/health.ts';
import { Owned } from '../operations/users.ts';
import { DeletePayload, payload, payloadOf, payloadType, userErrorsField } from '../payload.ts';
import { RunError } from '../runs/run-error.ts';
import { pageOfTools, Secret, Service, serviceOfTool, Tool, ToolConnection } from './catalog.ts';
import { Operation, OperationInput, operationOf } from './operations.ts';
import { ToolTemplate } from './templates.ts';

Tool.implement({
  description:
    'One operation on a Service, with the connection it uses: what a step of a Process calls.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    name: t.exposeString('name', { description: 'How it is called.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for.' }),
    service: t.field({
      type: Service,
      description: 'The Service it is bound to; for good.',
      resolve: ({ serviceId }, _args, context) => serviceOfTool(context, serviceId),
    }),
    connectionParams: t.expose('connectionParams', {
      type: 'JSONObject',
      description:
        "How it connects; fulfils the Service's connectionSchema. Defaults apply when it is called.",
    }),
    operation: t.expose('operation', { type: Operation, description: 'What it does.' }),
    inputSchema: t.expose('inputSchema', {
      type: 'JSONSchema',
      description:
        'What its inputs have to fulfil; its properties are the variables of the operation.',
    }),
    outputSchema: t.expose('outputSchema', {
      type: 'JSONSchema',
      description: 'What its output has to fulfil.',
    }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it may be called.' }),
    shared: t.exposeBoolean('shared', { description: 'Whether others find it and may call it.' }),
    mutating: t.exposeBoolean('mutating', {
      description:
        'Whether a call may change something; then it runs only in a Process, and once unless told otherwise.',
    }),
    status: t.expose('status', { type: HealthStatus, description: 'What its last probe found.' }),
    lastHealthCheck: t.expose('lastHealthCheck', {
      type: 'DateTime',
      nullable: true,
      description: 'When that was; null before the first.',
    }),
    errorMessage: t.exposeString('errorMessage', {
      nullable: true,
      description: 'Why it is not healthy; null where it is.',
    }),
    secret: t.field({
      type: Secret,
      nullable: true,
      description: 'The Secret it uses; null where there is none, and for everybody but its owner.',
      resolve: ({ ownerId, secretId }, _args, context) =>
        ownerId === viewerOf(context).userId ? secretId : null,
    }),
    secretScope: t.exposeString('secretScope', {
      nullable: true,
      description:
        "Where the Secret's value goes: bearer, basic, header:<name>, query:<name>, env:<NAME>, password.",
    }),
    toolTemplateId: t.exposeID('toolTemplateId', {
      nullable: true,
      description: 'The template it was copied from; tells where it comes from and nothing more.',
    }),
    toolTemplate: t.field({
      type: ToolTemplate,
      nullable: true,
      description: 'That template, archived or not; null where there is none to see.',
      resolve: ({ toolTemplateId }) => toolTemplateId,
    }),
  }),
});

builder.queryFields((t) => ({
  tool: t.field({
    type: Tool,
    nullable: true,
    description: 'A Tool by its id; null when there is none or it is not yours to see.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }) => id,
  }),
  tools: t.field({
    type: ToolConnection,
    description: 'Your Tools and those shared with you, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      serviceId: t.arg.id({ description: 'Only those on this Service.' }),
      includeShared: t.arg.boolean({
        defaultValue: true,
        description: 'Whether those of others are listed too.',
      }),
      query: t.arg.string({ description: 'Found in name or description, without regard to case.' }),
    },
    resolve: (_root, args, context) => pageOfTools(context, args),
  }),
}));

const CreateToolInput = builder.inputType('CreateToolInput', {
  description: 'A new Tool, written out or copied from a template.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'How it is called; up to 200 characters.' }),
    description: t.string({ description: 'What it is for.' }),
    serviceId: t.id({ required: true, description: 'Your Service, or one shared with you.' }),
    connectionParams: t.field({
      type: 'JSONObject',
      required: true,
      description:
        "How it connects; has to fulfil the Service's connectionSchema. `pricing` may stand beside.",
    }),
    operation: t.field({ type: OperationInput, description: 'Required without a template.' }),
    inputSchema: t.field({
      type: 'JSONSchema',
      description:
        'Required without a template; its properties are the variables of the operation.',
    }),
    outputSchema: t.field({ type: 'JSONSchema', description: 'Required without a template.' }),
    toolTemplateId: t.id({
      description:
        'The template to copy operation and both schemas from; then they may not be given.',
    }),
    secretId: t.id({ description: 'A Secret of yours; required where the Service says so.' }),
    secretScope: t.string({
      description: "Where the Secret's value goes; left out: what is usual for the Service.",
    }),
    shared: t.boolean({ description: 'Whether others may find and call it; false if not said.' }),
    enabled: t.boolean({ description: 'Whether it may be called; true if not said.' }),
    mutating: t.boolean({
      description: 'Whether a call may change something; left out: as the operation suggests.',
    }),
  }),
});

const UpdateToolInput = builder.inputType('UpdateToolInput', {
  description: 'What to change of a Tool; what is left out stays. Its Service stays for good.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which one.' }),
    name: t.string({ description: 'How it is called.' }),
    description: t.string({ description: 'What it is for; null takes it away.' }),
    connectionParams: t.field({
      type: 'JSONObject',
      description: 'How it connects. A move to another origin has to name secretId again.',
    }),
    operation: t.field({ type: OperationInput, description: 'What it does.' }),
    inputSchema: t.field({ type: 'JSONSchema', description: 'What its inputs have to fulfil.' }),
    outputSchema: t.field({ type: 'JSONSchema', description: 'What its output has to fulfil.' }),
    secretId: t.id({ description: 'Another Secret of yours; null goes without.' }),
    secretScope: t.string({ description: "Where the Secret's value goes; null: what is usual." }),
    shared: t.boolean({ description: 'IN_USE while Processes need it shared.' }),
    enabled: t.boolean({ description: 'false stops it at the next step.' }),
    mutating: t.boolean({ description: 'Whether a call may change something.' }),
  }),
});

const ToolPayload = payloadType('ToolPayload', 'tool', Tool);

interface WithProblems {
  readonly userErrors: readonly Problem[];
}

const TestToolPayload = builder
  .objectRef<{ [Field in keyof ToolTest]: ToolTest[Field] | null } & WithProblems>(
    'TestToolPayload',
  )
  .implement({
    description: 'What came of calling a Tool once.',
    fields: (t) => ({
      output: t.expose('output', {
        type: 'JSON',
        nullable: true,
        description: 'What it answered, checked against its outputSchema.',
      }),
      durationMs: t.exposeFloat('durationMs', {
        nullable: true,
        description: 'How long it took, in milliseconds.',
      }),
      error: t.field({
        type: RunError,
        nullable: true,
        description: 'Why the call went wrong; null where it did not.',
        resolve: ({ error }) => error,
      }),
      userErrors: userErrorsField(t as never),
    }),
  });

const ImportToolsPayload = builder
  .objectRef<{ readonly tools: readonly ToolModel[] } & WithProblems>('ImportToolsPayload')
  .implement({
    description: 'What came of an import: all the Tools, or what to put right.',
    fields: (t) => ({
      tools: t.field({
        type: [Tool],
        description: 'The Tools that were made; none when anything was wrong.',
        resolve: ({ tools }) => [...tools],
      }),
      userErrors: userErrorsField(t as never),
    }),
  });

builder.mutationFields((t) => ({
  createTool: t.field({
    type: ToolPayload,
    description: 'Makes a Tool of your own and probes it.',
    args: { input: t.arg({ type: CreateToolInput, required: true, description: 'What it is.' }) },
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
    description: 'Changes anything of a Tool but its Service and its template.',
    args: { input: t.arg({ type: UpdateToolInput, required: true, description: 'What changes.' }) },
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
    description: 'Deletes a Tool no step calls.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, { id }, context) =>
      payload('deletedId', () => deleteTool(context, viewerOf(context), { id }), 'arguments'),
  }),
  testTool: t.field({
    type: TestToolPayload,
    description:
      'Calls a read-only Tool once, now, and records nothing. STATE for one that may change something.',
    complexity: 50,
    args: {
      id: t.arg.id({ required: true, description: 'Which one.' }),
      inputs: t.arg({ type: 'JSONObject', required: true, description: 'Its inputs.' }),
    },
    resolve: (_root, input, context) =>
      payloadOf<{ [Field in keyof ToolTest]: ToolTest[Field] | null }>(
        { output: null, durationMs: null, error: null },
        () => testTool(context, viewerOf(context), input),
        'arguments',
      ),
  }),
  importMcpTools: t.field({
    type: ImportToolsPayload,
    description: 'Asks an MCP server for its tools and makes a Tool of each; all or none.',
    complexity: 50,
    args: {
      serviceId: t.arg.id({ required: true, description: 'An mcp_server Service.' }),
      connectionParams: t.arg({
        type: 'JSONObject',
        required: true,
        description: 'How to connect; each Tool gets them.',
      }),
      secretId: t.arg.id({ description: 'A Secret of yours; each Tool gets it.' }),
      names: t.arg.stringList({ description: 'Only these; left out: all.' }),
    },
    resolve: (_root, input, context) =>
      payloadOf(
        { tools: [] as readonly ToolModel[] },
        async () => ({ tools: await importMcpTools(context, viewerOf(context), input) }),
        'arguments',
      ),
  }),
  importOpenApiTools: t.field({
    type: ImportToolsPayload,
    description:
      'Makes a rest_call Tool of each operation of an OpenAPI 3 document; all or none. Nothing is fetched.',
    complexity: 50,
    args: {
      serviceId: t.arg.id({ required: true, description: 'A rest_api Service.' }),
      document: t.arg.string({ required: true, description: 'The document, as JSON or YAML.' }),
      connectionParams: t.arg({
        type: 'JSONObject',
        required: true,
        description: 'How to connect; each Tool gets them.',
      }),
      secretId: t.arg.id({ description: 'A Secret of yours; each Tool gets it.' }),
      operationIds: t.arg.stringList({ description: 'Only these; left out: all.' }),
    },
    resolve: (_root, input, context) =>
      payloadOf(
        { tools: [] as readonly ToolModel[] },
        async () => ({ tools: await importOpenApiTools(context, viewerOf(context), input) }),
        'arguments',
      ),
  }),
}));
