import type { Json, JsonObject } from '../../src/common/json.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

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

export const VALUES: readonly ForeignCase<Given, Fit>[] = rows<
  [string, string, JsonObject, string, Fit]
>('schema', 'VALUES', {
  required,
  NUMBER,
  oneOf,
  value,
  INTEGER,
  CENTS,
  ID_OR_NULL,
  BIG,
  NULL,
  DRAFT_07,
  STRING,
}).map(([title, source, schema, json, right]) => ({
  title,
  source,
  input: { schema, json },
  right,
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
const SCHEMA_ROWS: readonly (readonly [string, JsonObject, RegExp | null])[] = [
  ...rows<(typeof SCHEMA_ROWS)[number]>('schema', 'SCHEMAS', { pattern }),
  ['a chain of 100 definitions', chain(100, ($ref) => ({ properties: { a: { $ref } } })), null],
  ['a chain of 540 definitions', chain(540, ($ref) => ({ properties: { a: { $ref } } })), TOO_DEEP],
  ['a chain of 540 in allOf', chain(540, ($ref) => ({ allOf: [{ $ref }] })), TOO_DEEP],
  ['a chain of 1,200 bare links', chain(1_200, ($ref) => ({ $ref })), null],
  [
    'a circle of 540 definitions',
    chain(540, ($ref) => ({ properties: { a: { $ref }, b: { $ref: '#' } } })),
    TOO_DEEP,
  ],
];
export const SCHEMAS: readonly ForeignCase<JsonObject, RegExp | null>[] = SCHEMA_ROWS.map(
  ([title, input, right]) => ({ title, source: 'own', input, right }),
);
