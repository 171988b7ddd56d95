import type { Json, JsonObject } from '../../src/common/json.ts';
import type { ForeignCase } from './foreign-case.ts';

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
  /** What a person is told of the operation. */
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
  {
    title: 'a delete with 204 and a default error',
    source: 'OAI/OpenAPI-Specification#236',
    input: {
      document: one('delete', '/pets/{id}', {
        ...parameter('path', 'id', { type: 'string' }),
        responses: {
          204: { description: 'gone' },
          default: json({ type: 'object', required: ['code'] }),
        },
      }),
      inputs: { id: 'a b' },
      answer: { status: 204 },
    },
    right: { request: 'DELETE /pets/a%20b', output: null },
  },
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
  {
    title: 'two successes of different shapes',
    source: 'cyclosproject/ng-openapi-gen#57',
    input: {
      document: one('post', '/jobs', {
        responses: {
          200: json({ type: 'object', required: ['done'] }),
          202: json({ type: 'string' }),
          '4XX': json({ type: 'object' }),
        },
      }),
      inputs: {},
      answer: { status: 202, type: 'application/json', body: '"later"' },
    },
    right: { output: 'later' },
  },
  {
    title: 'a range of successes',
    source: 'own',
    input: {
      document: one('get', '/', {
        responses: { '2XX': json({ type: 'integer' }), default: json(PET) },
      }),
      inputs: {},
      answer: { type: 'application/json', body: '7' },
    },
    right: { output: 7 },
  },
  {
    title: 'an optional form',
    source: 'punkpeye/fastmcp#350',
    input: {
      document: one(
        'post',
        '/v1/charges',
        body(FORM, { type: 'object', properties: { tags: LIST } }),
      ),
      inputs: { body: { tags: ['a', 'b c'] } },
    },
    right: { contentType: FORM, body: 'tags=a&tags=b+c' },
  },
  {
    title: 'a form with a deep object, as payment services have it',
    source: 'own',
    input: {
      document: one(
        'post',
        '/v1/intents',
        body(
          FORM,
          { type: 'object', properties: { items: { type: 'array' }, amount: { type: 'integer' } } },
          { encoding: { items: { style: 'deepObject', explode: true } } },
        ),
      ),
      inputs: { body: { amount: 5, items: [{ price: 'p' }] } },
    },
    right: { body: 'amount=5&items%5B0%5D%5Bprice%5D=p' },
  },
  {
    title: 'a body behind a $ref',
    source: 'hahwul/gori#1166',
    input: {
      document: one(
        'put',
        '/users/{id}',
        {
          parameters: [{ $ref: '#/components/parameters/UserId' }],
          requestBody: { $ref: '#/components/requestBodies/User' },
          responses: { 200: { $ref: '#/components/responses/User' } },
        },
        {
          parameters: {
            UserId: { in: 'path', name: 'id', required: true, schema: { type: 'integer' } },
          },
          requestBodies: {
            User: { required: true, content: { 'application/json': { schema: PET } } },
          },
          responses: { User: json({ $ref: '#/components/schemas/Pet' }) },
          schemas: { Pet: PET },
        },
      ),
      inputs: { id: 7, body: { name: 'Rex', secret: 's' } },
      answer: { type: 'application/json', body: '{"id":7,"name":"Rex"}' },
    },
    right: { request: 'PUT /users/7', output: { id: 7, name: 'Rex' } },
  },
  {
    title: 'a readOnly property that is required, in a request',
    source: 'vert-x3/vertx-web#2053',
    input: {
      document: one('post', '/pets', body('application/json', PET)),
      inputs: { body: { name: 'Rex', secret: 's' } },
    },
    right: { body: '{"name":"Rex","secret":"s"}' },
  },
  {
    title: 'readOnly in another part of allOf',
    source: 'kogosoftwarellc/open-api#400',
    input: {
      document: one(
        'post',
        '/pets',
        body('application/json', {
          allOf: [
            { $ref: '#/components/schemas/Base' },
            { type: 'object', required: ['id', 'name'] },
          ],
        }),
        {
          schemas: {
            Base: { type: 'object', properties: { id: { $ref: '#/components/schemas/Id' } } },
            Id: { type: 'integer', readOnly: true },
          },
        },
      ),
      inputs: { body: { name: 'Rex' } },
    },
    right: { body: '{"name":"Rex"}' },
  },
  {
    title: 'a writeOnly property that is required, in an answer',
    source: 'networknt/json-schema-validator#1185',
    input: {
      document: one('get', '/pet', { responses: { 200: json(PET) } }),
      inputs: {},
      answer: { type: 'application/json', body: '{"id":1,"name":"Rex"}' },
    },
    right: { output: { id: 1, name: 'Rex' } },
  },
  {
    title: 'a query list without explode',
    source: 'PrefectHQ/fastmcp#1004',
    input: {
      document: one('get', '/', parameter('query', 'a', LIST, { explode: false })),
      inputs: { a: ['x', 'y'] },
    },
    right: { request: 'GET /?a=x,y' },
  },
  {
    title: 'a query list in pipes',
    source: 'PrefectHQ/fastmcp#5060',
    input: {
      document: one(
        'get',
        '/',
        parameter('query', 'p', LIST, { style: 'pipeDelimited', explode: false }),
      ),
      inputs: { p: ['x', 'y'] },
    },
    right: { request: 'GET /?p=x%7Cy' },
  },
  {
    title: 'a list in a path',
    source: 'PrefectHQ/fastmcp#4897',
    input: {
      document: one(
        'get',
        '/path/{l}',
        parameter('path', 'l', { type: 'array', items: { type: 'integer' } }),
      ),
      inputs: { l: [1, 2, 3] },
    },
    right: { request: 'GET /path/1,2,3' },
  },
  {
    title: 'a list in a header',
    source: 'PrefectHQ/fastmcp#497',
    input: {
      document: one('get', '/', parameter('header', 'X-L', LIST)),
      inputs: { X_L: ['a', 'b'] },
    },
    right: { headers: { 'x-l': 'a,b' } },
  },
  {
    title: 'a deep object',
    source: 'PrefectHQ/fastmcp#4523',
    input: {
      document: one(
        'get',
        '/',
        parameter('query', 'filter', { type: 'object' }, { style: 'deepObject', explode: true }),
      ),
      inputs: { filter: { eq: '8827364' } },
    },
    right: { request: 'GET /?filter%5Beq%5D=8827364' },
  },
  {
    title: 'an object in a query, in the usual style',
    source: 'openapi-ts/openapi-typescript#1533',
    input: {
      document: one('get', '/', parameter('query', 'id', { type: 'object' })),
      inputs: { id: { role: 'admin', firstName: 'Alex' } },
    },
    right: { request: 'GET /?role=admin&firstName=Alex' },
  },
  {
    title: 'a parameter with JSON as its content',
    source: 'own',
    input: {
      document: one('get', '/', {
        parameters: [{ in: 'query', name: 'q', content: { 'application/json': { schema: LIST } } }],
      }),
      inputs: { q: ['a'] },
    },
    right: { request: 'GET /?q=%5B%22a%22%5D' },
  },
  {
    title: 'label and matrix',
    source: 'own',
    input: {
      document: one('get', '/{a}/{b}', {
        parameters: [
          { in: 'path', name: 'a', required: true, style: 'label', explode: true, schema: LIST },
          { in: 'path', name: 'b', required: true, style: 'matrix', schema: LIST },
        ],
      }),
      inputs: { a: ['x', 'y'], b: ['x', 'y'] },
    },
    right: { request: 'GET /.x.y/;b=x,y' },
  },
  {
    title: 'a required cookie',
    source: 'own',
    input: {
      document: one('get', '/', parameter('cookie', 'sid', { type: 'string' }, { required: true })),
      inputs: { sid: 'a b' },
    },
    right: { headers: { cookie: 'sid=a%20b' } },
  },
  {
    title: 'a path variable that is not declared',
    source: 'own',
    input: { document: one('get', '/pets/{petId}', {}), inputs: { petId: 'x' } },
    right: { request: 'GET /pets/x' },
  },
  {
    title: 'a text as a JSON body',
    source: 'own',
    input: {
      document: one('post', '/', body('application/json', { type: 'string' })),
      inputs: { body: 'hi "you"' },
    },
    right: { contentType: 'application/json', body: '"hi \\"you\\""' },
  },
  {
    title: 'a media type of JSON with a name of its own',
    source: 'own',
    input: {
      document: one('patch', '/', body('application/merge-patch+json', { type: 'object' })),
      inputs: { body: { a: null } },
    },
    right: { contentType: 'application/merge-patch+json', body: '{"a":null}' },
  },
  {
    title: 'an XML body',
    source: 'own',
    input: {
      document: one('post', '/', body('application/xml', { type: 'object' })),
      inputs: { body: '<a/>' },
    },
    right: { contentType: 'application/xml', body: '<a/>' },
  },
  {
    title: 'an optional body that is absent',
    source: 'own',
    input: { document: one('post', '/', body('application/json', { type: 'object' })), inputs: {} },
    right: { body: '' },
  },
  {
    title: 'a $ref into another path',
    source: 'microcks/microcks#972',
    input: {
      document: {
        ...one('get', '/a', {
          responses: {
            200: json({ $ref: '#/paths/~1b/get/responses/200/content/application~1json/schema' }),
          },
        }),
        paths: {
          '/a': {
            get: {
              operationId: 'it',
              responses: {
                200: json({
                  $ref: '#/paths/~1b/get/responses/200/content/application~1json/schema',
                }),
              },
            },
          },
          '/b': {
            get: { responses: { 200: json({ type: 'array', items: { type: 'integer' } }) } },
          },
        },
      },
      inputs: {},
      answer: { type: 'application/json', body: '[1]' },
    },
    right: { output: [1] },
  },
  {
    title: 'schemas that contain themselves',
    source: 'run-llama/llama_index#21829',
    input: {
      document: one(
        'get',
        '/',
        { responses: { 200: json({ $ref: '#/components/schemas/Thing' }) } },
        {
          schemas: {
            Thing: {
              type: 'object',
              properties: { child: { $ref: '#/components/schemas/Thing' } },
            },
          },
        },
      ),
      inputs: {},
      answer: { type: 'application/json', body: '{"child":{"child":{}}}' },
    },
    right: { output: { child: { child: {} } } },
  },
  {
    title: 'a union that contains itself',
    source: 'IBM/openapi-validator#251',
    input: {
      document: one('post', '/', body('application/json', { $ref: '#/components/schemas/Expr' }), {
        schemas: {
          Expr: {
            type: 'object',
            properties: {
              value: { oneOf: [{ type: 'number' }, { $ref: '#/components/schemas/Expr' }] },
            },
          },
        },
      }),
      inputs: { body: { value: { value: 3 } } },
    },
    right: { body: '{"value":{"value":3}}' },
  },
  {
    title: 'a $schema inside a schema, and a pattern that looks ahead',
    source: 'own',
    input: {
      document: one(
        'post',
        '/',
        body('application/json', {
          $schema: 'http://json-schema.org/draft-04/schema#',
          type: 'object',
          properties: {
            a: { type: 'string', pattern: '^(?=.*a).*$', minimum: 0, exclusiveMinimum: true },
            b: {
              $schema: 'http://json-schema.org/draft-07/schema#',
              type: 'string',
              nullable: true,
            },
          },
        }),
      ),
      inputs: { body: { a: 'a', b: null } },
    },
    right: { body: '{"a":"a","b":null}' },
  },
  {
    title: 'a Swagger 2.0 document in YAML',
    source: 'own',
    input: {
      document: `
swagger: "2.0"
info: { title: Old, version: "1" }
consumes: [application/json]
produces: [application/json]
paths:
  /pets/{id}:
    parameters:
      - { in: path, name: id, required: true, type: integer }
    post:
      parameters:
        - { in: query, name: tags, type: array, items: { type: string }, collectionFormat: csv }
        - { in: body, name: pet, required: true, schema: { $ref: "#/definitions/Pet" } }
      responses:
        "200": { description: ok, schema: { $ref: "#/definitions/Pet" } }
definitions:
  Pet: { type: object, properties: { name: { type: string } } }
`,
      inputs: { id: 7, tags: ['a', 'b'], body: { name: 'Rex' } },
      answer: { type: 'application/json', body: '{"name":"Rex"}' },
    },
    right: { request: 'POST /pets/7?tags=a,b', body: '{"name":"Rex"}', output: { name: 'Rex' } },
  },
  {
    title: 'a list in multipart whose encoding is JSON',
    source: 'hey-api/hey-api#4281',
    input: {
      document: one(
        'post',
        '/upload',
        body(
          'multipart/form-data',
          {
            type: 'object',
            properties: { products: { type: 'array', items: { type: 'object' } } },
          },
          { encoding: { products: { contentType: 'application/json; charset=utf-8' } } },
        ),
      ),
      inputs: { body: { products: [{ id: 1 }, { id: 2 }] } },
    },
    right: { parts: [/Content-Type: application\/json\r\n\r\n\[\{"id":1\},\{"id":2\}\]\r\n/i] },
  },
  {
    title: 'a path parameter without required',
    source: 'OAI/OpenAPI-Specification#1831',
    input: {
      document: one('delete', '/u/{id}', {
        parameters: [{ in: 'path', name: 'id', schema: { type: 'string' } }],
      }),
      inputs: {},
    },
    right: { refused: /\bid\b/ },
  },
  {
    title: 'a body of Swagger 2.0 behind a $ref',
    source: 'swagger-api/swagger-parser#765',
    input: {
      document: swagger({
        paths: {
          '/blocks': {
            post: {
              parameters: [{ $ref: '#/parameters/Tag' }, { $ref: '#/parameters/Alias' }],
            },
          },
        },
        parameters: {
          Tag: { in: 'query', name: 'tag', type: 'string' },
          Alias: { $ref: '#/parameters/Block' },
          Block: {
            in: 'body',
            name: 'block',
            required: true,
            schema: { $ref: '#/definitions/Block' },
          },
        },
        definitions: { Block: { type: 'object', required: ['name'] } },
      }),
      inputs: { tag: 't', body: { name: 'b' } },
    },
    right: { request: 'POST /blocks?tag=t', body: '{"name":"b"}' },
  },
  {
    title: 'fields of a form of Swagger 2.0 behind a $ref',
    source: 'swagger-api/swagger-converter#17',
    input: {
      document: swagger({
        paths: {
          '/login': {
            post: {
              parameters: [
                { $ref: '#/parameters/email' },
                { in: 'formData', name: 'password', type: 'string', required: true },
              ],
            },
          },
        },
        parameters: { email: { in: 'formData', name: 'email', type: 'string', required: true } },
      }),
      inputs: { body: { email: 'a@b', password: 'p' } },
    },
    right: { contentType: FORM, body: 'email=a%40b&password=p' },
  },
  {
    title: 'a body of Swagger 2.0 that a path shares, listed after its operations',
    source: 'Azure/autorest#4344',
    input: {
      document: swagger({
        paths: {
          '/test': {
            post: { parameters: [{ in: 'query', name: 'q', type: 'string' }] },
            parameters: [{ in: 'body', name: 'body', schema: { type: 'object' } }],
          },
        },
      }),
      inputs: { q: '1', body: { a: 1 } },
    },
    right: { request: 'POST /test?q=1', body: '{"a":1}' },
  },
  ...(
    [
      ['text/csv', 'a;b\n1;2', 'a;b\n1;2'],
      ['application/json', '[{"a":1}]', [{ a: 1 }]],
    ] as const
  ).map(
    ([type, text, output]): ForeignCase<OpenApiCall, OpenApiCalled> => ({
      title: `${type}, where a document lists JSON and CSV`,
      source: 'openapi-library/OpenAPIValidators#288',
      input: {
        document: one('get', '/report', {
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': { schema: { type: 'array', items: { type: 'object' } } },
                'text/csv': { schema: { type: 'string' } },
              },
            },
          },
        }),
        inputs: {},
        answer: { type, body: text },
      },
      right: { output: output as Json },
    }),
  ),
  {
    title: 'XML, where a document has one schema for JSON and XML',
    source: 'microcks/microcks#263',
    input: {
      document: one('get', '/pet', {
        responses: {
          200: {
            description: 'ok',
            content: { 'application/xml': { schema: PET }, 'application/json': { schema: PET } },
          },
        },
      }),
      inputs: {},
      answer: { type: 'application/xml', body: '<pet/>' },
    },
    right: { output: '<pet/>' },
  },
  {
    title: 'JSON that is called text/plain, where the document says that it is an object',
    source: 'own',
    input: {
      document: one('get', '/pet', {
        responses: {
          200: {
            description: 'ok',
            content: { 'text/plain': { schema: PET }, 'application/json': { schema: PET } },
          },
        },
      }),
      inputs: {},
      answer: { type: 'text/plain', body: '{"id":1,"name":"Rex"}' },
    },
    right: { output: { id: 1, name: 'Rex' } },
  },
  {
    title: 'a picture beside JSON',
    source: 'own',
    input: {
      document: one('get', '/pet', {
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: PET }, 'image/png': {} },
          },
        },
      }),
      inputs: {},
      answer: { type: 'image/png', body: '\u0001' },
    },
    right: { output: { type: 'image', uri: null, mediaType: 'image/png', size: 1 } },
  },
  {
    title: 'a fragment in a path, which is never sent',
    source: 'swagger-api/swagger-ui#6620',
    input: {
      document: one('get', '/pet/findByStatus#test', parameter('query', 'status', LIST)),
      inputs: { status: ['sold'] },
    },
    right: { request: 'GET /pet/findByStatus?status=sold', note: /What follows # in its path/ },
  },
  {
    title: 'a fragment after a variable',
    source: 'IBM/openapi-to-graphql#441',
    input: {
      document: one('get', '/{Bucket}/{Key+}#uploadId', {
        parameters: [
          { in: 'path', name: 'Bucket', required: true, schema: { type: 'string' } },
          { in: 'query', name: 'uploadId', required: true, schema: { type: 'string' } },
        ],
      }),
      inputs: { Bucket: 'b', Key_: 'k', uploadId: '7' },
    },
    right: { request: 'GET /b/k?uploadId=7' },
  },
  {
    title: 'a query in a path whose parameter is declared',
    source: 'OAI/OpenAPI-Specification#2438',
    input: {
      document: one('get', '/a?x={x}', parameter('query', 'x', { type: 'string' })),
      inputs: { x: '1&y=2' },
    },
    right: { request: 'GET /a?x=1%26y%3D2' },
  },
  {
    title: 'a query in a path with names of its own',
    source: 'OAI/OpenAPI-Specification#1054',
    input: {
      document: one('get', '/search?q={searchTerms}&page={page}&n={n}', {
        parameters: [
          { in: 'query', name: 'searchTerms', required: true, schema: LIST },
          { in: 'path', name: 'page', schema: { type: 'integer' } },
        ],
      }),
      inputs: { q: ['a', 'b'], page: 2, n: '3' },
    },
    right: { request: 'GET /search?q=a&q=b&page=2&n=3' },
  },
  {
    title: 'a value of the query that the path says',
    source: 'openai/openai-openapi#558',
    input: {
      document: one('get', '/items?beta=true', {
        parameters: [
          { in: 'query', name: 'beta', required: true, schema: { type: 'string', enum: ['true'] } },
          { in: 'query', name: 'after', schema: { type: 'string' } },
        ],
      }),
      inputs: { after: 'x' },
    },
    right: { request: 'GET /items?beta=true&after=x' },
  },
  {
    title: 'a query as RFC 6570 writes it',
    source: 'OAI/OpenAPI-Specification#394',
    input: {
      document: one('get', '/foo{?query,number}', parameter('query', 'query', { type: 'string' })),
      inputs: { query: 'a', number: '7' },
    },
    right: { request: 'GET /foo?query=a&number=7' },
  },
  {
    title: 'a GET with an optional body',
    source: 'own',
    input: { document: one('get', '/', body('application/json', PET)), inputs: {} },
    right: { request: 'GET /', note: /A GET has no body/ },
  },
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
  {
    title: 'one operationId twice',
    source: '3scale/3scale_toolbox#222',
    input: beside({ get: { ...good }, post: { ...good } }),
    right: { operations: ['good', 'good_get_odd', 'good_post_odd'] },
  },
  {
    title: 'operations without an id',
    source: 'own',
    input: beside({ get: { responses: OK }, post: { responses: OK } }),
    right: { operations: ['good', 'get_odd', 'post_odd'] },
  },
  {
    title: 'a schema in a file',
    source: 'own',
    input: beside(answering({ $ref: './pet.yaml#/Pet' })),
    right: {
      operations: ['good'],
      skipped: { odd: /lies outside this document and is not fetched/ },
    },
  },
  {
    title: 'a parameter in a file',
    source: 'pb33f/libopenapi#374',
    input: beside({
      get: { operationId: 'odd', parameters: [{ $ref: 'http://127.0.0.1/p.json' }], responses: OK },
    }),
    right: {
      operations: ['good'],
      skipped: { odd: /lies outside this document and is not fetched/ },
    },
  },
  {
    title: 'a schema that is not there',
    source: 'own',
    input: beside(answering({ $ref: '#/components/schemas/None' })),
    right: { operations: ['good'], skipped: { odd: /leads to nothing/ } },
  },
  {
    title: 'a $ref to itself',
    source: 'fern-api/fern#1337',
    input: beside(answering({ $ref: '#/components/schemas/RateLimit' }), {
      schemas: { RateLimit: { $ref: '#/components/schemas/RateLimit' } },
    }),
    right: { operations: ['good'], skipped: { odd: /RateLimit leads back to itself/ } },
  },
  {
    title: 'a GET that needs a body',
    source: 'own',
    input: beside({
      get: {
        operationId: 'odd',
        requestBody: { required: true, content: { 'application/json': {} } },
        responses: OK,
      },
    }),
    right: { operations: ['good'], skipped: { odd: /its GET request has a body/ } },
  },
  {
    title: 'a method that a rest_call has not',
    source: 'own',
    input: beside({ options: { operationId: 'odd', responses: OK } }),
    right: { operations: ['good'], skipped: { odd: /the method OPTIONS/ } },
  },
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
