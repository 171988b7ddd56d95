import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Shape } from '../../packages/local-llm/src/json-shape.ts';
import { openLanguage } from '../../packages/local-llm/src/language.ts';
import { respond } from '../../packages/local-llm/src/respond.ts';

const language = openLanguage();
const TEXT =
  'Marie Curie was born in Warsaw in 1867. She moved to Paris. Acme Corp. acquired Globex for ' +
  '5 million dollars on 3 March 2021. ' +
  'Write to ada@example.org or see https://example.org/orders for order AB-1234. Is the deal done?';

function fill(schema: Shape, text = TEXT): unknown {
  const messages = [{ role: 'user' as const, content: text }];
  return JSON.parse(respond(language, messages, { type: 'json_schema', schema }));
}

function valid(schema: object, value: unknown): string | null {
  const ajv = new Ajv2020({ strict: false, ownProperties: true });
  addFormats.default(ajv);
  return ajv.validate(schema, value) ? null : ajv.errorsText();
}

const EXTRACTION = {
  type: 'object',
  additionalProperties: false,
  required: ['entities', 'facts', 'summary', 'keywords'],
  properties: {
    entities: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'type'],
        properties: {
          name: { type: 'string' },
          type: { enum: ['PERSON', 'LOCATION', 'ORG', 'OTHER'] },
        },
      },
    },
    facts: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['subject', 'predicate', 'object'],
        properties: {
          subject: { type: 'string', minLength: 1 },
          predicate: { type: 'string', minLength: 1 },
          object: { type: 'string', minLength: 1 },
          fact: { type: 'string' },
        },
      },
    },
    summary: { type: 'string', minLength: 1, maxLength: 120 },
    keywords: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  },
} as const;

describe('the local model fills a schema', () => {
  it('with entities, facts, a summary and keywords of the text', () => {
    const filled = fill(EXTRACTION) as { entities: object[]; facts: object[]; keywords: string[] };
    expect(valid(EXTRACTION, filled)).toBeNull();
    expect(filled.entities).toContainEqual({ name: 'Marie Curie', type: 'PERSON' });
    expect(filled.entities).toContainEqual({ name: 'Warsaw', type: 'LOCATION' });
    expect(filled.entities).toContainEqual({ name: 'Acme Corp.', type: 'ORG' });
    expect(filled.facts).toContainEqual({
      subject: 'Marie Curie',
      predicate: 'born in',
      object: 'Warsaw',
      fact: 'Marie Curie was born in Warsaw in 1867.',
    });
    expect(filled.keywords).toHaveLength(3);
  });

  it('with single values found by name, format and pattern', () => {
    const schema = {
      type: 'object',
      required: ['email', 'link', 'signedOn', 'orderNumber', 'city', 'open'],
      properties: {
        email: { type: 'string', format: 'email' },
        link: { type: 'string', format: 'uri' },
        signedOn: { type: 'string', format: 'date' },
        orderNumber: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' },
        city: { type: 'string' },
        open: { type: 'array', description: 'the questions', items: { type: 'string' } },
      },
    };
    expect(fill(schema)).toEqual({
      email: 'ada@example.org',
      link: 'https://example.org/orders',
      signedOn: '2021-03-03',
      orderNumber: 'AB-1234',
      city: 'Warsaw',
      open: ['Is the deal done?'],
    });
  });

  it('with null or nothing where the text says nothing, never with something made up', () => {
    const schema = {
      type: 'object',
      required: ['company', 'people', 'birthday'],
      properties: {
        company: { type: ['string', 'null'] },
        people: { type: 'array', items: { type: 'string' } },
        birthday: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
        nickname: { type: 'string', format: 'email' },
      },
    } as const;
    expect(fill(schema, 'It rains.')).toEqual({ company: null, people: [], birthday: null });
  });

  it('that refers to its own definitions, also to itself', () => {
    const schema: Shape = {
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
    expect(valid(schema, fill(schema))).toBeNull();
  });

  it('that an example in the prompt shows, when only JSON is asked for', () => {
    const messages = [
      { role: 'system' as const, content: 'Answer as {"city": "…", "people": ["…"]}.' },
      { role: 'user' as const, content: `Text: ${TEXT}` },
    ];
    expect(JSON.parse(respond(language, messages, { type: 'json_object' }))).toEqual({
      city: 'Warsaw',
      people: ['Marie Curie'],
    });
  });

  it('so that it is valid, for schemas of any of these keywords', () => {
    const leaf: fc.Arbitrary<object> = fc.oneof(
      fc.record(
        {
          type: fc.constant('string'),
          minLength: fc.nat(20),
          maxLength: fc.integer({ min: 20, max: 60 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constantFrom('number', 'integer'),
          minimum: fc.integer({ min: -9, max: 2 }),
          maximum: fc.integer({ min: 3, max: 9 }),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({
        type: fc.constant('string'),
        format: fc.constantFrom('date', 'date-time', 'email', 'uri', 'uuid'),
      }),
      fc.constantFrom(
        { type: 'boolean' },
        { type: 'null' },
        { const: 7 },
        { enum: ['a', 'b'] },
        { type: ['integer', 'null'] },
      ),
      fc.constantFrom(
        { anyOf: [{ type: 'null' }, { type: 'string', maxLength: 5 }] },
        { type: 'string', pattern: '^[a-z]+$' },
      ),
    );
    const names =
      'name type summary facts entities subject object count when xyz score constructor';
    const name = fc.constantFrom(...names.split(' '));
    const { shape } = fc.letrec((tie) => ({
      shape: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        tie('array'),
        tie('object'),
      ),
      array: fc.record(
        {
          type: fc.constant('array'),
          items: tie('shape'),
          minItems: fc.nat(2),
          maxItems: fc.integer({ min: 2, max: 4 }),
        },
        { requiredKeys: ['type', 'items'] },
      ),
      object: fc.dictionary(name, tie('shape'), { maxKeys: 4 }).chain((properties) =>
        fc.subarray(Object.keys(properties)).map((required) => ({
          type: 'object',
          properties,
          required,
          additionalProperties: false,
        })),
      ),
    }));
    fc.assert(
      fc.property(
        shape as fc.Arbitrary<Shape>,
        fc.constantFrom(TEXT, '', 'It rains. Ada laughs!'),
        (schema, text) => {
          expect(valid(schema, fill(schema, text))).toBeNull();
        },
      ),
      { numRuns: 60 },
    );
  });
});
