import type {
  OperationOf as Of,
  OperationField,
  Operation as OperationModel,
  OperationType as OperationTypeModel,
} from '../../src/operations/operation.ts';
import type {
  ParameterStyle as ParameterStyleModel,
  RestProbe as RestProbeModel,
} from '../../src/operations/rest-call.ts';
import { builder, enumOf } from '../builder.ts';
import { exposed, inputFields, nullable, outputFields, required } from '../fields.ts';
import { inputOf } from '../payload.ts';

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

const ProbeMethod = enumOf('ProbeMethod', 'Method of a probe.', {
  GET: 'Read the resource.',
  HEAD: 'Read its headers only.',
});
const BodyKind = enumOf('BodyKind', 'How the body of an HTTP request is written.', {
  json: 'As JSON.',
  form: 'As a form (application/x-www-form-urlencoded). Lists repeat their name.',
  multipart:
    'As multipart/form-data. A value that is a ci-blob:// URI, or an object with it as uri, ' +
    'is sent as a file.',
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
    ...exposed(t, {
      query: ['String', 'The Cypher statement. Its $parameters are the inputs of the Tool.'],
      access: [GraphAccess, 'Whether the statement may write.'],
    }),
    type: t.expose('type', typeField),
  }),
});
const ParameterStyle = builder.objectRef<ParameterStyleModel>('ParameterStyle').implement({
  description: 'How one parameter of an HTTP request is written.',
  fields: outputFields({
    in: [ParameterPlace, 'Where the parameter stands.'],
    name: ['String', 'Variable of the path, or key of query, headers, cookies or the form.'],
    style: [nullable(ParameterStyleName), 'Null: SIMPLE in path and header, FORM elsewhere.'],
    explode: [
      'Boolean?',
      'Whether each item is a parameter of its own. Null: only with the style FORM.',
    ],
    allowReserved: [
      'Boolean?',
      'Whether characters such as / and : are not encoded. Null: they are encoded.',
    ],
  }),
});
const RestProbe = builder.objectRef<RestProbeModel>('RestProbe').implement({
  description: 'A request without side effects that says whether a Tool would work.',
  fields: outputFields({
    method: [nullable(ProbeMethod), 'Null: GET.'],
    path: ['String', 'Path below the endpoint. Healthy is an answer of 2xx.'],
  }),
});
const RestCallOperation = builder.objectRef<Of<'rest_call'>>('RestCallOperation').implement({
  description: 'An HTTP request.',
  fields: (t) => ({
    ...exposed(t, {
      method: [HttpMethod, 'HTTP method.'],
      path: ['String', 'Handlebars template, appended to the endpoint. Values are URI-encoded.'],
      query: ['JSONObject?', 'Query parameters. Strings in it are templates.'],
      headers: ['JSONObject?', 'Headers. Their values are templates.'],
      cookies: ['JSONObject?', 'Cookies. Their values are templates.'],
      body: ['JSON?', 'Request body. Strings in it are templates.'],
      bodyKind: [
        nullable(BodyKind),
        'How the body is written. Null: text as text, other values as JSON, or as a form ' +
          'where the header Content-Type says so.',
      ],
      probe: [
        nullable(RestProbe),
        'How its health is checked. Null: by a GET of the endpoint, below status 500.',
        ({ probe }) => probe ?? null,
      ],
      styles: [
        [ParameterStyle],
        'Parameters that are written in a style of their own. Others: a list repeats its name ' +
          'in a query or form, other lists and objects are JSON.',
        ({ styles }) => [...(styles ?? [])],
      ],
    }),
    type: t.expose('type', typeField),
  }),
});
const LlmCallOperation = builder.objectRef<Of<'llm_call'>>('LlmCallOperation').implement({
  description: 'A prompt to a language model.',
  fields: (t) => ({
    ...exposed(t, {
      systemPrompt: ['String?', 'System prompt, a template.'],
      promptTemplate: ['String', 'User prompt, a template.'],
      messages: [
        'String?',
        'Name of the input that holds messages [{role, content}], sent before the prompt.',
      ],
      responseSchema: [
        'JSONSchema?',
        'If set, the answer is a JSON object that is valid against this schema.',
      ],
    }),
    type: t.expose('type', typeField),
  }),
});
const McpCallOperation = builder.objectRef<Of<'mcp_call'>>('McpCallOperation').implement({
  description: 'A call of a tool on an MCP server.',
  fields: (t) => ({
    ...exposed(t, {
      tool: ['String', 'Name of the tool on the MCP server.'],
      arguments: [
        'JSONObject?',
        'Arguments of the tool. Strings in it are templates. Null: the inputs are passed ' +
          'unchanged.',
      ],
    }),
    type: t.expose('type', typeField),
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

const GraphQueryInput = inputOf('GraphQueryInput', 'A Cypher statement.', {
  query: ['String!', 'The Cypher statement. Its $parameters are the properties of inputSchema.'],
  access: [required(GraphAccess), 'Whether the statement may write.', 'read'],
});
const ParameterStyleInput = inputOf(
  'ParameterStyleInput',
  'How one parameter of an HTTP request is written.',
  {
    in: [required(ParameterPlace), 'Where the parameter stands.'],
    name: ['String!', 'Variable of the path, or key of query, headers, cookies or the form.'],
    style: [ParameterStyleName, 'Default: SIMPLE in path and header, FORM elsewhere.'],
    explode: [
      'Boolean',
      'Whether each item is a parameter of its own. Default: only with the style FORM.',
    ],
    allowReserved: [
      'Boolean',
      'Whether characters such as / and : are not encoded. Default: false.',
    ],
  },
);
const RestProbeInput = inputOf(
  'RestProbeInput',
  'A request without side effects that says whether a Tool would work.',
  {
    method: [ProbeMethod, 'Default: GET.'],
    path: ['String!', 'Path below the endpoint, without templates: /health.'],
  },
);
const RestCallInput = inputOf(
  'RestCallInput',
  'An HTTP request. In query, headers and body, a value that is exactly one {{name}} keeps ' +
    'its JSON type.',
  {
    method: [required(HttpMethod), 'HTTP method.'],
    path: ['String!', 'Handlebars template, appended to the endpoint: /items/{{id}}.'],
    query: ['JSONObject', 'Query parameters.'],
    headers: ['JSONObject', 'Headers, in addition to those of the connection.'],
    cookies: ['JSONObject', 'Cookies.'],
    body: ['JSON', 'Request body.'],
    bodyKind: [
      BodyKind,
      'How the body is written. Default: text as text, other values as JSON, or as a form ' +
        'where the header Content-Type says so.',
    ],
    styles: [[ParameterStyleInput], 'Parameters that are written in a style of their own.'],
    probe: [
      RestProbeInput,
      'How its health is checked: healthy is an answer of 2xx. Default: by a GET of the endpoint.',
    ],
  },
);
const LlmCallInput = inputOf('LlmCallInput', 'A prompt to a language model.', {
  systemPrompt: ['String', 'System prompt, a template.'],
  promptTemplate: ['String!', 'User prompt, a template.'],
  messages: [
    'String',
    'Name of the inputSchema property that holds messages [{role, content}], sent before ' +
      'the prompt.',
  ],
  responseSchema: [
    'JSONSchema',
    'If set, the answer is a JSON object that is valid against this schema.',
  ],
});
const McpCallInput = inputOf('McpCallInput', 'A call of a tool on an MCP server.', {
  tool: ['String!', 'Name of the tool on the MCP server.'],
  arguments: ['JSONObject', 'Arguments of the tool. Default: the inputs, unchanged.'],
});

export const OperationInput = builder.inputType('OperationInput', {
  description: 'Operation of a Tool: exactly one of these fields.',
  isOneOf: true,
  fields: inputFields({
    graphQuery: [GraphQueryInput, 'For a neo4j_graph Service.'],
    restCall: [RestCallInput, 'For a rest_api Service.'],
    llmCall: [LlmCallInput, 'For an llm_provider Service.'],
    mcpCall: [McpCallInput, 'For an mcp_server Service.'],
  } satisfies Record<OperationField, readonly [unknown, string]>),
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
