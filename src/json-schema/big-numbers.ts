import { _, type Ajv, type KeywordCxt, Name } from 'ajv';
import { entryOf } from '../common/entry-of.ts';
import { isBigNumeral } from '../common/exact-json.ts';
import type { Json, JsonObject } from '../common/json.ts';
import { compareDecimals, type Decimal, decimalOf, isDecimalMultiple } from './decimal.ts';
import { walkSchema } from './guards.ts';

/**
 * `parseJson` keeps a number beyond 2^53 as the text of its digits (docs/decisions/0096). ajv takes
 * such a text for text only, so a value that holds one is validated by a schema of another form:
 * the keywords of a scalar stand below one keyword of ours, which reads the text as a number first.
 */
const SCALAR = 'scalar:';

const BOUNDS: Readonly<Record<string, readonly [sign: string, holds: (order: number) => boolean]>> =
  {
    minimum: ['>=', (order) => order >= 0],
    maximum: ['<=', (order) => order <= 0],
    exclusiveMinimum: ['>', (order) => order > 0],
    exclusiveMaximum: ['<', (order) => order < 0],
  };
const LIMITS = [...Object.keys(BOUNDS), 'multipleOf'];
const OF_A_SCALAR = [
  ...['type', 'nullable', 'const', 'enum', ...LIMITS],
  ...['minLength', 'maxLength', 'pattern', 'format'],
];

/** The schema for `ajv.compile` after `readBigNumbers(ajv)`. Its parts keep their pointers. */
export function withBigNumbers(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  for (const { schema: found } of walkSchema(copy).subschemas.values()) {
    delete found[SCALAR];
    if (!isAboutNumbers(found)) continue;
    const scalar: JsonObject = {};
    for (const keyword of OF_A_SCALAR) {
      const value = entryOf(found, keyword);
      if (value === undefined) continue;
      scalar[keyword] = value;
      delete found[keyword];
    }
    found[SCALAR] = scalar;
  }
  return copy;
}

function isAboutNumbers(schema: JsonObject): boolean {
  const types = typesOf(schema);
  if (types !== null) return types.includes('number') || types.includes('integer');
  return LIMITS.some((limit) => entryOf(schema, limit) !== undefined);
}

function typesOf(schema: JsonObject): string[] | null {
  const type = entryOf(schema, 'type');
  return type === undefined ? null : [type].flat().map(String);
}

export function readBigNumbers(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: SCALAR,
    schemaType: 'object',
    error: { message: ({ params }) => _`${params['fault']}` },
    code(context: KeywordCxt) {
      const { gen, data, schema } = context;
      const judge = gen.scopeValue('keyword', { ref: judgeOf(schema as JsonObject) });
      const fault = gen.const('fault', _`${judge}(${data})`);
      const valid = gen.let('valid', true);
      context.setParams({ fault });
      gen.if(
        _`${fault} === undefined`,
        () => {
          const fits = gen.name('fits');
          context.subschema({ keyword: SCALAR }, fits);
          gen.assign(valid, fits);
        },
        () =>
          gen.if(_`${fault} !== ""`, () => {
            context.error();
            gen.assign(valid, false);
          }),
      );
      context.ok(valid);
    },
  });
  allowBothReadings(ajv);
}

let isTextOnly = false;

/** Validates with these texts as text, for schemas that allow one of both readings only. */
export function withTextsOnly<T>(validate: () => T): T {
  isTextOnly = true;
  try {
    return validate();
  } finally {
    isTextOnly = false;
  }
}

/**
 * The fault of a value as a number; '' where it has none. Undefined where the keywords of ajv
 * decide: for every value but the text of a big number, and for this text where it may be text.
 * Limits without a `type` are meant for numbers, so they hold for it too.
 */
function judgeOf(schema: JsonObject): (value: unknown) => string | undefined {
  const types = typesOf(schema);
  return (value) => {
    if (typeof value !== 'string' || !isBigNumeral(value)) return undefined;
    if (isTextOnly && types !== null) return undefined;
    const fault = faultOf(schema, decimalOf(value));
    return fault !== '' && types?.includes('string') === true ? undefined : fault;
  };
}

const ONE: Decimal = { digits: 1n, exponent: 0 };

function faultOf(schema: JsonObject, value: Decimal): string {
  const types = typesOf(schema);
  const isWholeOnly = types !== null && !types.includes('number');
  if (isWholeOnly && !isDecimalMultiple(value, ONE)) return 'must be integer';
  if (entryOf(schema, 'format') === 'int32') return 'must match format "int32"';
  for (const [keyword, [sign, holds]] of Object.entries(BOUNDS)) {
    const limit = entryOf(schema, keyword);
    if (typeof limit === 'number' && !holds(compareDecimals(value, decimalOf(limit))))
      return `must be ${sign} ${limit}`;
  }
  const divisor = entryOf(schema, 'multipleOf');
  if (typeof divisor === 'number' && !isDecimalMultiple(value, decimalOf(divisor)))
    return `must be a multiple of ${divisor}`;
  const only = entryOf(schema, 'const');
  if (only !== undefined && !isEqual(only, value)) return 'must be equal to constant';
  const members = entryOf(schema, 'enum');
  if (Array.isArray(members) && !members.some((member) => isEqual(member, value)))
    return 'must be equal to one of the allowed values';
  return '';
}

function isEqual(member: Json, value: Decimal): boolean {
  const isNumber =
    typeof member === 'number' || (typeof member === 'string' && isBigNumeral(member));
  return isNumber && compareDecimals(decimalOf(member), value) === 0;
}

/**
 * The text of a big number fits `oneOf [integer, string]`, once for each reading: one choice that
 * fits is enough for it. Else this is ajv's own `oneOf`.
 */
function allowBothReadings(ajv: Ajv): void {
  const definition = ajv.getKeyword('oneOf');
  if (typeof definition === 'boolean' || !('code' in definition)) return;
  ajv.removeKeyword('oneOf');
  ajv.addKeyword({
    ...definition,
    code(context: KeywordCxt) {
      const { gen, data, schema } = context;
      const hasBoth = gen.scopeValue('keyword', { ref: hasTwoReadings });
      const valid = gen.let('valid', false);
      const passing = gen.let('passing', null);
      const fits = gen.name('fits');
      context.setParams({ passing });
      gen.block(() => {
        for (const index of (schema as Json[]).keys()) {
          const choice = context.subschema(
            { keyword: 'oneOf', schemaProp: index, compositeRule: true },
            fits,
          );
          if (index > 0)
            gen
              .if(_`${fits} && ${valid} && !${hasBoth}(${data})`)
              .assign(valid, false)
              .assign(passing, _`[${passing}, ${index}]`)
              .else();
          gen.if(fits, () => {
            gen.assign(valid, true);
            gen.assign(passing, index);
            context.mergeEvaluated(choice, Name);
          });
        }
      });
      context.result(
        valid,
        () => context.reset(),
        () => context.error(true),
      );
    },
  });
}

const hasTwoReadings = (value: unknown): boolean =>
  !isTextOnly && typeof value === 'string' && isBigNumeral(value);
