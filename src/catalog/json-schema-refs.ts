import type { Problem } from '../common/refusal.ts';
import { invalid } from './json-schema-faults.ts';
import { own, type Subschema } from './json-schema-walk.ts';

/** Subschemas once every $ref is written out: what one validation may cost. */
const EXPANDED_SUBSCHEMAS_MAX = 10_000;
// In a schema that refers to itself every part of the value must meet one schema only, or the work doubles with each level of the value.
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

/** No $ref may lead back to itself over the same value, and writing all of them out has to stay small. */
export function checkRefs(subschemas: ReadonlyMap<string, Subschema>): Problem[] {
  const sizes = new Map<string, number>();
  const open = new Set<string>();
  let recursive = false;
  const sizeOf = (pointer: string): number => {
    const done = sizes.get(pointer);
    if (done !== undefined) return done;
    if (open.has(pointer)) {
      recursive = true;
      return 0;
    }
    const found = subschemas.get(pointer);
    if (found === undefined) return 0;
    open.add(pointer);
    let size = 1;
    for (const inner of [...found.inPlace, ...found.inParts]) size += sizeOf(inner);
    open.delete(pointer);
    sizes.set(pointer, Math.min(size, Number.MAX_SAFE_INTEGER / 1_000));
    return size;
  };
  const most = Math.max(...[...subschemas.keys()].map(sizeOf));
  if (most > EXPANDED_SUBSCHEMAS_MAX) {
    return [
      invalid(
        [],
        `With every $ref written out this schema has more than ${EXPANDED_SUBSCHEMAS_MAX} parts.`,
      ),
    ];
  }
  if (!recursive) return [];
  const problems: Problem[] = [];
  for (const { schema, path } of subschemas.values()) {
    const ref = own(schema, '$ref') !== undefined;
    const twice = Object.keys(schema).filter(
      (keyword) => APPLICATORS.has(keyword) && (ref || !LINEAR_WHEN_RECURSIVE.has(keyword)),
    );
    for (const keyword of twice) {
      problems.push(
        invalid(
          [...path, keyword],
          `A schema that refers to itself may only use properties, additionalProperties, items, prefixItems and $ref alone, not ${keyword} here.`,
        ),
      );
    }
  }
  if (problems.length === 0 && hasRefCircle(subschemas))
    problems.push(invalid([], 'A $ref leads back to itself.'));
  return problems;
}

/** Only chains of bare $ref are left here, so following each one is enough. */
function hasRefCircle(subschemas: ReadonlyMap<string, Subschema>): boolean {
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
