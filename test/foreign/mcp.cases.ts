import { RESPONSE_BYTES_MAX } from '../../src/common/limits.ts';
import { type ForeignCase, rows } from './foreign-case.ts';

// Answers of MCP servers of others, and the result for a caller of Aiden.

/** One HTTP answer. In `raw` the id of the request stands for `{id}`. */
export interface Reply {
  readonly status?: number;
  readonly type?: string | null;
  /** The result of a JSON-RPC answer. */
  readonly result?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection breaks behind the answer. */
  readonly breaks?: boolean;
  /** The connection stays open after the answer. */
  readonly isOpen?: boolean;
}

/** A server: its answers to each method, in order; the last one is repeated. */
export interface Served {
  readonly initialize?: readonly Reply[];
  readonly list?: readonly Reply[];
  readonly call?: readonly Reply[];
  readonly ping?: readonly Reply[];
  /** The stream that a client opens by GET. Default: 405. */
  readonly get?: readonly Reply[];
}

export interface Listed {
  readonly usable: readonly string[];
  /** Tools that are left out or partly used, with words of their problem. */
  readonly problems?: Readonly<Record<string, RegExp>>;
  /** Fields of the usable tools by name. */
  readonly tools?: Readonly<Record<string, object>>;
}

export interface Fault {
  readonly fault: RegExp;
  readonly isRetryable?: boolean;
}

const good = { name: 'good', inputSchema: { type: 'object', properties: {} } };
const list = (...tools: unknown[]): Served => ({ list: [{ result: { tools } }] });
const withInput = (inputSchema: unknown) => list(good, { name: 'odd', inputSchema });
const page = (names: readonly string[], nextCursor?: unknown): Reply => ({
  result: { tools: names.map((name) => ({ ...good, name })), nextCursor },
});
const sse = (raw: string, more: Partial<Reply> = {}): Reply => ({
  type: 'text/event-stream',
  raw,
  ...more,
});

/** Answers to tools/list. */
export const LISTS: readonly ForeignCase<Served, Listed | Fault>[] = [
  ...rows<ForeignCase<Served, Listed | Fault>>('mcp', 'LISTS', { withInput, list, good, page }),
  ...(
    [
      ['draft-04', 'http://json-schema.org/draft-04/schema#', 'alecthomas/jsonschema#107'],
      ['draft-06', 'http://json-schema.org/draft-06/schema#', 'own'],
      ['draft-07 by https', 'https://json-schema.org/draft-07/schema#', 'own'],
      ['2019-09', 'https://json-schema.org/draft/2019-09/schema', 'own'],
      ['no draft', 'http://json-schema.org/schema#', 'own'],
    ] as const
  ).map(([title, $schema, source]) => ({
    title: `common keywords under ${title} are read as 2020-12`,
    source,
    input: withInput({
      $schema,
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 } },
    }),
    right: {
      usable: ['good', 'odd'],
      tools: { odd: { inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } } },
    },
  })),
  {
    title: 'names with blanks, of objects, and with emoji are names',
    source: 'dcloudio/uni-app-x-ai-rules#2',
    input: list(
      ...['get weather', 'constructor', '__proto__', 'wetter/heute', '🌍'].map((name) => ({
        ...good,
        name,
      })),
    ),
    right: { usable: ['get weather', 'constructor', '__proto__', 'wetter/heute', '🌍'] },
  },
];

const refused = (code: number, message: string, more: Partial<Reply> = {}): Reply => ({
  raw: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
  ...more,
});

/** Servers that are probed, and words of the fault of those that are down. */
export const PROBES: readonly ForeignCase<Served, 'healthy' | RegExp>[] = [
  ...rows<ForeignCase<Served, 'healthy' | RegExp>>('mcp', 'PROBES', { refused, sse }),
  ...[400, 404, 405, 422, 429, 500, 501].map((status) => ({
    title: `a server that refuses ping by JSON-RPC with status ${status} is healthy`,
    source: 'own',
    input: { ping: [refused(-32_601, 'Method not found', { status })] },
    right: 'healthy' as const,
  })),
  ...[{ pong: true }, 'pong', [], null, { _meta: {} }].map((result) => ({
    title: `a server that answers ping with ${JSON.stringify(result)} is healthy`,
    source: 'own',
    input: { ping: [{ raw: `{"jsonrpc":"2.0","id":{id},"result":${JSON.stringify(result)}}` }] },
    right: 'healthy' as const,
  })),
  ...[401, 403].map((status) => ({
    title: `a server that refuses the Secret with ${status} is down, also by JSON-RPC`,
    source: 'own',
    input: { initialize: [refused(-32_001, 'Unauthorized', { status })] },
    right: new RegExp(`answered ${status}: Unauthorized`),
  })),
  ...[502, 503, 504].map((status) => ({
    title: `a gateway without its server is down (${status})`,
    source: 'own',
    input: { ping: [refused(-32_000, 'upstream is gone', { status })] },
    right: new RegExp(`answered ${status}: upstream is gone`),
  })),
  ...(
    [
      ['500 in words', { status: 500, type: 'text/plain', raw: 'boom' }],
      ['202', { status: 202, type: null, raw: '' }],
      ['an empty body', { raw: '' }],
      ['a page', { type: 'text/html', raw: '<html>' }],
      ['a stream without a message', sse(': nothing\n\n')],
      ['silence', sse(': nothing\n\n', { isOpen: true })],
    ] as const
  ).map(([title, reply]) => ({
    title: `a server that opens a session and answers ping with ${title} is healthy`,
    source: 'own',
    input: { ping: [reply] },
    right: 'healthy' as const,
  })),
];

const answer = (...content: unknown[]): Served => ({ call: [{ result: { content } }] });
const text = (words: string) => ({ type: 'text', text: words });
const PNG = 'iVBORw0KGgo=';

/** A call whose answer is a stream of these messages. */
const told = (...messages: string[]): Served => ({
  call: [sse(messages.map((one) => `data: ${one}\n\n`).join(''))],
});

export interface Answered {
  readonly output: unknown;
}

/** Answers to tools/call of the tool `it`. */
export const CALLS: readonly ForeignCase<Served, Answered | Fault>[] = [
  ...rows<ForeignCase<Served, Answered | Fault>>('mcp', 'CALLS', {
    refused,
    text,
    sse,
    answer,
    PNG,
    told,
    large: (raw: string) => sse(`${raw}: ${' '.repeat(RESPONSE_BYTES_MAX)}\n\n`),
  }),
  ...[
    ['@@@', 'is not in base64'],
    ['', 'is empty'],
    ['data:image/png;base64,', 'is empty'],
  ].map(([data, fault]) => ({
    title: `an image with the data "${data}" is left out with a note`,
    source: 'own',
    input: answer({ type: 'text', text: 'see' }, { type: 'image', data, mimeType: 'image/png' }),
    right: { output: `see\n[image image/png left out: its data ${fault}]` },
  })),
  {
    title: 'the words of an error are cut where they are longer than a record may be',
    source: 'own',
    input: { call: [{ result: { isError: true, content: [text('x'.repeat(5_000_000))] } }] },
    right: { fault: /^it failed: x{19000,20000}…$/, isRetryable: false },
  },
  {
    title: 'the words of a JSON-RPC error are cut there, too',
    source: 'own',
    input: { call: [refused(-32_603, 'x'.repeat(5_000_000))] },
    right: { fault: /^MCP error -32603: x{19000,20000}…$/ },
  },
];

/** Arguments of a tool of `/mcp` that its schema refuses. */
export interface Refused {
  readonly schema: { readonly properties: object; readonly [keyword: string]: unknown };
  readonly arguments: object;
}

/** The lines of the answer, in any order. */
export const REFUSALS: readonly ForeignCase<Refused, readonly string[]>[] = rows('mcp', 'REFUSALS');
