import type { Operation as OperationModel } from '../../src/catalog/tools/operation.ts';
import { builder, enumOf } from '../builder.ts';

type Of<T extends OperationModel['type']> = Extract<OperationModel, { type: T }>;

const GraphAccess = enumOf('GraphAccess', 'What a statement may do to the graph.', {
  read: 'Only read; the database refuses anything else.',
  write: 'Read and write.',
});
const HttpMethod = enumOf('HttpMethod', 'The method of an HTTP request.', {
  GET: 'Reads.',
  POST: 'Sends something new.',
  PUT: 'Replaces.',
  PATCH: 'Changes in part.',
  DELETE: 'Deletes.',
  HEAD: 'Reads the headers only.',
});

const typeField = { description: 'Which kind it is, in the spelling of bundles: graph_query, …' };

const GraphQueryOperation = builder.objectRef<Of<'graph_query'>>('GraphQueryOperation').implement({
  description: 'A Cypher statement.',
  fields: (t) => ({
    type: t.exposeString('type', typeField),
    query: t.exposeString('query', { description: 'The statement; its $names are the inputs.' }),
    access: t.expose('access', { type: GraphAccess, description: 'What it may do.' }),
  }),
});
const RestCallOperation = builder.objectRef<Of<'rest_call'>>('RestCallOperation').implement({
  description: 'An HTTP request.',
  fields: (t) => ({
    type: t.exposeString('type', typeField),
    method: t.expose('method', { type: HttpMethod, description: 'Its method.' }),
    path: t.exposeString('path', {
      description: 'Handlebars, appended to the endpoint; values are URI-encoded.',
    }),
    query: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Query parameters; texts in it are templates.',
      resolve: ({ query }) => query ?? null,
    }),
    headers: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Headers; their values are templates.',
      resolve: ({ headers }) => headers ?? null,
    }),
    body: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The body; texts in it are templates.',
      resolve: ({ body }) => body ?? null,
    }),
  }),
});
const LlmCallOperation = builder.objectRef<Of<'llm_call'>>('LlmCallOperation').implement({
  description: 'A prompt to a language model.',
  fields: (t) => ({
    type: t.exposeString('type', typeField),
    systemPrompt: t.string({
      nullable: true,
      description: 'What the model is told to be; a template.',
      resolve: ({ systemPrompt }) => systemPrompt ?? null,
    }),
    promptTemplate: t.exposeString('promptTemplate', {
      description: 'What it is asked; a template.',
    }),
    messages: t.string({
      nullable: true,
      description: 'The input that holds [{role, content}], sent before the prompt.',
      resolve: ({ messages }) => messages ?? null,
    }),
    responseSchema: t.field({
      type: 'JSONSchema',
      nullable: true,
      description: 'Given: the answer is an object that fulfils it.',
      resolve: ({ responseSchema }) => responseSchema ?? null,
    }),
  }),
});
const McpCallOperation = builder.objectRef<Of<'mcp_call'>>('McpCallOperation').implement({
  description: 'A call of a tool on an MCP server.',
  fields: (t) => ({
    type: t.exposeString('type', typeField),
    tool: t.exposeString('tool', { description: "The server's name for it." }),
    arguments: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Its arguments; texts in it are templates. Null: the inputs as they are.',
      resolve: (operation) => operation.arguments ?? null,
    }),
  }),
});

const TYPE_OF = {
  graph_query: GraphQueryOperation,
  rest_call: RestCallOperation,
  llm_call: LlmCallOperation,
  mcp_call: McpCallOperation,
} as const satisfies Record<OperationModel['type'], unknown>;

export const Operation = builder.unionType('Operation', {
  description: 'What a Tool does; its kind goes with the type of the Service.',
  types: [GraphQueryOperation, RestCallOperation, LlmCallOperation, McpCallOperation],
  resolveType: ({ type }) => TYPE_OF[type].name,
});

const GraphQueryInput = builder.inputType('GraphQueryInput', {
  description: 'A Cypher statement.',
  fields: (t) => ({
    query: t.string({
      required: true,
      description: 'The statement; its $names are the properties of inputSchema.',
    }),
    access: t.field({
      type: GraphAccess,
      required: true,
      defaultValue: 'read',
      description: 'What it may do.',
    }),
  }),
});
const RestCallInput = builder.inputType('RestCallInput', {
  description:
    'An HTTP request. Values that are one whole {{name}} keep their JSON type in query, headers and body.',
  fields: (t) => ({
    method: t.field({ type: HttpMethod, required: true, description: 'Its method.' }),
    path: t.string({
      required: true,
      description: 'Handlebars, appended to the endpoint: /items/{{id}}.',
    }),
    query: t.field({ type: 'JSONObject', description: 'Query parameters.' }),
    headers: t.field({
      type: 'JSONObject',
      description: 'Headers, without those of the connection itself.',
    }),
    body: t.field({ type: 'JSON', description: 'The body.' }),
  }),
});
const LlmCallInput = builder.inputType('LlmCallInput', {
  description: 'A prompt to a language model.',
  fields: (t) => ({
    systemPrompt: t.string({ description: 'What the model is told to be; a template.' }),
    promptTemplate: t.string({ required: true, description: 'What it is asked; a template.' }),
    messages: t.string({
      description:
        'The property of inputSchema that holds [{role, content}], sent before the prompt.',
    }),
    responseSchema: t.field({
      type: 'JSONSchema',
      description: 'Given: the answer is an object that fulfils it.',
    }),
  }),
});
const McpCallInput = builder.inputType('McpCallInput', {
  description: 'A call of a tool on an MCP server.',
  fields: (t) => ({
    tool: t.string({ required: true, description: "The server's name for it." }),
    arguments: t.field({
      type: 'JSONObject',
      description: 'Its arguments; left out: the inputs as they are.',
    }),
  }),
});

export const OperationInput = builder.inputType('OperationInput', {
  description: 'What a Tool does: exactly one of these.',
  isOneOf: true,
  fields: (t) => ({
    graphQuery: t.field({ type: GraphQueryInput, description: 'For a neo4j_graph Service.' }),
    restCall: t.field({ type: RestCallInput, description: 'For a rest_api Service.' }),
    llmCall: t.field({ type: LlmCallInput, description: 'For an llm_provider Service.' }),
    mcpCall: t.field({ type: McpCallInput, description: 'For an mcp_server Service.' }),
  }),
});
type OperationInput = typeof OperationInput.$inferInput;

/** The model of what was given; the schema lets through exactly one. */
export function operationOf(input: OperationInput | null | undefined): OperationModel | null {
  if (input?.graphQuery != null) return { type: 'graph_query', ...input.graphQuery };
  if (input?.restCall != null) return { type: 'rest_call', ...input.restCall };
  if (input?.llmCall != null) return { type: 'llm_call', ...input.llmCall };
  if (input?.mcpCall != null) return { type: 'mcp_call', ...input.mcpCall };
  return null;
}
