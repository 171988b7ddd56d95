import type { Ajv } from 'ajv';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { SCHEMA_DEFAULTS_CHARS_MAX } from '../common/limits.ts';
import { ownProperty, walkSchema } from './guards.ts';

/** Ends a validation whose defaults would make the value too large. */
export class DefaultsTooLarge extends Error {
  override readonly name = 'DefaultsTooLarge';
  constructor() {
    const mb = SCHEMA_DEFAULTS_CHARS_MAX / 1024 / 1024;
    super(`The defaults of its schema would add more than ${mb} MiB to this value.`);
  }
}

/** Characters added by the current validation, which is synchronous. */
let added = 0;

export function startDefaults(): void {
  added = 0;
}

const OF_OBJECT = 'aiden:defaults';
const OF_LIST = 'aiden:itemDefaults';

/**
 * A copy of a schema whose defaults are counted when they are added. ajv's own `useDefaults` adds
 * them without a limit: a large default in the items of a long list would fill the memory.
 */
export function withCountedDefaults(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  for (const { schema: subschema } of walkSchema(copy).subschemas.values()) {
    setDefaults(subschema, OF_OBJECT, ownProperty(subschema, 'properties'));
    const items = ownProperty(subschema, 'items');
    setDefaults(subschema, OF_LIST, Array.isArray(items) ? { ...items } : undefined);
  }
  return copy;
}

function setDefaults(
  subschema: JsonObject,
  keyword: string,
  named: Json | undefined | object,
): void {
  delete subschema[keyword];
  if (!isJsonObject(named)) return;
  const defaults = Object.entries(named).flatMap(([name, inner]) => {
    const value = isJsonObject(inner) ? ownProperty(inner, 'default') : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  if (defaults.length > 0) subschema[keyword] = Object.fromEntries(defaults);
}

/**
 * Adds the keywords of `withCountedDefaults`. They come before every other keyword of their type,
 * as ajv's own defaults do, and have no effect inside `anyOf`, `oneOf`, `not` and `if`.
 */
export function addDefaultKeywords(ajv: Ajv): void {
  for (const [keyword, type, before] of [
    [OF_OBJECT, 'object', 'maxProperties'],
    [OF_LIST, 'array', 'maxItems'],
  ] as const) {
    ajv.addKeyword({
      keyword,
      type,
      before,
      modifying: true,
      errors: false,
      compile(defaults: JsonObject, _parent, { compositeRule }) {
        const texts = Object.entries(defaults).map(([key, value]) => ({
          key,
          text: JSON.stringify(value),
        }));
        return (container: Record<string, Json>) => {
          if (compositeRule === true) return true;
          for (const { key, text } of texts) {
            if (container[key] !== undefined) continue;
            added += text.length + key.length;
            if (added > SCHEMA_DEFAULTS_CHARS_MAX) throw new DefaultsTooLarge();
            container[key] = JSON.parse(text) as Json;
          }
          return true;
        };
      },
    });
  }
}
