import { entryOf } from '../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { JSON_SCHEMA_DEPTH_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';

export const DRAFT_07 = /^http:\/\/json-schema\.org\/draft-07\/schema#?$/;
export const DRAFT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

export function isDraft07(root: JsonObject): boolean {
  const draft = entryOf(root, '$schema');
  return typeof draft === 'string' && DRAFT_07.test(draft);
}

const REFUSED_KEYWORDS = [
  '$async',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$data',
];

/** Problems of one subschema: unsupported keywords, and a `$ref` that points to no schema. */
export function checkKeywords(
  { schema, path }: Subschema,
  known: ReadonlyMap<string, Subschema>,
): Problem[] {
  const problems: Problem[] = [];
  for (const keyword of REFUSED_KEYWORDS) {
    if (entryOf(schema, keyword) !== undefined)
      problems.push(invalid([...path, keyword], `${keyword} is not supported.`));
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (isJsonObject(value) && entryOf(value, '$data') !== undefined && !SCHEMA_MAPS.has(keyword))
      problems.push(invalid([...path, keyword], '$data references are not supported.'));
  }
  const ref = entryOf(schema, '$ref');
  if (typeof ref === 'string') {
    if (!/^#(\/|$)/.test(ref)) {
      problems.push(
        invalid([...path, '$ref'], 'A $ref has to point into this schema, as in "#/$defs/name".'),
      );
    } else if (!known.has(refPointer(ref))) {
      problems.push(invalid([...path, '$ref'], `${ref} is no schema in this schema.`));
    }
  }
  if (
    path.length > 0 &&
    (entryOf(schema, '$id') !== undefined || entryOf(schema, '$schema') !== undefined)
  )
    problems.push(invalid(path, '$id and $schema belong to the top of a schema.'));
  const draft = path.length === 0 ? entryOf(schema, '$schema') : undefined;
  if (
    draft !== undefined &&
    (typeof draft !== 'string' || !(DRAFT_07.test(draft) || DRAFT_2020.test(draft)))
  )
    problems.push(
      invalid(['$schema'], 'Only JSON Schema draft 2020-12 and draft-07 are supported.'),
    );
  return problems;
}

const SCHEMA_MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
  'default',
  'const',
  'example',
]);

/** Maximum number of subschemas with every $ref expanded. Bounds the cost of one validation. */
const EXPANDED_SUBSCHEMAS_MAX = 10_000;
/** Their maximum nesting. Compiling takes some 20 calls for each; the stack has room for 450. */
const EXPANDED_DEPTH_MAX = 300;
// In a recursive schema only one subschema may apply to each part of the value. With two, the work
// would double at each level of the value.
const LINEAR_WHEN_RECURSIVE = new Set([
  'properties',
  'additionalProperties',
  'items',
  'prefixItems',
]);
const APPLICATORS = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'propertyNames',
  'contains',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
  ...LINEAR_WHEN_RECURSIVE,
]);

/**
 * Refuses a $ref that leads back to itself over the same value, and schemas that are too large or
 * too deep with every $ref expanded.
 */
export function checkRefs(subschemas: ReadonlyMap<string, Subschema>): Problem[] {
  const sizes = new Map<string, { readonly size: number; readonly depth: number }>();
  const open = new Set<string>();
  let recursive = false;
  const none = { size: 0, depth: 0 };
  const sizeOf = (pointer: string): { readonly size: number; readonly depth: number } => {
    const done = sizes.get(pointer);
    if (done !== undefined) return done;
    if (open.has(pointer)) {
      recursive = true;
      return none;
    }
    const found = subschemas.get(pointer);
    if (found === undefined) return none;
    open.add(pointer);
    const inner = [...found.inPlace, ...found.inParts].map(sizeOf);
    open.delete(pointer);
    const size = inner.reduce((sum, one) => sum + one.size, 1);
    // A $ref alone takes no call.
    const own = Object.keys(found.schema).some((keyword) => keyword !== '$ref') ? 1 : 0;
    const depth = inner.reduce((most, one) => Math.max(most, one.depth), 0) + own;
    const total = { size: Math.min(size, Number.MAX_SAFE_INTEGER / 1_000), depth };
    sizes.set(pointer, total);
    return total;
  };
  const all = [...subschemas.keys()].map(sizeOf);
  if (all.some(({ depth }) => depth > EXPANDED_DEPTH_MAX))
    return [
      invalid(
        [],
        `With every $ref written out this schema nests more than ${EXPANDED_DEPTH_MAX} schemas.`,
      ),
    ];
  if (all.some(({ size }) => size > EXPANDED_SUBSCHEMAS_MAX))
    return [
      invalid(
        [],
        `With every $ref written out this schema has more than ${EXPANDED_SUBSCHEMAS_MAX} parts.`,
      ),
    ];
  if (!recursive) return [];
  const problems: Problem[] = [];
  for (const { schema, path } of subschemas.values()) {
    const ref = entryOf(schema, '$ref') !== undefined;
    const keywords = Object.keys(schema).filter(
      (keyword) => APPLICATORS.has(keyword) && (ref || !LINEAR_WHEN_RECURSIVE.has(keyword)),
    );
    for (const keyword of keywords)
      problems.push(
        invalid(
          [...path, keyword],
          'A schema that refers to itself may only use properties, additionalProperties, ' +
            `items, prefixItems and $ref alone, not ${keyword} here.`,
        ),
      );
  }
  if (problems.length === 0 && hasRefCycle(subschemas))
    problems.push(invalid([], 'A $ref leads back to itself.'));
  return problems;
}

/** Only chains of bare $ref remain here, so following each chain is enough. */
function hasRefCycle(subschemas: ReadonlyMap<string, Subschema>): boolean {
  for (const start of subschemas.keys()) {
    const seen = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined) {
      if (seen.has(at)) return true;
      seen.add(at);
      at = subschemas.get(at)?.inPlace[0];
    }
  }
  return false;
}

/** One subschema, by its JSON pointer (`''` is the root). */
export interface Subschema {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly schema: JsonObject;
  /**
   * Subschemas applied to the same value (`allOf`, `$ref`, ...) and to its parts (`properties`,
   * ...).
   */
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
  /** Path of the first subschema below JSON_SCHEMA_DEPTH_MAX; null if there is none. */
  readonly tooDeep: readonly string[] | null;
}

/** Finds every subschema, by the keywords that hold schemas. Stops at JSON_SCHEMA_DEPTH_MAX. */
export function walkSchema(root: JsonObject): SchemaWalk {
  const subschemas = new Map<string, Subschema>();
  let tooDeep: readonly string[] | null = null;

  const visit = (
    value: Json | undefined,
    path: readonly string[],
    depth: number,
  ): string | null => {
    if (!isJsonObject(value) && typeof value !== 'boolean') return null;
    if (depth > JSON_SCHEMA_DEPTH_MAX) {
      tooDeep ??= path;
      return null;
    }
    const found: Subschema = {
      pointer: toPointer(path),
      path,
      // true and false are schemas too, without keywords.
      schema: isJsonObject(value) ? value : {},
      inPlace: [],
      inParts: [],
    };
    subschemas.set(found.pointer, found);
    if (!isJsonObject(value)) return found.pointer;
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
        const keywordValue = entryOf(value, keyword);
        if (shape === 'one') child(into, keywordValue, keyword);
        else if (shape === 'list' && Array.isArray(keywordValue)) {
          keywordValue.forEach((inner, index) => {
            child(into, inner, keyword, String(index));
          });
        } else if (shape === 'map' && isJsonObject(keywordValue)) {
          for (const name of Object.keys(keywordValue))
            child(into, keywordValue[name], keyword, name);
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
    const ref = entryOf(value, '$ref');
    if (typeof ref === 'string' && ref.startsWith('#')) found.inPlace.push(refPointer(ref));
    return found.pointer;
  };

  visit(root, [], 1);
  return { subschemas, tooDeep };
}

/** `#/$defs/a%20b` -> `/$defs/a b` */
export function refPointer(ref: string): string {
  try {
    return decodeURIComponent(ref.slice(1));
  } catch {
    return ref.slice(1);
  }
}

/** ['a/b', '0'] -> `/a~1b/0` */
export function toPointer(path: readonly string[]): string {
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

/** A problem of the schema itself, SCHEMA_INVALID. */
export function invalid(path: readonly (string | number)[], message: string): Problem {
  return problem('SCHEMA_INVALID', path, message);
}
