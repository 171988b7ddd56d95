import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { JSON_SCHEMA_BYTES_MAX } from '../../common/limits.ts';
import { checkJsonSchema } from '../../json-schema/json-schema.ts';
import { OperationFault, refFault, unescapeStep, valueAtRef } from './openapi-document.ts';

/** Converts schemas of one OpenAPI document into self-contained JSON Schemas. */
export interface SchemaConverter {
  (schema: Json): JsonObject;
  /**
   * Adds all referenced schemas as `$defs`, including those that they refer to, nearest first.
   * @throws OperationFault for a reference that can't be followed
   */
  withDefinitions(schema: JsonObject): JsonObject;
  /** Whether parts are missing, because the schema is too large. */
  isCut(): boolean;
}

export interface Conversion {
  /** A request lacks required readOnly properties, and an answer the writeOnly ones. */
  readonly direction: 'request' | 'response';
  /** Whether binary texts are files, as in multipart bodies. */
  readonly files: boolean;
}

interface Level {
  /** Whether descriptions and examples are kept. */
  readonly annotations: boolean;
  /** Deeper schemas become `{}`. */
  readonly depthMax: number;
  /** Whether definitions beyond the size of a schema become `{}`. */
  readonly cuts: boolean;
}

/** Tried in turn until the schema is small enough. */
const LEVELS: readonly Level[] = [
  { annotations: true, depthMax: 40, cuts: false },
  { annotations: false, depthMax: 40, cuts: false },
  { annotations: false, depthMax: 40, cuts: true },
  ...[6, 4, 3, 2, 1].map((depthMax) => ({ annotations: false, depthMax, cuts: true })),
];
/** Definitions get this share of the bytes; their references and names need some too. */
const DEFINITIONS_SHARE = 0.75;
/** Bounds the work of one level. */
const NODES_MAX = 50_000;

/**
 * Keywords that constrain no value, that only OpenAPI knows, or that name a schema from outside.
 */
const DROPPED = new Set([
  'discriminator',
  'xml',
  'externalDocs',
  'example',
  'nullable',
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$comment',
  '__proto__',
]);
const ANNOTATIONS = new Set(['description', 'title', 'examples', 'deprecated']);
/** The keys of these keywords' values are names, not keywords. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const VALUES = new Set(['enum', 'const', 'default', 'examples']);
const SAME_VALUE = new Set(['allOf', 'anyOf', 'oneOf']);
const NONE: ReadonlySet<string> = new Set();

/** A file that a body sends; `rest-body.ts` reads it. */
export const SENT_FILE: JsonObject = {
  description: 'A file: the ci-blob:// URI of a blob, or an object with it as uri.',
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      required: ['uri'],
      properties: {
        uri: { type: 'string' },
        mediaType: { type: 'string' },
        name: { type: 'string' },
      },
    },
  ],
};

/**
 * Builds a schema that Aiden takes. Where it is too large, its descriptions go first, then the
 * definitions that are farthest, then what nests deepest; a part that checkJsonSchema refuses is
 * removed, which takes more values.
 * @param notes gets a line for each part that is missing
 */
export function fitSchema(
  document: JsonObject,
  conversion: Conversion,
  build: (convert: SchemaConverter) => JsonObject,
  note: (text: string) => void,
): JsonObject {
  let schema: JsonObject = {};
  for (const level of LEVELS) {
    const convert = schemaConverter(document, conversion, level);
    schema = convert.withDefinitions(build(convert));
    const isSmall = jsonBytes(schema) <= JSON_SCHEMA_BYTES_MAX;
    if (convert.isCut() && !level.cuts) continue;
    if (!isSmall) continue;
    if (convert.isCut()) note('it is too large; some of its parts take any value.');
    break;
  }
  return loosened(schema, note);
}

const ROUNDS_MAX = 25;
const NOTES_MAX = 5;

/**
 * Removes the parts that checkJsonSchema refuses. @throws OperationFault where that is not enough
 */
function loosened(schema: JsonObject, note: (text: string) => void): JsonObject {
  let current = schema;
  let count = 0;
  let last = 'Its schema can not be used.';
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const problems = checkJsonSchema(current, []);
    if (problems.length === 0) {
      if (count > NOTES_MAX) note(`${count - NOTES_MAX} more parts take any value.`);
      return current;
    }
    current = structuredClone(current);
    for (const { path, message } of problems) {
      last = message;
      loosenAt(current, path);
      count += 1;
      if (count <= NOTES_MAX)
        note(`${path.length === 0 ? 'a part' : path.join('.')} takes any value: ${message}`);
    }
  }
  throw new OperationFault(last);
}

function loosenAt(root: JsonObject, path: readonly string[]): void {
  if (path.length === 0) {
    forgetHalf(root);
    return;
  }
  let parent: Json | undefined = root;
  for (const step of path.slice(0, -1)) {
    if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, step)) return;
    parent = (parent as JsonObject)[step];
  }
  const key = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent[Number(key)] = {};
  else if (isJsonObject(parent)) {
    const container = path.at(-2) ?? '';
    if (NAMED.has(container) && container !== 'patternProperties' && Object.hasOwn(parent, key))
      parent[key] = {};
    else delete parent[key];
  }
}

/** A problem of the whole, such as its size with every $ref written out. */
function forgetHalf(root: JsonObject): void {
  const definitions = root['$defs'];
  const names = isJsonObject(definitions)
    ? Object.keys(definitions).filter((name) => JSON.stringify(definitions[name]) !== '{}')
    : [];
  if (isJsonObject(definitions) && names.length > 0) {
    for (const name of names.slice(Math.floor(names.length / 2))) definitions[name] = {};
    return;
  }
  for (const key of Object.keys(root)) {
    const value = root[key];
    if (key === 'properties' && isJsonObject(value))
      root[key] = Object.fromEntries(Object.keys(value).map((name) => [name, {}]));
    else if (key !== 'type' && key !== 'required' && key !== 'additionalProperties')
      delete root[key];
  }
}

export function schemaConverter(
  document: JsonObject,
  { direction, files }: Conversion,
  level: Level,
): SchemaConverter {
  const hidden = direction === 'request' ? 'readOnly' : 'writeOnly';
  /** Names of definitions by the `$ref` that they stand for, in the order of their first use. */
  const names = new Map<string, string>();
  const taken = new Set<string>();
  let nodes = 0;
  let isCut = false;

  function convert(schema: Json, depth: number, outer: ReadonlySet<string>): JsonObject {
    if (!isJsonObject(schema)) return {};
    nodes += 1;
    if (depth > level.depthMax || nodes > NODES_MAX) {
      isCut ||= Object.keys(schema).length > 0;
      return {};
    }
    if (files && isBinary(schema)) return { ...SENT_FILE, ...describing(schema) };
    const unseen = new Set([...outer, ...namesWith(schema, hidden)]);
    const result: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (DROPPED.has(keyword) || keyword.startsWith('x-')) continue;
      if (!level.annotations && ANNOTATIONS.has(keyword)) continue;
      // Servers rarely keep to a format, such as the time zone of date-time.
      if (direction === 'response' && keyword === 'format') continue;
      result[keyword] = convertKeyword(keyword, value, depth, unseen);
    }
    hideNames(result, unseen);
    if (typeof schema['$ref'] === 'string') result['$ref'] = localRef(schema['$ref']);
    convertValues(result);
    if (direction === 'response') loosenUnion(result);
    return convertNullable(schema, convertExclusiveBounds(result));
  }

  function convertKeyword(
    keyword: string,
    value: Json,
    depth: number,
    unseen: ReadonlySet<string>,
  ): Json {
    if (VALUES.has(keyword)) return value;
    if (NAMED.has(keyword) && isJsonObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          typeof inner === 'boolean' ? inner : convert(inner, depth + 1, NONE),
        ]),
      );
    // Members of a union look at the same value, so its hidden names are theirs too.
    const outer = SAME_VALUE.has(keyword) ? unseen : NONE;
    if (Array.isArray(value))
      return value.map((inner) => (isJsonObject(inner) ? convert(inner, depth + 1, outer) : inner));
    return isJsonObject(value) ? convert(value, depth + 1, outer) : value;
  }

  function hideNames(schema: JsonObject, unseen: ReadonlySet<string>): void {
    if (unseen.size === 0) return;
    const { required, properties } = schema;
    if (Array.isArray(required)) {
      const kept = required.filter((name) => typeof name !== 'string' || !unseen.has(name));
      if (kept.length > 0) schema['required'] = kept;
      else delete schema['required'];
    }
    // Without a property a server may send it; with additionalProperties false it may not.
    if (
      hidden === 'writeOnly' &&
      isJsonObject(properties) &&
      schema['additionalProperties'] !== false
    )
      schema['properties'] = Object.fromEntries(
        Object.entries(properties).filter(([name]) => !unseen.has(name)),
      );
  }

  /** The properties with a flag, in the schema and in all of which it consists. */
  function namesWith(schema: JsonObject, flag: string, depth = 0): string[] {
    const properties = schema['properties'];
    const own = isJsonObject(properties)
      ? Object.keys(properties).filter((name) => hasFlag(properties[name], flag, 0))
      : [];
    const members = schema['allOf'];
    if (!Array.isArray(members) || depth > 5) return own;
    return [...own, ...members.flatMap((one) => namesWith(target(one), flag, depth + 1))];
  }

  function hasFlag(value: Json | undefined, flag: string, depth: number): boolean {
    if (!isJsonObject(value) || depth > 5) return false;
    if (value[flag] === true) return true;
    if (typeof value['$ref'] === 'string') return hasFlag(target(value), flag, depth + 1);
    const members = value['allOf'];
    return Array.isArray(members) && members.some((one) => hasFlag(one, flag, depth + 1));
  }

  function target(value: Json | undefined): JsonObject {
    if (!isJsonObject(value)) return {};
    const ref = value['$ref'];
    const found = typeof ref === 'string' ? valueAtRef(document, ref) : value;
    return isJsonObject(found) ? found : {};
  }

  /** `#/components/schemas/Item` becomes `#/$defs/Item`; any other place gets a name of its own. */
  function localRef(ref: string): string {
    const known = names.get(ref);
    if (known !== undefined) return `#/$defs/${known}`;
    const found = valueAtRef(document, ref);
    if (!isJsonObject(found) && typeof found !== 'boolean') throw refFault(document, ref);
    const steps = ref.slice(2).split('/').map(unescapeStep);
    const isComponent = steps.length === 3 && ref.startsWith('#/components/schemas/');
    const wished = isComponent ? (steps[2] ?? '') : steps.slice(-3).join('_');
    const plain = wished.replace(/[^\w.-]+/g, '_').replace(/^__proto__$/, 'proto') || 'schema';
    let name = plain;
    for (let count = 2; taken.has(name); count++) name = `${plain}_${count}`;
    taken.add(name);
    names.set(ref, name);
    return `#/$defs/${name}`;
  }

  function withDefinitions(schema: JsonObject): JsonObject {
    const definitions: [string, JsonObject][] = [];
    let bytesLeft = JSON_SCHEMA_BYTES_MAX * DEFINITIONS_SHARE - jsonBytes(schema);
    // The map grows while its entries are converted.
    for (const [ref, name] of names) {
      if (bytesLeft <= 0) isCut = true;
      if (isCut && !level.cuts) return schema;
      const definition = bytesLeft <= 0 ? {} : convert(valueAtRef(document, ref) ?? {}, 0, NONE);
      const bytes = jsonBytes(definition);
      const fits = !level.cuts || bytes <= bytesLeft;
      if (!fits) isCut = true;
      definitions.push([name, fits ? definition : {}]);
      bytesLeft = fits ? bytesLeft - bytes : 0;
    }
    if (definitions.length === 0) return schema;
    const result = { ...schema, $defs: Object.fromEntries(definitions) };
    checkCircles(result.$defs);
    return result;
  }

  /** A definition that is a reference only, and leads back to itself, has no values. */
  function checkCircles(definitions: JsonObject): void {
    for (const [ref, start] of names) {
      const seen = new Set<string>();
      let at: string | undefined = start;
      while (at !== undefined && !seen.has(at)) {
        seen.add(at);
        const next: Json | undefined = objectAt(definitions, at)['$ref'];
        at = typeof next === 'string' ? next.slice('#/$defs/'.length) : undefined;
      }
      if (at !== undefined) throw new OperationFault(`${ref} leads back to itself.`);
    }
  }

  return Object.assign((schema: Json) => convert(schema, 0, NONE), {
    withDefinitions,
    isCut: () => isCut,
  });
}

/** Values as the type says them: YAML reads 200 as a number, and some generators write text. */
function convertValues(schema: JsonObject): void {
  const { type, enum: values, pattern } = schema;
  if (type === 'string' && Array.isArray(values))
    schema['enum'] = values.map((value) =>
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    );
  if ((type === 'integer' || type === 'number') && Array.isArray(values))
    schema['enum'] = values.map((value) =>
      typeof value === 'string' && NUMBER.test(value) ? Number(value) : value,
    );
  // A literal of JavaScript, as hapi and Symfony write patterns. `/a/` may be the path itself.
  const [, body, flags = ''] = /^\/(\^.*|.*\$)\/([a-z]*)$/s.exec(String(pattern ?? '')) ?? [];
  if (body !== undefined) schema['pattern'] = flags.includes('i') ? `(?i)${body}` : body;
}

const NUMBER = /^-?\d{1,15}(?:\.\d+)?$/;

/** An answer that fits several members of a union is none the worse. */
function loosenUnion(schema: JsonObject): void {
  const { oneOf } = schema;
  if (!Array.isArray(oneOf) || schema['anyOf'] !== undefined) return;
  delete schema['oneOf'];
  schema['anyOf'] = oneOf;
}

/** A text that is the content of a file. */
function isBinary({ type, format, contentMediaType, contentEncoding }: JsonObject): boolean {
  if (type !== undefined && type !== 'string') return false;
  if (format === 'binary') return true;
  return typeof contentMediaType === 'string' && contentEncoding === undefined;
}

const describing = ({ description }: JsonObject): JsonObject =>
  typeof description === 'string' ? { description } : {};

/** OpenAPI 3.0 writes `nullable: true`; JSON Schema lists the type null. */
function convertNullable(schema: JsonObject, result: JsonObject): JsonObject {
  if (schema['nullable'] !== true) return result;
  const { type } = result;
  if (typeof type !== 'string')
    return type === undefined && Object.keys(result).length > 0
      ? { anyOf: [result, { type: 'null' }] }
      : result;
  const values = result['enum'];
  return {
    ...result,
    type: [type, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

/**
 * OpenAPI 3.0 writes `minimum: 0, exclusiveMinimum: true`; JSON Schema writes `exclusiveMinimum:
 * 0`.
 */
function convertExclusiveBounds(schema: JsonObject): JsonObject {
  const result = { ...schema };
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof result[flag] !== 'boolean') continue;
    const limit = result[bound];
    const applies = result[flag] === true && typeof limit === 'number';
    delete result[flag];
    if (applies) {
      result[flag] = limit;
      delete result[bound];
    }
  }
  return result;
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const inner = Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(inner) ? inner : {};
}
