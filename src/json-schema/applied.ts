import { entryOf } from '../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { isDraft07, pointerSteps, refPointer, toPointer } from './guards.ts';
import { linearRegExp } from './linear-pattern.ts';

/** A value in the list or object that holds it. */
export interface Place {
  readonly holder: Record<string | number, Json>;
  readonly key: string | number;
}

/** Whether a value fits the subschema at this JSON pointer. */
export type Fits = (pointer: string, value: Json) => boolean;

/** Called with each subschema and the place of the value that it applies to. */
export type Visit = (schema: JsonObject, place: Place) => void;

/**
 * Visits every subschema that applies to a value or a part of it for certain: through `properties`,
 * `items`, `allOf`, `$ref`, and the branch that `if` chooses. The choices of `anyOf` and `oneOf`,
 * `not` and `contains` are not visited, so no visit can change their outcome. A schema is visited
 * before its parts. Ends, because checkJsonSchema refuses a `$ref` that leads back to itself.
 * With `choices` those of `anyOf` and `oneOf` that the value fits are visited too.
 */
export class AppliedSchemas {
  readonly #root: JsonObject;
  readonly #fits: Fits;
  readonly #visit: Visit;
  readonly #choices: boolean;

  constructor(root: JsonObject, fits: Fits, visit: Visit, choices = false) {
    this.#root = root;
    this.#fits = fits;
    this.#visit = visit;
    this.#choices = choices;
  }

  /** Visits all that applies to the value at `place`. */
  walk(place: Place): void {
    this.#apply(this.#root, [], place);
  }

  #apply(schema: Json | undefined, path: readonly string[], place: Place): void {
    if (!isJsonObject(schema)) return;
    this.#visit(schema, place);
    const value = place.holder[place.key];
    if (Array.isArray(value)) this.#applyToItems(schema, path, value);
    else if (isJsonObject(value)) this.#applyToProperties(schema, path, value);
    const all = entryOf(schema, 'allOf');
    if (Array.isArray(all)) {
      for (const [index, inner] of all.entries())
        this.#apply(inner, [...path, 'allOf', String(index)], place);
    }
    this.#applyReferred(schema, place);
    this.#applyChosen(schema, path, place);
    if (this.#choices) this.#applyFitting(schema, path, place);
  }

  #applyReferred(schema: JsonObject, place: Place): void {
    const ref = entryOf(schema, '$ref');
    if (typeof ref !== 'string' || !ref.startsWith('#')) return;
    const steps = pointerSteps(refPointer(ref));
    let target: Json | undefined = this.#root;
    for (const step of steps) {
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, step)) return;
      target = (target as JsonObject)[step];
    }
    this.#apply(target, steps, place);
  }

  #applyChosen(schema: JsonObject, path: readonly string[], place: Place): void {
    const condition = entryOf(schema, 'if');
    const value = place.holder[place.key];
    if (condition === undefined || value === undefined) return;
    const branches = ['then', 'else'].filter((name) => isJsonObject(entryOf(schema, name)));
    if (branches.length === 0) return;
    const chosen = this.#holds(condition, [...path, 'if'], value) ? 'then' : 'else';
    this.#apply(entryOf(schema, chosen), [...path, chosen], place);
  }

  #applyFitting(schema: JsonObject, path: readonly string[], place: Place): void {
    const value = place.holder[place.key];
    if (value === undefined) return;
    for (const keyword of ['anyOf', 'oneOf']) {
      const choices = entryOf(schema, keyword);
      for (const [index, choice] of (Array.isArray(choices) ? choices : []).entries()) {
        const inner = [...path, keyword, String(index)];
        if (this.#holds(choice, inner, value)) this.#apply(choice, inner, place);
      }
    }
  }

  #holds(schema: Json, path: readonly string[], value: Json): boolean {
    return isJsonObject(schema) ? this.#fits(toPointer(path), value) : schema !== false;
  }

  #applyToProperties(schema: JsonObject, path: readonly string[], holder: JsonObject): void {
    const named = objectIn(schema, 'properties');
    const patterns = Object.entries(objectIn(schema, 'patternProperties')).map(
      ([pattern, inner]) => ({ pattern, inner, expression: linearRegExp(pattern) }),
    );
    const additional = entryOf(schema, 'additionalProperties');
    for (const key of Object.keys(holder)) {
      const property = entryOf(named, key);
      if (property !== undefined)
        this.#apply(property, [...path, 'properties', key], { holder, key });
      const matching = patterns.filter(({ expression }) => expression.test(key));
      for (const { pattern, inner } of matching)
        this.#apply(inner, [...path, 'patternProperties', pattern], { holder, key });
      if (property === undefined && matching.length === 0)
        this.#apply(additional, [...path, 'additionalProperties'], { holder, key });
    }
    for (const keyword of ['dependentSchemas', 'dependencies']) {
      for (const [name, inner] of Object.entries(objectIn(schema, keyword))) {
        if (Object.hasOwn(holder, name))
          this.#apply(inner, [...path, keyword, name], { holder: { value: holder }, key: 'value' });
      }
    }
  }

  #applyToItems(schema: JsonObject, path: readonly string[], list: Json[]): void {
    const tuple = isDraft07(this.#root) ? 'items' : 'prefixItems';
    const first = entryOf(schema, tuple);
    const heads = Array.isArray(first) ? first : [];
    const rest = tuple === 'items' && Array.isArray(first) ? 'additionalItems' : 'items';
    const holder = list as unknown as Record<number, Json>;
    for (const key of list.keys()) {
      const head = heads[key];
      if (head !== undefined) this.#apply(head, [...path, tuple, String(key)], { holder, key });
      else this.#apply(entryOf(schema, rest), [...path, rest], { holder, key });
    }
  }
}

function objectIn(schema: JsonObject, keyword: string): JsonObject {
  const found = entryOf(schema, keyword);
  return isJsonObject(found) ? found : {};
}
