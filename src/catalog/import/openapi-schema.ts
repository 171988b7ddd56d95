import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';

/** Converts schemas of one OpenAPI document into self-contained JSON Schemas. */
export interface SchemaConverter {
  (schema: Json): JsonObject;
  /** Adds all referenced schemas as `$defs`, including those that they refer to. */
  withDefinitions(schema: JsonObject): JsonObject;
}

const COMPONENT = '#/components/schemas/';
/** Keywords that constrain no value, or that only OpenAPI knows. */
const DROPPED = new Set(['discriminator', 'xml', 'externalDocs', 'example', 'nullable']);
/** The keys of these keywords' values are names, not keywords. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

export function schemaConverter(document: JsonObject): SchemaConverter {
  const components = objectAt(objectAt(document, 'components'), 'schemas');

  function convert(schema: Json): JsonObject {
    if (!isJsonObject(schema)) return {};
    const result: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (!DROPPED.has(keyword) && !keyword.startsWith('x-'))
        result[keyword] = convertKeyword(keyword, value);
    }
    if (typeof schema['$ref'] === 'string') result['$ref'] = localRef(schema['$ref']);
    return convertNullable(schema, convertExclusiveBounds(result));
  }

  function convertKeyword(keyword: string, value: Json): Json {
    if (VALUES.has(keyword)) return value;
    if (NAMED.has(keyword) && isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          typeof inner === 'boolean' ? inner : convert(inner),
        ]),
      );
    }
    if (Array.isArray(value))
      return value.map((inner) => (isJsonObject(inner) ? convert(inner) : inner));
    return isJsonObject(value) ? convert(value) : value;
  }

  function withDefinitions(schema: JsonObject): JsonObject {
    const definitions: JsonObject = {};
    const queue = refsOf(schema);
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (Object.hasOwn(definitions, name)) continue;
      const definition = convert(components[name] ?? {});
      definitions[name] = definition;
      queue.push(...refsOf(definition));
    }
    return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions };
  }

  return Object.assign(convert, { withDefinitions });
}

/**
 * Turns `#/components/schemas/Item` into `#/$defs/Item`. Any other reference stays, and
 * checkJsonSchema refuses it.
 */
function localRef(ref: string): string {
  return ref.startsWith(COMPONENT) ? `#/$defs/${ref.slice(COMPONENT.length)}` : ref;
}

function refsOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf);
  if (!isJsonObject(value)) return [];
  const ref = value['$ref'];
  const ownRefs =
    typeof ref === 'string' && ref.startsWith('#/$defs/')
      ? [ref.slice('#/$defs/'.length).split('/')[0] ?? '']
      : [];
  return [...ownRefs, ...Object.values(value).flatMap(refsOf)];
}

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
