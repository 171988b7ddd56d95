import Ajv2020 from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { openRawServer, type RawAnswer, type RawRequest, type RawServer } from './raw-server.ts';

/**
 * A server made from an OpenAPI document: it reads each request by the document, with a reader of
 * its own, and answers with a value of the document's schema. A request that breaks the document is
 * answered with 400 and the reason.
 */
export async function openOpenApiMock(document: JsonObject): Promise<RawServer> {
  return openRawServer((request) => answerTo(document, request));
}

const ajv = new Ajv2020.default({
  strict: false,
  coerceTypes: true,
  validateFormats: false,
  logger: false,
});

function answerTo(document: JsonObject, request: RawRequest): RawAnswer {
  const url = new URL(request.target, 'http://here');
  for (const [path, item] of Object.entries(objectIn(document['paths']))) {
    const pattern = new RegExp(
      `^${path
        .split('?', 1)[0]
        ?.replace(/[.*+^$()|[\]\\]/g, '\\$&')
        .replace(/\{[^{}]*\}/g, '([^/]+)')}$`,
    );
    const shared = at(document, item);
    const node = shared[request.method.toLowerCase()];
    if (!pattern.test(url.pathname) || node === undefined) continue;
    const fault = faultIn(document, objectIn(node), shared, request, url);
    if (fault !== null)
      return { status: 400, headers: { 'content-type': 'text/plain' }, body: fault };
    return success(document, objectIn(node), request.method);
  }
  return { status: 404, headers: { 'content-type': 'text/plain' }, body: `no ${request.target}` };
}

function faultIn(
  document: JsonObject,
  node: JsonObject,
  shared: JsonObject,
  request: RawRequest,
  url: URL,
): string | null {
  const parameters = [shared['parameters'], node['parameters']]
    .flat()
    .filter((one) => one !== undefined)
    .map((one) => at(document, one as Json));
  for (const parameter of parameters) {
    const name = String(parameter['name']);
    if (parameter['required'] !== true || /^(accept|content-type|authorization)$/i.test(name))
      continue;
    const schema = objectIn(parameter['schema']);
    const isObject = at(document, schema)['type'] === 'object';
    if (parameter['in'] === 'query' && !isObject) {
      const names = [...url.searchParams.keys()];
      if (!names.some((key) => key === name || key.startsWith(`${name}[`)))
        return `no query ${name}`;
    }
    if (parameter['in'] === 'header' && request.headers[name.toLowerCase()] === undefined)
      return `no header ${name}`;
    if (parameter['in'] === 'cookie' && !String(request.headers['cookie']).includes(`${name}=`))
      return `no cookie ${name}`;
  }
  const body = at(document, node['requestBody']);
  const content = objectIn(body['content']);
  if (body['required'] !== true || Object.keys(content).length === 0) return null;
  const sent = String(request.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  const media = Object.entries(content).find(([type]) => fits(type, sent));
  if (media === undefined) return `the body is ${sent || 'missing'}`;
  if (request.body.length === 0) return 'the body is empty';
  if (!/json$/.test(sent)) return null;
  const value = JSON.parse(request.body.toString()) as Json;
  const schema = {
    ...objectIn(objectIn(media[1])['schema']),
    components: document['components'] ?? {},
  };
  try {
    const validate = ajv.compile(schema);
    return validate(value) || onlyReadOnly(validate.errors)
      ? null
      : JSON.stringify(validate.errors);
  } catch {
    // A schema of OpenAPI 3.0 that JSON Schema has not.
    return null;
  }
}

/** JSON Schema does not know that a request lacks readOnly properties. */
function onlyReadOnly(errors: unknown): boolean {
  return Array.isArray(errors) && errors.every(({ keyword }) => keyword === 'required');
}

function fits(type: string, sent: string): boolean {
  const plain = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return plain === sent.toLowerCase() || plain === '*/*' || plain === `${sent.split('/')[0]}/*`;
}

function success(document: JsonObject, node: JsonObject, method: string): RawAnswer {
  const responses = objectIn(node['responses']);
  const code = Object.keys(responses).find((one) => /^2/.test(one)) ?? 'default';
  const status = /^\d+$/.test(code) ? Number(code) : 200;
  const content = objectIn(at(document, responses[code])['content']);
  const [type, media] =
    Object.entries(content).find(([one]) => /json/.test(one)) ?? Object.entries(content)[0] ?? [];
  if (type === undefined || status === 204 || method === 'HEAD') return { status };
  const headers = { 'content-type': type.includes('*') ? 'application/json' : type };
  if (!/json|\*/.test(type)) return { status, headers, body: 'a text' };
  return {
    status,
    headers,
    body: JSON.stringify(exampleOf(document, objectIn(media)['schema'] ?? {})),
  };
}

/** The smallest value that fits a schema. */
export function exampleOf(document: JsonObject, given: Json, depth = 0): Json {
  const schema = at(document, given);
  if (depth > 12) return null;
  if (schema['const'] !== undefined) return schema['const'];
  const values = schema['enum'];
  if (Array.isArray(values) && values.length > 0) return values[0] ?? null;
  for (const keyword of ['oneOf', 'anyOf']) {
    const members = schema[keyword];
    if (Array.isArray(members) && members.length > 0 && schema['properties'] === undefined)
      return exampleOf(document, members[0] ?? {}, depth + 1);
  }
  const members = schema['allOf'];
  if (Array.isArray(members)) {
    const parts = members.map((one) => exampleOf(document, one, depth + 1));
    const own = schema['properties'] === undefined ? [] : [plain(document, schema, depth)];
    const all = [...parts, ...own];
    return all.every((one) => typeof one === 'object' && one !== null)
      ? (Object.assign({}, ...all) as JsonObject)
      : (all[0] ?? null);
  }
  return plain(document, schema, depth);
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-11-27',
  'date-time': '2026-11-27T10:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com/a',
  url: 'https://example.com/a',
  uuid: '0b0b7a52-6a3f-4f39-9d53-5b8d9a1f2c3d',
  ipv4: '192.0.2.1',
  hostname: 'example.com',
  byte: 'YQ==',
  time: '10:00:00Z',
};

function plain(document: JsonObject, schema: JsonObject, depth: number): Json {
  const [type] = [schema['type']].flat();
  const properties = objectIn(schema['properties']);
  const listed = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  // An empty object would not tell how an object is written.
  const required = listed.length > 0 || depth > 2 ? listed : Object.keys(properties);
  if (type === 'object' || (type === undefined && Object.keys(properties).length > 0))
    return Object.fromEntries(
      required.map((name) => [name, exampleOf(document, properties[name] ?? {}, depth + 1)]),
    );
  if (type === 'array') {
    // One item tells how a list is written; deeper lists may contain themselves.
    const count = Math.max(Number(schema['minItems'] ?? 0), depth < 4 ? 1 : 0);
    return Array.from({ length: count }, () =>
      exampleOf(document, schema['items'] ?? {}, depth + 1),
    );
  }
  if (type === 'integer' || type === 'number') {
    const least = schema['minimum'] ?? schema['exclusiveMinimum'];
    const step = Number(schema['multipleOf'] ?? 1);
    return typeof least === 'number' ? (Math.floor(least / step) + 1) * step : step;
  }
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  const length = Number(schema['minLength'] ?? 1);
  return BY_FORMAT[String(schema['format'])] ?? 'a'.repeat(Math.max(1, length));
}

function at(document: JsonObject, value: Json | undefined): JsonObject {
  let found: Json | undefined = value;
  for (let hops = 0; hops < 10 && typeof objectIn(found)['$ref'] === 'string'; hops++) {
    const steps = String(objectIn(found)['$ref']).slice(2).split('/');
    found = steps.reduce<Json | undefined>(
      (inner, step) =>
        (inner as JsonObject | undefined)?.[
          decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
        ],
      document,
    );
  }
  return objectIn(found);
}

function objectIn(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
