import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { firstChars } from '../../common/well-formed.ts';
import { variableNameFault } from '../../expressions/names.ts';
import { readYaml } from '../../platform/yaml/read-yaml.ts';
import type { Operation } from '../tools/operation.ts';
import { schemaConverter } from './openapi-schema.ts';
import type { OpenApiOperation } from './openapi-tools.ts';

export interface OpenApiReading {
  readonly problems: Problem[];
  readonly operations: OpenApiOperation[];
}

/** Maximum number of nodes with every $ref expanded. Bounds the cost of validation. */
const EXPANDED_NODES_MAX = 200_000;
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head'] as const;
const PATH = ['document'] as const;

/**
 * Reads an OpenAPI 3.x document (JSON or YAML) into rest_call operations. Fetches nothing: a `$ref`
 * out of the document is a problem.
 * An operation that a rest_call can't do (required cookies, forms) is a problem too, if `wanted`
 * includes it.
 * @param wanted operationIds to read; null = all
 */
export async function readOpenApi(
  text: string,
  wanted: readonly string[] | null,
): Promise<OpenApiReading> {
  const document = await parseDocument(text);
  if (document === null) return failed('This is neither JSON nor YAML with an object in it.');
  if (typeof document['openapi'] !== 'string' || !document['openapi'].startsWith('3.')) {
    return failed('This is no OpenAPI 3 document.');
  }
  const problems = checkRefs(document);
  if (problems.length === 0) problems.push(...(await validateDocument(document)));
  if (problems.length > 0) return { problems, operations: [] };

  const operations: OpenApiOperation[] = [];
  const paths = objectOf(document['paths']);
  for (const [path, item] of Object.entries(paths)) {
    const shared = resolve(document, item);
    for (const method of METHODS) {
      const node = shared[method];
      if (!isJsonObject(node)) continue;
      const operationId = textOf(node['operationId']) ?? slug(`${method} ${path}`);
      if (wanted !== null && !wanted.includes(operationId)) continue;
      const reading = readOperation(document, { path, method, node, shared, operationId });
      if (typeof reading === 'string')
        problems.push(problem('INVALID', PATH, `${operationId}: ${reading}`));
      else operations.push(reading);
    }
  }
  return { problems, operations };
}

function failed(message: string): OpenApiReading {
  return { problems: [problem('INVALID', PATH, message)], operations: [] };
}

async function parseDocument(text: string): Promise<JsonObject | null> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const yaml = await readYaml(text);
    value = 'value' in yaml ? yaml.value : null;
  }
  return isJsonObject(value) ? value : null;
}

/** Refuses $refs out of the document, and documents that are too large with every $ref expanded. */
function checkRefs(document: JsonObject): Problem[] {
  const problems: Problem[] = [];
  const sizes = new Map<unknown, number>();
  const sizeOf = (value: Json | undefined, depth: number): number => {
    if (typeof value !== 'object' || value === null || depth > 200) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    sizes.set(value, 1);
    let size = 1;
    for (const inner of Object.values(value)) size += sizeOf(inner, depth + 1);
    const ref = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof ref === 'string') {
      if (ref.startsWith('#/')) size += sizeOf(valueAtRef(document, ref), depth + 1);
      else
        problems.push(
          problem(
            'INVALID',
            PATH,
            `${firstChars(ref, 200)} lies outside this document and is not fetched.`,
          ),
        );
    }
    sizes.set(value, Math.min(size, Number.MAX_SAFE_INTEGER / 1e6));
    return size;
  };
  if (sizeOf(document, 0) > EXPANDED_NODES_MAX) {
    problems.push(
      problem('TOO_LARGE', PATH, 'With every $ref written out this document is too large.'),
    );
  }
  return problems.slice(0, 20);
}

async function validateDocument(document: JsonObject): Promise<Problem[]> {
  // Imported on use: the parser and its schemas take about 1 MB, and only an import needs them.
  const { validate } = await import('@readme/openapi-parser');
  try {
    const result = await validate(structuredClone(document) as never, {
      resolve: { external: false },
      dereference: { circular: 'ignore' },
    });
    if (result.valid) return [];
    return result.errors
      .slice(0, 20)
      .map(({ message }) => problem('INVALID', PATH, firstChars(message, 500)));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown fault';
    return [problem('INVALID', PATH, `The document can't be read: ${firstChars(message, 500)}`)];
  }
}

interface Source {
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly node: JsonObject;
  /** The path item, with parameters that all its methods share. */
  readonly shared: JsonObject;
  readonly operationId: string;
}

/** The operation, or the reason why a rest_call can't do it. */
function readOperation(document: JsonObject, source: Source): OpenApiOperation | string {
  const { node, shared, operationId, method } = source;
  const convert = schemaConverter(document);
  const names = variableNames();
  const properties: JsonObject = {};
  const required: string[] = [];
  const query: JsonObject = {};
  const headers: JsonObject = {};
  let path = source.path;

  for (const parameter of parametersOf(document, shared, node)) {
    const place = parameter['in'];
    const name = textOf(parameter['name']) ?? '';
    if (place === 'cookie') {
      if (parameter['required'] === true) return `it needs the cookie ${name}.`;
      continue;
    }
    if (
      place === 'header' &&
      ['accept', 'content-type', 'authorization'].includes(name.toLowerCase())
    )
      continue;
    const variable = names(name);
    const content = Object.values(objectOf(parameter['content']))[0];
    properties[variable] = convert(parameter['schema'] ?? objectOf(content)['schema'] ?? {});
    if (parameter['required'] === true) required.push(variable);
    if (place === 'path') path = path.replaceAll(`{${name}}`, `{{${variable}}}`);
    else if (place === 'query') query[name] = `{{${variable}}}`;
    else headers[name] = `{{${variable}}}`;
  }

  const requestBody = resolve(document, node['requestBody'] ?? {});
  const json = jsonContent(requestBody);
  if (json === null && requestBody['required'] === true) return 'its request body is not JSON.';
  const body = json === null ? null : names('body');
  if (body !== null && json !== null) {
    properties[body] = convert(json['schema'] ?? {});
    if (requestBody['required'] === true) required.push(body);
  }
  const outputSchema = convert(responseSchema(document, node));
  const description = textOf(node['description']);
  return {
    operationId,
    name:
      firstChars(
        (textOf(node['summary']) ?? operationId).replace(/\s+/g, ' ').trim(),
        NAME_CHARS_MAX,
      ) || operationId,
    description: description === null ? null : firstChars(description, DESCRIPTION_CHARS_MAX),
    operation: {
      type: 'rest_call',
      method: method.toUpperCase() as Extract<Operation, { type: 'rest_call' }>['method'],
      path,
      query: Object.keys(query).length === 0 ? null : query,
      headers: Object.keys(headers).length === 0 ? null : headers,
      body: body === null ? null : `{{${body}}}`,
    },
    inputSchema: convert.withDefinitions({
      type: 'object',
      properties,
      required,
      additionalProperties: false,
    }),
    outputSchema: convert.withDefinitions(outputSchema),
  };
}

/** The operation's own parameters replace those of its path. */
function parametersOf(document: JsonObject, shared: JsonObject, node: JsonObject): JsonObject[] {
  const byPlace = new Map<string, JsonObject>();
  for (const listed of [shared['parameters'], node['parameters']]) {
    if (!Array.isArray(listed)) continue;
    for (const item of listed) {
      const parameter = resolve(document, item);
      byPlace.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
    }
  }
  return [...byPlace.values()];
}

function responseSchema(document: JsonObject, node: JsonObject): Json {
  const responses = objectOf(node['responses']);
  const status = ['200', '201', '202', '203', '2XX', 'default'].find(
    (code) => responses[code] !== undefined,
  );
  const content =
    status === undefined ? null : jsonContent(resolve(document, responses[status] ?? {}));
  return content?.['schema'] ?? {};
}

function jsonContent(holder: JsonObject): JsonObject | null {
  const found = Object.entries(objectOf(holder['content'])).find(([type]) =>
    /^application\/(.+\+)?json\b/i.test(type),
  );
  return found === undefined ? null : objectOf(found[1]);
}

/**
 * Returns a function that makes unique names for template variables: `X-Request-ID` becomes
 * X_Request_ID.
 */
function variableNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    const plain = firstChars(name.replace(/[^A-Za-z0-9_]+/g, '_'), 80);
    const usable = variableNameFault(plain) === null ? plain : `p_${plain}`;
    let variable = usable;
    for (let count = 2; taken.has(variable); count++) variable = `${usable}_${count}`;
    taken.add(variable);
    return variable;
  };
}

/** Follows at most 10 $refs, enough for a parameter or a response. */
function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  let found = objectOf(value);
  for (let hops = 0; hops < 10 && typeof found['$ref'] === 'string'; hops++) {
    found = objectOf(valueAtRef(document, found['$ref']));
  }
  return found;
}

function valueAtRef(document: JsonObject, ref: string): Json | undefined {
  let value: Json | undefined = document;
  for (const step of ref.slice(2).split('/')) {
    const key = unescapeStep(step);
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as JsonObject)[key]
        : undefined;
  }
  return value;
}

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function slug(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '');
}
