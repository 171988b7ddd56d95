import type {
  OperationOf as Of,
  OperationField,
  Operation as OperationModel,
  OperationType as OperationTypeModel,
} from '../../src/operations/operation.ts';
import type { ParameterStyle as ParameterStyleModel } from '../../src/operations/rest-call.ts';
import { builder, enumOf } from '../builder.ts';

const GraphAccess = enumOf('GraphAccess', 'Permission of a Cypher statement.', {
  read: 'Read only. The database refuses writes.',
  write: 'Read and write.',
});
const HttpMethod = enumOf('HttpMethod', 'Method of an HTTP request.', {
  GET: 'Read a resource.',
  POST: 'Submit data, for example to create a resource.',
  PUT: 'Replace a resource.',
  PATCH: 'Change parts of a resource.',
  DELETE: 'Delete a resource.',
  HEAD: 'Read the headers only.',
});

const BodyKind = enumOf('BodyKind', 'How the body of an HTTP request is written.', {
  json: 'As JSON.',
  form: 'As a form (application/x-www-form-urlencoded). Lists repeat their name.',
  multipart:
    'As multipart/form-data. A value that is a ci-blob:// URI, or an object with it as uri, is sent as a file.',
  text: 'As text, in the media type of the header Content-Type.',
  binary: 'As the bytes of a file: a ci-blob:// URI, or an object with it as uri.',
});
const ParameterPlace = enumOf('ParameterPlace', 'Where a parameter stands.', {
  path: 'A variable of the path.',
  query: 'A query parameter.',
  header: 'A header.',
  cookie: 'A cookie.',
  form: "A field of a form's body.",
});
const ParameterStyleName = enumOf(
  'ParameterStyleName',
  'How a value is written into a parameter, by the names of OpenAPI.',
  {
    simple: 'a,b. For paths and headers.',
    label: '.a.b. For paths.',
    matrix: ';name=a,b. For paths.',
    form: 'name=a&name=b, or name=a,b without explode. For queries, cookies and forms.',
    spaceDelimited: 'name=a%20b. For queries and forms.',
    pipeDelimited: 'name=a%7Cb. For queries and forms.',
    deepObject: 'name[key]=a. For queries and forms.',
    json: 'The JSON text of the value.',
  },
);

export const OperationType = enumOf('OperationType', 'Type of an operation.', {
  graph_query: 'A Cypher statement.',
  rest_call: 'An HTTP request.',
  llm_call: 'A prompt to a language model.',
  mcp_call: 'A call of a tool on an MCP server.',
});
const typeField = { type: OperationType, description: 'Type of the operation.' } as const;

const GraphQueryOperation = builder.objectRef<Of<'graph_query'>>('GraphQueryOperation').implement({
  description: 'A Cypher statement.',
  fields: (t) => ({
    type: t.expose('type', typeField),
    query: t.exposeString('query', {
      description: 'The Cypher statement. Its $parameters are the inputs of the Tool.',
    }),
    access: t.expose('access', {
      type: GraphAccess,
      description: 'Whether the statement may write.',
    }),
  }),
});
const ParameterStyle = builder.objectRef<ParameterStyleModel>('ParameterStyle').implement({
  description: 'How one parameter of an HTTP request is written.',
  fields: (t) => ({
    in: t.field({
      type: ParameterPlace,
      description: 'Where the parameter stands.',
      resolve: (style) => style.in,
    }),
    name: t.exposeString('name', {
      description: 'Variable of the path, or key of query, headers, cookies or the form.',
    }),
    style: t.field({
      type: ParameterStyleName,
      nullable: true,
      description: 'Null: SIMPLE in path and header, FORM elsewhere.',
      resolve: ({ style }) => style ?? null,
    }),
    explode: t.boolean({
      nullable: true,
      description: 'Whether each item is a parameter of its own. Null: only with the style FORM.',
      resolve: ({ explode }) => explode ?? null,
    }),
    allowReserved: t.boolean({
      nullable: true,
      description: 'Whether characters such as / and : are not encoded. Null: they are encoded.',
      resolve: ({ allowReserved }) => allowReserved ?? null,
    }),
  }),
});
const RestCallOperation = builder.objectRef<Of<'rest_call'>>('RestCallOperation').implement({
  description: 'An HTTP request.',
  fields: (t) => ({
    type: t.expose('type', typeField),
    method: t.expose('method', { type: HttpMethod, description: 'HTTP method.' }),
    path: t.exposeString('path', {
      description: 'Handlebars template, appended to the endpoint. Values are URI-encoded.',
    }),
    query: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Query parameters. Strings in it are templates.',
      resolve: ({ query }) => query ?? null,
    }),
    headers: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Headers. Their values are templates.',
      resolve: ({ headers }) => headers ?? null,
    }),
    cookies: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Cookies. Their values are templates.',
      resolve: ({ cookies }) => cookies ?? null,
    }),
    body: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Request body. Strings in it are templates.',
      resolve: ({ body }) => body ?? null,
    }),
    bodyKind: t.field({
      type: BodyKind,
      nullable: true,
      description:
        'How the body is written. Null: text as text, other values as JSON, or as a form where the header Content-Type says so.',
      resolve: ({ bodyKind }) => bodyKind ?? null,
    }),
    styles: t.field({
      type: [ParameterStyle],
      description:
        'Parameters that are written in a style of their own. Others: a list repeats its name in a query or form, other lists and objects are JSON.',
      resolve: ({ styles }) => [...(styles ?? [])],
    }),
  }),
});
const LlmCallOperation = builder.objectRef<Of<'llm_call'>>('LlmCallOperation').implement({
  description: 'A prompt to a language model.',
  fields: (t) => ({
    type: t.expose('type', typeField),
    systemPrompt: t.string({
      nullable: true,
      description: 'System prompt, a template.',
      resolve: ({ systemPrompt }) => systemPrompt ?? null,
    }),
    promptTemplate: t.exposeString('promptTemplate', {
      description: 'User prompt, a template.',
    }),
    messages: t.string({
      nullable: true,
      description:
        'Name of the input that holds messages [{role, content}], sent before the prompt.',
      resolve: ({ messages }) => messages ?? null,
    }),
    responseSchema: t.field({
      type: 'JSONSchema',
      nullable: true,
      description: 'If set, the answer is a JSON object that is valid against this schema.',
      resolve: ({ responseSchema }) => responseSchema ?? null,
    }),
  }),
});
const McpCallOperation = builder.objectRef<Of<'mcp_call'>>('McpCallOperation').implement({
  description: 'A call of a tool on an MCP server.',
  fields: (t) => ({
    type: t.expose('type', typeField),
    tool: t.exposeString('tool', { description: 'Name of the tool on the MCP server.' }),
    arguments: t.field({
      type: 'JSONObject',
      nullable: true,
      description:
        'Arguments of the tool. Strings in it are templates. Null: the inputs are passed unchanged.',
      resolve: (operation) => operation.arguments ?? null,
    }),
  }),
});

const TYPE_OF = {
  graph_query: GraphQueryOperation,
  rest_call: RestCallOperation,
  llm_call: LlmCallOperation,
  mcp_call: McpCallOperation,
} as const satisfies Record<OperationTypeModel, unknown>;

export const Operation = builder.unionType('Operation', {
  description: 'Operation of a Tool. Its type matches the type of the Service.',
  types: Object.values(TYPE_OF),
  resolveType: ({ type }) => TYPE_OF[type].name,
});

const GraphQueryInput = builder.inputType('GraphQueryInput', {
  description: 'A Cypher statement.',
  fields: (t) => ({
    query: t.string({
      required: true,
      description: 'The Cypher statement. Its $parameters are the properties of inputSchema.',
    }),
    access: t.field({
      type: GraphAccess,
      required: true,
      defaultValue: 'read',
      description: 'Whether the statement may write.',
    }),
  }),
});
const ParameterStyleInput = builder.inputType('ParameterStyleInput', {
  description: 'How one parameter of an HTTP request is written.',
  fields: (t) => ({
    in: t.field({
      type: ParameterPlace,
      required: true,
      description: 'Where the parameter stands.',
    }),
    name: t.string({
      required: true,
      description: 'Variable of the path, or key of query, headers, cookies or the form.',
    }),
    style: t.field({
      type: ParameterStyleName,
      description: 'Default: SIMPLE in path and header, FORM elsewhere.',
    }),
    explode: t.boolean({
      description:
        'Whether each item is a parameter of its own. Default: only with the style FORM.',
    }),
    allowReserved: t.boolean({
      description: 'Whether characters such as / and : are not encoded. Default: false.',
    }),
  }),
});
const RestCallInput = builder.inputType('RestCallInput', {
  description:
    'An HTTP request. In query, headers and body, a value that is exactly one {{name}} keeps its JSON type.',
  fields: (t) => ({
    method: t.field({ type: HttpMethod, required: true, description: 'HTTP method.' }),
    path: t.string({
      required: true,
      description: 'Handlebars template, appended to the endpoint: /items/{{id}}.',
    }),
    query: t.field({ type: 'JSONObject', description: 'Query parameters.' }),
    headers: t.field({
      type: 'JSONObject',
      description: 'Headers, in addition to those of the connection.',
    }),
    cookies: t.field({ type: 'JSONObject', description: 'Cookies.' }),
    body: t.field({ type: 'JSON', description: 'Request body.' }),
    bodyKind: t.field({
      type: BodyKind,
      description:
        'How the body is written. Default: text as text, other values as JSON, or as a form where the header Content-Type says so.',
    }),
    styles: t.field({
      type: [ParameterStyleInput],
      description: 'Parameters that are written in a style of their own.',
    }),
  }),
});
const LlmCallInput = builder.inputType('LlmCallInput', {
  description: 'A prompt to a language model.',
  fields: (t) => ({
    systemPrompt: t.string({ description: 'System prompt, a template.' }),
    promptTemplate: t.string({ required: true, description: 'User prompt, a template.' }),
    messages: t.string({
      description:
        'Name of the inputSchema property that holds messages [{role, content}], sent before the prompt.',
    }),
    responseSchema: t.field({
      type: 'JSONSchema',
      description: 'If set, the answer is a JSON object that is valid against this schema.',
    }),
  }),
});
const McpCallInput = builder.inputType('McpCallInput', {
  description: 'A call of a tool on an MCP server.',
  fields: (t) => ({
    tool: t.string({ required: true, description: 'Name of the tool on the MCP server.' }),
    arguments: t.field({
      type: 'JSONObject',
      description: 'Arguments of the tool. Default: the inputs, unchanged.',
    }),
  }),
});

export const OperationInput = builder.inputType('OperationInput', {
  description: 'Operation of a Tool: exactly one of these fields.',
  isOneOf: true,
  fields: (t) =>
    ({
      graphQuery: t.field({ type: GraphQueryInput, description: 'For a neo4j_graph Service.' }),
      restCall: t.field({ type: RestCallInput, description: 'For a rest_api Service.' }),
      llmCall: t.field({ type: LlmCallInput, description: 'For an llm_provider Service.' }),
      mcpCall: t.field({ type: McpCallInput, description: 'For an mcp_server Service.' }),
    }) satisfies Record<OperationField, unknown>,
});
type OperationInput = typeof OperationInput.$inferInput;

/** Converts the GraphQL input to an Operation. The schema allows exactly one of its fields. */
export function operationOf(input: OperationInput | null | undefined): OperationModel | null {
  const { graphQuery, restCall, llmCall, mcpCall } = input ?? {};
  const given: Record<OperationTypeModel, OperationModel | null> = {
    graph_query: graphQuery == null ? null : { type: 'graph_query', ...graphQuery },
    rest_call: restCall == null ? null : { type: 'rest_call', ...restCall },
    llm_call: llmCall == null ? null : { type: 'llm_call', ...llmCall },
    mcp_call: mcpCall == null ? null : { type: 'mcp_call', ...mcpCall },
  };
  return Object.values(given).find((operation) => operation !== null) ?? null;
}
