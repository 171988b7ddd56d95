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
export interface Addition {
  readonly container: object;
  readonly key: string | number;
  /** The value as JSON: each use of it needs a copy of its own. */
  readonly text: string;
}

/**
 * The defaults that a schema has for the absent properties of one value. Which of them apply is
 * decided before the first is added, so a default never changes the outcome of `if`. ajv's own
 * `useDefaults` does, and adds them without a limit: a large default in the items of a long list
 * would fill the memory.
 */
export class Defaults {
  readonly #schema: JsonObject;
  readonly #value: Json;
  readonly #fits: Fits;

  constructor(schema: JsonObject, value: Json, fits: Fits) {
    this.#schema = schema;
    this.#value = value;
    this.#fits = fits;
  }

  /** In the order of the schema. Two of them may be for the same property. */
  find(): readonly Addition[] {
    return mayHaveDefaults(this.#schema) ? this.#find(null, { charsLeft: CHARS_MAX }) : [];
  }

  /**
   * Adds these to the value, in place, with the defaults inside of them.
   * @returns takes all of it back, if nothing was added since
   */
  add(additions: readonly Addition[]): () => void {
    const budget = { charsLeft: CHARS_MAX };
    const done = apply(additions);
    // A default may hold objects with defaults of their own. Each round reads the objects of the
    // last.
    let added = objectsIn(done);
    for (let round = 1; added.size > 0; round++) {
      if (round > JSON_DEPTH_MAX) throw new DefaultsTooDeep();
      added = objectsIn(apply(this.#find(added, budget)));
    }
    return () => {
      for (const { container, key } of done.toReversed()) {
        if (Array.isArray(container)) container.pop();
        else delete (container as JsonObject)[key];
      }
    };
  }

  /** @param inside the objects to search for missing properties; null: all of the value */
  #find(inside: ReadonlySet<object> | null, budget: { charsLeft: number }): Addition[] {
    const additions: Addition[] = [];
    const find = (container: Json, key: string | number, inner: Json | undefined) => {
      if (typeof container !== 'object' || container === null) return;
      if (inside !== null && !inside.has(container)) return;
      if (Object.hasOwn(container, key) || !isJsonObject(inner)) return;
      const found = entryOf(inner, 'default');
      if (found === undefined) return;
      const text = JSON.stringify(found);
      budget.charsLeft -= text.length + String(key).length;
      if (budget.charsLeft < 0) throw new DefaultsTooLarge();
      additions.push({ container, key, text });
    };
    const walk = new AppliedSchemas(this.#schema, this.#fits, (subschema, place) => {
      const container = place.holder[place.key];
      if (isJsonObject(container)) {
        const named = entryOf(subschema, 'properties');
        if (!isJsonObject(named)) return;
        for (const [key, inner] of Object.entries(named)) find(container, key, inner);
      } else if (Array.isArray(container) && isDraft07(this.#schema)) {
        const items = entryOf(subschema, 'items');
        if (!Array.isArray(items)) return;
        for (let key = container.length; key < items.length; key++)
          find(container, key, items[key]);
      }
    });
    walk.walk({ holder: { value: this.#value }, key: 'value' });
    return additions;
  }
}

const CHARS_MAX = SCHEMA_DEFAULTS_CHARS_MAX;

interface Added extends Pick<Addition, 'container' | 'key'> {
  readonly value: Json;
}

/** Returns those that it added: the first of two defaults of one property. */
const apply = (additions: readonly Addition[]): Added[] =>
  additions.flatMap(({ container, key, text }) => {
    // A list has no gaps: the default of a later item waits for those before it.
    const isGap = Array.isArray(container) && Number(key) > container.length;
    if (isGap || Object.hasOwn(container, key)) return [];
    const value = JSON.parse(text) as Json;
    const own = { value, writable: true, enumerable: true, configurable: true };
    // A plain assignment to `__proto__` would change the prototype.
    Object.defineProperty(container, key, own);
    return [{ container, key, value }];
  });

function objectsIn(added: readonly Added[]): Set<object> {
  const values = added.map(({ value }) => value);
  return new Set(values.filter((value) => typeof value === 'object' && value !== null));
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
