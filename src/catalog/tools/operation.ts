import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';

export const SERVICE_TYPES = ['neo4j_graph', 'rest_api', 'llm_provider', 'mcp_server'] as const;
export type ServiceType = (typeof SERVICE_TYPES)[number];

export const PROTOCOLS = ['bolt', 'bolt+s', 'http', 'https', 'stdio', 'sse'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const HEALTH_STATUSES = ['healthy', 'degraded', 'down'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

const STYLES_MAX = 500;

const jsonObject = z.custom<JsonObject>(isJsonObject, 'has to be a JSON object');
const json = z.custom<Json>((value) => value !== undefined);

/** Where a parameter with a style of its own stands: `form` is a field of a form's body. */
export const PARAMETER_PLACES = ['path', 'query', 'header', 'cookie', 'form'] as const;

/** How a parameter is written, by the names of OpenAPI; `json` is its JSON text. */
export const PARAMETER_STYLES = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
  'json',
] as const;

/** How one parameter of a rest_call is written where the usual way is not right. */
export const ParameterStyle = z.object({
  in: z.enum(PARAMETER_PLACES),
  /** A variable of the path, or a key of query, headers, cookies or the form's body. */
  name: z.string().min(1),
  /** Absent: `simple` in path and header, `form` elsewhere. */
  style: z.enum(PARAMETER_STYLES).nullish(),
  /** Whether each item or property is a parameter of its own. Absent: true for `form` only. */
  explode: z.boolean().nullish(),
  /** Whether characters such as `/` and `:` stay as they are in a query or form. Absent: false. */
  allowReserved: z.boolean().nullish(),
});
export type ParameterStyle = z.infer<typeof ParameterStyle>;

export const BODY_KINDS = ['json', 'form', 'multipart', 'text', 'binary'] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

/**
 * The call that a Tool makes, one shape per Service type (S4-TOOL-05). Stored as JSON text and
 * parsed on each read.
 */
export const Operation = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('graph_query'),
    /** Cypher; its `$names` are the Tool's inputs. Values are always passed as parameters. */
    query: z.string().min(1),
    access: z.enum(['read', 'write']).default('read'),
  }),
  z.object({
    type: z.literal('rest_call'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']),
    /** Handlebars template, appended to the endpoint; rendered values are URI-encoded. */
    path: z.string(),
    query: jsonObject.nullish(),
    headers: jsonObject.nullish(),
    cookies: jsonObject.nullish(),
    body: json.nullish(),
    /** How the body is sent. Absent: by the body and its Content-Type. */
    bodyKind: z.enum(BODY_KINDS).nullish(),
    styles: z.array(ParameterStyle).max(STYLES_MAX).nullish(),
  }),
  z.object({
    type: z.literal('llm_call'),
    systemPrompt: z.string().nullish(),
    promptTemplate: z.string(),
    /** Name of the input with `[{role, content}]`, sent between system prompt and prompt. */
    messages: z.string().nullish(),
    responseSchema: jsonObject.nullish(),
  }),
  z.object({
    type: z.literal('mcp_call'),
    tool: z.string().min(1),
    /** Absent: the inputs unchanged. */
    arguments: jsonObject.nullish(),
  }),
]);
export type Operation = z.infer<typeof Operation>;
export type OperationType = Operation['type'];

/** The operation types; also the Worker types and the Temporal task queues. */
export const OPERATION_TYPES = [
  'graph_query',
  'rest_call',
  'llm_call',
  'mcp_call',
] as const satisfies OperationType[];

export const SERVICE_TYPE_OF = {
  graph_query: 'neo4j_graph',
  rest_call: 'rest_api',
  llm_call: 'llm_provider',
  mcp_call: 'mcp_server',
} as const satisfies Record<OperationType, ServiceType>;

export const PROTOCOLS_OF = {
  neo4j_graph: ['bolt', 'bolt+s'],
  rest_api: ['http', 'https'],
  llm_provider: ['http', 'https'],
  mcp_server: ['stdio', 'sse', 'http', 'https'],
} as const satisfies Record<ServiceType, readonly Protocol[]>;
