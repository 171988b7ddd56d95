import type { Json, JsonObject } from '../../src/common/json.ts';
import type { ForeignCase } from './foreign-case.ts';

/** A schema as JSON text and a value as JSON text, as they come from outside. */
export interface Given {
  readonly schema: JsonObject;
  readonly json: string;
}

export type Fit = { readonly value: Json } | 'refused';

const oneOf = (...types: string[]) => ({ oneOf: types.map((type) => ({ type })) });
const required = (a: JsonObject) => ({ type: 'object', properties: { a }, required: ['a'] });
const value = (given: Json): Fit => ({ value: given });
const NUMBER = { type: 'number' };
const INTEGER = { type: 'integer' };
const CENTS = { multipleOf: 0.01 };

export const VALUES: readonly ForeignCase<Given, Fit>[] = (
  [
    ['null for a number', 'ajv-validator/ajv#1078', required(NUMBER), '{"a":null}', 'refused'],
    ['null for text', 'ajv-validator/ajv#1078', { type: 'string' }, 'null', 'refused'],
    ['null for a boolean', 'ajv-validator/ajv#1078', { type: 'boolean' }, 'null', 'refused'],
    ['false for a number', 'ajv-validator/ajv#1031', NUMBER, 'false', 'refused'],
    ['null of two', 'ajv-validator/ajv#1107', oneOf('string', 'null'), 'null', value(null)],
    ['no text of two', 'ajv-validator/ajv#1107', oneOf('string', 'null'), '""', value('')],
    ['0 of text and null', 'ajv-validator/ajv#1985', oneOf('string', 'null'), '0', 'refused'],
    [
      'null of null and a number',
      'ajv-validator/ajv#1985',
      oneOf('null', 'integer'),
      'null',
      value(null),
    ],
    [
      'null of a number and null',
      'ajv-validator/ajv#183',
      oneOf('null', 'integer'),
      'null',
      value(null),
    ],
    ['null not a number', 'ajv-validator/ajv#183', { not: INTEGER }, 'null', value(null)],
    [
      'null of text or null',
      'ajv-validator/ajv#252',
      required(oneOf('string', 'null')),
      '{"a":null}',
      value({ a: null }),
    ],
    [
      'no text for null or a pattern',
      'ajv-validator/ajv#734',
      { oneOf: [{ type: 'null' }, { type: 'string', pattern: '^M+$' }] },
      '""',
      'refused',
    ],
    ['no text for an integer', 'ajv-validator/ajv#243', INTEGER, '""', 'refused'],
    [
      'no text stays text where null is allowed',
      'ajv-validator/ajv#919',
      { type: 'string', nullable: true },
      '""',
      value(''),
    ],
    [
      'null stays null beside text',
      'ajv-validator/ajv#2370',
      { oneOf: [{ const: null }, { type: 'string', minLength: 1 }] },
      'null',
      value(null),
    ],
    [
      '0 stays 0 where null comes first',
      'fastify/fastify#6531',
      { anyOf: [{ type: 'null' }, NUMBER] },
      '0',
      value(0),
    ],
    [
      'false stays false where null comes first',
      'fastify/fastify#6531',
      { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
      'false',
      value(false),
    ],
    [
      'an id as text',
      'n8n-io/n8n#26925',
      INTEGER,
      '"7615917337495251231"',
      value('7615917337495251231'),
    ],
    [
      'an id as a number',
      'StackStorm/st2web#665',
      INTEGER,
      '7615917337495251231',
      value('7615917337495251231'),
    ],
    [
      'an id in a payload',
      'temporalio/ui#2670',
      {},
      '{"foo":3544790567247868102}',
      value({ foo: '3544790567247868102' }),
    ],
    [
      'an id of a model',
      'earendil-works/pi#8943',
      INTEGER,
      '2512292042121000001',
      value('2512292042121000001'),
    ],
    [
      'ids that differ in the last digit',
      'nodejs/help#1637',
      { items: INTEGER },
      '[15793596808644609,15793596808644608]',
      value(['15793596808644609', 15793596808644608]),
    ],
    [
      'an id of a page',
      'IvanMathy/Boop#372',
      {},
      '{"id": 6150769120280496265}',
      value({ id: '6150769120280496265' }),
    ],
    [
      'an id of a player',
      'tfausak/rattletrap#56',
      NUMBER,
      '76561197980428154',
      value('76561197980428154'),
    ],
    [
      'an id between others',
      'tornadoweb/tornado#2908',
      {},
      '{"agent_id":1285704473650888702,"n":1}',
      value({ agent_id: '1285704473650888702', n: 1 }),
    ],
    [
      'digits in a text',
      'josdejong/jsoneditor#340',
      {},
      '{"int":1234567890123456789,"str":"1234567890123456789"}',
      value({ int: '1234567890123456789', str: '1234567890123456789' }),
    ],
    ['19.99 of cents', 'ajv-validator/ajv#928', CENTS, '19.99', value(19.99)],
    ['0.07 of cents', 'ajv-validator/ajv#2329', CENTS, '0.07', value(0.07)],
    ['19.995 of cents', 'own', CENTS, '19.995', 'refused'],
    [
      '92.6 of tenths',
      'python-jsonschema/jsonschema#185',
      { multipleOf: 0.1 },
      '92.6',
      value(92.6),
    ],
    [
      '0.95 of thousandths',
      'python-jsonschema/jsonschema#687',
      { multipleOf: 0.001 },
      '0.95',
      value(0.95),
    ],
    ['1.11 of cents', 'python-jsonschema/jsonschema#1099', CENTS, '1.11', value(1.11)],
    [
      '5.1 of thousandths',
      'python-jsonschema/jsonschema#648',
      { multipleOf: 0.001 },
      '5.1',
      value(5.1),
    ],
    ['18.15 of cents', 'bugventure/jsen#1', CENTS, '18.15', value(18.15)],
    ['10001.12 of cents', 'python-jsonschema/jsonschema#616', CENTS, '10001.12', value(10001.12)],
    ['4.02 of cents', 'python-jsonschema/jsonschema#1234', CENTS, '4.02', value(4.02)],
    ['1.9 of tenths', 'python-jsonschema/jsonschema#247', { multipleOf: 0.1 }, '1.9', value(1.9)],
    [
      'a default inside of then',
      'ajv-validator/ajv#635',
      { if: { type: 'object' }, then: { properties: { k: { default: 'bar' } } } },
      '{"j":true}',
      value({ j: true, k: 'bar' }),
    ],
    [
      'a default that an if would see',
      'ajv-validator/ajv#1339',
      {
        properties: { navigate: { default: 'notGiven' } },
        allOf: [{ if: { required: ['navigate'] }, then: { required: ['target'] } }],
      },
      '{}',
      value({ navigate: 'notGiven' }),
    ],
    [
      'a default that an oneOf would see',
      'ajv-validator/ajv#2114',
      {
        properties: { disabled: { default: false } },
        oneOf: [{ required: ['disabled'] }, { required: ['clientOptions'] }],
      },
      '{}',
      'refused',
    ],
    [
      'a default that is required',
      'ajv-validator/ajv#276',
      { properties: { num: { type: 'number', default: 2 } }, required: ['num'] },
      '{}',
      value({ num: 2 }),
    ],
  ] as const
).map(([title, source, schema, json, right]) => ({
  title,
  source,
  input: { schema: schema as unknown as JsonObject, json },
  right: right as Fit,
}));
