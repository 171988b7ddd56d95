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
const NULL = { type: 'null' };
const STRING = { type: 'string' };
const ID_OR_NULL = { anyOf: [INTEGER, NULL] };
/** 2^53 + 1: a double of it is 2^53. */
const BIG = '9007199254740993';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

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
      value({}),
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
    // A number beyond 2^53, wherever the schema says what it is.
    ['a big one or null', 'own', ID_OR_NULL, BIG, value(BIG)],
    ['one of a big one and null', 'own', { oneOf: [INTEGER, NULL] }, BIG, value(BIG)],
    [
      'a list of big ones or null',
      'own',
      { anyOf: [{ type: 'array', items: INTEGER }, NULL] },
      `[${BIG},1]`,
      value([BIG, 1]),
    ],
    [
      'a big one by $ref in a choice',
      'own',
      { anyOf: [{ $ref: '#/$defs/id' }, NULL], $defs: { id: INTEGER } },
      BIG,
      value(BIG),
    ],
    [
      'a big one in a choice inside a choice',
      'own',
      { properties: { a: { oneOf: [{ ...required(ID_OR_NULL) }, NULL] } } },
      `{"a":{"a":${BIG}}}`,
      value({ a: { a: BIG } }),
    ],
    ['a big one that a list contains', 'own', { contains: INTEGER }, `[${BIG}]`, value([BIG])],
    [
      'a big one in an additional property',
      'own',
      { additionalProperties: ID_OR_NULL },
      `{"x":${BIG}}`,
      value({ x: BIG }),
    ],
    [
      'a big one in a tuple',
      'own',
      { $schema: DRAFT_07, items: [ID_OR_NULL, { default: 4 }] },
      `[${BIG}]`,
      value([BIG, 4]),
    ],
    ['a big one of two types', 'own', { type: ['integer', 'string'] }, BIG, value(BIG)],
    ['one of a big one and text', 'own', { oneOf: [INTEGER, STRING] }, BIG, value(BIG)],
    [
      'one of a big one and text beside a big one',
      'own',
      { properties: { a: { oneOf: [INTEGER, STRING] }, b: ID_OR_NULL } },
      `{"a":${BIG},"b":${BIG}}`,
      value({ a: BIG, b: BIG }),
    ],
    [
      'a big one where another property decides between number and text',
      'own',
      {
        oneOf: [
          { properties: { k: { const: 'n' }, id: INTEGER } },
          { properties: { k: { const: 't' }, id: STRING } },
        ],
      },
      `{"k":"n","id":${BIG}}`,
      value({ k: 'n', id: BIG }),
    ],
    [
      'a big one in one of two objects that both take it',
      'own',
      { oneOf: [{ properties: { a: INTEGER } }, { properties: { a: STRING } }] },
      `{"a":${BIG}}`,
      value({ a: BIG }),
    ],
    [
      'a big one that an if asks for',
      'own',
      {
        if: { properties: { id: ID_OR_NULL }, required: ['id'] },
        then: { properties: { a: { default: 1 } } },
        else: { properties: { b: { default: 1 } } },
      },
      `{"id":${BIG}}`,
      value({ id: BIG, a: 1 }),
    ],
    ['a big one that null allows', 'own', { ...INTEGER, nullable: true }, BIG, value(BIG)],
    [
      'a big one as the default',
      'own',
      required({ ...INTEGER, default: BIG }),
      '{}',
      value({ a: BIG }),
    ],
    ['a text of letters for a big one', 'own', ID_OR_NULL, '"900719925474099x"', 'refused'],
    [
      'two big ones that differ in the last digit',
      'own',
      { uniqueItems: true, items: INTEGER },
      `[${BIG},9007199254740992]`,
      value([BIG, 9007199254740992]),
    ],
    [
      'the same big one twice',
      'own',
      { uniqueItems: true, items: INTEGER },
      `[${BIG},${BIG}]`,
      'refused',
    ],
    ['an odd one of pairs', 'own', { ...INTEGER, multipleOf: 2 }, BIG, 'refused'],
    [
      'a big one of threes',
      'own',
      { ...INTEGER, multipleOf: 3 },
      '9007199254740999',
      value('9007199254740999'),
    ],
    ['one above the maximum', 'own', { ...INTEGER, maximum: 9007199254740992 }, BIG, 'refused'],
    [
      'one below the minimum',
      'own',
      { ...INTEGER, minimum: -9007199254740992 },
      `-${BIG}`,
      'refused',
    ],
    [
      'one above an exclusive minimum',
      'own',
      { ...INTEGER, exclusiveMinimum: 9007199254740992 },
      BIG,
      value(BIG),
    ],
    [
      'one at an exclusive maximum',
      'own',
      { ...INTEGER, exclusiveMaximum: 9007199254740994 },
      '9007199254740995',
      'refused',
    ],
    ['a maximum without a type', 'own', { maximum: 5 }, BIG, 'refused'],
    ['a maximum beside a choice', 'own', { allOf: [ID_OR_NULL, { maximum: 5 }] }, BIG, 'refused'],
    ['a big constant', 'own', { ...INTEGER, const: BIG }, BIG, value(BIG)],
    ['another big constant', 'own', { ...INTEGER, const: '9007199254740995' }, BIG, 'refused'],
    ['a rounded constant', 'own', { ...INTEGER, const: 9007199254740992 }, BIG, 'refused'],
    ['a big one of a choice', 'own', { ...INTEGER, enum: [1, BIG] }, BIG, value(BIG)],
    ['a rounded one of a choice', 'own', { ...INTEGER, enum: [9007199254740992] }, BIG, 'refused'],
    ['a big one of 32 bits', 'own', { ...INTEGER, format: 'int32' }, BIG, 'refused'],
    [
      'a big one with a fraction',
      'own',
      NUMBER,
      '12345678901234567890.5',
      value('12345678901234567890.5'),
    ],
    [
      'a big one with a fraction as an integer',
      'own',
      INTEGER,
      '12345678901234567890.5',
      'refused',
    ],
    [
      'a big one with the fraction 0',
      'own',
      INTEGER,
      '100000000000000000001.0',
      value('100000000000000000001.0'),
    ],
    // A default that would make a value unfit.
    [
      'a default of the other alternative',
      'own',
      { properties: { b: { default: 2 } }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      '{"a":1}',
      value({ a: 1 }),
    ],
    [
      'defaults up to maxProperties',
      'own',
      { properties: { a: { default: 1 }, b: { default: 2 }, c: { default: 3 } }, maxProperties: 2 },
      '{"z":0}',
      value({ z: 0, a: 1 }),
    ],
    [
      'a default that needs another property',
      'own',
      { properties: { a: { default: 1 } }, dependentRequired: { a: ['b'] } },
      '{}',
      value({}),
    ],
    [
      'a default that not forbids',
      'own',
      { properties: { a: { default: 1 } }, not: { required: ['a'] } },
      '{}',
      value({}),
    ],
    [
      'a default with a name that is not allowed',
      'own',
      { properties: { a: { default: 1 }, bb: { default: 2 } }, propertyNames: { minLength: 2 } },
      '{}',
      value({ bb: 2 }),
    ],
    [
      'a default that is required beside one that does harm',
      'own',
      {
        properties: { n: { default: 1 }, b: { default: 2 } },
        required: ['n'],
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      '{"a":1}',
      value({ a: 1, n: 1 }),
    ],
    [
      'defaults of a tuple up to maxItems',
      'own',
      { $schema: DRAFT_07, items: [{ default: 1 }, { default: 2 }, { default: 3 }], maxItems: 2 },
      '[]',
      value([1, 2]),
    ],
  ] as const
).map(([title, source, schema, json, right]) => ({
  title,
  source,
  input: { schema: schema as unknown as JsonObject, json },
  right: right as Fit,
}));

const chain = (length: number, link: (next: string) => JsonObject): JsonObject => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries([
    ...Array.from({ length }, (_, at) => [`d${at}`, link(`#/$defs/d${at + 1}`)]),
    [`d${length}`, STRING],
  ]),
});
const TOO_DEEP = /nests more than 300 schemas/;
const pattern = (text: string): JsonObject => ({ ...STRING, pattern: text });

/** Schemas, and the words that refuse them; null where they are taken. */
export const SCHEMAS: readonly ForeignCase<JsonObject, RegExp | null>[] = (
  [
    ['a chain of 100 definitions', chain(100, ($ref) => ({ properties: { a: { $ref } } })), null],
    [
      'a chain of 540 definitions',
      chain(540, ($ref) => ({ properties: { a: { $ref } } })),
      TOO_DEEP,
    ],
    ['a chain of 540 in allOf', chain(540, ($ref) => ({ allOf: [{ $ref }] })), TOO_DEEP],
    ['a chain of 1,200 bare links', chain(1_200, ($ref) => ({ $ref })), null],
    [
      'a circle of 540 definitions',
      chain(540, ($ref) => ({ properties: { a: { $ref }, b: { $ref: '#' } } })),
      TOO_DEEP,
    ],
    ['the end of Python', pattern('^a\\Z'), /write \$ instead of \\Z/],
    ['start and end of RE2', pattern('\\Aa\\z'), null],
    ['a named group of Python', pattern('(?P<n>a)'), null],
    ['a possessive repeat', pattern('a++b'), /write \+ instead of \+\+/],
    ['a possessive count', pattern('a{2}+b'), /write \{2} instead of \{2}\+/],
    ['inline flags', pattern('(?i)abc'), null],
    ['an atomic group', pattern('(?>a)'), /has \(\?>/],
    ['a comment', pattern('(?#a)b'), /has \(\?#/],
    ['a class of POSIX', pattern('[[:alpha:]]'), null],
    ['blanks of PCRE', pattern('a\\hb'), /instead of \\h/],
    ['an escape inside a class', pattern('[\\Z]'), /has \\Z/],
    ['the name of a property', { patternProperties: { 'a\\Z': {} } }, /write \$ instead of \\Z/],
    ['escaped signs', pattern('^[\\w\\-.]+\\@\\-\\_\\"\\/$'), null],
    ['flags of a group', pattern('^(?i:abc)$'), null],
    ['a literal backslash before Z', pattern('\\\\Z'), null],
    ['braces and letters', pattern('^a{,3}[{}]\\p{L}+\\x41\\u0041\\cA\\0$'), null],
  ] as const
).map(([title, input, right]) => ({ title, source: 'own', input: input as JsonObject, right }));
