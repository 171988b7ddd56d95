import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { validateJson } from '../../src/json-schema/json-schema.ts';
import { isMultipleOf } from '../../src/json-schema/multiple-of.ts';
import { withNumericLimits } from '../../src/json-schema/numeric-limits.ts';

/** The value that a schema makes of this one; 'refused' where it does not fit. */
const fitted = (schema: JsonObject, value: Json) => {
  const { value: result, problems } = validateJson(schema, value, []);
  return problems.length === 0 ? result : 'refused';
};
const property = (schema: JsonObject) => ({
  type: 'object',
  properties: { a: schema },
  required: ['a'],
});

const NUMBER = { type: 'number' };
const BOOLEAN = { type: 'boolean' };
const N = { properties: { n: NUMBER } };
/** Adds 1 as `a`. */
const A = { properties: { a: { default: 1 } } };
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

describe('A value that fits (docs/decisions/0097)', () => {
  it('stays as it is, whatever the schema allows beside it', () => {
    const types = fc.subarray(TYPES, { minLength: 1 });
    fc.assert(
      fc.property(types, fc.jsonValue({ depthSize: 'small' }), (type, value) => {
        const given = JSON.parse(JSON.stringify(value)) as Json;
        const schemas: JsonObject[] = [
          { type },
          { anyOf: type.map((one) => ({ type: one })) },
          { not: { not: { type } } },
          { if: { type }, else: false },
        ];
        for (const schema of schemas) {
          const { value: result, problems } = validateJson(schema, given, []);
          if (problems.length === 0) {
            // A text may have been read; then the text did not fit.
            const isRead = typeof given === 'string' && typeof result !== 'string';
            if (isRead) expect(type).not.toContain('string');
            else expect(result).toEqual(given);
          }
        }
      }),
      { seed: 97, numRuns: 100 },
    );
  });

  it('is never changed where it is no text', () => {
    const types = fc.subarray(TYPES, { minLength: 1 });
    const scalar = fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), fc.double());
    fc.assert(
      fc.property(types, scalar, (type, value) => {
        const given = JSON.parse(JSON.stringify(value)) as Json;
        expect([given, 'refused']).toContainEqual(fitted({ type }, given));
        expect([{ a: given }, 'refused']).toContainEqual(fitted(property({ type }), { a: given }));
      }),
      { seed: 97, numRuns: 100 },
    );
  });
});

describe('A text where only another type fits', () => {
  it.each<[string, JsonObject, Json, Json]>([
    ['a number', { type: 'number' }, '0.3', 0.3],
    ['a number between blanks', { type: 'number' }, ' 7\n', 7],
    ['a number with exponent', { type: 'number' }, '1e3', 1000],
    ['a whole number', { type: 'integer' }, '-7', -7],
    ['a fraction for a whole number', { type: 'integer' }, '7.5', 'refused'],
    ['true', { type: 'boolean' }, 'true', true],
    ['1 for a boolean', { type: 'boolean' }, '1', 'refused'],
    ['no text at all', { type: 'number' }, '', 'refused'],
    ['blanks', { type: 'integer' }, '  ', 'refused'],
    ['Infinity', { type: 'number' }, 'Infinity', 'refused'],
    ['1e400', { type: 'number' }, '1e400', 'refused'],
    ['a hexadecimal number', { type: 'number' }, '0x10', 'refused'],
    ['no text for null', { type: 'null' }, '', 'refused'],
    ['a number or null', { type: ['number', 'null'] }, '5', 5],
    ['a nullable number', { type: 'number', nullable: true }, '5', 5],
    ['a number or a boolean', { type: ['number', 'boolean'] }, '5', 'refused'],
    ['a number or text', { type: ['number', 'string'] }, '5', '5'],
    ['a choice of numbers', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, '5', 'refused'],
    ['one of two', { oneOf: [{ type: 'number' }, { type: 'null' }] }, '5', 'refused'],
    ['all of', { allOf: [{ type: 'number' }, { minimum: 6 }] }, '7', 7],
    ['all of, below the minimum', { allOf: [{ type: 'number' }, { minimum: 6 }] }, '5', 'refused'],
    ['not a number', { not: { type: 'number' } }, '5', '5'],
    ['a list of numbers', { type: 'array', items: { type: 'number' } }, ['1', 2], [1, 2]],
    ['a list that contains a number', { contains: { type: 'number' } }, ['1'], 'refused'],
    ['by $ref', { $ref: '#/$defs/n', $defs: { n: { type: 'number' } } }, '5', 5],
    ['by a chosen branch', { if: { required: ['n'] }, then: N }, { n: '5' }, { n: 5 }],
    [
      'in the if itself',
      { properties: { n: { type: ['string', 'number'] } }, if: N, then: false },
      { n: '5' },
      { n: '5' },
    ],
    ['additional properties', { additionalProperties: BOOLEAN }, { x: 'false' }, { x: false }],
    ['named by a pattern', { patternProperties: { '^n': NUMBER } }, { n: '1' }, { n: 1 }],
  ])('%s', (_name, schema, value, expected) => {
    expect(fitted(schema, value)).toEqual(expected);
  });
});

describe('A whole number beyond 2^53', () => {
  const POSITIVE = { type: 'integer', minimum: 0 };
  it.each<[string, JsonObject, Json, Json]>([
    ['is kept as text', { type: 'integer' }, '7615917337495251231', '7615917337495251231'],
    ['for a number too', { type: 'number' }, '-9007199254740993', '-9007199254740993'],
    ['inside its limits', POSITIVE, '18446744073709551615', '18446744073709551615'],
    ['is refused outside its limits', POSITIVE, '-7615917337495251231', 'refused'],
    ['is refused where it has a fraction', { type: 'integer' }, '7615917337495251231.5', 'refused'],
    ['is a number where none of its digits is lost', NUMBER, '100000000000000000000', 1e20],
    ['fits text as a number that JSON kept', { type: 'string' }, 1e20, '100000000000000000000'],
    ['is no text as a smaller number', { type: 'string' }, 12, 'refused'],
  ])('%s', (_name, schema, value, expected) => {
    expect(fitted(schema, value)).toEqual(expected);
    expect(fitted({ items: property(schema) }, [{ a: value }])).toEqual(
      expected === 'refused' ? 'refused' : [{ a: expected }],
    );
  });
});

describe('A default', () => {
  const of = (a: JsonObject) => ({ properties: { a } });
  const needs = (name: string) => ({ required: [name] });
  const B = { properties: { b: { default: [1] } } };
  const X = { default: 'x' };
  it.each<[string, JsonObject, Json, Json]>([
    ['is added as it is', { properties: { a: { default: '7' } } }, {}, { a: '7' }],
    ['that does not fit is left out', of({ type: 'integer', default: '7' }), {}, {}],
    ['is not read as a number', property({ type: 'integer', default: '7' }), {}, 'refused'],
    ['that does not fit refuses none that fits', of({ ...NUMBER, maximum: 3, default: 5 }), {}, {}],
    ['does not change the outcome of not', { ...A, not: needs('a') }, {}, {}],
    ['does not mend not', { ...A, not: { maxProperties: 0 } }, {}, 'refused'],
    ['does not change the outcome of if', { ...A, if: needs('a'), then: needs('b') }, {}, {}],
    [
      'of an earlier one in allOf does not',
      { allOf: [A, { if: needs('a'), then: false }] },
      {},
      {},
    ],
    ['does not change that of anyOf', { ...A, anyOf: [needs('a'), needs('b')] }, {}, 'refused'],
    ['does not change that of contains', { contains: { ...A, ...needs('a') } }, [{}], 'refused'],
    [
      'of a referred schema in anyOf is not added',
      {
        anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
        $defs: {
          a: { properties: { a: { default: 1 }, more: { $ref: '#/$defs/none' } } },
          b: { properties: { b: { default: 2 }, more: { $ref: '#/$defs/none' } } },
          none: {},
        },
      },
      {},
      {},
    ],
    ['gives what is required', property({ type: 'integer', default: 7 }), {}, { a: 7 }],
    ['has defaults of its own', of({ default: {}, ...B }), {}, { a: { b: [1] } }],
    ['of toString is added too', { properties: { toString: X } }, {}, { toString: 'x' }],
    [
      'is added beside texts that are read',
      { properties: { n: NUMBER, a: { default: '1' } } },
      { n: '2' },
      { n: 2, a: '1' },
    ],
  ])('%s', (_name, schema, value, expected) => {
    expect(fitted(schema, value)).toEqual(expected);
  });
});

describe('Multiples', () => {
  it.each<[number, number, boolean]>([
    [19.99, 0.01, true],
    [0.07, 0.01, true],
    [8.69, 0.01, true],
    [143.48, 0.01, true],
    [1.13, 0.01, true],
    [4.35, 0.01, true],
    [19.995, 0.01, false],
    [0.075, 0.01, false],
    [0.1 + 0.2, 0.1, true],
    [0.7 + 0.1, 0.1, true],
    [-19.99, 0.01, true],
    [0, 0.01, true],
    [7, 2, false],
    [9007199254740991, 2, false],
    [1e308, 0.5, true],
    [1e308, 0.123456789, false],
    [1e308, 1e-8, true],
    [1e308, 5e-324, true],
    [1.5e-323, 5e-324, true],
    [0.0075, 0.0001, true],
    [0.00751, 0.0001, false],
    [1, 1e-8, true],
    [1e20, 3, false],
    [3e20, 3, true],
  ])('%d of %d: %s', (value, divisor, expected) => {
    expect(isMultipleOf(value, divisor)).toBe(expected);
    expect(fitted({ multipleOf: divisor }, value)).toBe(expected ? value : 'refused');
  });

  it('every amount of whole cents is one of 0.01, and no amount of half cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (cents) => {
        expect(isMultipleOf(cents / 100, 0.01)).toBe(true);
        expect(isMultipleOf((cents + 0.5) / 100, 0.01)).toBe(false);
      }),
      { seed: 97 },
    );
  });
});

describe('Limits of a schema that arrive as text, because a number would lose digits', () => {
  it('become numbers, and nothing else does', () => {
    const schema: JsonObject = {
      properties: { maximum: { maximum: '18446744073709551615', default: '18446744073709551615' } },
      required: ['maximum'],
      minimum: '12',
    };
    expect(withNumericLimits(schema)).toEqual({
      properties: { maximum: { maximum: 2 ** 64, default: '18446744073709551615' } },
      required: ['maximum'],
      minimum: '12',
    });
  });
});
