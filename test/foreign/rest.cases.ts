import type { Json, JsonObject } from '../../src/common/json.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

type RestCall = Extract<Operation, { type: 'rest_call' }>;

export interface RestAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly bytes: Uint8Array;
  readonly outputSchema?: JsonObject;
}

/** The output, or the code and words of a fault. */
export type RestRight =
  | { readonly output: Json }
  | { readonly code: string; readonly words: RegExp };

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const utf8 = (text: string) => new Uint8Array(Buffer.from(text));
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const bytes = (...values: number[]) => new Uint8Array(values);
const typed = (contentType: string) => ({ 'content-type': contentType });
const PNG = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00);
const PDF = join(utf8('%PDF-1.7\n'), bytes(0xe2, 0xe3, 0xcf, 0xd3));

/** Answers as servers send them, and the value that a step gets. */
export const ANSWERS: readonly ForeignCase<RestAnswer, RestRight>[] = [
  ...rows<ForeignCase<RestAnswer, RestRight>>('rest', 'ANSWERS', {
    typed,
    latin,
    bytes,
    utf8,
    utf16,
    join,
    PNG,
    PDF,
  }),
  ...(
    [
      ['a PNG', 'text/plain', PNG, ['image', 'image/png', 'png']],
      ['a PNG', 'text/html; charset=utf-8', PNG, ['image', 'image/png', 'png']],
      ['a PDF', 'text/plain', PDF, ['file', 'application/pdf', 'pdf']],
      [
        'zero bytes',
        'text/plain',
        bytes(1, 0, 0xfe, 7),
        ['file', 'application/octet-stream', 'bin'],
      ],
    ] as const
  ).map(
    ([title, contentType, body, [type, mediaType, ending]]): ForeignCase<
      RestAnswer,
      RestRight
    > => ({
      title: `${title} called ${contentType}`,
      source: 'own',
      input: { headers: typed(contentType), bytes: body },
      right: {
        output: { type, uri: `ci-blob://s/answer.${ending}`, mediaType, size: body.length },
      },
    }),
  ),
];

/**
 * Retry-After as servers send it, and the milliseconds to wait; the time is 1994-11-06T08:49:00Z.
 */
export const WAITS: readonly ForeignCase<string, number | null>[] = rows('rest', 'WAITS');

export interface RestSending {
  readonly operation: Partial<RestCall>;
  readonly inputs: JsonObject;
  readonly inputSchema?: JsonObject;
}

export type RestSent =
  | {
      readonly target?: string;
      readonly body?: string;
      /** The form data as a server reads it: files as `name:type:text`. */
      readonly form?: readonly (readonly [string, string])[];
      readonly headers?: Readonly<Record<string, string | undefined>>;
    }
  | { readonly code: string; readonly words: RegExp };

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (operation: Partial<RestCall>): Partial<RestCall> => ({
  method: 'POST',
  ...operation,
});
const styled = (one: NonNullable<RestCall['styles']>[number], more: Partial<RestCall> = {}) => ({
  ...more,
  styles: [one],
});

const NO_ID: RestSent = { code: 'INPUT_INVALID', words: /The path needs a value for id\./ };

/** 2^53 + 1 as `parseJson` keeps it. */
const BIG = '9007199254740993';
const INTEGER = { type: 'integer' };
const OR_NULL = { anyOf: [INTEGER, { type: 'null' }] };
const schema = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

/** Numbers beyond 2^53, by the inputSchema of their place. */
const NUMBERS: readonly ForeignCase<RestSending, RestSent>[] = [
  ...rows<ForeignCase<RestSending, RestSent>>('rest', 'NUMBERS', { post, BIG, schema, INTEGER }),
  {
    title: 'ids anywhere in one value',
    source: 'own',
    input: {
      operation: post({ body: '{{body}}' }),
      inputs: {
        body: { ids: [BIG, 1], or: BIG, k: 'n', by: BIG, far: { more: `-${BIG}` }, free: BIG },
      },
      inputSchema: {
        $defs: { id: INTEGER },
        ...schema({
          body: {
            type: 'object',
            properties: {
              ids: { type: 'array', items: { $ref: '#/$defs/id' } },
              or: OR_NULL,
              far: { additionalProperties: OR_NULL },
            },
            oneOf: [
              { properties: { k: { const: 'n' }, by: INTEGER } },
              { properties: { k: { const: 't' }, by: { type: 'string' } } },
            ],
          },
        }),
      },
    },
    right: {
      body:
        `{"ids":[${BIG},1],"or":${BIG},"k":"n","by":${BIG},` +
        `"far":{"more":-${BIG}},"free":"${BIG}"}`,
    },
  },
];

/**
 * Inputs, and the request that a server gets. `ci-blob://s/note` is a blob of the owner: "hello".
 */
export const SENDINGS: readonly ForeignCase<RestSending, RestSent>[] = [
  ...rows<ForeignCase<RestSending, RestSent>>('rest', 'SENDINGS', {
    post,
    FORM,
    JSON_TYPE,
    styled,
    NO_ID,
  }),
  {
    title: 'an optional body that was not given',
    source: 'own',
    input: { operation: post({ body: '{{body}}' }), inputs: {} },
    right: { body: '', headers: { 'content-type': undefined } },
  },
  ...[null, [], {}, [null]].flatMap((id): ForeignCase<RestSending, RestSent>[] => [
    {
      title: `a styled path value that is ${JSON.stringify(id)}`,
      source: 'own',
      input: {
        operation: styled({ in: 'path', name: 'id' }, { path: '/a/{{id}}' }),
        inputs: { id },
      },
      right: NO_ID,
    },
    ...(['label', 'matrix'] as const).map((style) => ({
      title: `a path value in the style ${style} that is ${JSON.stringify(id)}`,
      source: 'own',
      input: {
        operation: styled({ in: 'path', name: 'id', style }, { path: '/a/{{id}}/b' }),
        inputs: { id },
      },
      right: NO_ID,
    })),
  ]),
  ...[
    ['..', 'openapi-ts/openapi-typescript#2483'],
    ['.', 'anthropics/anthropic-sdk-java#379'],
    ['%2e%2E', 'microsoft/semantic-kernel#14086'],
    ['.%252e', 'microsoft/semantic-kernel#14086'],
    ['../../admin/config', 'samanhappy/mcphub#1083'],
    ['a/../../b', 'google/adk-python#7066'],
    ['..\\b', 'google/adk-python#7066'],
  ].map(
    ([id = '', source = '']): ForeignCase<RestSending, RestSent> => ({
      title: `the path value ${id}`,
      source,
      input: { operation: { path: '/a/{{id}}/b' }, inputs: { id } },
      right: { code: 'INPUT_INVALID', words: /may not have "\." or "\.\.".*It comes from id\./ },
    }),
  ),
  {
    title: 'keys that name parts of a prototype',
    source: 'own',
    input: {
      operation: post({ body: { v: '{{a}}', constructor: '{{a.b}}' } }),
      inputs: { a: JSON.parse('{"__proto__":{"x":1},"constructor":{"name":"Ferrari"},"b":3}') },
    },
    right: {
      body: '{"v":{"__proto__":{"x":1},"constructor":{"name":"Ferrari"},"b":3},"constructor":3}',
    },
  },
  ...NUMBERS,
];
