import { entryOf } from '../common/entry-of.ts';
import { isBigWholeNumber } from '../common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { firstChars } from '../common/well-formed.ts';
import { isDraft07, pointerSteps, refPointer } from './guards.ts';

/**
 * Finds values that can never fit a schema, from the schema that they come from
 * (docs/decisions/0056). It reports a misfit only where every value of the producer breaks the
 * consumer's schema, after the type coercion of validateJson. Every doubt counts as a fit.
 */

/** A subschema with its place in the schema that it belongs to. */
export interface SchemaPlace {
  readonly root: JsonObject;
  readonly schema: Json;
  /** Path in `root`: `['properties', 'title']`. */
  readonly path: readonly string[];
}

/** Subschemas that all apply to one value. An empty list allows any value. */
type Conjunction = readonly SchemaPlace[];

/** The values that a reference can have: those of any of these conjunctions. */
export type ValueSource = readonly Conjunction[];

export interface Misfit {
  /** Path inside the value at which it can't fit: `['lines', '0']`. Empty: the value itself. */
  readonly at: readonly string[];
  /** The producer's and the consumer's schema at that path. */
  readonly produced: SchemaPlace;
  readonly consumed: SchemaPlace;
  /** In words: `a list`, `text or a number`. */
  readonly gives: string;
  readonly takes: string;
}

/** Comparisons of one FitWork; together they take some 0.2 s. */
const STEPS_MAX = 100_000;

class TooManySteps extends Error {}

/**
 * Bounds the work for schemas with many alternatives, which users write. Beyond it every value
 * counts as a fit.
 */
export class FitWork {
  #left = STEPS_MAX;

  step(): void {
    if (--this.#left < 0) throw new TooManySteps();
  }
}

export function wholeSchema(root: JsonObject): SchemaPlace {
  return { root, schema: root, path: [] };
}

/** The values of a schema that passed checkJsonSchema. */
export function valuesOf(root: JsonObject): ValueSource {
  return [[wholeSchema(root)]];
}

const NULL: ValueSource = valuesOf({ const: null });

/** Whether a schema names values of this type. A schema without types names none. */
export function namesType(root: JsonObject, type: 'null' | 'string'): boolean {
  try {
    const places = expand([wholeSchema(root)], new FitWork()).flat();
    return places.some(({ schema }) => isNamedIn(schema, type));
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}

function isNamedIn(schema: Json, type: 'null' | 'string'): boolean {
  if (!isJsonObject(schema)) return false;
  const { type: types, enum: members, const: only } = schema;
  const isMember = (value: Json | undefined) =>
    type === 'null' ? value === null : typeof value === 'string';
  const isListed = Array.isArray(members) && members.some(isMember);
  return [types].flat().includes(type) || isListed || isMember(only);
}

/**
 * The values at a path inside other values, as `valueAt` reads them: a path that leads nowhere
 * gives null.
 */
export function valuesAt(
  source: ValueSource,
  path: readonly string[],
  work = new FitWork(),
): ValueSource {
  try {
    return path.reduce<ValueSource>((values, key) => valuesBelow(values, key, work), source);
  } catch (error) {
    if (error instanceof TooManySteps) return [[]];
    throw error;
  }
}

/** The items of the lists among these values. Null where none of them is a list. */
export function itemsOf(source: ValueSource, work = new FitWork()): ValueSource | null {
  try {
    const lists = source
      .flatMap((conjunction) => expand(conjunction, work))
      .filter((conjunction) => kindsOf(conjunction).has('array'));
    if (lists.length === 0) return null;
    const isTuple = lists.some((conjunction) =>
      conjunction.some((place) => tupleOf(place) !== null),
    );
    return isTuple ? [[]] : lists.map((conjunction) => itemPlaces(conjunction, 0));
  } catch (error) {
    if (error instanceof TooManySteps) return [[]];
    throw error;
  }
}

/**
 * Null where some value of the source may fit the consumer's schema at `at`, a path in the
 * consumer's value: names of object fields, and positions in lists as numbers.
 */
export function findMisfit(
  source: ValueSource,
  consumer: SchemaPlace,
  at: readonly (string | number)[],
  work = new FitWork(),
): Misfit | null {
  try {
    let places: Conjunction = [consumer];
    for (const key of at) {
      const whole = places.flatMap((place) => conjuncts(place, work));
      places = typeof key === 'number' ? itemPlaces(whole, key) : propertyPlaces(whole, key);
    }
    const expanded = source.flatMap((conjunction) => expand(conjunction, work));
    return misfitOf(expanded, expand(places, work), work, {
      at: [],
      produced: source[0]?.[0] ?? ANYTHING,
      consumed: places[0] ?? ANYTHING,
    });
  } catch (error) {
    if (error instanceof TooManySteps) return null;
    throw error;
  }
}

const ANYTHING: SchemaPlace = { root: {}, schema: true, path: [] };

type Where = Pick<Misfit, 'at' | 'produced' | 'consumed'>;

/** Compares conjunctions that `expand` gave. */
function misfitOf(
  produced: readonly Conjunction[],
  consumed: readonly Conjunction[],
  work: FitWork,
  where: Where,
): Misfit | null {
  let first: Misfit | null = null;
  for (const source of produced) {
    // No value has contradictory types, so such an alternative says nothing.
    if (kindsOf(source).size === 0) continue;
    if (consumed.length === 0) first ??= { ...where, gives: wordsOf([source]), takes: 'nothing' };
    for (const target of consumed) {
      const found = conjunctionMisfit(source, target, work, where);
      if (found === null) return null;
      // A misfit inside the value is reported only where there is one way to read it.
      first ??=
        produced.length === 1 && consumed.length === 1
          ? found
          : { ...where, gives: wordsOf(produced), takes: wordsOf(consumed) };
    }
  }
  return first;
}

function conjunctionMisfit(
  source: Conjunction,
  target: Conjunction,
  work: FitWork,
  where: Where,
): Misfit | null {
  work.step();
  const kinds = kindsOf(source);
  const takes = kindsOf(target);
  let inner: Misfit | null = null;
  if (kinds.has('scalar') && takes.has('scalar') && scalarsFit(source, target)) return null;
  if (kinds.has('array') && takes.has('array')) {
    inner = arrayMisfit(source, target, work, where);
    if (inner === null) return null;
  }
  if (kinds.has('object') && takes.has('object')) {
    inner = objectMisfit(source, target, work, where);
    if (inner === null) return null;
  }
  if (kinds.size === 1 && inner !== null) return inner;
  return { ...where, gives: wordsOf([source]), takes: wordsOf([target]) };
}

/** An empty list fits any items, so only a list that has an item for sure can be a misfit. */
function arrayMisfit(
  source: Conjunction,
  target: Conjunction,
  work: FitWork,
  where: Where,
): Misfit | null {
  if (itemsAtLeast(source) === 0) return null;
  return innerMisfit(itemPlaces(source, 0), itemPlaces(target, 0), work, where, '0');
}

function objectMisfit(
  source: Conjunction,
  target: Conjunction,
  work: FitWork,
  where: Where,
): Misfit | null {
  for (const name of requiredIn(source)) {
    const found = innerMisfit(
      propertyPlaces(source, name),
      propertyPlaces(target, name),
      work,
      where,
      name,
    );
    if (found !== null) return found;
  }
  for (const name of requiredIn(target)) {
    const isAbsent = propertyPlaces(source, name).some(({ schema }) => schema === false);
    const [wanted] = propertyPlaces(target, name);
    const hasDefault = target.some(({ schema }) => defaultOf(schema, name) !== undefined);
    if (!isAbsent || hasDefault) continue;
    const at = [...where.at, name];
    const takes = wordsOf(expand(propertyPlaces(target, name), work));
    return { ...where, at, consumed: wanted ?? where.consumed, gives: 'nothing', takes };
  }
  return null;
}

const innerMisfit = (
  source: Conjunction,
  target: Conjunction,
  work: FitWork,
  { at, produced, consumed }: Where,
  key: string,
): Misfit | null =>
  misfitOf(expand(source, work), expand(target, work), work, {
    at: [...at, key],
    produced: source[0] ?? produced,
    consumed: target[0] ?? consumed,
  });

function valuesBelow(source: ValueSource, key: string, work: FitWork): ValueSource {
  const values: Conjunction[] = [];
  let mayBeMissing = false;
  for (const conjunction of source.flatMap((one) => expand(one, work))) {
    const kinds = kindsOf(conjunction);
    if (kinds.has('scalar')) mayBeMissing = true;
    if (kinds.has('object')) {
      values.push(propertyPlaces(conjunction, key));
      if (!requiredIn(conjunction).has(key)) mayBeMissing = true;
    }
    if (kinds.has('array')) {
      if (isIndex(key)) values.push(itemPlaces(conjunction, +key));
      if (!isIndex(key) || +key >= itemsAtLeast(conjunction)) mayBeMissing = true;
    }
  }
  return mayBeMissing ? [...values, ...NULL] : values;
}

const isIndex = (key: string) => /^\d{1,9}$/.test(key);

/** The schema itself with its `$ref` and `allOf`: all of them apply. */
function conjuncts(place: SchemaPlace, work: FitWork): SchemaPlace[] {
  work.step();
  const { schema } = place;
  if (!isJsonObject(schema)) return [place];
  return [
    place,
    ...[...referred(place), ...below(place, 'allOf')].flatMap((one) => conjuncts(one, work)),
  ];
}

/**
 * Every alternative of a conjunction: its `$ref` and `allOf` are added to it, and each choice of
 * its `anyOf` and `oneOf` is an alternative. `false` allows no alternative.
 */
function expand(conjunction: Conjunction, work: FitWork): Conjunction[] {
  let alternatives: Conjunction[] = [[]];
  const also = (more: readonly Conjunction[]) => {
    alternatives = alternatives.flatMap((one) =>
      more.map((other) => {
        work.step();
        return [...one, ...other];
      }),
    );
  };
  for (const place of conjunction) {
    for (const one of conjuncts(place, work)) {
      if (one.schema === false) return [];
      also([[one]]);
      for (const keyword of ['anyOf', 'oneOf']) {
        const choices = below(one, keyword);
        if (choices.length > 0) also(choices.flatMap((choice) => expand([choice], work)));
      }
    }
  }
  return alternatives;
}

function below({ root, schema, path }: SchemaPlace, keyword: string): SchemaPlace[] {
  const list = isJsonObject(schema) ? entryOf(schema, keyword) : undefined;
  if (!Array.isArray(list)) return [];
  return list.map((inner, index) => ({
    root,
    schema: inner,
    path: [...path, keyword, String(index)],
  }));
}

function referred({ root, schema }: SchemaPlace): SchemaPlace[] {
  const ref = isJsonObject(schema) ? entryOf(schema, '$ref') : undefined;
  if (typeof ref !== 'string' || !ref.startsWith('#')) return [];
  const path = pointerSteps(refPointer(ref));
  let target: Json = root;
  for (const step of path) {
    if (typeof target !== 'object' || target === null) return [];
    target = entryOf(target as JsonObject, step) ?? null;
  }
  return target === null ? [] : [{ root, schema: target, path }];
}

/** The schemas of one property. `false` where a schema forbids it. */
const propertyPlaces = (conjunction: Conjunction, name: string): SchemaPlace[] =>
  conjunction.flatMap(({ root, schema, path }) => {
    if (!isJsonObject(schema)) return [];
    const properties = entryOf(schema, 'properties');
    const property = isJsonObject(properties) ? entryOf(properties, name) : undefined;
    if (property !== undefined)
      return [{ root, schema: property, path: [...path, 'properties', name] }];
    if (entryOf(schema, 'patternProperties') !== undefined) return [];
    const additional = entryOf(schema, 'additionalProperties');
    if (additional === undefined) return [];
    return [{ root, schema: additional, path: [...path, 'additionalProperties'] }];
  });

/** The schemas of the item at one position of a list. */
const itemPlaces = (conjunction: Conjunction, index: number): SchemaPlace[] =>
  conjunction.flatMap((place) => {
    const { root, schema, path } = place;
    const tuple = tupleOf(place);
    const inTuple = tuple?.list[index];
    if (tuple !== null && inTuple !== undefined)
      return [{ root, schema: inTuple, path: [...path, tuple.keyword, String(index)] }];
    const rest = tuple?.keyword === 'items' ? 'additionalItems' : 'items';
    const item = isJsonObject(schema) ? entryOf(schema, rest) : undefined;
    return item === undefined ? [] : [{ root, schema: item, path: [...path, rest] }];
  });

function tupleOf({ root, schema }: SchemaPlace): {
  keyword: 'prefixItems' | 'items';
  list: Json[];
} | null {
  const keyword = isDraft07(root) ? 'items' : 'prefixItems';
  const list = isJsonObject(schema) ? entryOf(schema, keyword) : undefined;
  return Array.isArray(list) ? { keyword, list } : null;
}

function requiredIn(conjunction: Conjunction): Set<string> {
  const names = conjunction.flatMap(({ schema }) => {
    const required = isJsonObject(schema) ? entryOf(schema, 'required') : undefined;
    return Array.isArray(required) ? required.map(String) : [];
  });
  return new Set(names);
}

function defaultOf(schema: Json, name: string): Json | undefined {
  const properties = isJsonObject(schema) ? entryOf(schema, 'properties') : undefined;
  const property = isJsonObject(properties) ? entryOf(properties, name) : undefined;
  return isJsonObject(property) ? entryOf(property, 'default') : undefined;
}

function itemsAtLeast(conjunction: Conjunction): number {
  const least = conjunction.map(({ schema }) => {
    const count = isJsonObject(schema) ? entryOf(schema, 'minItems') : undefined;
    return typeof count === 'number' ? count : 0;
  });
  return Math.max(0, ...least);
}

/** Coercion changes a scalar into another scalar, and never a list or an object. */
type Kind = 'scalar' | 'array' | 'object';
const KINDS: readonly Kind[] = ['scalar', 'array', 'object'];

const kindsOf = (conjunction: Conjunction): Set<Kind> =>
  new Set(KINDS.filter((kind) => conjunction.every(({ schema }) => allows(schema, kind))));

function allows(schema: Json, kind: Kind): boolean {
  if (schema === false) return false;
  if (!isJsonObject(schema)) return true;
  const types = typesOf(schema);
  const members = membersOf(schema);
  return (
    (types === null || types.some((type) => kindOfType(type) === kind)) &&
    (members === null || members.some((member) => kindOf(member) === kind))
  );
}

function typesOf(schema: JsonObject): string[] | null {
  const type = entryOf(schema, 'type');
  if (type === undefined) return null;
  const types = [type].flat().map(String);
  return entryOf(schema, 'nullable') === true ? [...types, 'null'] : types;
}

const kindOfType = (type: string): Kind =>
  type === 'array' || type === 'object' ? type : 'scalar';

function kindOf(value: Json): Kind {
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'scalar';
}

function membersOf(schema: JsonObject): Json[] | null {
  const members = entryOf(schema, 'enum');
  if (Array.isArray(members)) return members;
  const only = entryOf(schema, 'const');
  return only === undefined ? null : [only];
}

type Scalar = string | number | boolean | null;
const isScalar = (value: Json): value is Scalar => typeof value !== 'object' || value === null;

function scalarsFit(source: Conjunction, target: Conjunction): boolean {
  const given = scalarsOf(source);
  return target.every(({ schema }) => {
    if (!isJsonObject(schema)) return true;
    const types = typesOf(schema);
    const members = membersOf(schema);
    if (given === 'any') return true;
    if (given === 'numeric')
      return (
        (types === null || types.some((type) => NUMERIC_TYPES.includes(type))) &&
        (members === null || members.some(isNumeric))
      );
    return (
      (types === null || given.some((value) => types.some((type) => isOfType(value, type)))) &&
      (members === null || given.some((value) => members.includes(value)))
    );
  });
}

/**
 * The scalars of a conjunction, with all that coercion can make of them. `numeric`: numbers, and
 * the texts of whole numbers beyond 2^53.
 */
function scalarsOf(conjunction: Conjunction): 'any' | 'numeric' | Scalar[] {
  let isNumber = false;
  for (const { schema } of conjunction) {
    if (!isJsonObject(schema)) continue;
    const members = membersOf(schema);
    if (members !== null) return coercions(members.filter(isScalar));
    const types = typesOf(schema)?.filter((type) => kindOfType(type) === 'scalar');
    if (types === undefined) continue;
    if (types.every((type) => type === 'null')) return coercions([null]);
    if (types.every((type) => type === 'boolean' || type === 'null'))
      return coercions(types.includes('null') ? [true, false, null] : [true, false]);
    if (!types.includes('string')) isNumber = true;
  }
  return isNumber ? 'numeric' : 'any';
}

/** The values, and each value that `coerceTexts` can make of them. */
function coercions(values: readonly Scalar[]): Scalar[] {
  return [...new Set(values.flatMap((value) => [value, ...coercionsOf(value)]))];
}

function coercionsOf(value: Scalar): Scalar[] {
  if (typeof value === 'number') return isBigWholeNumber(String(value)) ? [String(value)] : [];
  if (typeof value !== 'string') return [];
  const text = value.trim();
  if (text === 'true' || text === 'false') return [text === 'true'];
  return text === '' || Number.isNaN(Number(text)) ? [] : [Number(text)];
}

/** A number, or the text that `parseJson` keeps of a whole number beyond 2^53. */
const isNumeric = (value: Json): boolean =>
  typeof value === 'string' ? isBigWholeNumber(value) : typeof value === 'number';

const NUMERIC_TYPES: readonly string[] = ['number', 'integer', 'string'];

function isOfType(value: Scalar, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
};
const WORDS_MAX = 5;

/** The types of a value in words: `text or a list`. */
function wordsOf(alternatives: readonly Conjunction[]): string {
  const words = new Set(alternatives.flatMap(conjunctionWords));
  const list = [...words].slice(0, WORDS_MAX);
  return list.length === 0 ? 'nothing' : list.join(' or ');
}

function conjunctionWords(conjunction: Conjunction): string[] {
  for (const { schema } of conjunction) {
    if (!isJsonObject(schema)) continue;
    const members = membersOf(schema);
    if (members !== null) return members.map((member) => firstChars(JSON.stringify(member), 40));
    const types = typesOf(schema);
    if (types !== null) return types.map((type) => entryOf(WORDS, type) ?? type);
  }
  return ['any value'];
}
