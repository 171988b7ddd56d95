import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import {
  checkJsonSchema,
  schemaProperties,
  validateJson,
} from '../../src/json-schema/json-schema.ts';
import { cpuMs } from '../testkit/cpu.ts';

const codes = (schema: unknown) =>
  checkJsonSchema(schema, ['s']).map(({ code, path }) => `${code} ${path.join('.')}`);
const faults = (schema: JsonObject, value: Json) =>
  validateJson(schema, value, ['v']).problems.map(({ path }) => path.join('.'));
const empty = (length: number) => Array.from({ length }, () => ({}));
const withinMs = (ms: number, work: () => void) => {
  // Several times the usual time; a backtracking engine would take minutes.
  expect(cpuMs(work)).toBeLessThan(ms * 5);
};

const LLM: JsonObject = {
  type: 'object',
  required: ['endpoint', 'model'],
  properties: {
    endpoint: { type: 'string', format: 'uri' },
    model: { type: 'string' },
    temperature: { type: 'number', minimum: 0, maximum: 2, default: 0.7 },
    maxTokens: { type: 'integer', minimum: 1 },
  },
};

describe('JSON Schemas of users (S4-SVC-06, S4-SVC-16, docs/decisions/0018)', () => {
  it("accepts the specification's schemas and enforces them", () => {
    expect(codes(LLM)).toEqual([]);
    const { value, problems } = validateJson(LLM, { endpoint: 'https://x.org', model: 'm' }, []);
    expect(problems).toEqual([]);
    expect(value).toEqual({ endpoint: 'https://x.org', model: 'm', temperature: 0.7 });
    expect(faults(LLM, { endpoint: 'no uri', temperature: 3, maxTokens: 0 }).sort()).toEqual([
      'v.endpoint',
      'v.maxTokens',
      'v.model',
      'v.temperature',
    ]);
  });

  it('accepts draft-07 by $schema and refuses other drafts', () => {
    const tuple = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      items: [{ type: 'string' }],
      additionalItems: false,
    };
    expect(codes(tuple)).toEqual([]);
    expect(faults(tuple, ['a', 'b'])).toEqual(['v']);
    expect(codes({ $schema: 'http://json-schema.org/draft-04/schema#' })).toEqual([
      'SCHEMA_INVALID s.$schema',
    ]);
  });

  it('names every fault of a broken schema with its path', () => {
    expect(codes({ type: 'nonsense' })).toContain('SCHEMA_INVALID s.type');
    expect(
      codes({
        properties: {
          a: { pattern: '(?=x)' },
          b: { pattern: '(' },
          c: { $ref: 'https://x.org/s' },
          d: { $ref: '#/$defs/none' },
        },
      }),
    ).toEqual([
      'SCHEMA_INVALID s.properties.c.$ref',
      'SCHEMA_INVALID s.properties.d.$ref',
      'SCHEMA_INVALID s.properties.a.pattern',
      'SCHEMA_INVALID s.properties.b.pattern',
    ]);
    expect(codes({ type: 'object', properties: { a: { minimum: 'x' } } })).toEqual([
      'SCHEMA_INVALID s.properties.a.minimum',
    ]);
    expect(codes('text')).toEqual(['SCHEMA_INVALID s']);
  });

  it('reads texts and fills defaults in a copy, also at the root', () => {
    const given = { n: '0.3', b: 'true' };
    const schema: JsonObject = {
      properties: { n: { type: 'number' }, b: { type: 'boolean' }, d: { default: [1] } },
    };
    expect(validateJson(schema, given, [])).toEqual({
      value: { n: 0.3, b: true, d: [1] },
      problems: [],
    });
    expect(given).toEqual({ n: '0.3', b: 'true' });
    expect(validateJson({ type: 'integer' }, '7', []).value).toBe(7);
  });

  it('takes properties called like those of Object.prototype', () => {
    const schema: JsonObject = {
      type: 'object',
      required: ['constructor'],
      properties: {
        constructor: { type: 'string' },
        $ref: { type: 'string' },
        $data: { type: 'string' },
      },
    };
    expect(codes(schema)).toEqual([]);
    expect(faults(schema, {})).toEqual(['v.constructor']);
    expect(schemaProperties(schema)).toEqual(['constructor', '$ref', '$data']);
  });

  it('keeps two schemas with one $id apart', () => {
    expect(faults({ $id: 'https://x.org/a', type: 'string' }, { a: 1 })).toEqual(['v']);
    expect(faults({ $id: 'https://x.org/a', type: 'object' }, { a: 1 })).toEqual([]);
  });

  it('follows local $refs, trees included', () => {
    const tree: JsonObject = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    };
    expect(codes(tree)).toEqual([]);
    expect(faults(tree, { name: 'a', children: [{ name: 'b' }, {}] })).toEqual([
      'v.children.1.name',
    ]);
    let deep: Json = { name: 'leaf' };
    for (let level = 0; level < 5_000; level++) deep = { name: 'n', children: [deep] };
    expect(faults(tree, deep)).toEqual(['v']);
  });
});

describe('attacks by schema', () => {
  it.each([
    ['a $ref to itself', { $ref: '#' }],
    [
      'a circle of $refs',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    [
      'work that doubles per level',
      { anyOf: [{ properties: { c: { $ref: '#' } } }, { properties: { c: { $ref: '#' } } }] },
    ],
    [
      'doubling beside a $ref',
      {
        properties: { c: { $ref: '#/$defs/a', properties: { c: { $ref: '#/$defs/a' } } } },
        $defs: { a: { properties: { c: { $ref: '#' } } } },
      },
    ],
    ['an asynchronous schema', { $async: true }],
    ['$data', { properties: { a: { type: 'string' }, b: { pattern: { $data: '1/a' } } } }],
    ['a dynamic reference', { $dynamicRef: '#a' }],
    ['a nested $id', { properties: { a: { $id: 'http://x.org' } } }],
    ['a pattern that repeats a million times', { pattern: '(abcdefghij){1000}' }],
    [
      'patterns too large together',
      {
        properties: Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [`p${index}`, { pattern: '^[a-z]{1,900}$' }]),
        ),
      },
    ],
    ['unknown draft', { $schema: 7 }],
  ])('refuses %s', (_name, schema) => {
    withinMs(1_000, () => expect(codes(schema)[0]).toMatch(/^SCHEMA_INVALID/));
  });

  it('refuses exponential expansion through $defs', () => {
    const $defs: JsonObject = { d0: { type: 'string' } };
    for (let level = 1; level <= 40; level++)
      $defs[`d${level}`] = {
        allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }],
      };
    withinMs(1_000, () =>
      expect(codes({ $ref: '#/$defs/d40', $defs })).toEqual(['SCHEMA_INVALID s']),
    );
  });

  it('accepts 20 schemas within one another; refuses 21, 64 KiB and endless nesting', () => {
    const nested = (count: number) => {
      let schema: JsonObject = { type: 'string' };
      for (let level = 1; level < count; level++) schema = { properties: { a: schema } };
      return schema;
    };
    expect(codes(nested(20))).toEqual([]);
    expect(codes(nested(21))[0]).toMatch(/^SCHEMA_INVALID/);
    expect(codes(nested(20_000))).toEqual(['SCHEMA_INVALID s']);
    expect(codes({ description: 'x'.repeat(65_600) })).toEqual(['TOO_LARGE s']);
  });

  it('matches evil patterns in linear time and gives up on too much work', () => {
    withinMs(1_000, () =>
      expect(faults({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toEqual(['v']),
    );
    const text = Array.from({ length: 65_536 }, (_, index) =>
      (index * 7919) % 13 < 6 ? 'a' : 'b',
    ).join('');
    withinMs(1_000, () => expect(faults({ pattern: '(a|b)*a(a|b){900}$' }, text)).toEqual(['v']));
  });

  const FORMATS =
    'email hostname uri uri-reference url ipv6 duration date-time json-pointer regex ' +
    'uri-template byte';
  it.each(FORMATS.split(' '))('checks the format %s of hostile texts in no time', (format) => {
    for (const text of [
      `${'a'.repeat(100_000)}!`,
      `${'a.'.repeat(2_047)}!`,
      `a@${'a-'.repeat(2_040)}!`,
      `http://${'a-'.repeat(2_040)}\u0000`,
      `${'1:'.repeat(2_000)}!`,
      `${'%aa'.repeat(1_300)} !`,
      `http://a.${'::'.repeat(2_000)}!`,
      `${'AAAA'.repeat(100_000)}!`,
    ]) {
      withinMs(300, () => void validateJson({ format }, text, []));
    }
  });

  it('checks uniqueItems of many objects in linear time', () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({ index }));
    withinMs(1_500, () => expect(faults({ uniqueItems: true }, items)).toEqual([]));
    expect(
      faults({ uniqueItems: true }, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toEqual(['v']);
  });

  it('reports at most 50 faults, and one of a huge value', () => {
    const faultsIn = (length: number) => faults({ items: { type: 'array' } }, empty(length));
    expect(faultsIn(200)).toHaveLength(50);
    expect(faultsIn(100_000)).toHaveLength(1);
  });

  it('counts defaults before it adds them: a short list can not grow without end', () => {
    const wide = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, at]));
    const items = { type: 'object', properties: { x: { default: wide } } };
    const schema = { type: 'array', items };
    expect(faults(schema, empty(10))).toEqual([]);
    const refused = validateJson(schema, empty(100_000), ['inputs']);
    expect(refused.problems).toMatchObject([
      { code: 'SCHEMA_VIOLATION', path: ['inputs'], message: expect.stringMatching(/8 MiB/) },
    ]);
    expect(refused.value).toHaveLength(100_000);
    expect(JSON.stringify(refused.value).length).toBeLessThan(400_000);
  });

  it('ends where a schema adds itself as a default without end', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node', default: {} } } };
    const schema = { $defs: { node }, properties: { first: { $ref: '#/$defs/node' } } };
    expect(faults(schema, {})).toEqual([]);
    expect(faults(schema, { first: {} })).toEqual(['v']);
  });

  it('adds the defaults that ajv adds', () => {
    const schemas: JsonObject[] = [
      { properties: { a: { default: 1 }, b: { default: { c: [2] } } } },
      { properties: { a: { default: {}, properties: { b: { default: 'x' } } } } },
      { properties: { list: { items: { properties: { n: { default: null } } } } } },
      { anyOf: [{ properties: { a: { default: 1 } } }], properties: { b: { default: 2 } } },
      { if: { properties: { a: { default: 1 } } }, else: { properties: { b: { default: 2 } } } },
      { allOf: [{ properties: { a: { default: 1 } } }], required: ['a', 'b'] },
      { properties: { a: { type: 'integer', default: 7 } }, required: ['a'] },
    ];
    for (const schema of schemas) {
      const plain = new Ajv2020({ strict: false, useDefaults: true });
      for (const value of [{}, { a: 3 }, { list: [{}, { n: 1 }] }, { a: {} }] as Json[]) {
        const expected = { value: structuredClone(value) };
        const fits = plain.validate({ properties: { value: schema } }, expected);
        const { value: actual, problems } = validateJson(schema, value, []);
        expect([actual, problems.length === 0]).toEqual([expected.value, fits]);
      }
    }
  });
});
