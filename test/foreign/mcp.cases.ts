import type { ForeignCase } from './foreign-case.ts';

// What MCP servers of others send, and what a caller of Aiden gets.

/** One HTTP answer. In `raw` the id of the request stands for `{id}`. */
export interface Reply {
  readonly status?: number;
  readonly type?: string | null;
  /** The result of a JSON-RPC answer. */
  readonly result?: unknown;
  readonly raw?: string;
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
  {
    title: 'an empty inputSchema leaves out its tool alone',
    source: 'zereight/gitlab-mcp#286',
    input: withInput({}),
    right: { usable: ['good'], problems: { odd: /inputSchema has to have the type "object"/ } },
  },
  {
    title: 'an inputSchema of alternatives without a type leaves out its tool alone',
    source: 'anthropics/claude-code#88049',
    input: withInput({ anyOf: [{ type: 'object' }, { type: 'object' }] }),
    right: { usable: ['good'], problems: { odd: /type "object"/ } },
  },
  {
    title: 'a missing inputSchema leaves out its tool alone',
    source: 'modelcontextprotocol/servers#3051',
    input: list(good, { name: 'odd' }),
    right: { usable: ['good'], problems: { odd: /no inputSchema/ } },
  },
  {
    title: 'an inputSchema of a text leaves out its tool alone',
    source: 'sandialabs/atlas-ui-3#727',
    input: withInput({ type: 'string', description: 'the document title' }),
    right: { usable: ['good'], problems: { odd: /"string"/ } },
  },
  {
    title: '`required` among the properties leaves out its tool alone',
    source: 'mastra-ai/mastra#23731',
    input: withInput({
      type: 'object',
      properties: { coin: { type: 'string' }, required: ['coin'] },
    }),
    right: { usable: ['good'], problems: { odd: /inputSchema/ } },
  },
  {
    title: 'a serialized Zod schema leaves out its tool alone',
    source: 'kevinwatt/yt-dlp-mcp#29',
    input: withInput({ _def: { typeName: 'ZodObject' }, shape: {} }),
    right: { usable: ['good'], problems: { odd: /type "object"/ } },
  },
  {
    title: 'a schema without its type leaves out its tool alone',
    source: 'Piotr1215/mcp-obsidian#17',
    input: withInput({ properties: { path: { type: 'string' } } }),
    right: { usable: ['good'], problems: { odd: /type "object"/ } },
  },
  {
    title: 'annotations and fields of null change nothing',
    source: 'r33drichards/mcp-js#117',
    input: list({
      ...good,
      title: null,
      description: null,
      outputSchema: null,
      annotations: { readOnlyHint: null, title: null },
      _meta: null,
    }),
    right: { usable: ['good'], tools: { good: { description: null, outputSchema: null } } },
  },
  {
    title: 'a missing description is none',
    source: 'PrefectHQ/fastmcp#594',
    input: list({ ...good, description: 7 }),
    right: { usable: ['good'], tools: { good: { description: null } } },
  },
  {
    title: 'an invalid outputSchema is not used, and its tool is',
    source: 'ThinkInAIXYZ/deepchat#2075',
    input: list(good, {
      ...good,
      name: 'odd',
      outputSchema: { type: 'object', properties: { list: { type: 'lists' } } },
    }),
    right: {
      usable: ['good', 'odd'],
      problems: { odd: /answers are not checked/ },
      tools: { odd: { outputSchema: null } },
    },
  },
  {
    title: 'a cursor that does not advance ends the list',
    source: 'DeusData/codebase-memory-mcp#1247',
    input: { list: [page(['a', 'b'], '8')] },
    right: { usable: ['a', 'b'] },
  },
  {
    title: 'an empty cursor is followed once',
    source: 'modelcontextprotocol/java-sdk#628',
    input: { list: [page(['a'], '')] },
    right: { usable: ['a'] },
  },
  {
    title: 'an empty cursor leads to the next page',
    source: 'PrefectHQ/fastmcp#5026',
    input: { list: [page(['a'], ''), page(['b'])] },
    right: { usable: ['a', 'b'] },
  },
  {
    title: 'a cursor of null ends the list',
    source: 'langchain-ai/langchain-mcp-adapters#250',
    input: { list: [page(['a'], null)] },
    right: { usable: ['a'] },
  },
  {
    title: 'ever new cursors to one page end the list',
    source: 'ChesterRa/cccc#50',
    input: { list: [page(['a'], 'x'), page(['a'], 'y'), page(['a'], 'z')] },
    right: { usable: ['a'] },
  },
  {
    title: 'draft 2020-12 is read',
    source: 'nicobailon/pi-mcp-adapter#2',
    input: withInput({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { url: { type: 'string' } },
    }),
    right: { usable: ['good', 'odd'] },
  },
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
    title: 'a tuple of draft-04 is read as draft-07',
    source: 'own',
    input: withInput({
      $schema: 'http://json-schema.org/draft-04/schema#',
      type: 'object',
      properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] } },
    }),
    right: {
      usable: ['good', 'odd'],
      tools: { odd: { inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } } },
    },
  },
  {
    title: 'a draft that is not known leaves out its tool alone',
    source: 'punkpeye/fastmcp#189',
    input: withInput({ $schema: 'https://example.org/schema', type: 'object' }),
    right: { usable: ['good'], problems: { odd: /\$schema/ } },
  },
  {
    title: 'a pattern that looks ahead leaves out its tool alone',
    source: 'own',
    input: withInput({ type: 'object', properties: { a: { pattern: '^(?=x)x$' } } }),
    right: { usable: ['good'], problems: { odd: /pattern/ } },
  },
  {
    title: 'a $ref to another address leaves out its tool alone',
    source: 'modelcontextprotocol/ruby-sdk#242',
    input: withInput({ type: 'object', properties: { a: { $ref: 'https://example.org/a' } } }),
    right: { usable: ['good'], problems: { odd: /\$ref/ } },
  },
  {
    title: 'a $ref into a neighbour is read',
    source: 'Softeria/ms-365-mcp-server#62',
    input: withInput({
      type: 'object',
      properties: {
        cc: { type: 'array', items: { $ref: '#/properties/bcc/items' } },
        bcc: { type: 'array', items: { type: 'string' } },
      },
    }),
    right: { usable: ['good', 'odd'] },
  },
  {
    title: 'tools without a name and tools of another kind are named by their place',
    source: 'own',
    input: list(good, null, 'tool', { inputSchema: { type: 'object' } }, { ...good, name: ' ' }),
    right: {
      usable: ['good'],
      problems: { '#2': /no object/, '#3': /no object/, '#4': /no name/, '#5': /no name/ },
    },
  },
  {
    title: 'a bound of 64 bits is a number',
    source: 'own',
    input: {
      list: [
        {
          raw: '{"jsonrpc":"2.0","id":{id},"result":{"tools":[{"name":"good","inputSchema":{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807}}}}]}}',
        },
      ],
    },
    right: {
      usable: ['good'],
      tools: { good: { inputSchema: { properties: { n: { maximum: 2 ** 63 } } } } },
    },
  },
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
  {
    title: 'half an emoji in a description arrives as a whole character',
    source: 'anthropics/claude-code#56064',
    input: {
      list: [
        {
          raw: '{"jsonrpc":"2.0","id":{id},"result":{"tools":[{"name":"good","description":"cut \\ud83d","inputSchema":{"type":"object"}}]}}',
        },
      ],
    },
    right: { usable: ['good'], tools: { good: { description: 'cut \ufffd' } } },
  },
  {
    title: 'a second tool of one name is left out, with words',
    source: 'own',
    input: list(good, { ...good, description: 'second' }, { ...good, name: 'other' }),
    right: {
      usable: ['good', 'other'],
      problems: { good: /more than once.*left out/ },
      tools: { good: { description: null } },
    },
  },
  {
    title: 'an answer without a list is said',
    source: 'own',
    input: { list: [{ result: { items: [] } }] },
    right: { fault: /no list of tools/ },
  },
  {
    title: 'a server without tools says that it has none',
    source: 'mcp-use/mcp-use#169',
    input: {
      list: [
        { raw: '{"jsonrpc":"2.0","id":{id},"error":{"code":-32601,"message":"Method not found"}}' },
      ],
    },
    right: { fault: /Method not found/, isRetryable: false },
  },
];

const refused = (code: number, message: string, more: Partial<Reply> = {}): Reply => ({
  raw: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
  ...more,
});

/** Servers that are probed, and words of the fault of those that are down. */
export const PROBES: readonly ForeignCase<Served, 'healthy' | RegExp>[] = [
  {
    title: 'a server without ping is healthy',
    source: 'GCWing/OpenBitFun#2871',
    input: { ping: [refused(-32_601, 'Method not found: ping')] },
    right: 'healthy',
  },
  {
    title: 'a server that refuses ping with another error is healthy',
    source: 'trycua/cua#4001',
    input: { ping: [refused(-32_603, 'Unknown method: ping')] },
    right: 'healthy',
  },
  {
    title: 'a server that refuses ping in a stream is healthy',
    source: 'Barnett-Studios/cxpak#110',
    input: {
      ping: [sse('data: {"jsonrpc":"2.0","id":{id},"error":{"code":-32601,"message":"no"}}\n\n')],
    },
    right: 'healthy',
  },
  ...[400, 404, 405, 422, 429, 500, 501].map((status) => ({
    title: `a server that refuses ping by JSON-RPC with status ${status} is healthy`,
    source: 'own',
    input: { ping: [refused(-32_601, 'Method not found', { status })] },
    right: 'healthy' as const,
  })),
  {
    title: 'a server that refuses ping in words is healthy, as it has opened the session',
    source: 'own',
    input: { ping: [{ status: 400, type: 'text/plain', raw: 'unknown method' }] },
    right: 'healthy',
  },
  ...[{ pong: true }, 'pong', [], null, { _meta: {} }].map((result) => ({
    title: `a server that answers ping with ${JSON.stringify(result)} is healthy`,
    source: 'own',
    input: { ping: [{ raw: `{"jsonrpc":"2.0","id":{id},"result":${JSON.stringify(result)}}` }] },
    right: 'healthy' as const,
  })),
  {
    title: 'a server that refuses to open a session by JSON-RPC answers',
    source: 'own',
    input: { initialize: [refused(-32_602, 'Which tenant?', { status: 400 })] },
    right: 'healthy',
  },
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
  {
    title: 'a server that breaks before it opens a session is down',
    source: 'own',
    input: { initialize: [{ status: 500, type: 'text/plain', raw: 'boom' }] },
    right: /answered 500: boom/,
  },
  {
    title: 'a page at another address is no server',
    source: 'own',
    input: { initialize: [{ status: 404, type: 'text/html', raw: '<title>Lost</title>' }] },
    right: /answered 404/,
  },
];

const answer = (...content: unknown[]): Served => ({ call: [{ result: { content } }] });
const text = (words: string) => ({ type: 'text', text: words });
const PNG = 'iVBORw0KGgo=';

export interface Answered {
  readonly output: unknown;
}

/** Answers to tools/call of the tool `it`. */
export const CALLS: readonly ForeignCase<Served, Answered | Fault>[] = [
  {
    title: 'an error with the words of the SDK in it is told once',
    source: 'own',
    input: { call: [refused(-32_602, 'MCP error -32602: No tool "it".')] },
    right: { fault: /^MCP error -32602: No tool "it"\.$/, isRetryable: false },
  },
  {
    title: 'a page without words is shown as it is',
    source: 'own',
    input: { call: [{ type: 'text/html', raw: '<html>' }] },
    right: { fault: /It begins: <html>$/ },
  },
  {
    title: 'a lost session is begun again once, and the call repeated',
    source: 'modelcontextprotocol/python-sdk#3556',
    input: {
      call: [
        {
          status: 404,
          raw: '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
        },
        { result: { content: [text('done')] } },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a session that stays lost is said after the second time',
    source: 'punkpeye/mcp-remote#106',
    input: { call: [{ status: 404, raw: 'Session not found' }] },
    right: { fault: /answered 404: Session not found/, isRetryable: false },
  },
  {
    title: 'a lost session with status 400 is begun again',
    source: 'PrefectHQ/fastmcp#3073',
    input: {
      call: [
        { status: 400, raw: 'No valid session ID provided' },
        { result: { content: [text('done')] } },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a lost session with status 401 is begun again',
    source: 'modelcontextprotocol/rust-sdk#559',
    input: {
      call: [
        { status: 401, raw: 'Unauthorized: Session not found' },
        { result: { content: [text('done')] } },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a lost session with status 503 is begun again',
    source: 'markmhendrickson/neotoma#1923',
    input: {
      call: [
        { status: 503, raw: '{"error":"Unknown session"}' },
        { result: { content: [text('done')] } },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a lost session inside a good stream is said with its words',
    source: 'actionhero/keryx#503',
    input: { call: [sse('event: message\ndata: {"error":"Session not found"}\n\n')] },
    right: { fault: /without a result.*Session not found/ },
  },
  {
    title: 'another error of the server is not repeated',
    source: 'own',
    input: {
      call: [{ status: 500, raw: 'boom' }, { result: { content: [text('twice')] } }],
    },
    right: { fault: /answered 500: boom/, isRetryable: true },
  },
  {
    title: 'a page instead of an answer is named by its title',
    source: 'modelcontextprotocol/python-sdk#1382',
    input: {
      call: [
        {
          type: 'text/html; charset=utf-8',
          raw: '<!DOCTYPE html><html><head><title>Sign in</title></head><body>long</body></html>',
        },
      ],
    },
    right: { fault: /text\/html.*Check the endpoint.*Sign in$/, isRetryable: false },
  },
  {
    title: 'an error page is named by its title',
    source: 'vercel/ai#19205',
    input: {
      call: [
        {
          status: 502,
          type: 'text/html',
          raw: '<html><head><title>502 Bad Gateway</title></head><body><h1>x</h1></body></html>',
        },
      ],
    },
    right: { fault: /^The MCP server answered 502: 502 Bad Gateway$/, isRetryable: true },
  },
  {
    title: 'a page instead of the first answer is named by its title',
    source: 'sjzar/chatlog#116',
    input: { initialize: [{ type: 'text/html', raw: '<html><title>App</title></html>' }] },
    right: { fault: /text\/html.*App$/ },
  },
  {
    title: 'JSON without its type is read',
    source: 'modelcontextprotocol/java-sdk#748',
    input: {
      call: [
        {
          type: 'text/plain; charset=utf-8',
          raw: '{"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"done"}]}}',
        },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a stream without its type is read',
    source: 'own',
    input: {
      call: [
        {
          type: null,
          raw: 'data: {"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"done"}]}}\n\n',
        },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a stream with a charset is read',
    source: 'ThinkInAIXYZ/go-mcp#200',
    input: {
      call: [
        {
          type: 'text/event-stream; charset=utf-8',
          raw: 'data: {"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"done"}]}}\n\n',
        },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a stream without its last empty line is read',
    source: 'own',
    input: {
      call: [
        sse(
          'event: message\r\ndata: {"jsonrpc":"2.0","id":{id},\r\ndata: "result":{"content":[{"type":"text","text":"done"}]}}',
        ),
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'a stream that ends without a result ends the call',
    source: 'modelcontextprotocol/python-sdk#1811',
    input: { call: [sse(': ping\n\n')] },
    right: { fault: /ended its answer without a result/, isRetryable: true },
  },
  {
    title: 'a stream that can be resumed and is not ends the call',
    source: 'anthropics/claude-code#60061',
    input: { call: [sse('retry: 1\nid: 7\ndata: \n\n')] },
    right: { fault: /ended its stream and does not continue it/ },
  },
  {
    title: 'a request that is accepted without an answer ends',
    source: 'mhackermsft/BlazorAIChat#12',
    input: { call: [{ status: 202, raw: '' }] },
    right: { fault: /accepted the request and sent no result/ },
  },
  {
    title: 'an empty answer is said',
    source: 'own',
    input: { call: [{ raw: '' }] },
    right: { fault: /It was empty/ },
  },
  {
    title: 'a page in place of the stream of the server is no stream',
    source: 'docmost/docmost#2133',
    input: {
      get: [{ type: 'text/html', raw: '<html>app</html>' }],
      call: [{ result: { content: [text('done')] } }],
    },
    right: { output: 'done' },
  },
  {
    title: 'an error of null beside a result is none',
    source: 'own',
    input: {
      call: [
        {
          raw: '{"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"done"}]},"error":null}',
        },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'an error with the id null is the answer',
    source: 'BaseIntelligence/bounty-challenge#52632',
    input: {
      call: [
        { raw: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no such thing"}}' },
      ],
    },
    right: { fault: /no such thing/, isRetryable: false },
  },
  {
    title: 'an error whose id is a word is the answer',
    source: 'anthropics/claude-code#55970',
    input: {
      call: [
        sse(
          'data: {"jsonrpc":"2.0","id":"server-error","error":{"code":-32603,"message":"it broke"}}\n\n',
          { isOpen: true },
        ),
      ],
    },
    right: { fault: /it broke/ },
  },
  {
    title: 'an id as a text is the id',
    source: 'own',
    input: {
      call: [
        {
          raw: '{"jsonrpc":"2.0","id":"{id}","result":{"content":[{"type":"text","text":"done"}]}}',
        },
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'an error that is a text keeps its words',
    source: 'own',
    input: { call: [{ raw: '{"jsonrpc":"2.0","id":{id},"error":"quota spent"}' }] },
    right: { fault: /quota spent/ },
  },
  {
    title: 'a result that is no object is the output',
    source: 'own',
    input: { call: [{ raw: '{"jsonrpc":"2.0","id":{id},"result":"plain"}' }] },
    right: { output: 'plain' },
  },
  {
    title: 'JSON that is no message is said',
    source: 'own',
    input: { call: [{ raw: '{"detail":"Not Found"}' }] },
    right: { fault: /no MCP message.*Not Found/ },
  },
  {
    title: 'a content kind that is not known keeps its JSON',
    source: 'ElliotPadfield/unpaywall-mcp#4',
    input: answer(text('one'), { type: 'json', json: { a: 1 } }),
    right: { output: 'one\n[json {"type":"json","json":{"a":1}}]' },
  },
  {
    title: 'a content kind of an error keeps its words',
    source: 'QuantGeekDev/mcp-framework#130',
    input: answer({ type: 'error', text: 'Invalid number' }),
    right: { output: '[error {"type":"error","text":"Invalid number"}]' },
  },
  {
    title: 'audio becomes a file of the owner',
    source: 'agno-agi/agno#10033',
    input: answer({ type: 'audio', data: PNG, mimeType: 'audio/wav' }),
    right: { output: '[audio audio/wav file:0.wav:8]' },
  },
  {
    title: 'a link to a resource keeps its address and type',
    source: 'agno-agi/agno#10009',
    input: answer({
      type: 'resource_link',
      name: 'report',
      uri: 'reports://2026',
      mimeType: 'application/pdf',
    }),
    right: { output: '[resource reports://2026 application/pdf]' },
  },
  {
    title: 'a resource with text is its text, and one with bytes a file',
    source: 'open-webui/open-webui#24038',
    input: answer(
      { type: 'resource', resource: { uri: 'a://1', text: 'words' } },
      { type: 'resource', resource: { uri: 'a://2', blob: PNG, mimeType: 'image/png' } },
    ),
    right: { output: 'words\n[resource a://2 image/png file:1.png:8]' },
  },
  {
    title: 'an image as a data URL is its bytes',
    source: 'nota/gyazo-mcp-server#129',
    input: answer({ type: 'image', data: `data:image/png;base64,${PNG}`, mimeType: 'image/png' }),
    right: { output: '[image image/png file:0.png:8]' },
  },
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
    title: 'an image by its address keeps the address',
    source: 'agentscope-ai/agentscope-java#3052',
    input: answer({ type: 'image', data: 'https://example.org/a.png', mimeType: 'image/png' }),
    right: { output: '[image image/png https://example.org/a.png]' },
  },
  {
    title: 'an image of another form keeps its JSON',
    source: 'modelcontextprotocol/modelcontextprotocol#793',
    input: answer({ type: 'image', uri: 'https://example.org/a.png' }),
    right: { output: '[image {"type":"image","uri":"https://example.org/a.png"}]' },
  },
  {
    title: 'a structured list is the output',
    source: 'naw103/foremerge#28',
    input: { call: [{ result: { content: [], structuredContent: [1, 2] } }] },
    right: { output: [1, 2] },
  },
  {
    title: 'a whole number of many digits keeps its digits',
    source: 'n8n-io/n8n#26925',
    input: {
      call: [
        {
          raw: '{"jsonrpc":"2.0","id":{id},"result":{"structuredContent":{"id":7615917337495251231}}}',
        },
      ],
    },
    right: { output: { id: '7615917337495251231' } },
  },
  {
    title: 'the result of an old server is the output',
    source: 'own',
    input: { call: [{ result: { toolResult: { a: 1 } } }] },
    right: { output: { a: 1 } },
  },
  {
    title: 'content that is a text is the text',
    source: 'own',
    input: { call: [{ result: { content: 'plain' } }] },
    right: { output: 'plain' },
  },
  {
    title: 'an error keeps its words as sent, with half an emoji made whole',
    source: 'anthropics/claude-code#60394',
    input: {
      call: [
        {
          raw: '{"jsonrpc":"2.0","id":{id},"result":{"isError":true,"content":[{"type":"text","text":"line 1\\nline 2: cut \\ud83d"}]}}',
        },
      ],
    },
    right: { fault: /^it failed: line 1\nline 2: cut \ufffd$/, isRetryable: false },
  },
  {
    title: 'an error without content keeps its structured words',
    source: 'yamadashy/repomix#833',
    input: { call: [{ result: { isError: true, structuredContent: { reason: 'no disk' } } }] },
    right: { fault: /no disk/, isRetryable: false },
  },
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
  {
    title: 'progress and log messages of any form do not end a call',
    source: 'own',
    input: {
      call: [
        sse(
          [
            '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"{id}","progress":"half"}}',
            '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":1}}',
            '{"jsonrpc":"2.0","method":"notifications/progress"}',
            '{"jsonrpc":"2.0","method":"notifications/message","params":"text"}',
            '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"loud","data":null}}',
            '{"jsonrpc":"2.0","method":"notifications/unheard","params":{"_meta":7}}',
            'no JSON at all',
            '{"jsonrpc":"2.0","id":{id},"result":{"_meta":null,"content":[{"type":"text","text":"done"}]}}',
          ]
            .map((one) => `data: ${one}\n\n`)
            .join(''),
        ),
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'requests of the server get answers, and the call goes on',
    source: 'own',
    input: {
      call: [
        sse(
          [
            '{"jsonrpc":"2.0","id":"s1","method":"ping"}',
            '{"jsonrpc":"2.0","id":"s2","method":"roots/list"}',
            '{"jsonrpc":"2.0","id":"s3","method":"sampling/createMessage","params":{"messages":[]}}',
            '{"jsonrpc":"2.0","id":"s4","method":"elicitation/create","params":{"message":"?"}}',
            '{"jsonrpc":"2.0","id":"s5","method":"tasks/unheard"}',
            '{"jsonrpc":"2.0","id":{id},"result":{"content":[{"type":"text","text":"done"}]}}',
          ]
            .map((one) => `data: ${one}\n\n`)
            .join(''),
        ),
      ],
    },
    right: { output: 'done' },
  },
  {
    title: 'another version of the protocol is named, and final',
    source: 'punkpeye/mcp-remote#66',
    input: {
      initialize: [
        { result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: null } },
      ],
    },
    right: { fault: /protocol version is not supported: 1999-01-01/, isRetryable: false },
  },
  {
    title: 'a server that refuses our version is said with its words',
    source: 'xpzouying/xiaohongshu-mcp#697',
    input: {
      initialize: [
        { status: 400, type: 'text/plain', raw: 'Bad Request: Unsupported protocol version' },
      ],
    },
    right: { fault: /answered 400: Bad Request: Unsupported protocol version/, isRetryable: false },
  },
  {
    title: 'a first answer without a name and capabilities is enough',
    source: 'strowk/mcp-k8s-go#40',
    input: {
      initialize: [
        { result: { protocolVersion: '2025-06-18', capabilities: null, instructions: null } },
      ],
      call: [{ result: { content: [text('done')] } }],
    },
    right: { output: 'done' },
  },
];

/** Arguments of a tool of `/mcp` that its schema refuses. */
export interface Refused {
  readonly schema: { readonly properties: object; readonly [keyword: string]: unknown };
  readonly arguments: object;
}

/** The lines of the answer, in any order. */
export const REFUSALS: readonly ForeignCase<Refused, readonly string[]>[] = [
  {
    title: 'two texts for numbers are named each',
    source: 'modelcontextprotocol/csharp-sdk#830',
    input: {
      schema: {
        type: 'object',
        properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      },
      arguments: { from: 'a', to: 'b' },
    },
    right: ['from: must be integer. (SCHEMA_VIOLATION)', 'to: must be integer. (SCHEMA_VIOLATION)'],
  },
  {
    title: 'a missing argument is named',
    source: 'github/github-mcp-server#1952',
    input: {
      schema: { type: 'object', properties: { owner: { type: 'string' } }, required: ['owner'] },
      arguments: {},
    },
    right: ['owner: The Process needs owner in its context. (REQUIRED)'],
  },
  {
    title: 'all problems are named at once, with the place of inner ones',
    source: 'ayunis-core/ayunis-core#1235',
    input: {
      schema: {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            items: { type: 'object', properties: { count: { type: 'number' } }, required: ['id'] },
          },
          level: { enum: ['low', 'high'] },
        },
        additionalProperties: false,
      },
      arguments: { items: [{ id: 1 }, { count: 'x' }], level: 'mid', other: 1 },
    },
    right: [
      'items.1.id is required. (SCHEMA_VIOLATION)',
      'items.1.count: must be number. (SCHEMA_VIOLATION)',
      'level: has to be one of ["low","high"]. (SCHEMA_VIOLATION)',
      'other: The Process takes no other. (UNKNOWN_VARIABLE)',
    ],
  },
];
