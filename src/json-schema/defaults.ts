import { entryOf } from '../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { JSON_DEPTH_MAX, SCHEMA_DEFAULTS_CHARS_MAX } from '../common/limits.ts';
import { AppliedSchemas, type Fits } from './applied.ts';
import { isDraft07 } from './guards.ts';

/** Ends a validation whose defaults would make the value too large. */
export class DefaultsTooLarge extends Error {
  override readonly name = 'DefaultsTooLarge';
  constructor() {
    const mb = SCHEMA_DEFAULTS_CHARS_MAX / 1024 / 1024;
    super(`The defaults of its schema would add more than ${mb} MiB to this value.`);
  }
}

/** A schema adds defaults inside its own defaults without end. */
export class DefaultsTooDeep extends Error {
  override readonly name = 'DefaultsTooDeep';
  constructor() {
    super('The value nests too deep for its schema.');
  }
}

/** A value that a schema adds where it is absent. */
interface Addition {
  readonly container: object;
  readonly key: string | number;
  readonly value: Json;
}

/**
 * Adds the defaults of absent properties to `value`, in place, and returns whether it added any.
 * Which defaults apply is decided before the first is added, so a default never changes the outcome
 * of `if`. ajv's own `useDefaults` does, and adds them without a limit: a large default in the items
 * of a long list would fill the memory.
 */
export function addDefaults(schema: JsonObject, value: Json, fits: Fits): boolean {
  if (!mayHaveDefaults(schema)) return false;
  let chars = 0;
  // Defaults inside of a default are found by the next round. It looks at what the last one added.
  let added: Set<object> | null = null;
  for (let round = 0; ; round++) {
    if (round > JSON_DEPTH_MAX) throw new DefaultsTooDeep();
    const additions: Addition[] = [];
    const find = (container: Json, key: string | number, inner: Json | undefined) => {
      if (typeof container !== 'object' || container === null) return;
      if (added !== null && !added.has(container)) return;
      if (Object.hasOwn(container, key) || !isJsonObject(inner)) return;
      const found = entryOf(inner, 'default');
      if (found === undefined) return;
      const text = JSON.stringify(found);
      chars += text.length + String(key).length;
      if (chars > SCHEMA_DEFAULTS_CHARS_MAX) throw new DefaultsTooLarge();
      additions.push({ container, key, value: JSON.parse(text) as Json });
    };
    const walk = new AppliedSchemas(schema, fits, (subschema, place) => {
      const container = place.holder[place.key];
      if (isJsonObject(container)) {
        const named = entryOf(subschema, 'properties');
        if (!isJsonObject(named)) return;
        for (const [key, inner] of Object.entries(named)) find(container, key, inner);
      } else if (Array.isArray(container) && isDraft07(schema)) {
        const items = entryOf(subschema, 'items');
        if (!Array.isArray(items)) return;
        for (let key = container.length; key < items.length; key++)
          find(container, key, items[key]);
      }
    });
    walk.walk({ holder: { value }, key: 'value' });
    if (additions.length === 0) return round > 0;
    added = apply(additions);
  }
}

/** Returns the added objects and lists. The first of two defaults of one property is added. */
function apply(additions: readonly Addition[]): Set<object> {
  const added = new Set<object>();
  for (const { container, key, value } of additions) {
    // A list has no gaps: the default of a later item waits for those before it.
    const isGap = Array.isArray(container) && Number(key) > container.length;
    if (isGap || Object.hasOwn(container, key)) continue;
    const own = { value, writable: true, enumerable: true, configurable: true };
    // A plain assignment to `__proto__` would change the prototype.
    Object.defineProperty(container, key, own);
    if (typeof value === 'object' && value !== null) added.add(value);
  }
  return added;
}

const withDefaults = new WeakMap<JsonObject, boolean>();

/** A text search is enough: most schemas have no default, and a false find costs one walk. */
function mayHaveDefaults(schema: JsonObject): boolean {
  let known = withDefaults.get(schema);
  if (known === undefined) {
    known = JSON.stringify(schema).includes('"default":');
    withDefaults.set(schema, known);
  }
  return known;
}
