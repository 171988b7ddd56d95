import { Ajv, type ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { LRUCache } from 'lru-cache';
import { entryOf } from '../common/entry-of.ts';
import { holdsBigNumeral } from '../common/exact-json.ts';
import {
  canonicalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonBytes,
} from '../common/json.ts';
import { JSON_SCHEMA_BYTES_MAX, JSON_SCHEMA_DEPTH_MAX } from '../common/limits.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { firstChars } from '../common/well-formed.ts';
import { mendUnevaluatedItems, withAnnotations } from './annotations.ts';
import type { Fits } from './applied.ts';
import { readBigNumbers, withBigNumbers, withTextsOnly } from './big-numbers.ts';
import { coerceTexts } from './coercion.ts';
import { type Addition, Defaults, DefaultsTooDeep, DefaultsTooLarge } from './defaults.ts';
import { foreignSyntax } from './foreign-syntax.ts';
import {
  checkKeywords,
  checkRefs,
  invalid,
  isDraft07,
  pointerSteps,
  type Subschema,
  walkSchema,
} from './guards.ts';
import {
  linearRegExp,
  PATTERN_PROGRAMS_MAX,
  PatternTooCostly,
  patternFault,
  patternSize,
  startPatternWork,
} from './linear-pattern.ts';
import { isMultipleOf } from './multiple-of.ts';

/**
 * Maximum nesting of a schema document (examples and defaults included) and of a validated value.
 */
const JSON_DEPTH_MAX = 100;
/**
 * Above this size a value gets its first fault only. Collecting all faults of a huge value would be
 * a denial of service.
 */
const ALL_ERRORS_BYTES_MAX = 64 * 1024;
const PROBLEMS_MAX = 50;

/**
 * Checks a JSON Schema that a user wrote (draft 2020-12, or draft-07 by `$schema`): at most 64 KiB,
 * 20 nested schemas, local `$ref` only, linear-time patterns, no exponential validation.
 * Returns all faults, SCHEMA_INVALID or TOO_LARGE, with paths below `path` (S4-SVC-06,
 * docs/decisions/0018).
 */
export function checkJsonSchema(schema: unknown, path: readonly (string | number)[]): Problem[] {
  if (!isJsonObject(schema)) return [invalid(path, 'A JSON Schema has to be a JSON object.')];
  if (nestsDeeperThan(schema, JSON_DEPTH_MAX))
    return [invalid(path, `A JSON Schema may nest at most ${JSON_SCHEMA_DEPTH_MAX} schemas.`)];
  if (jsonBytes(schema) > JSON_SCHEMA_BYTES_MAX)
    return [
      problem('TOO_LARGE', path, `A JSON Schema may have at most ${JSON_SCHEMA_BYTES_MAX} bytes.`),
    ];
  const known = problemsBySchema.get(canonicalJson(schema));
  const problems = known ?? checkUncached(schema);
  problemsBySchema.set(canonicalJson(schema), problems);
  return problems.map((found) => ({ ...found, path: [...path.map(String), ...found.path] }));
}

const problemsBySchema = new LRUCache<string, readonly Problem[]>({
  max: 2_000,
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: (_value, key) => key.length + 1,
});

function checkUncached(schema: JsonObject): Problem[] {
  const { subschemas, tooDeep } = walkSchema(schema);
  const problems: Problem[] = [];
  if (tooDeep !== null)
    problems.push(
      invalid(tooDeep, `A JSON Schema may nest at most ${JSON_SCHEMA_DEPTH_MAX} schemas.`),
    );
  for (const found of subschemas.values()) problems.push(...checkKeywords(found, subschemas));
  let programs = 0;
  for (const { path, pattern } of patternsOf(subschemas)) {
    const fault = foreignSyntax(pattern) ?? patternFault(pattern);
    if (fault !== null) problems.push(invalid(path, `The pattern ${fault}.`));
    else programs += patternSize(pattern);
  }
  if (programs > PATTERN_PROGRAMS_MAX)
    problems.push(invalid([], 'The patterns of this schema are too large together.'));
  if (problems.length > 0) return problems;

  problems.push(...capped(checkRefs(subschemas)));
  if (problems.length > 0) return problems;

  const plain = withoutNames(schema);
  const meta = metaAjv(isDraft07(schema));
  if (meta.validateSchema(plain) !== true) {
    const errors = (meta.errors ?? []).map((error) =>
      invalid(pathOf(error), `${sentence(error)} in this JSON Schema.`),
    );
    return capped(firstOfEachPath(errors));
  }
  try {
    newAjv(schema, 'all').compile(plain);
    return [];
  } catch (error) {
    // Definitions that refer to each other in a circle can nest deeper than checkRefs sees.
    if (error instanceof RangeError) return [invalid([], 'This JSON Schema nests too deep.')];
    const words = error instanceof Error ? error.message : 'unknown fault';
    return [invalid([], `This JSON Schema can't be used: ${words}.`)];
  }
}

function* patternsOf(subschemas: ReadonlyMap<string, Subschema>) {
  for (const { schema, path } of subschemas.values()) {
    const pattern = entryOf(schema, 'pattern');
    if (typeof pattern === 'string') yield { path: [...path, 'pattern'], pattern };
    const byPattern = entryOf(schema, 'patternProperties');
    if (isJsonObject(byPattern)) {
      for (const name of Object.keys(byPattern))
        yield { path: [...path, 'patternProperties', name], pattern: name };
    }
  }
}

/**
 * The names of the top-level `properties`; for an inputSchema, the inputs. Empty if there are none.
 */
export function schemaProperties(schema: JsonObject): string[] {
  const properties = entryOf(schema, 'properties');
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/**
 * Validates a copy of `value` against a schema that passed checkJsonSchema. A value that fits stays
 * as it is. Only where nothing fits, texts are read as the numbers and booleans that the schema
 * wants ("0.3" to 0.3), and absent properties that it requires get their defaults first. Defaults
 * are added as they are; one that would make a value unfit is left out (docs/decisions/0097). The
 * text of a number beyond 2^53 is a number and a text (docs/decisions/0096).
 * The returned `value` is that copy; use it only if `problems` is empty. Problems are
 * SCHEMA_VIOLATION with a path below `path`. Messages never contain the value.
 */
export function validateJson(
  schema: JsonObject,
  value: Json,
  path: readonly (string | number)[],
): { value: Json; problems: Problem[] } {
  if (nestsDeeperThan(value, JSON_DEPTH_MAX))
    return {
      value,
      problems: [violation(path, `The value nests deeper than ${JSON_DEPTH_MAX} levels.`)],
    };
  const bytes = jsonBytes(value);
  const report = bytes > ALL_ERRORS_BYTES_MAX ? 'first' : 'all';
  const trials = Math.max(TRIALS_MIN, Math.min(TRIALS_MAX, Math.floor(TRIAL_BYTES_MAX / bytes)));
  startPatternWork();
  try {
    const fitting = new Fitting(schema, validatorOf(schema, report), trials);
    const { value: fitted, errors } = fitting.fit(value);
    const problems = errors.map((error) =>
      violation([...path, ...pathOf(error)], `${sentence(error)}.`),
    );
    return { value: fitted, problems: capped(problems) };
  } catch (error) {
    const isLimit =
      error instanceof PatternTooCostly ||
      error instanceof DefaultsTooLarge ||
      error instanceof DefaultsTooDeep;
    if (isLimit) return { value, problems: [violation(path, error.message)] };
    // A schema that refers to itself over a value of many levels.
    if (error instanceof RangeError)
      return { value, problems: [violation(path, 'The value nests too deep for its schema.')] };
    throw error;
  }
}

/**
 * Calls `walk` with the check whether a part of a value fits a part of the schema. Returns false
 * where the patterns of the schema take too long for the value.
 */
export function fitsOf(schema: JsonObject, walk: (fits: Fits) => void): boolean {
  startPatternWork();
  try {
    walk(validatorOf(schema, 'first').fitsAt);
    return true;
  } catch (error) {
    if (error instanceof PatternTooCostly) return false;
    throw error;
  }
}

/**
 * Validations that look for the defaults that a value can have together. A large value has fewer,
 * so that all of them take less than a second.
 */
const TRIALS_MAX = 256;
const TRIALS_MIN = 4;
const TRIAL_BYTES_MAX = 16 * 1024 * 1024;

/** Errors that an absent property causes, and that its default mends. */
const MENDED_BY_DEFAULTS = new Set(['required', 'dependentRequired', 'dependencies', 'if']);

interface Fitted {
  readonly value: Json;
  /** Empty if the value fits. */
  readonly errors: readonly ErrorObject[];
}

/** Finds the form of a value that fits a schema: as it is, or with its texts read. */
class Fitting {
  readonly #schema: JsonObject;
  readonly #validator: Validator;
  #trials: number;

  constructor(schema: JsonObject, validator: Validator, trials: number) {
    this.#schema = schema;
    this.#validator = validator;
    this.#trials = trials;
  }

  fit(given: Json): Fitted {
    const asItIs = this.#withDefaults(structuredClone(given));
    if (asItIs.errors.length === 0) return asItIs;
    const holder = { value: structuredClone(given) };
    const hasRead = coerceTexts(this.#schema, holder, this.#validator.fitsAt);
    return hasRead ? this.#withDefaults(holder.value) : asItIs;
  }

  /** Changes its argument. A value that fits without defaults fits with those that it gets. */
  #withDefaults(value: Json): Fitted {
    const before = this.#validator.errorsOf(value);
    const defaults = new Defaults(this.#schema, value, this.#validator.fitsAt);
    const all = defaults.find();
    if (all.length === 0) return { value, errors: before };
    if (before.length === 0) {
      this.#addFitting(value, defaults, all);
      return { value, errors: [] };
    }
    const takeBack = defaults.add(all);
    const after = this.#validator.errorsOf(value);
    const isMended = before.every(({ keyword }) => MENDED_BY_DEFAULTS.has(keyword));
    if (!isMended) return { value, errors: after.length > 0 ? after : before };
    if (after.length === 0) return { value, errors: [] };
    // One of them may do harm that is not needed.
    takeBack();
    const missing = new Set(before.map(({ params }) => params['missingProperty']));
    defaults.add(all.filter(({ key }) => missing.has(key)));
    if (this.#validator.errorsOf(value).length > 0) return { value, errors: after };
    const others = all.filter(({ key }) => !missing.has(key));
    this.#addFitting(value, defaults, others);
    return { value, errors: [] };
  }

  /**
   * Adds all defaults to a value that fits. Where it would not fit then, it gets those of the first
   * half that it fits with, in the same way, and then those of the second half.
   */
  #addFitting(value: Json, defaults: Defaults, additions: readonly Addition[]): void {
    if (additions.length === 0 || this.#trials <= 0) return;
    this.#trials -= 1;
    const takeBack = defaults.add(additions);
    if (this.#stillFits(value)) return;
    takeBack();
    if (additions.length === 1) return;
    const half = Math.ceil(additions.length / 2);
    this.#addFitting(value, defaults, additions.slice(0, half));
    this.#addFitting(value, defaults, additions.slice(half));
  }

  #stillFits(value: Json): boolean {
    try {
      return this.#validator.errorsOf(value).length === 0;
    } catch (error) {
      if (!(error instanceof PatternTooCostly)) throw error;
      this.#trials = 0;
      return false;
    }
  }
}

interface Validator {
  /** None if the value fits. */
  errorsOf(value: Json): readonly ErrorObject[];
  readonly fitsAt: Fits;
}

// Compiling takes milliseconds, so validators are cached by content. The cache by object avoids
// computing the canonical text.
const validatorsByContent = new LRUCache<string, Validator>({ max: 1_000 });
const validatorsByObject: Record<Reporting, WeakMap<JsonObject, Validator>> = {
  all: new WeakMap(),
  first: new WeakMap(),
};

function validatorOf(schema: JsonObject, report: Reporting): Validator {
  const cached = validatorsByObject[report].get(schema);
  if (cached !== undefined) return cached;
  const key = `${report} ${canonicalJson(schema)}`;
  let validator = validatorsByContent.get(key);
  if (validator === undefined) {
    validator = compile(schema, report);
    validatorsByContent.set(key, validator);
  }
  validatorsByObject[report].set(schema, validator);
  return validator;
}

function compile(schema: JsonObject, report: Reporting): Validator {
  const plain = compiled(schema, report, 'plain');
  let big: Validator | null = null;
  const bigOne = () => {
    big ??= compiled(schema, report, 'big');
    return big;
  };
  return {
    errorsOf(value) {
      if (!holdsBigNumeral(value)) return plain.errorsOf(value);
      const errors = bigOne().errorsOf(value);
      const asText = () => withTextsOnly(() => bigOne().errorsOf(value));
      return errors.length > 0 && asText().length > 0 ? errors : [];
    },
    fitsAt(pointer, value) {
      if (!holdsBigNumeral(value)) return plain.fitsAt(pointer, value);
      const asText = () => withTextsOnly(() => bigOne().fitsAt(pointer, value));
      return bigOne().fitsAt(pointer, value) || asText();
    },
  };
}

function compiled(schema: JsonObject, report: Reporting, numbers: 'plain' | 'big'): Validator {
  const ajv = newAjv(schema, report);
  if (numbers === 'big') readBigNumbers(ajv);
  const read = numbers === 'big' ? withBigNumbers : (given: JsonObject) => given;
  const plain = withoutNames(schema);
  const validate = ajv.compile(read(withAnnotations(plain)));
  return {
    errorsOf: (value) => (validate(value) ? [] : [...(validate.errors ?? [])]),
    fitsAt(pointer, value) {
      const fragment = pointer.split('/').map(encodeURIComponent).join('/');
      if (ajv.getSchema('parts') === undefined) ajv.addSchema(read(plain), 'parts');
      const part = ajv.getSchema(`parts#${fragment}`);
      if (part === undefined) throw new Error('A checked schema lost one of its parts.');
      return part(value) === true;
    },
  };
}

/** Iterative, because a deep value would overflow the stack of a recursive function. */
function nestsDeeperThan(value: unknown, depthMax: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    const next: unknown[] = [];
    for (const container of level) {
      if (typeof container !== 'object' || container === null) continue;
      for (const inner of Object.values(container))
        if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
}

/** The meta-schema reports one error per allowed form of a keyword. The first error is enough. */
function firstOfEachPath(problems: readonly Problem[]): Problem[] {
  const first = new Map<string, Problem>();
  for (const found of problems) {
    const key = found.path.join('/');
    if (!first.has(key)) first.set(key, found);
  }
  return [...first.values()];
}

const capped = (problems: Problem[]): Problem[] => problems.slice(0, PROBLEMS_MAX);

/** Native regular expressions check formats. Up to this length each check takes less than 1 ms. */
const FORMAT_CHARS_MAX = 4_096;

type Reporting = 'all' | 'first';

const metaAjvs = new Map<boolean, Ajv>();

/**
 * Checks schemas by the metaschema of their draft, which takes long to compile. Keeps no schema.
 */
function metaAjv(ofDraft07: boolean): Ajv {
  const draft = 'http://json-schema.org/draft-07/schema#';
  const meta = metaAjvs.get(ofDraft07) ?? newAjv(ofDraft07 ? { $schema: draft } : {}, 'all');
  metaAjvs.set(ofDraft07, meta);
  return meta;
}

/** One ajv instance per schema: an `$id` of one user must not meet another user's. */
function newAjv(schema: JsonObject, report: Reporting): Ajv {
  const Draft = isDraft07(schema) ? Ajv : Ajv2020;
  const ajv = new Draft({
    strict: false,
    allErrors: report === 'all',
    ownProperties: true,
    logger: false,
    // checkJsonSchema has checked it.
    validateSchema: false,
    code: { regExp: linearRegExp },
  }) as Ajv;
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  if (Draft === Ajv2020) mendUnevaluatedItems(ajv);
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (divisor: number, value: number) => isMultipleOf(value, divisor),
    error: { message: ({ schema: divisor }) => `must be a multiple of ${String(divisor)}` },
  });
  // ajv compares every pair of items, which takes minutes for a long list of objects.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (unique: boolean, items: Json[]) =>
      !unique || new Set(items.map(canonicalJson)).size === items.length,
    error: { message: 'must not hold equal items' },
  });
  return ajv;
}

type Formats = Parameters<Ajv['addFormat']>[1];

const FORMATS: Record<string, Formats> = {
  ...Object.fromEntries(
    Object.entries(fullFormats).map(([name, format]) => [
      name,
      name === 'byte' ? format : bounded(format as Formats),
    ]),
  ),
  // The library's own format takes cubic time: 55 ms for 4,000 characters of `http://a.::::…`.
  url: (text: string) =>
    text.length <= FORMAT_CHARS_MAX && /^(https?|ftp):\/\/\S+$/i.test(text) && URL.canParse(text),
};

function bounded(format: Formats): Formats {
  if (format instanceof RegExp)
    return (text: string) => text.length <= FORMAT_CHARS_MAX && format.test(text);
  if (typeof format === 'function')
    return (text: string) => text.length <= FORMAT_CHARS_MAX && format(text) === true;
  if (typeof format !== 'object' || !('validate' in format)) return format;
  const { validate } = format;
  if (typeof validate !== 'function' || format.type === 'number') return format;
  const check = validate as (text: string) => boolean;
  return (text: string) => text.length <= FORMAT_CHARS_MAX && check(text);
}

/**
 * Removes `$id` and `$schema`: newAjv has read the draft, and they must not name anything inside
 * ajv.
 */
const withoutNames = ({ $id: _id, $schema: _schema, ...schema }: JsonObject): JsonObject => schema;

const violation = (path: readonly (string | number)[], message: string): Problem =>
  problem('SCHEMA_VIOLATION', path, message);

/**
 * Path of the error in the value. The name of a missing or additional property is part of the path.
 */
function pathOf(error: ErrorObject): string[] {
  const steps = pointerSteps(error.instancePath);
  const params = error.params as Record<string, unknown>;
  for (const name of ['missingProperty', 'additionalProperty', 'unevaluatedProperty']) {
    if (typeof params[name] === 'string') return [...steps, params[name]];
  }
  return steps;
}

/** A message for a person, without its full stop. Never contains the value. */
function sentence({ keyword, message, params }: ErrorObject): string {
  if (keyword === 'required') return `${String(params['missingProperty'])} is required`;
  if (keyword === 'additionalProperties')
    return `${String(params['additionalProperty'])} is not among the properties`;
  if (keyword === 'enum') {
    const allowed = JSON.stringify(params['allowedValues']);
    return (
      'This has to be one of ' +
      `${allowed.length > 200 ? `${firstChars(allowed, 200)}...` : allowed}`
    );
  }
  if (keyword === 'pattern') return 'This does not match the pattern of its schema';
  return `This ${message ?? 'does not fit its schema'}`;
}
