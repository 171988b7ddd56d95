import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { JSON_SCHEMA_DEPTH_MAX } from '../common/limits.ts';

/** One schema inside a schema, by its JSON pointer (`''` is the root). */
export interface Subschema {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly schema: JsonObject;
  /** Schemas applied to the same value (`allOf`, `$ref`, ...) and to its parts (`properties`, ...). */
  readonly inPlace: string[];
  readonly inParts: string[];
}

const IN_PLACE_ONE = ['not', 'if', 'then', 'else'];
const IN_PLACE_LIST = ['allOf', 'anyOf', 'oneOf'];
const IN_PLACE_MAP = ['dependentSchemas', 'dependencies'];
const IN_PARTS_ONE = [
  'additionalProperties',
  'propertyNames',
  'contains',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
  'items',
];
const IN_PARTS_LIST = ['prefixItems', 'items'];
const IN_PARTS_MAP = ['properties', 'patternProperties'];
const DEFINITIONS = ['$defs', 'definitions'];

export interface SchemaWalk {
  readonly subschemas: ReadonlyMap<string, Subschema>;
  /** Null, or the path of the first schema that lies too deep. */
  readonly tooDeep: readonly string[] | null;
}

/** Finds every schema in a schema, by the keywords that hold schemas; stops at JSON_SCHEMA_DEPTH_MAX. */
export function walkSchema(root: JsonObject): SchemaWalk {
  const subschemas = new Map<string, Subschema>();
  let tooDeep: readonly string[] | null = null;

  const visit = (
    value: Json | undefined,
    path: readonly string[],
    depth: number,
  ): string | null => {
    if (!isJsonObject(value)) return null; // true and false are schemas too, but ask for nothing
    if (depth > JSON_SCHEMA_DEPTH_MAX) {
      tooDeep ??= path;
      return null;
    }
    const found: Subschema = {
      pointer: toPointer(path),
      path,
      schema: value,
      inPlace: [],
      inParts: [],
    };
    subschemas.set(found.pointer, found);
    const child = (into: string[] | null, inner: Json | undefined, ...steps: string[]) => {
      const pointer = visit(inner, [...path, ...steps], depth + 1);
      if (pointer !== null) into?.push(pointer);
    };
    const each = (
      into: string[] | null,
      keywords: readonly string[],
      shape: 'one' | 'list' | 'map',
    ) => {
      for (const keyword of keywords) {
        const held = own(value, keyword);
        if (shape === 'one') child(into, held, keyword);
        else if (shape === 'list' && Array.isArray(held)) {
          held.forEach((inner, index) => {
            child(into, inner, keyword, String(index));
          });
        } else if (shape === 'map' && isJsonObject(held)) {
          for (const name of Object.keys(held)) child(into, held[name], keyword, name);
        }
      }
    };
    each(found.inPlace, IN_PLACE_ONE, 'one');
    each(found.inPlace, IN_PLACE_LIST, 'list');
    each(found.inPlace, IN_PLACE_MAP, 'map');
    each(found.inParts, IN_PARTS_ONE, 'one');
    each(found.inParts, IN_PARTS_LIST, 'list');
    each(found.inParts, IN_PARTS_MAP, 'map');
    each(null, DEFINITIONS, 'map');
    const ref = own(value, '$ref');
    if (typeof ref === 'string' && ref.startsWith('#')) found.inPlace.push(refPointer(ref));
    return found.pointer;
  };

  visit(root, [], 1);
  return { subschemas, tooDeep };
}

/** A keyword the schema itself has; a name like `constructor` must not reach the prototype. */
export function own(schema: JsonObject, keyword: string): Json | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

/** `#/$defs/a%20b` -> `/$defs/a b` */
export function refPointer(ref: string): string {
  try {
    return decodeURIComponent(ref.slice(1));
  } catch {
    return ref.slice(1);
  }
}

function toPointer(path: readonly string[]): string {
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `/a~1b/0` -> ['a/b', '0'] */
export function pointerSteps(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
