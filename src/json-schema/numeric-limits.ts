import { entryOf } from '../common/entry-of.ts';
import { losesDigits } from '../common/exact-json.ts';
import type { JsonObject } from '../common/json.ts';
import { walkSchema } from './guards.ts';

const LIMITS = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
];

/**
 * A schema from outside with its limits as numbers. `parseJson` keeps 18446744073709551615 as text,
 * and a schema whose `maximum` is text is none.
 */
export function withNumericLimits(schema: JsonObject): JsonObject {
  if (!MAY_HAVE_TEXT.test(JSON.stringify(schema))) return schema;
  const copy = structuredClone(schema);
  for (const { schema: found } of walkSchema(copy).subschemas.values()) {
    for (const limit of LIMITS) {
      const text = entryOf(found, limit);
      if (typeof text === 'string' && isLimit(text)) found[limit] = Number(text);
    }
  }
  return copy;
}

const MAY_HAVE_TEXT = /"(?:m\w+|exclusiveM\w+)":"/;

const isLimit = (text: string): boolean => losesDigits(text) && Number.isFinite(Number(text));
