import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../src/json-schema/schema-shape.ts';

describe('the shape of a JSON schema', () => {
  it('is a type in few words', () => {
    const schema = {
      type: 'object',
      required: ['name', 'tags'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', minLength: 1, description: 'As people say it' },
        kind: { enum: ['Person', 'Place'] },
        tags: { type: 'array', maxItems: 3, items: { type: ['string', 'null'] } },
        'born in': { type: 'integer' },
        facets: {
          type: 'object',
          additionalProperties: { type: 'array', items: { enum: ['a', 1] } },
        },
        parts: {
          type: 'array',
          items: { type: 'object', properties: { on: { type: 'boolean' } } },
        },
      },
    };
    expect(shapeOf(schema)).toBe(
      '{name: string /* As people say it */, kind?: "Person" | "Place", tags: (string | null)[], ' +
        '"born in"?: number, facets?: {[name: string]: ("a" | 1)[]}, parts?: {on?: boolean}[]}',
    );
  });

  it('shows the first and the last of many members', () => {
    expect(shapeOf({ enum: [null, ...Array.from({ length: 100 }, (_, n) => n)] })).toBe(
      'null | 0 | 1 | … | 99',
    );
  });

  it.each([
    ['a pattern', { type: 'string', pattern: '^a+$' }],
    ['a format', { type: 'array', items: { type: 'string', format: 'date' } }],
    ['a choice', { type: 'object', properties: { one: { anyOf: [{ type: 'null' }] } } }],
    ['no type', { type: 'object', properties: { any: {} } }],
    ['items of any kind', { type: 'array' }],
    ['a reference', { type: 'object', additionalProperties: { $ref: '#/$defs/a' } }],
    ['no schema', true],
  ])('is not given for %s, which a type can not show', (_what, schema) => {
    expect(shapeOf(schema)).toBeNull();
  });
});
