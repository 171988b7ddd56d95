import type { Operation } from '../../src/catalog/operations/operation.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import type { ForeignCase } from './foreign-case.ts';

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
const bytes = (...values: number[]) => new Uint8Array(values);
const typed = (contentType: string) => ({ 'content-type': contentType });
const PNG = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00);
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0xe2, 0xe3, 0xcf, 0xd3])]);

/** Answers as servers send them, and the value that a step gets. */
export const ANSWERS: readonly ForeignCase<RestAnswer, RestRight>[] = [
  {
    title: 'HTML in ISO-8859-1',
    source: 'n8n-io/n8n#8799',
    input: {
      headers: typed('text/html; charset=ISO-8859-1'),
      bytes: latin('<p>Região grátis</p>'),
    },
    right: { output: '<p>Região grátis</p>' },
  },
  {
    title: 'JSON in ISO-8859-15',
    source: 'n8n-io/n8n#11928',
    input: {
      headers: typed('application/json; charset=ISO-8859-15'),
      bytes: latin('{"drink":"café","price":"3 \xa4"}'),
    },
    right: { output: { drink: 'café', price: '3 €' } },
  },
  {
    title: 'text in GBK',
    source: 'n8n-io/n8n#16138',
    input: { headers: typed('text/plain;charset=GBK'), bytes: bytes(0xc4, 0xe3, 0xba, 0xc3) },
    right: { output: '你好' },
  },
  {
    title: 'a charset in quotes, in Shift_JIS',
    source: 'own',
    input: {
      headers: typed('text/csv; header=present; charset="Shift_JIS"'),
      bytes: bytes(0x93, 0xfa, 0x96, 0x7b),
    },
    right: { output: '日本' },
  },
  {
    title: 'JSON in UTF-16 by its charset',
    source: 'appsmithorg/appsmith#22078',
    input: {
      headers: typed('application/json; charset=utf-16'),
      bytes: new Uint8Array(Buffer.from('{"a":"ö"}', 'utf16le')),
    },
    right: { output: { a: 'ö' } },
  },
  {
    title: 'JSON in UTF-16 by its byte order mark',
    source: 'own',
    input: {
      headers: typed('application/json'),
      bytes: new Uint8Array(Buffer.from('\ufeff{"a":1}', 'utf16le')),
    },
    right: { output: { a: 1 } },
  },
  {
    title: 'JSON with the byte order mark of UTF-8',
    source: 'nategood/httpful#94',
    input: { headers: typed('application/json'), bytes: utf8('\ufeff{"ok":true}') },
    right: { output: { ok: true } },
  },
  {
    title: 'the charset of an XML declaration',
    source: 'psf/requests#5597',
    input: {
      headers: typed('text/xml'),
      bytes: latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'),
    },
    right: { output: '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>' },
  },
  {
    title: 'the charset of an HTML meta element',
    source: 'own',
    input: {
      headers: typed('text/html'),
      bytes: Buffer.concat([
        Buffer.from('<html><meta http-equiv="x" content="text/html; charset=windows-1251"><p>'),
        Buffer.from([0xcf, 0xf0, 0xe8]),
      ]),
    },
    right: {
      output: '<html><meta http-equiv="x" content="text/html; charset=windows-1251"><p>При',
    },
  },
  {
    title: 'HTML in UTF-8 without a charset',
    source: 'httpie/cli#627',
    input: { headers: typed('text/html'), bytes: utf8('<h1>你好</h1>') },
    right: { output: '<h1>你好</h1>' },
  },
  {
    title: 'text without a charset that is no UTF-8',
    source: 'own',
    input: { headers: typed('text/plain'), bytes: latin('naïve') },
    right: { output: 'naïve' },
  },
  {
    title: 'UTF-8 under the label us-ascii',
    source: 'own',
    input: { headers: typed('text/plain; charset=us-ascii'), bytes: utf8('zwölf') },
    right: { output: 'zwölf' },
  },
  {
    title: 'an unknown charset over UTF-8',
    source: 'own',
    input: { headers: typed('application/json; charset=utf8mb4'), bytes: utf8('{"a":"ß"}') },
    right: { output: { a: 'ß' } },
  },
  {
    title: 'an unknown charset over other bytes',
    source: 'own',
    input: { headers: typed('text/plain; charset=ebcdic-cp-us'), bytes: bytes(0xc8, 0x85, 0x93) },
    right: {
      code: 'OUTPUT_INVALID',
      words: /names the charset ebcdic-cp-us, which can not be read/,
    },
  },
  {
    title: 'JSON that is no UTF-8 and names no charset',
    source: 'own',
    input: { headers: typed('application/json'), bytes: latin('{"a":"é"}') },
    right: { code: 'OUTPUT_INVALID', words: /names no charset, and is not in UTF-8/ },
  },
  {
    title: 'a PNG',
    source: 'langgenius/dify#33897',
    input: { headers: typed('image/png'), bytes: PNG },
    right: {
      output: { type: 'image', uri: 'ci-blob://s/answer.png', mediaType: 'image/png', size: 10 },
    },
  },
  {
    title: 'a PDF with its name',
    source: 'n8n-io/n8n#11219',
    input: {
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="../bill 7.pdf"',
      },
      bytes: new Uint8Array(PDF),
    },
    right: {
      output: {
        type: 'file',
        uri: 'ci-blob://s/answer.pdf',
        mediaType: 'application/pdf',
        size: 13,
        name: 'bill 7.pdf',
      },
    },
  },
  {
    title: 'bytes without a type',
    source: 'dotCMS/core#36241',
    input: { headers: {}, bytes: bytes(0x50, 0x4b, 0x03, 0x04, 0xff) },
    right: {
      output: {
        type: 'file',
        uri: 'ci-blob://s/answer.bin',
        mediaType: 'application/octet-stream',
        size: 5,
      },
    },
  },
  ...(
    [
      ['a PNG', 'text/plain', PNG, ['image', 'image/png', 'png']],
      ['a PNG', 'text/html; charset=utf-8', PNG, ['image', 'image/png', 'png']],
      ['a PDF', 'text/plain', new Uint8Array(PDF), ['file', 'application/pdf', 'pdf']],
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
  {
    title: 'text that begins as a file does',
    source: 'own',
    input: { headers: typed('text/plain'), bytes: utf8('GIF89a is the later one') },
    right: { output: 'GIF89a is the later one' },
  },
  {
    title: 'a text called application/octet-stream',
    source: 'own',
    input: { headers: typed('application/octet-stream'), bytes: utf8('a;b\n1;2\n') },
    right: { output: 'a;b\n1;2\n' },
  },
  {
    title: 'SVG, which is text',
    source: 'own',
    input: { headers: typed('image/svg+xml'), bytes: utf8('<svg/>') },
    right: { output: '<svg/>' },
  },
  {
    title: '204 that says JSON',
    source: 'forwardemail/superagent#255',
    input: { status: 204, headers: typed('application/json'), bytes: bytes() },
    right: { output: null },
  },
  {
    title: '200 that says JSON and is empty',
    source: 'aacerox/node-rest-client#14',
    input: { headers: typed('application/json'), bytes: bytes() },
    right: { output: null },
  },
  {
    title: '200 that says JSON and has a line break only',
    source: 'sindresorhus/got#78',
    input: { headers: typed('application/json'), bytes: utf8('\r\n') },
    right: { output: null },
  },
  {
    title: 'a whole number beyond 2^53',
    source: 'n8n-io/n8n#26925',
    input: { headers: typed('application/json'), bytes: utf8('{"id":7615917337495251231}') },
    right: { output: { id: '7615917337495251231' } },
  },
  {
    title: 'JSON called text/html, where the Tool wants an object',
    source: 'own',
    input: {
      headers: typed('text/html; charset=utf-8'),
      bytes: utf8(' {"a":1}'),
      outputSchema: { type: 'object', required: ['a'] },
    },
    right: { output: { a: 1 } },
  },
  {
    title: 'JSON called text, where the Tool takes text',
    source: 'own',
    input: { headers: typed('text/plain'), bytes: utf8('{"a":1}'), outputSchema: {} },
    right: { output: '{"a":1}' },
  },
  {
    title: 'NDJSON',
    source: 'own',
    input: { headers: typed('application/x-ndjson'), bytes: utf8('{"a":1}\n{"a":2}\n') },
    right: { output: '{"a":1}\n{"a":2}\n' },
  },
  {
    title: 'several JSON values called stream+json',
    source: 'own',
    input: { headers: typed('application/stream+json'), bytes: utf8('{"a":1}\n{"a":2}\n') },
    right: { output: '{"a":1}\n{"a":2}\n' },
  },
  {
    title: 'an event stream',
    source: 'own',
    input: { headers: typed('text/event-stream'), bytes: utf8('data: {"a":1}\n\n') },
    right: { output: 'data: {"a":1}\n\n' },
  },
  {
    title: 'a Content-Type that was sent twice',
    source: 'own',
    input: {
      headers: { 'content-type': ['text/html', 'application/json; charset=utf-8'] },
      bytes: utf8('{"a":1}'),
    },
    right: { output: { a: 1 } },
  },
  {
    title: 'an error page in ISO-8859-1',
    source: 'own',
    input: {
      status: 404,
      headers: typed('text/plain; charset=iso-8859-1'),
      bytes: latin('não encontrado'),
    },
    right: { code: 'TOOL_FAILED', words: /answered 404: não encontrado/ },
  },
  {
    title: 'an error that is a picture',
    source: 'own',
    input: { status: 502, headers: typed('image/png'), bytes: PNG },
    right: { code: 'TOOL_FAILED', words: /answered 502: image\/png of 10 bytes/ },
  },
  {
    title: 'a status that a Response can not have',
    source: 'JakeChampion/fetch#1415',
    input: { status: 999, headers: typed('text/plain'), bytes: utf8('Request denied') },
    right: { code: 'TOOL_FAILED', words: /answered 999: Request denied/ },
  },
  {
    title: 'bytes called gzip that are none',
    source: 'own',
    input: {
      headers: { ...typed('application/json'), 'content-encoding': 'gzip' },
      bytes: utf8('{"a":1}'),
    },
    right: { code: 'TOOL_FAILED', words: /gave an answer whose compression is broken/ },
  },
  {
    title: 'an error whose compression is broken',
    source: 'own',
    input: { status: 404, headers: { 'content-encoding': 'gzip' }, bytes: utf8('no') },
    right: { code: 'TOOL_FAILED', words: /answered 404\.$/ },
  },
];

/** Retry-After as servers send it, and the milliseconds to wait; the time is 1994-11-06T08:49:00Z. */
export const WAITS: readonly ForeignCase<string, number | null>[] = [
  { title: 'seconds', source: 'own', input: '7', right: 7_000 },
  {
    title: 'a fraction of a second',
    source: 'SpaceTradersAPI/api-docs#24',
    input: '0.493',
    right: 493,
  },
  { title: 'a number below zero', source: 'mastra-ai/mastra#23778', input: '-3', right: null },
  { title: 'a number with a sign', source: 'mastra-ai/mastra#23781', input: '+3', right: null },
  {
    title: 'a number that ends in a dot',
    source: 'mastra-ai/mastra#23781',
    input: '1.',
    right: null,
  },
  { title: 'two headers', source: 'own', input: '3, 9', right: 3_000 },
  {
    title: 'a date',
    source: 'serokell/xrefcheck#99',
    input: 'Sun, 06 Nov 1994 08:49:37 GMT',
    right: 37_000,
  },
  {
    title: 'a date that has passed',
    source: 'denoland/std#7299',
    input: 'Sun, 06 Nov 1994 08:48:00 GMT',
    right: 0,
  },
  { title: 'words', source: 'own', input: 'in a while', right: null },
];

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

/** Numbers beyond 2^53, by what the inputSchema says at their place. */
const NUMBERS: readonly ForeignCase<RestSending, RestSent>[] = [
  {
    title: 'an id that is a number, and one that is text',
    source: 'n8n-io/n8n#26925',
    input: {
      operation: post({ body: { id: '{{id}}', ref: '{{ref}}', both: '{{both}}', say: 'n{{id}}' } }),
      inputs: { id: BIG, ref: BIG, both: BIG },
      inputSchema: schema({
        id: INTEGER,
        ref: { type: 'string' },
        both: { type: ['integer', 'string'] },
      }),
    },
    right: { body: `{"id":${BIG},"ref":"${BIG}","both":"${BIG}","say":"n${BIG}"}` },
  },
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
      body: `{"ids":[${BIG},1],"or":${BIG},"k":"n","by":${BIG},"far":{"more":-${BIG}},"free":"${BIG}"}`,
    },
  },
  {
    title: 'a body that is one number, with a fraction',
    source: 'own',
    input: {
      operation: post({ bodyKind: 'json', body: '{{n}}' }),
      inputs: { n: '12345678901234567890.5' },
      inputSchema: schema({ n: { type: 'number' } }),
    },
    right: { body: '12345678901234567890.5' },
  },
  {
    title: 'an id in every other place',
    source: 'own',
    input: {
      operation: post({
        path: '/{{id}}/{{list}}',
        query: { q: '{{id}}', j: '{{list}}', d: '{{o}}' },
        headers: { 'x-id': '{{id}}' },
        cookies: { c: '{{list}}' },
        bodyKind: 'form',
        body: { id: '{{id}}', o: '{{o}}' },
        styles: [
          { in: 'path', name: 'list', style: 'simple' },
          { in: 'query', name: 'j', style: 'json' },
          { in: 'query', name: 'd', style: 'deepObject' },
        ],
      }),
      inputs: { id: BIG, list: [BIG], o: { a: BIG } },
      inputSchema: schema({
        id: INTEGER,
        list: { type: 'array', items: INTEGER },
        o: schema({ a: INTEGER }),
      }),
    },
    right: {
      target: `/${BIG}/${BIG}?q=${BIG}&j=%5B${BIG}%5D&d%5Ba%5D=${BIG}`,
      body: `id=${BIG}&o=%7B%22a%22%3A${BIG}%7D`,
      headers: { 'x-id': BIG, cookie: `c=${BIG}` },
    },
  },
  {
    title: 'an id in a part of a form',
    source: 'own',
    input: {
      operation: post({ bodyKind: 'multipart', body: { id: '{{id}}', o: '{{o}}' } }),
      inputs: { id: BIG, o: { a: BIG } },
      inputSchema: schema({ id: INTEGER, o: schema({ a: INTEGER }) }),
    },
    right: {
      form: [
        ['id', BIG],
        ['o', `blob:application/json:{"a":${BIG}}`],
      ],
    },
  },
];

/** Inputs, and the request that a server gets. `ci-blob://s/note` is a blob of the owner: "hello". */
export const SENDINGS: readonly ForeignCase<RestSending, RestSent>[] = [
  {
    title: 'a list in a form',
    source: 'request/request#973',
    input: {
      operation: post({ headers: FORM, body: { a: '{{a}}', b: '{{b}}' } }),
      inputs: { a: ['1', '2'], b: null },
    },
    right: {
      body: 'a=1&a=2',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  },
  {
    title: 'JSON written as text, broken by a value',
    source: 'langgenius/dify#21889',
    input: {
      operation: post({ headers: JSON_TYPE, body: '{"content":"{{t}}"}' }),
      inputs: { t: 'say "hi"\nand go' },
    },
    right: { code: 'INPUT_INVALID', words: /declared as JSON.*Write the body as an object/s },
  },
  {
    title: 'JSON written as text, whole',
    source: 'langgenius/dify#6135',
    input: {
      operation: post({ headers: JSON_TYPE, body: '{"content":"{{t}}"}' }),
      inputs: { t: 'plain' },
    },
    right: { body: '{"content":"plain"}', headers: { 'content-type': 'application/json' } },
  },
  {
    title: 'JSON as an object, with quotes and line breaks',
    source: 'langgenius/dify#32317',
    input: { operation: post({ body: { content: '{{t}}' } }), inputs: { t: 'say "hi"\nand go' } },
    right: { body: '{"content":"say \\"hi\\"\\nand go"}' },
  },
  {
    title: 'a text as a JSON body',
    source: 'own',
    input: { operation: post({ bodyKind: 'json', body: '{{t}}' }), inputs: { t: 'a "b"' } },
    right: { body: '"a \\"b\\""', headers: { 'content-type': 'application/json' } },
  },
  {
    title: 'an optional body that was not given',
    source: 'own',
    input: { operation: post({ body: '{{body}}' }), inputs: {} },
    right: { body: '', headers: { 'content-type': undefined } },
  },
  {
    title: 'a body that is null',
    source: 'own',
    input: { operation: post({ body: '{{body}}' }), inputs: { body: null } },
    right: { body: 'null', headers: { 'content-type': 'application/json' } },
  },
  {
    title: 'half an emoji in path, query and body',
    source: 'anthropics/claude-code#56064',
    input: {
      operation: post({ path: '/{{t}}', query: { t: '{{t}}' }, body: { t: '{{t}}' } }),
      inputs: { t: 'cut \ud83d' },
    },
    right: { target: '/cut%20%EF%BF%BD?t=cut+%EF%BF%BD', body: '{"t":"cut �"}' },
  },
  {
    title: 'a file and fields as multipart',
    source: 'langgenius/dify#22880',
    input: {
      operation: post({ bodyKind: 'multipart', body: '{{body}}' }),
      inputs: {
        body: {
          file: { uri: 'ci-blob://s/note', mediaType: 'text/plain', name: 'note.txt' },
          tags: ['a', 'b'],
          meta: { deep: true },
          none: null,
          count: 3,
        },
      },
    },
    right: {
      form: [
        ['file', 'note.txt:text/plain:hello'],
        ['tags', 'a'],
        ['tags', 'b'],
        ['meta', 'blob:application/json:{"deep":true}'],
        ['count', '3'],
      ],
    },
  },
  {
    title: 'parts of multipart that are JSON',
    source: 'hey-api/hey-api#4281',
    input: {
      operation: post({
        bodyKind: 'multipart',
        body: '{{body}}',
        styles: ['list', 'text', 'none'].map((name) => ({ in: 'form', name, style: 'json' })),
      }),
      inputs: { body: { list: [{ id: 1 }, { id: 2 }], text: 'a "b"', none: null, plain: 'c' } },
    },
    right: {
      form: [
        ['list', 'blob:application/json:[{"id":1},{"id":2}]'],
        ['text', 'blob:application/json:"a \\"b\\""'],
        ['plain', 'c'],
      ],
    },
  },
  {
    title: 'multipart declared by the author without a boundary',
    source: 'n8n-io/n8n#27533',
    input: {
      operation: post({
        headers: { 'Content-Type': 'multipart/form-data' },
        body: { file: '{{f}}', x: 'é' },
      }),
      inputs: { f: 'ci-blob://s/note' },
    },
    right: {
      form: [
        ['file', 'note:application/octet-stream:hello'],
        ['x', 'é'],
      ],
    },
  },
  {
    title: 'a file as the whole body',
    source: 'own',
    input: {
      operation: post({ bodyKind: 'binary', body: '{{f}}' }),
      inputs: { f: { type: 'file', uri: 'ci-blob://s/note', mediaType: 'text/markdown', size: 5 } },
    },
    right: { body: 'hello', headers: { 'content-type': 'text/markdown' } },
  },
  {
    title: 'a binary body that is no file',
    source: 'own',
    input: { operation: post({ bodyKind: 'binary', body: '{{f}}' }), inputs: { f: 'hello' } },
    right: { code: 'INPUT_INVALID', words: /A binary body is a file/ },
  },
  {
    title: 'a file that is not there',
    source: 'own',
    input: {
      operation: post({ bodyKind: 'multipart', body: { f: '{{f}}' } }),
      inputs: { f: 'ci-blob://s/none' },
    },
    right: { code: 'INPUT_INVALID', words: /There is no blob ci-blob:\/\/s\/none/ },
  },
  {
    title: 'text in a charset that lacks its letters',
    source: 'own',
    input: {
      operation: post({
        headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
        body: '{{t}}',
      }),
      inputs: { t: '你好' },
    },
    right: { code: 'INPUT_INVALID', words: /can not be sent in the charset iso-8859-1/ },
  },
  {
    title: 'a query list without explode',
    source: 'PrefectHQ/fastmcp#1004',
    input: {
      operation: styled({ in: 'query', name: 'a', explode: false }, { query: { a: '{{a}}' } }),
      inputs: { a: ['x', 'y,z'] },
    },
    right: { target: '/?a=x,y%2Cz' },
  },
  {
    title: 'a query list in pipes',
    source: 'PrefectHQ/fastmcp#5060',
    input: {
      operation: styled(
        { in: 'query', name: 'p', style: 'pipeDelimited' },
        { query: { p: '{{p}}', q: 1 } },
      ),
      inputs: { p: ['x', 'y'] },
    },
    right: { target: '/?q=1&p=x%7Cy' },
  },
  {
    title: 'a list in the path',
    source: 'PrefectHQ/fastmcp#4897',
    input: {
      operation: styled({ in: 'path', name: 'l' }, { path: '/path/{{l}}' }),
      inputs: { l: [1, 2, 3] },
    },
    right: { target: '/path/1,2,3' },
  },
  {
    title: 'a list in a header',
    source: 'PrefectHQ/fastmcp#497',
    input: {
      operation: styled({ in: 'header', name: 'X-L' }, { headers: { 'X-L': '{{l}}' } }),
      inputs: { l: ['a', 'b'] },
    },
    right: { headers: { 'x-l': 'a,b' } },
  },
  {
    title: 'a deep object',
    source: 'PrefectHQ/fastmcp#4523',
    input: {
      operation: styled(
        { in: 'query', name: 'filter', style: 'deepObject' },
        {
          query: { filter: '{{f}}' },
        },
      ),
      inputs: { f: { eq: '8827364', not: null, of: [{ id: 1 }] } },
    },
    right: { target: '/?filter%5Beq%5D=8827364&filter%5Bof%5D%5B0%5D%5Bid%5D=1' },
  },
  {
    title: 'an object in a query, exploded',
    source: 'openapi-ts/openapi-typescript#1533',
    input: {
      operation: styled({ in: 'query', name: 'id' }, { query: { id: '{{id}}' } }),
      inputs: { id: { role: 'admin', firstName: 'Alex' } },
    },
    right: { target: '/?role=admin&firstName=Alex' },
  },
  {
    title: 'a matrix and a label in one path',
    source: 'own',
    input: {
      operation: {
        path: '/a{{m}}/b{{l}}',
        styles: [
          { in: 'path', name: 'm', style: 'matrix', explode: true },
          { in: 'path', name: 'l', style: 'label' },
        ],
      },
      inputs: { m: ['x', 'y'], l: { k: 'v/w' } },
    },
    right: { target: '/a;m=x;m=y/b.k,v%2Fw' },
  },
  {
    title: 'a styled value that would leave the path',
    source: 'own',
    input: {
      operation: styled({ in: 'path', name: 'l', style: 'label' }, { path: '/a/{{l}}/b' }),
      inputs: { l: '.' },
    },
    right: { code: 'INPUT_INVALID', words: /may not have "\." or "\.\."/ },
  },
  {
    title: 'reserved characters, and none that adds a parameter',
    source: 'own',
    input: {
      operation: styled({ in: 'query', name: 'u', allowReserved: true }, { query: { u: '{{u}}' } }),
      inputs: { u: 'http://a/b?c=1&admin=true#x' },
    },
    right: { target: '/?u=http://a/b?c%3D1%26admin%3Dtrue%23x' },
  },
  {
    title: 'cookies',
    source: 'own',
    input: {
      operation: { cookies: { sid: '{{s}}', none: '{{n}}', l: '{{l}}' } },
      inputs: { s: 'a; b', n: null, l: [1, 2] },
    },
    right: { headers: { cookie: 'sid=a%3B%20b; l=1,2' } },
  },
  {
    title: 'a deep object in a form',
    source: 'own',
    input: {
      operation: styled(
        { in: 'form', name: 'items', style: 'deepObject' },
        post({ bodyKind: 'form', body: { items: '{{i}}', currency: 'eur' } }),
      ),
      inputs: { i: [{ price: 'p1' }] },
    },
    right: {
      body: 'currency=eur&items%5B0%5D%5Bprice%5D=p1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  },
  {
    title: 'a path value that was not given',
    source: 'samanhappy/mcphub#1089',
    input: { operation: { method: 'DELETE', path: '/users/{{id}}' }, inputs: {} },
    right: NO_ID,
  },
  {
    title: 'a path value that is an empty text, which removes all users',
    source: 'auth0/ruby-auth0#5',
    input: { operation: { method: 'DELETE', path: '/users/{{id}}' }, inputs: { id: '' } },
    right: NO_ID,
  },
  {
    title: 'an empty path value between others',
    source: 'recurly/recurly-client-java#87',
    input: { operation: { path: '/a/{{id}}/b' }, inputs: { id: '' } },
    right: NO_ID,
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
  {
    title: 'a list without items in a path',
    source: 'own',
    input: { operation: { path: '/a/{{id}}' }, inputs: { id: [] } },
    right: NO_ID,
  },
  {
    title: 'a default of nothing in a path',
    source: 'own',
    input: { operation: { path: '/a/{{default id ""}}' }, inputs: {} },
    right: NO_ID,
  },
  {
    title: 'a block that shows nothing between two slashes',
    source: 'own',
    input: { operation: { path: '/a/{{#if id}}{{id}}{{/if}}/b' }, inputs: {} },
    right: NO_ID,
  },
  {
    title: 'a list that repeats nothing',
    source: 'own',
    input: { operation: { path: '/a/{{#each id}}{{this}}/{{/each}}' }, inputs: { id: [] } },
    right: NO_ID,
  },
  {
    title: 'a path that is one absent value',
    source: 'own',
    input: { operation: { method: 'DELETE', path: '{{id}}' }, inputs: {} },
    right: NO_ID,
  },
  {
    title: 'a part of a path that its author made optional with its slash',
    source: 'own',
    input: {
      operation: { path: '/a{{#if id}}/{{id}}{{/if}}{{#each of}}/{{this}}{{/each}}' },
      inputs: { of: ['x', 'y'] },
    },
    right: { target: '/a/x/y' },
  },
  {
    title: 'a default in a path',
    source: 'own',
    input: { operation: { path: '/a/{{default id "me"}}{{suffix}}?q={{q}}' }, inputs: {} },
    right: { target: '/a/me?q=' },
  },
  {
    title: 'zero and false in a path',
    source: 'own',
    input: { operation: { path: '/{{a}}/{{b}}/' }, inputs: { a: 0, b: false } },
    right: { target: '/0/false/' },
  },
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
    title: 'dots that lead nowhere',
    source: 'own',
    input: { operation: { path: '/a/{{id}}/{{o}}' }, inputs: { id: '...', o: '.git/..x' } },
    right: { target: '/a/.../.git%2F..x' },
  },
  {
    title: 'a header with letters that it can not hold',
    source: 'encode/httpx#3767',
    input: { operation: { headers: { 'X-Name': '{{n}}' } }, inputs: { n: '你好' } },
    right: { code: 'INPUT_INVALID', words: /The header x-name can not be sent with .*"你"/ },
  },
  {
    title: 'a header in Latin-1',
    source: 'own',
    input: { operation: { headers: { 'X-Name': '{{n}}' } }, inputs: { n: 'é' } },
    right: { headers: { 'x-name': 'é' } },
  },
  ...([{}, { id: null }] as JsonObject[]).map(
    (inputs): ForeignCase<RestSending, RestSent> => ({
      title: `the JSON of a path value, with ${JSON.stringify(inputs)}`,
      source: 'own',
      input: { operation: { path: '/a/{{truncate (json id) 9}}{{json id}}' }, inputs },
      right: NO_ID,
    }),
  ),
  {
    title: 'the JSON of a value beside other text, and a text that says null',
    source: 'own',
    input: {
      operation: { path: '/a/x{{json id}}/{{json n}}/{{name}}?q={{json id}}' },
      inputs: { n: 0, name: 'null' },
    },
    right: { target: '/a/xnull/0/null?q=null' },
  },
  {
    title: 'inputs that were not given, in a body of JSON',
    source: 'own',
    input: {
      operation: post({
        body: {
          name: '{{name}}',
          nick: '{{nick}}',
          home: { street: '{{{ this.street }}}', part: '{{place.part}}' },
          list: ['{{nick}}', '{{name}}', { nick: '{{nick}}', none: null }],
          text: 'Hi {{nick}}',
        },
      }),
      inputs: { name: 'Ada' },
    },
    right: {
      body: '{"name":"Ada","home":{},"list":[null,"Ada",{"none":null}],"text":"Hi "}',
    },
  },
  {
    title: 'an input that is null, in a body of JSON',
    source: 'own',
    input: {
      operation: post({ body: { nick: '{{nick}}', part: '{{place.part}}' } }),
      inputs: { nick: null, place: null },
    },
    right: { body: '{"nick":null,"part":null}' },
  },
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
