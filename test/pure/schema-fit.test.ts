import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { valueAt } from '../../src/expressions/interpolation.ts';
import { checkJsonSchema, validateJson } from '../../src/json-schema/json-schema.ts';
import {
  FitWork,
  findMisfit,
  itemsOf,
  valuesAt,
  valuesOf,
  wholeSchema,
} from '../../src/json-schema/schema-fit.ts';

const misfit = (from: JsonObject, to: JsonObject, path: string[] = []) =>
  findMisfit(valuesAt(valuesOf(from), path), wholeSchema(to), []);

const text = { type: 'string' };
const list = { type: 'array' };
const object = (properties: JsonObject) => ({ type: 'object', properties });
const onlyB = { ...object({ b: text }), additionalProperties: false };
const tuple = { ...list, prefixItems: [list], minItems: 1 };
const open = { enum: ['open', 'closed'] };

describe('a schema whose values never fit another', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['a list for text', list, text],
    ['an object for a number', { type: 'object' }, { type: 'number' }],
    ['text for a list', text, list],
    ['a list for text or a number', list, { type: ['string', 'number'] }],
    ['a list for either of two texts', list, { anyOf: [text, { type: 'integer' }] }],
    ['either of two lists for text', { oneOf: [{ ...list, minItems: 1 }, list] }, text],
    ['words for a number', open, { type: 'number' }],
    ['words for other words', open, { enum: ['high', 'low'] }],
    ['a number for words', { type: 'number' }, open],
    ['true or false for words', { type: 'boolean' }, { const: 'open' }],
    ['true or false for a number', { type: 'boolean' }, { type: 'number' }],
    ['null for text', { type: 'null' }, text],
    ['1 for true', { const: 1 }, { const: true }],
    ['a nullable list for text', { ...list, nullable: true }, text],
    ['null for an object', { type: 'null' }, { type: 'object' }],
    [
      'a list for text, over $ref and allOf',
      { $ref: '#/$defs/l', $defs: { l: { allOf: [list] } } },
      { allOf: [{ $ref: '#/$defs/t' }], $defs: { t: text } },
    ],
    ['a field of another type', { ...object({ a: list }), required: ['a'] }, object({ a: text })],
    ['a field that is not allowed', { type: 'object', required: ['a'] }, onlyB],
    ['a field that is never there', onlyB, { ...object({ a: text }), required: ['a'] }],
    ['a list with an item of another type', { ...list, items: list, minItems: 1 }, { items: text }],
    ['a tuple whose first item is of another type', tuple, { ...list, items: text }],
  ])('%s', (_name, from, to) => {
    expect(checkJsonSchema(from, [])).toEqual([]);
    expect(checkJsonSchema(to, [])).toEqual([]);
    expect(misfit(from, to)).not.toBeNull();
  });

  it('is named with both places and types in words', () => {
    const from = { type: 'object', properties: { hits: list }, required: ['hits'] };
    const to = { type: 'object', properties: { hits: text } };
    expect(misfit(from, to)).toMatchObject({
      at: ['hits'],
      gives: 'a list',
      takes: 'text',
      produced: { path: ['properties', 'hits'] },
      consumed: { path: ['properties', 'hits'] },
    });
  });
});

describe('a schema of which some value may fit', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['anything', {}, text],
    ['a number for text, which it is beyond 2^53', { type: 'number' }, text],
    ['text for a number', text, { type: 'integer' }],
    ['words of digits for a number', { enum: ['1', '2'] }, { type: 'number' }],
    ['a list or text for text', { type: ['array', 'string'] }, text],
    ['a list of unknown length with other items', { ...list, items: list }, { items: text }],
    ['an optional field of another type', object({ a: list }), object({ a: text })],
    [
      'an absent field that has a default',
      { type: 'object', additionalProperties: false },
      { ...object({ a: { ...text, default: '' } }), required: ['a'] },
    ],
    [
      'a tuple in draft-07, which knows no prefixItems',
      { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple },
      { ...list, items: text },
    ],
    ['contradictory types, which no value has', { allOf: [list, text] }, { type: 'object' }],
  ])('%s', (_name, from, to) => {
    expect(misfit(from, to)).toBeNull();
  });

  it('a path that may lead nowhere is null, which fits where null does', () => {
    const orNull = { type: ['string', 'null'] };
    const optional = { type: 'object', properties: { a: list } };
    expect(misfit(optional, orNull, ['a'])).toBeNull();
    expect(misfit(optional, text, ['a'])).not.toBeNull();
    expect(misfit({ ...optional, required: ['a'] }, orNull, ['a'])).not.toBeNull();
    expect(misfit({ ...list, items: list }, orNull, ['0'])).toBeNull();
    expect(misfit({ ...list, items: list, minItems: 1 }, orNull, ['0'])).not.toBeNull();
  });

  it('more alternatives than can be compared are not judged', () => {
    const choices = { anyOf: Array.from({ length: 12 }, () => list) };
    const many = { allOf: Array.from({ length: 6 }, () => choices) };
    expect(misfit(many, text)).toBeNull();
    // The bound is one for all that share it.
    const work = new FitWork();
    findMisfit(valuesOf(many), wholeSchema(text), [], work);
    expect(findMisfit(valuesOf(list), wholeSchema(text), [], work)).toBeNull();
  });
});

/** Schemas of a small grammar, all of which checkJsonSchema accepts. */
const { schema } = fc.letrec<{ schema: JsonObject; leaf: JsonObject }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<JsonObject>(
      {},
      ...['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'].map((type) => ({
        type,
      })),
      { type: ['array', 'string'] },
      { type: ['object', 'null'] },
      { type: 'array', nullable: true },
      { enum: ['a', '1', 'true'] },
      { enum: [1, 0] },
      { enum: [true] },
      { enum: [[], {}] },
      { const: null },
      { const: '' },
    ),
  ),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(1) }),
    fc.record({
      type: fc.constant('array'),
      prefixItems: fc.tuple(tie('schema')),
      items: tie('schema'),
      minItems: fc.nat(2),
    }),
    fc
      .record(
        {
          type: fc.constant('object'),
          properties: fc.record({ a: tie('schema'), b: tie('schema') }, { requiredKeys: [] }),
          required: fc.subarray(['a', 'b', 'c']),
          additionalProperties: fc.boolean(),
        },
        { requiredKeys: ['properties'] },
      )
      .map((found) => found as JsonObject),
    fc.record({ anyOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ oneOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ allOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ $ref: fc.constant('#/$defs/x'), $defs: fc.record({ x: tie('leaf') }) }),
  ) as fc.Arbitrary<JsonObject>,
}));

/** A `$ref` needs its definition at the root of the whole schema. */
function rooted(inner: JsonObject): JsonObject {
  let defs: Json = { x: { type: 'array' } };
  const lift = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(lift);
    if (typeof value !== 'object' || value === null) return value;
    const { $defs, ...rest } = value;
    if ($defs !== undefined) defs = $defs;
    return Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, lift(one)]));
  };
  return { ...(lift(inner) as JsonObject), $defs: defs };
}

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>(null, true, false, 0, 1, 1.5, '', 'a', '1', 'true'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.record({ a: tie('value'), b: tie('value'), c: tie('value') }, { requiredKeys: [] }),
  ) as fc.Arbitrary<Json>,
}));

const RUNS = 400;

describe('a reported misfit', () => {
  it('is never wrong: no value of the producer passes the consumer', () => {
    let reported = 0;
    let compared = 0;
    fc.assert(
      fc.property(schema, schema, fc.array(value, { maxLength: 8 }), (left, right, values) => {
        const [from, to] = [rooted(left), rooted(right)];
        if (misfit(from, to) === null) return;
        reported++;
        for (const given of values) {
          const produced = validateJson(from, given, []);
          if (produced.problems.length > 0) continue;
          compared++;
          expect(validateJson(to, produced.value, []).problems).not.toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
    // Otherwise the property would hold without a comparison.
    expect(reported).toBeGreaterThan(RUNS / 20);
    expect(compared).toBeGreaterThan(RUNS / 100);
  });

  it('is never wrong at a path inside the value either', () => {
    const paths = fc.constantFrom<string[]>(['a'], ['b'], ['a', 'b'], ['0'], ['a', '0']);
    let compared = 0;
    fc.assert(
      fc.property(
        schema,
        schema,
        paths,
        fc.array(value, { maxLength: 8 }),
        (left, right, path, values) => {
          const [from, to] = [rooted(left), rooted(right)];
          if (misfit(from, to, path) === null) return;
          for (const given of values) {
            const produced = validateJson(from, given, []);
            if (produced.problems.length > 0) continue;
            compared++;
            const bound = valueAt(produced.value, path);
            expect(validateJson(to, bound, []).problems).not.toEqual([]);
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(0);
  });

  it('is never wrong for the items of a list', () => {
    fc.assert(
      fc.property(schema, schema, fc.array(value, { maxLength: 8 }), (left, right, values) => {
        const [from, to] = [rooted(left), rooted(right)];
        const items = itemsOf(valuesOf(from));
        for (const given of values) {
          const produced = validateJson(from, given, []);
          if (produced.problems.length > 0 || !Array.isArray(produced.value)) continue;
          expect(items).not.toBeNull();
          if (items === null || findMisfit(items, wholeSchema(to), []) === null) continue;
          for (const item of produced.value)
            expect(validateJson(to, item, []).problems).not.toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
