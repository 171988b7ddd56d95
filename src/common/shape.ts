import { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';
import { entryOf } from './entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { type Problem, problem } from './refusal.ts';
import { firstChars } from './well-formed.ts';

type Path = readonly (string | number)[];
type Issue = z.core.$ZodIssue;

/** A value that a person wrote, read by a zod schema. */
export interface ReadShape<T> {
  /** Null where so much is wrong that the rest can't be checked. */
  readonly value: T | null;
  readonly problems: Problem[];
  /**
   * Places whose wrong value was replaced. Further problems there would be about the replacement.
   */
  readonly mended: readonly Path[];
}

const PROBLEMS_MAX = 200;

/**
 * Reads a value strictly (no unknown keys at any depth) and names every fault. A value of an enum
 * may have GraphQL's form: `MANUAL` is `manual`, `BOLT_S` is `bolt+s`. Wrong parts are replaced, so
 * that the caller can check the rest of the value too.
 */
export function readShape<T>(schema: z.ZodType<T>, given: Json, path: Path): ReadShape<T> {
  const reader = new ShapeReader(path);
  let value = reader.visit(schema, given, []);
  for (let round = 0; round < 4; round++) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return reader.result(parsed.data);
    const issues = parsed.error.issues.flatMap((issue) => inMeantForm(issue, value));
    for (const issue of issues) reader.add(issue, value);
    const mended = issues.reduce<Json | undefined>(
      (whole, issue) => (whole === undefined ? whole : mend(whole, issue, round)),
      value,
    );
    if (mended === undefined) break;
    value = mended;
  }
  return reader.result<T>(null);
}

class ShapeReader {
  readonly #path: Path;
  readonly #problems: Problem[] = [];
  readonly #mended: Path[] = [];

  constructor(path: Path) {
    this.#path = path;
  }

  result<T>(value: T | null): ReadShape<T> {
    return { value, problems: this.#problems.slice(0, PROBLEMS_MAX), mended: this.#mended };
  }

  /** Adds zod's issue, unless it is about a replaced value. */
  add(issue: Issue, value: Json): void {
    const at = issue.path.map(toKey);
    // No form fits a value without the key that was wrong.
    const isOfForms = issue.code === 'invalid_union';
    const isKnown = (place: Path) => isBelow(at, place) || (isOfForms && isBelow(place, at));
    if (this.#mended.some(isKnown)) return;
    this.#problems.push(problemOf(issue, value, this.#path));
    this.#mended.push(at);
  }

  /** The value without unknown keys, with enums in the schema's form. */
  visit(schema: z.core.$ZodType, value: Json, at: Path): Json {
    if (value === null) return value;
    if (schema instanceof z.ZodPipe) return this.visit(schema.in, value, at);
    if (
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodNullable ||
      schema instanceof z.ZodDefault
    )
      return this.visit(schema.unwrap(), value, at);
    if (schema instanceof z.ZodArray && Array.isArray(value))
      return value.map((inner, index) => this.visit(schema.element, inner, [...at, index]));
    if (schema instanceof z.ZodObject && isJsonObject(value))
      return this.#visitObject(schema.shape, value, at);
    if (schema instanceof z.ZodUnion && isJsonObject(value)) {
      const option = optionFor(schema, value);
      return option === null ? value : this.visit(option, value, at);
    }
    const members = membersOf(schema);
    return members === null ? value : inForm(value, members);
  }

  #visitObject(shape: z.core.$ZodShape, value: JsonObject, at: Path): JsonObject {
    const known = Object.keys(shape).filter((key) => !isRefused(shape[key]));
    const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
      const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (schema !== undefined) return [[key, this.visit(schema, inner, [...at, key])]];
      const listed = known.join(', ');
      const meant = didYouMean(key, known) || ` There are: ${listed}.`;
      const message = `There is no "${firstChars(key, 100)}" here.${meant}`;
      this.#problems.push(problem('INVALID', [...this.#path, ...at, key], message));
      this.#mended.push([...at, key]);
      return [];
    });
    return Object.fromEntries(entries);
  }
}

/** A key that is known only to refuse it with a message of its own. */
const isRefused = (schema: z.core.$ZodType | undefined): boolean =>
  schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUndefined;

/** The option that the value has most likely: by its discriminator, else by its keys. */
function optionFor(union: z.ZodUnion, value: JsonObject): z.core.$ZodType | null {
  const objects = union.options.filter((option) => option instanceof z.ZodObject);
  if (union instanceof z.ZodDiscriminatedUnion) {
    const key = union.def.discriminator;
    const given = value[key];
    if (given === undefined) return null;
    const found = objects.find((option) => {
      const members = membersOf(entryOf(option.shape, key));
      return members?.includes(String(inForm(given, members))) === true;
    });
    return found ?? null;
  }
  const shared = (option: z.ZodObject) =>
    Object.keys(value).filter((key) => Object.hasOwn(option.shape, key)).length;
  const isWhole = ({ shape }: z.ZodObject) =>
    Object.entries(shape).every(
      ([key, inner]) => Object.hasOwn(value, key) || z.safeParse(inner, undefined).success,
    );
  // Forms may share keys: a step's tools have the same name and permission.
  const [option] = objects.filter(isWhole).sort((one, two) => shared(two) - shared(one));
  return option ?? null;
}

/**
 * The faults of a value in the one form whose keys it has; the issue itself where no form, or more
 * than one, is meant.
 */
function inMeantForm(issue: Issue, value: Json): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const found = valueIn(value, issue.path.map(toKey));
  const isOfForm = ({ code, path }: Issue) =>
    code !== 'unrecognized_keys' &&
    path.length > 0 &&
    valueIn(found ?? null, path.map(toKey)) !== undefined;
  const [meant, ...more] = issue.errors.filter((issues) => issues.every(isOfForm));
  if (meant === undefined || more.length > 0) return [issue];
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function membersOf(schema: unknown): string[] | null {
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  if (schema instanceof z.ZodLiteral)
    return [...schema.values].filter((value) => typeof value === 'string');
  return null;
}

/** The member that the text names in another form; else the value as it is. */
function inForm(value: Json, members: readonly string[]): Json {
  if (typeof value !== 'string' || members.includes(value)) return value;
  const form = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '_');
  return members.find((member) => form(member) === form(value)) ?? value;
}

const isBelow = (path: Path, place: Path): boolean =>
  place.every((key, index) => String(path[index]) === String(key));

const toKey = (key: PropertyKey): string | number => (typeof key === 'symbol' ? String(key) : key);

/**
 * The value with the issue's place emptied (round 0), then filled with an empty value of the
 * expected type. Undefined where no value would do.
 */
function mend(value: Json, issue: Issue, round: number): Json | undefined {
  const path = issue.path.map(toKey);
  const key = path.at(-1);
  const replacement = replacementOf(issue);
  if (key === undefined) return undefined;
  const copy = structuredClone(value);
  const parent = valueIn(copy, path.slice(0, -1));
  if (typeof parent !== 'object' || parent === null) return undefined;
  if (round === 0 && !Array.isArray(parent)) delete parent[String(key)];
  else if (replacement === undefined) return undefined;
  else (parent as Record<string | number, Json>)[key] = replacement;
  return copy;
}

function replacementOf(issue: Issue): Json | undefined {
  if (issue.code === 'custom') return {};
  if (issue.code === 'too_small') return 'x';
  if (issue.code === 'invalid_value') {
    const [first] = issue.values;
    return typeof first === 'string' || typeof first === 'number' ? first : undefined;
  }
  if (issue.code !== 'invalid_type') return undefined;
  const empty: Record<string, Json> = {
    string: '',
    number: 0,
    boolean: false,
    array: [],
    object: {},
  };
  return empty[issue.expected];
}

function valueIn(value: Json, path: Path): Json | undefined {
  let at: Json | undefined = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Array.isArray(at) ? at[Number(key)] : Object.hasOwn(at, key) ? at[String(key)] : undefined;
  }
  return at;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  null: 'empty',
};

/**
 * Zod's issue in plain words: REQUIRED for a missing value, else INVALID.
 * @param value the whole value that was parsed
 * @param path path of that value
 */
export function problemOf(issue: Issue, value: unknown, path: Path = []): Problem {
  const at = issue.path.map(toKey);
  const found = valueIn((value ?? null) as Json, at);
  const where = [...path, ...at];
  if (found === undefined || (found === null && issue.code === 'invalid_type')) {
    const name = [...at].reverse().find((key) => typeof key === 'string');
    return problem('REQUIRED', where, `${name ?? 'The value'} is missing.`);
  }
  return problem('INVALID', where, sentenceOf(issue, found));
}

function sentenceOf(issue: Issue, found: Json): string {
  if (issue.code === 'invalid_type' && issue.expected !== 'undefined') {
    const wanted = TYPE_WORDS[issue.expected] ?? issue.expected;
    return `This has to be ${wanted}, but is ${typeWordOf(found)}.`;
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String);
    const meant = typeof found === 'string' ? didYouMean(found, values) : '';
    const listed = values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
    return `This has to be ${listed}.${meant}`;
  }
  if (issue.code === 'too_small') return 'This must not be empty.';
  if (issue.code === 'invalid_union') return unionSentence(issue, found);
  if (issue.code === 'unrecognized_keys') return `There is no "${issue.keys.join('", "')}" here.`;
  const { message } = issue;
  return /^(has|is|must)\b/.test(message) ? `This ${message}.` : `${message.replace(/\.$/, '')}.`;
}

function unionSentence(issue: Extract<Issue, { code: 'invalid_union' }>, found: Json): string {
  const given = isJsonObject(found) ? Object.keys(found) : [];
  const wanted = issue.errors.flatMap((issues) =>
    issues.flatMap(({ code, path: [key] }) =>
      key === undefined || code === 'unrecognized_keys' || given.includes(String(key))
        ? []
        : [String(key)],
    ),
  );
  const names = [...new Set(wanted)];
  if (names.length === 0)
    return `This fits none of the possible forms, being ${typeWordOf(found)}.`;
  const meant = given.map((key) => didYouMean(key, names)).find((hint) => hint !== '') ?? '';
  return `This has to have ${names.map((name) => `"${name}"`).join(' or ')}.${meant}`;
}

function typeWordOf(value: Json): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return TYPE_WORDS[typeof value] ?? typeof value;
}
