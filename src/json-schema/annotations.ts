import { _, type Ajv, type KeywordCxt, Name } from 'ajv';
import { entryOf } from '../common/entry-of.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { walkSchema } from './guards.ts';

/**
 * A keyword that allows every value. Without any keyword, ajv drops a schema and forgets which
 * properties it evaluated.
 */
const ANYTHING: JsonObject = { minLength: 0 };

/**
 * A copy of a schema that means the same to ajv's `unevaluatedItems` and `unevaluatedProperties` as
 * to the specification. ajv counts all items as evaluated beside `contains`, and takes what an `if`
 * evaluates whether it holds or not.
 * An `if` or `contains` is written twice for this, so those that hold another one or a `$ref` stay
 * as they are: the work would double at each level.
 */
export function withAnnotations(schema: JsonObject): JsonObject {
  if (!JSON.stringify(schema).includes('"unevaluated')) return schema;
  const copy = structuredClone(schema);
  for (const { schema: found } of walkSchema(copy).subschemas.values()) {
    rewriteIf(found);
    rewriteContains(found);
  }
  return copy;
}

function rewriteIf(schema: JsonObject): void {
  const condition = entryOf(schema, 'if');
  if (condition === undefined || !mayStandTwice(condition)) return;
  schema['if'] = withoutAnnotations(condition);
  schema['then'] = { allOf: [condition, entryOf(schema, 'then') ?? ANYTHING] };
}

function rewriteContains(schema: JsonObject): void {
  const contained = entryOf(schema, 'contains');
  const unevaluated = entryOf(schema, 'unevaluatedItems');
  if (contained === undefined || unevaluated === undefined || !mayStandTwice(contained)) return;
  const { contains, minContains, maxContains, allOf, ...rest } = schema;
  const counted = Object.fromEntries(
    Object.entries({ contains, minContains, maxContains }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as JsonObject;
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  Object.assign(schema, rest, {
    allOf: [...(Array.isArray(allOf) ? allOf : []), withoutAnnotations(counted)],
    unevaluatedItems: { anyOf: [contained, unevaluated] },
  });
}

/** The same schema for values; it evaluates nothing. */
const withoutAnnotations = (schema: Json): JsonObject => ({ not: { not: schema } });

const TWICE_NEVER = /"(?:if|contains|\$ref)":/;

const mayStandTwice = (schema: Json): boolean => !TWICE_NEVER.test(JSON.stringify(schema));

/**
 * ajv's `unevaluatedItems` compares the list's length with the number of evaluated items. Where
 * that is known at run time only, it may also be undefined (none) or true (all).
 */
export function mendUnevaluatedItems(ajv: Ajv): void {
  const definition = ajv.getKeyword('unevaluatedItems');
  if (typeof definition === 'boolean' || !('code' in definition)) return;
  ajv.removeKeyword('unevaluatedItems');
  ajv.addKeyword({
    ...definition,
    code(context: KeywordCxt) {
      const { gen, it } = context;
      const { items } = it;
      if (items instanceof Name) {
        gen.if(_`${items} === undefined`, () => gen.assign(items, 0));
        gen.if(_`${items} === true`, () => gen.assign(items, Number.POSITIVE_INFINITY));
      }
      definition.code(context);
    },
  });
}
