import type { Json, JsonObject } from '../../src/common/json.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

/** A document, and the request of its first operation with the given inputs. */
export interface OpenApiCall {
  readonly document: JsonObject | string;
  readonly inputs: JsonObject;
  readonly answer?: { readonly status?: number; readonly type?: string; readonly body?: string };
}

export interface OpenApiCalled {
  /** Parts of the body of multipart, as text. */
  readonly parts?: readonly RegExp[];
  /** Method and target of the request. */
  readonly request?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Checked against the Tool's outputSchema. */
  readonly output?: Json;
  /** The inputs do not fit the Tool's inputSchema; nothing is sent. */
  readonly refused?: RegExp;
  /** A note about the operation for a person. */
  readonly note?: RegExp;
}

const OK: JsonObject = { 200: { description: 'ok' } };

/** A document with one operation. */
export function one(
  method: string,
  path: string,
  operation: JsonObject,
  components: JsonObject = {},
): JsonObject {
  const whole = { operationId: 'it', responses: OK, ...operation };
  return {
    openapi: '3.0.3',
    info: { title: 'One', version: '1' },
    paths: { [path]: { [method]: whole } },
    components,
  };
}

const body = (type: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  requestBody: { content: { [type]: { schema, ...more } } },
});
const json = (schema: JsonObject): JsonObject => ({
  description: 'ok',
  content: { 'application/json': { schema } },
});
const parameter = (place: string, name: string, schema: JsonObject, more: JsonObject = {}) => ({
  parameters: [
    { in: place, name, schema, ...(place === 'path' ? { required: true } : {}), ...more },
  ],
});
const LIST: JsonObject = { type: 'array', items: { type: 'string' } };
const FORM = 'application/x-www-form-urlencoded';
const PET: JsonObject = {
  type: 'object',
  required: ['id', 'name', 'secret'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    secret: { type: 'string', writeOnly: true },
  },
};

/** A document of Swagger 2.0 whose operations say nothing of their answers. */
const swagger = (parts: JsonObject): JsonObject => ({
  swagger: '2.0',
  info: { title: 'Old', version: '1' },
  ...parts,
});

export const CALLS: readonly ForeignCase<OpenApiCall, OpenApiCalled>[] = [
  ...rows<ForeignCase<OpenApiCall, OpenApiCalled>>('openapi', 'CALLS', {
    one,
    json,
    PET,
    body,
    FORM,
    LIST,
    parameter,
    swagger,
    rei: (text: string) => new RegExp(text, 'i'),
  }),
  ...(
    [
      { 200: { description: 'gone' } },
      { 200: { description: 'gone', content: { 'application/json': {} } }, 204: OK[200] ?? {} },
      { 200: json({ type: 'object' }), 205: { description: 'empty' } },
    ] as JsonObject[]
  ).map(
    (responses, index): ForeignCase<OpenApiCall, OpenApiCalled> => ({
      title: `a delete whose answer may have no body (${index})`,
      source: 'own',
      input: {
        document: one('delete', '/pets', { responses }),
        inputs: {},
        answer: { status: 204 },
      },
      right: { request: 'DELETE /pets', output: null },
    }),
  ),
];

/** A document, the names of the operations that come in, and why others do not. */
export interface OpenApiNames {
  readonly operations: readonly string[];
  readonly skipped?: Readonly<Record<string, RegExp>>;
}

const good: JsonObject = { operationId: 'good', responses: OK };
const beside = (odd: JsonObject, components: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Two', version: '1' },
  servers: [{ url: '/v{major}', variables: { major: { default: '1' } } }],
  paths: { '/good': { get: good }, '/odd': odd },
  components,
});
const answering = (schema: JsonObject): JsonObject => ({
  get: { operationId: 'odd', responses: { 200: json(schema) } },
});

export const NAMES: readonly ForeignCase<JsonObject, OpenApiNames>[] = [
  ...rows<ForeignCase<JsonObject, OpenApiNames>>('openapi', 'NAMES', { beside, OK, answering }),
  {
    title: 'names of components outside the specification, and of objects',
    source: 'own',
    input: beside(
      answering({
        anyOf: ['List«Pet»', '__proto__', 'constructor', 'a~1b'].map((name) => ({
          $ref: `#/components/schemas/${encodeURIComponent(name)}`,
        })),
      }),
      {
        schemas: JSON.parse(
          '{"List«Pet»":{"type":"array"},"__proto__":{"type":"string"},"constructor":{"type":"null"},"a/b":{"type":"integer"}}',
        ) as JsonObject,
      },
    ),
    right: { operations: ['good', 'odd'] },
  },
  {
    title: 'schemas that double at each step',
    source: 'own',
    input: beside(answering({ $ref: '#/components/schemas/S0' }), {
      schemas: Object.fromEntries(
        Array.from({ length: 40 }, (_, at): [string, JsonObject] => [
          `S${at}`,
          at === 39
            ? { type: 'string' }
            : { allOf: [1, 2].map(() => ({ $ref: `#/components/schemas/S${at + 1}` })) },
        ]),
      ),
    }),
    right: { operations: ['good', 'odd'] },
  },
];
