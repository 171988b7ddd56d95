import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readOpenApi } from '../../src/catalog/import/openapi.service.ts';
import {
  compareOpenApiTools,
  type OpenApiOperation,
} from '../../src/catalog/import/openapi-tools.ts';
import type { Tool } from '../../src/catalog/tools/tool.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { checkJsonSchema, validateJson } from '../../src/json-schema/json-schema.ts';
import { namesType } from '../../src/json-schema/schema-fit.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { blobKey } from '../../src/platform/blobs/blob-store.ts';
import { restDriver } from '../../src/platform/drivers/rest-call.ts';
import { driverCall } from '../testkit/driver-calls.ts';
import { exampleOf, openOpenApiMock } from '../testkit/openapi-mock.ts';
import { openRawServer, type RawAnswer, type RawServer } from '../testkit/raw-server.ts';
import { driverParts } from '../testkit/real-calls.ts';
import { tempBlobs } from '../testkit/temp-folder.ts';
import { CALLS, NAMES, one } from './openapi.cases.ts';

type RestCall = Extract<Operation, { type: 'rest_call' }>;

const { egress, renderer } = driverParts();
let driver: ReturnType<typeof restDriver>;
let server: RawServer;
let answer: RawAnswer = {};

beforeAll(async () => {
  server = await openRawServer(() => answer);
  const blobs = tempBlobs();
  const owner = { workspace: 'workspace-1', ownerId: 'owner-1', session: 's' };
  await blobs.put(blobKey({ ...owner, key: 'file' }), Buffer.from('a file'));
  driver = restDriver({ egress, renderer, blobs });
});
afterAll(() => server.close());

/** Calls an operation as a step does: inputs and output are checked by its schemas. */
async function call(found: OpenApiOperation, origin: string, inputs: JsonObject): Promise<Json> {
  const checked = validateJson(found.inputSchema, inputs, ['inputs']);
  expect(checked.problems).toEqual([]);
  const { output } = await driver.invoke(
    driverCall(
      found.operation as RestCall,
      { connectionParams: { endpoint: origin } },
      { inputs: checked.value as JsonObject, outputSchema: found.outputSchema },
    ),
  );
  if (output === null) return null;
  // A step that requires an output takes null where the schema names it.
  if (output === null) expect(namesType(found.outputSchema, 'null')).toBe(true);
  const got = validateJson(found.outputSchema, output, ['output']);
  expect(got.problems).toEqual([]);
  return got.value;
}

const textOf = (document: JsonObject | string) =>
  typeof document === 'string' ? document : JSON.stringify(document);

describe('an operation is called as its document says', () => {
  it.each(CALLS)('$title', async (found) => {
    const { document, inputs, answer: given = {} } = found.input;
    const { operations, skipped, problems } = await readOpenApi(textOf(document), null);
    expect({ skipped, problems }).toEqual({ skipped: [], problems: [] });
    const [operation] = operations;
    if (operation === undefined) throw new Error('Nothing was imported.');
    const { refused, note } = found.right;
    if (note !== undefined) expect(operation.notes.join('\n')).toMatch(note);
    if (refused !== undefined) {
      const checked = validateJson(operation.inputSchema, inputs, ['inputs']);
      expect(checked.problems.map(({ message }) => message).join('\n')).toMatch(refused);
      return;
    }
    const { status = 200, type, body = '' } = given;
    answer = { status, body, headers: type === undefined ? {} : { 'content-type': type } };
    const output = await call(operation, server.origin, inputs);
    const sent = server.requests.at(-1);
    const { right } = found;
    if (right.request !== undefined) expect(`${sent?.method} ${sent?.target}`).toBe(right.request);
    if (right.contentType !== undefined)
      expect(sent?.headers['content-type']).toBe(right.contentType);
    if (right.body !== undefined) expect(sent?.body.toString()).toBe(right.body);
    for (const part of right.parts ?? []) expect(sent?.body.toString()).toMatch(part);
    for (const [name, value] of Object.entries(right.headers ?? {}))
      expect(sent?.headers[name], name).toBe(value);
    if (right.output !== undefined) expect(output).toEqual(right.output);
  });
});

it('operations of one address are compared with the Tools of their names', async () => {
  const operation = (action: string) => ({
    operationId: action,
    parameters: [
      { in: 'query', name: 'Action', required: true, schema: { type: 'string', enum: [action] } },
    ],
    responses: {},
  });
  const document = {
    ...one('post', '/', {}),
    paths: {
      '/#Action=Send': { post: operation('Send') },
      '/#Action=Purge': { post: operation('Purge') },
    },
  };
  const { operations } = await readOpenApi(JSON.stringify(document), null);
  const tools = operations.map((found) => ({ ...found, connectionParams: {} }) as unknown as Tool);
  const compared = compareOpenApiTools(operations, tools, { connectionParams: {}, isWhole: true });
  expect(compared.map(({ call, state, tool }) => [call, state, tool?.name])).toEqual([
    ['POST /', 'unchanged', 'Send'],
    ['POST /', 'unchanged', 'Purge'],
  ]);
});

it('says where a document that is no YAML is wrong', async () => {
  const { problems } = await readOpenApi('openapi: 3.0.3\npaths: {}\npaths: {}\n', null);
  expect(problems.map(({ message }) => message).join()).toMatch(
    /"paths" stands there twice, at li/,
  );
});

describe('one odd operation is left out and named', () => {
  it.each(NAMES)('$title', async (found) => {
    const { operations, skipped, problems } = await readOpenApi(textOf(found.input), null);
    expect(problems).toEqual([]);
    expect(operations.map(({ operationId }) => operationId)).toEqual(found.right.operations);
    for (const { inputSchema, outputSchema } of operations)
      expect([...checkJsonSchema(inputSchema, []), ...checkJsonSchema(outputSchema, [])]).toEqual(
        [],
      );
    const reasons = Object.fromEntries(
      skipped.map(({ operationId, reason }) => [operationId, reason]),
    );
    const expected = Object.entries(found.right.skipped ?? {});
    expect(Object.keys(reasons)).toEqual(expected.map(([id]) => id));
    for (const [id, reason] of expected) expect(reasons[id]).toMatch(reason);
  });
});

it('reads one operation of a document of 20 MB, and cuts a schema that is too large', async () => {
  const large = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [
      `Large${at}`,
      {
        type: 'object',
        description: 'x'.repeat(10_000),
        properties: {
          next: { $ref: `#/components/schemas/Large${at + 1}` },
          at: { type: 'integer' },
        },
      },
    ]),
  );
  const document = one(
    'get',
    '/',
    {
      responses: {
        200: {
          description: 'ok',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Large0' } } },
        },
      },
    },
    { schemas: { ...large, Large2000: { type: 'string' } } },
  );
  const text = JSON.stringify(document);
  expect(text.length).toBeGreaterThan(20_000_000);
  const { operations } = await readOpenApi(text, ['it']);
  expect(operations[0]?.notes[0]).toMatch(/outputSchema: it is too large/);
  const { outputSchema } = operations[0] ?? { outputSchema: {} };
  expect(validateJson(outputSchema, { at: 1, next: { at: 2 } }, []).problems).toEqual([]);
  expect(validateJson(outputSchema, { at: 1, next: { at: 'no' } }, []).problems).toHaveLength(1);
});

describe('documents that others publish', () => {
  const folder = new URL('../../node_modules/@readme/oas-examples/', import.meta.url);
  // Of the 70 documents those that differ; all but two without operations import, which takes a
  // minute.
  const DOCUMENTS: readonly (readonly [string, number])[] = [
    ['2.0/json/petstore-expanded.json', 4],
    ['2.0/json/schema-circular.json', 1],
    ['3.0/json/circular-paths.json', 3],
    ['3.0/json/circular.json', 1],
    ['3.0/json/file-uploads.json', 3],
    ['3.0/json/form-data.json', 1],
    ['3.0/json/parameters-common.json', 5],
    ['3.0/json/parameters-cookies.json', 1],
    ['3.0/json/parameters-extreme.json', 1],
    ['3.0/json/parameters-style.json', 25],
    ['3.0/json/petstore.json', 20],
    ['3.0/json/response-http-behavior.json', 3],
    ['3.0/json/response-multiple-mediatypes.json', 4],
    ['3.0/json/schema-circular.json', 3],
    ['3.0/json/schema-encoding-style.json', 1],
    ['3.0/json/server-path-level.json', 7],
    ['3.0/json/server-variables.json', 4],
    ['3.0/json/uspto.json', 3],
    ['3.1/json/security.json', 15],
    ['3.1/json/schema-validation-local.json', 5],
    ['3.1/json/train-travel.json', 7],
  ];

  it('each operation is imported, and a server of the document accepts its call', async () => {
    const faults: string[] = [];
    for (const [name, count] of DOCUMENTS) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const { operations, skipped } = await readOpenApi(text, null);
      faults.push(...skipped.map(({ operationId, reason }) => `${name} ${operationId}: ${reason}`));
      expect(operations, name).toHaveLength(count);
      // The mock reads OpenAPI 3 only.
      if (name.startsWith('2.0')) continue;
      const mock = await openOpenApiMock(JSON.parse(text) as JsonObject);
      for (const found of operations) {
        const isFile = (found.operation as RestCall).bodyKind === 'binary';
        const inputs = {
          ...(exampleOf(found.inputSchema, found.inputSchema) as JsonObject),
          ...(isFile ? { body: 'ci-blob://s/file' } : {}),
        };
        // The smallest value of a schema with several conditions may not fit it.
        if (validateJson(found.inputSchema, inputs, []).problems.length > 0) continue;
        await driver
          .invoke(
            driverCall(
              found.operation as RestCall,
              { connectionParams: { endpoint: mock.origin } },
              { inputs },
            ),
          )
          .catch((error: Error) => faults.push(`${name} ${found.operationId}: ${error.message}`));
      }
      await mock.close();
    }
    expect(faults).toEqual([]);
  });
});

it('any JSON as a document gives operations, or reasons', async () => {
  const keys = fc.constantFrom(
    ...['$ref', 'type', 'properties', 'items', 'allOf', 'oneOf', 'required', 'nullable', 'schema'],
    ...['in', 'name', 'style', 'content', 'description', '__proto__', 'a'],
  );
  const texts = fc.constantFrom(
    ...['object', 'array', 'string', 'query', 'path', '#/components/schemas/A', '#/paths', '#'],
    ...['\ud83d', '{{', 'deepObject'],
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(texts, fc.boolean(), fc.integer(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, value, value, value, async (schema, parameters, body, response) => {
      const document = one(
        'post',
        '/{a}',
        { parameters, requestBody: body, responses: { 200: response } } as JsonObject,
        { schemas: { A: schema } } as JsonObject,
      );
      const { operations, skipped } = await readOpenApi(JSON.stringify(document), null);
      expect(operations.length + skipped.length).toBe(1);
      for (const { inputSchema, outputSchema } of operations)
        expect([...checkJsonSchema(inputSchema, []), ...checkJsonSchema(outputSchema, [])]).toEqual(
          [],
        );
    }),
    { seed: 39, numRuns: 150 },
  );
});
