import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compareMcpTools, readListing } from '../../src/catalog/import/mcp-tools.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { contentOf, structuredOf, toolsOf } from '../../src/platform/drivers/mcp-answers.ts';
import { mcpDriver } from '../../src/platform/drivers/mcp-call.ts';
import {
  messageOf,
  readMessage,
  rewrittenEvents,
} from '../../src/platform/drivers/mcp-messages.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import { closing, listening } from '../testkit/listen.ts';
import { driverParts } from '../testkit/real-calls.ts';
import { tempFolder } from '../testkit/temp-folder.ts';
import { CALLS, LISTS, PROBES, type Reply, type Served } from './mcp.cases.ts';

// The driver of mcp_call against servers that misbehave.

const { egress, renderer } = driverParts();
const driver = mcpDriver({ egress, renderer, mcpServers: {} });
const servers: Server[] = [];
afterAll(async () => {
  await Promise.all(servers.map(closing));
});

const INITIALIZED: Reply = {
  result: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'foreign', version: '1' },
  },
};

/** Starts a server of raw HTTP. `said` are the messages that it got, `texts` their JSON. */
async function serving(served: Served) {
  const counts = new Map<string, number>();
  const said: JsonObject[] = [];
  const texts: string[] = [];
  const next = (kind: keyof Served, fallback: Reply): Reply => {
    const replies = served[kind] ?? [fallback];
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return replies[Math.min(count, replies.length - 1)] ?? fallback;
  };
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return send(response, next('get', { status: 405, raw: '' }), 0);
    if (request.method !== 'POST') return response.writeHead(200).end();
    const sent = await text(request);
    const message = JSON.parse(sent) as JsonObject;
    said.push(message);
    texts.push(sent);
    const { method, id } = message;
    const tools = { result: { tools: [] } };
    if (id === undefined || method === undefined) return response.writeHead(202).end();
    if (method === 'initialize') return send(response, next('initialize', INITIALIZED), id);
    if (method === 'ping') return send(response, next('ping', { result: {} }), id);
    return send(response, method === 'tools/list' ? next('list', tools) : next('call', tools), id);
  });
  servers.push(server);
  const endpoint = `http://${await listening(server)}/mcp`;
  return { endpoint, said, texts };
}

function send(response: ServerResponse, reply: Reply, id: Json): void {
  const {
    status = 200,
    type = 'application/json',
    raw,
    result,
    isOpen = false,
    breaks,
    headers,
  } = reply;
  response.writeHead(status, {
    'mcp-session-id': 's-1',
    ...headers,
    ...(type === null ? {} : { 'content-type': type }),
  });
  const body =
    raw?.replaceAll('{id}', String(id)) ?? JSON.stringify({ jsonrpc: '2.0', id, result });
  if (breaks === true) response.write(body, () => response.destroy());
  else response.write(body);
  if (!isOpen && breaks !== true) response.end();
}

const target = (endpoint: string) => ({
  protocol: 'http' as const,
  connectionParams: { endpoint },
});

async function called(
  endpoint: string,
  inputs: JsonObject = {},
  more: { readonly inputSchema?: JsonObject; readonly arguments?: JsonObject } = {},
): Promise<Json> {
  const { inputSchema, ...ofTool } = more;
  const operation = { type: 'mcp_call' as const, tool: 'it', ...ofTool };
  const storeFile = async (name: string, bytes: Uint8Array) => `file:${name}:${bytes.length}`;
  const signal = AbortSignal.timeout(20_000);
  const { output } = await driver.invoke(
    driverCall(operation, target(endpoint), {
      inputs,
      storeFile,
      signal,
      ...(inputSchema === undefined ? {} : { inputSchema }),
    }),
  );
  return output;
}

async function listed(endpoint: string) {
  const tools = await driver.listTools(
    driverTarget('mcp_call', target(endpoint)),
    AbortSignal.timeout(20_000),
  );
  return tools.map(readListing);
}

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => `It gave ${JSON.stringify(value)}.`,
    (error: unknown) => error,
  );

describe('the tools of an MCP server', () => {
  it.each(LISTS)('$title', async ({ input, right }) => {
    const { endpoint } = await serving(input);
    if ('fault' in right) {
      const fault = await faultOf(listed(endpoint));
      expect(fault).toBeInstanceOf(ToolFault);
      expect((fault as ToolFault).message).toMatch(right.fault);
      return;
    }
    const tools = await listed(endpoint);
    expect(tools.filter(({ isUsable }) => isUsable).map(({ name }) => name)).toEqual(right.usable);
    const problems = tools.filter(({ problem }) => problem !== null);
    expect(problems.map(({ name }) => name).sort()).toEqual(
      Object.keys(right.problems ?? {}).sort(),
    );
    for (const { name, problem } of problems) {
      expect(problem).toMatch(right.problems?.[name] ?? /^$/);
      expect(problem?.split('\n')).toHaveLength(1);
    }
    for (const [name, fields] of Object.entries(right.tools ?? {}))
      expect(tools.find((tool) => tool.name === name)).toMatchObject(fields);
  });

  it('keep the whole list of a server with a bound on its pages', async () => {
    const pages = Array.from({ length: 250 }, (_one, index) => ({
      result: {
        tools: [{ name: `t${index}`, inputSchema: { type: 'object' } }],
        nextCursor: `${index}`,
      },
    }));
    const { endpoint } = await serving({ list: pages });
    expect(await listed(endpoint)).toHaveLength(200);
  });

  it('that cannot be called stay unusable beside a Tool that calls them', () => {
    const [bad] = toolsOf({ tools: [{ name: 'odd', inputSchema: {} }] }, 0).map(readListing);
    const [found] = compareMcpTools(bad === undefined ? [] : [bad], [], { connectionParams: {} });
    expect(found).toMatchObject({ name: 'odd', state: 'unusable', changes: {} });
  });
});

describe('a probe of an MCP server', () => {
  it.each(PROBES)('$title', async ({ input, right }) => {
    const { endpoint } = await serving(input);
    const found = await driver.probe(
      driverTarget('mcp_call', target(endpoint)),
      AbortSignal.timeout(20_000),
    );
    if (right === 'healthy') expect(found).toMatchObject({ status: 'healthy', errorMessage: null });
    else expect(found).toEqual({ status: 'down', errorMessage: expect.stringMatching(right) });
  });

  it('keeps the process of a stdio server without ping', async () => {
    const program = `
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (id === undefined) return;
        const isFirst = method === 'initialize';
        if (isFirst) require('node:fs').appendFileSync(process.argv[1], 'started ');
        const error = { code: -32601, message: 'Unknown method: ' + method };
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: {} };
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(isFirst ? { result } : { error }) }));
      });`;
    const starts = join(tempFolder('starts'), 'starts');
    const old = { command: process.execPath, args: ['-e', program, starts] };
    const probing = mcpDriver({ egress, renderer, mcpServers: { old } });
    const stdio = { protocol: 'stdio' as const, connectionParams: { server: 'old' } };
    for (let count = 0; count < 3; count++) {
      expect(
        await probing.probe(driverTarget('mcp_call', stdio), AbortSignal.timeout(60_000)),
      ).toEqual({ status: 'healthy', errorMessage: null });
    }
    expect(readFileSync(starts, 'utf8')).toBe('started ');
    await probing.close();
  });
});

describe('a call of an MCP tool', () => {
  it.each(CALLS)('$title', async ({ input, right }) => {
    const { endpoint } = await serving(input);
    if ('output' in right) {
      expect(await called(endpoint)).toEqual(right.output);
      return;
    }
    const fault = await faultOf(called(endpoint));
    expect(fault).toBeInstanceOf(ToolFault);
    const { message, retryable } = fault as ToolFault;
    expect(message).toMatch(right.fault);
    if (right.isRetryable !== undefined) expect(retryable).toBe(right.isRetryable);
  });

  it('has no output of metadata alone', () => {
    expect(structuredOf({ _meta: { id: 1 } })).toBeNull();
  });

  it('is sent once where the server has handled it', async () => {
    const { endpoint, said } = await serving({ call: [{ status: 500, raw: 'boom' }] });
    await faultOf(called(endpoint));
    expect(said.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });

  it('answers each request of the server, with words where it declines', async () => {
    const asked = CALLS.find(({ title }) => title.startsWith('requests of the server'));
    const { endpoint, said } = await serving(asked?.input ?? {});
    await called(endpoint);
    await expect.poll(() => said.filter(({ id }) => `${id}`.startsWith('s'))).toHaveLength(5);
    const answers = new Map(said.map((message) => [message['id'], message]));
    expect(answers.get('s1')).toMatchObject({ result: {} });
    for (const id of ['s2', 's3', 's4', 's5']) {
      const error = { code: -32601, message: expect.stringContaining('Aiden does not') };
      expect(answers.get(id)).toMatchObject({ error });
    }
  });

  it('leaves out an input that was not given, and sends a null that was given', async () => {
    const { endpoint, said } = await serving({ call: [{ result: { content: [] } }] });
    const args = {
      a: '{{a}}',
      b: '{{b}}',
      c: { d: '{{b}}' },
      list: ['{{b}}', '{{n}}'],
      n: '{{n}}',
    };
    await called(endpoint, { a: 'x', n: null }, { arguments: args });
    const sent = said.find(({ method }) => method === 'tools/call')?.['params'] as JsonObject;
    expect(sent['arguments']).toEqual({ a: 'x', c: {}, list: [null, null], n: null });
  });

  it('sends a number beyond 2^53 as its inputSchema says', async () => {
    const { endpoint, texts } = await serving({ call: [{ result: { content: [] } }] });
    const big = '9007199254740993';
    const inputs = { id: big, ref: big, ids: [big], some: big };
    const integer = { type: 'integer' };
    const inputSchema = {
      properties: {
        id: integer,
        ref: { type: 'string' },
        ids: { items: integer },
        some: { anyOf: [integer, { type: 'null' }] },
      },
    };
    const written = `{"id":${big},"ref":"${big}","ids":[${big}],"some":${big}}`;
    await called(endpoint, inputs, { inputSchema });
    expect(texts.at(-1)).toContain(`"arguments":${written}`);
    const own = { id: '{{id}}', ref: '{{ref}}', ids: '{{ids}}', some: '{{some}}' };
    await called(endpoint, inputs, { inputSchema, arguments: own });
    expect(texts.at(-1)).toContain(`"arguments":${written}`);
  });

  it('sends no half of a character', async () => {
    const { endpoint, said } = await serving({ call: [{ result: { content: [] } }] });
    await called(endpoint, { words: 'cut \ud83d', 'key \ud83d': [1] });
    const sent = said.find(({ method }) => method === 'tools/call');
    expect(sent?.['params']).toMatchObject({
      arguments: { words: 'cut \ufffd', 'key \ufffd': [1] },
    });
  });
});

describe('whatever a server sends', () => {
  const words = fc.string({ unit: 'binary', maxLength: 40 });
  const anything = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }) as fc.Arbitrary<Json>;
  const schema = fc.oneof(
    anything,
    fc.record({ type: fc.constantFrom('object', 'string', null), properties: anything }),
    fc.record({
      type: fc.constant('object'),
      $schema: fc.constantFrom('http://json-schema.org/draft-04/schema#', 'x', 7),
      properties: fc.dictionary(words, anything, { maxKeys: 3 }),
      required: anything,
    }),
  );
  const tool = fc.oneof(
    anything,
    fc.record(
      {
        name: fc.oneof(words, anything),
        description: anything,
        inputSchema: schema,
        outputSchema: schema,
      },
      { requiredKeys: [] },
    ),
  );
  const block = fc.oneof(
    anything,
    fc.record(
      {
        type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'chart', 1),
        text: anything,
        data: fc.oneof(words, anything),
        mimeType: anything,
        uri: anything,
        resource: fc.oneof(
          anything,
          fc.record({ uri: words, blob: anything, text: anything }, { requiredKeys: [] }),
        ),
      },
      { requiredKeys: [] },
    ),
  );

  it('as its list gives a list, each tool usable or with words', () => {
    fc.assert(
      fc.property(fc.array(tool, { maxLength: 6 }), (tools) => {
        const read = toolsOf({ tools: tools as Json[] }, 0).map(readListing);
        expect(read).toHaveLength(tools.length);
        for (const { name, isUsable, problem } of read) {
          expect(name.trim()).not.toBe('');
          if (!isUsable) expect(problem).toMatch(/\S/);
        }
      }),
      { seed: 39, numRuns: 400 },
    );
  });

  it('as content gives one text for each block', () => {
    fc.assert(
      fc.property(fc.oneof(anything, fc.array(block, { maxLength: 6 })), (content) => {
        const parts = contentOf(content as Json);
        if (Array.isArray(content)) expect(parts).toHaveLength(content.length);
        for (const { text } of parts) expect(typeof text).toBe('string');
      }),
      { seed: 39, numRuns: 400 },
    );
  });

  it('as a message is a well-formed message or none', () => {
    const part = fc.oneof(anything, fc.constantFrom('2.0', 'tools/list', 0, '1'));
    const message = fc.record(
      { jsonrpc: part, id: part, method: part, params: part, result: part, error: part },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, message), (value) => {
        const read = messageOf(value, 1);
        if (read !== null) expect(JSON.stringify(read)).toBe(JSON.stringify(read).toWellFormed());
      }),
      { seed: 39, numRuns: 400 },
    );
  });

  it('as a stream gives the same events however it is cut', async () => {
    const events = fc.array(
      fc.constantFrom('data: {"a":1}', 'data:x', ': c', 'id: 1', '', 'event: message'),
    );
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(events, ends, fc.integer({ min: 1, max: 7 }), async (lines, end, size) => {
        const bytes = new TextEncoder().encode(lines.join(end));
        const read = async (step: number) => {
          const chunks = Array.from({ length: Math.ceil(bytes.length / step) }, (_one, index) =>
            bytes.slice(index * step, (index + 1) * step),
          );
          const source = new ReadableStream<Uint8Array>({
            start(controller) {
              for (const chunk of chunks) controller.enqueue(chunk);
              controller.close();
            },
          });
          const cut = source.pipeThrough(
            rewrittenEvents(
              (data) =>
                data.startsWith('{') ? readMessage('{"jsonrpc":"2.0","method":"m"}', 1) : null,
              () => {},
            ),
          );
          return new Response(cut).text();
        };
        expect(await read(size)).toBe(await read(Math.max(bytes.length, 1)));
      }),
      { seed: 39, numRuns: 100 },
    );
  });

  it('to a call ends it with an output or with words', async () => {
    const reply: fc.Arbitrary<Reply> = fc.record(
      {
        status: fc.constantFrom(200, 200, 200, 204, 400, 404, 500),
        type: fc.constantFrom('application/json', 'text/event-stream', 'text/html', null),
        raw: fc.oneof(
          words,
          anything.map((value) => JSON.stringify(value)),
          anything.map(
            (result) => `{"jsonrpc":"2.0","id":{id},"result":${JSON.stringify(result)}}`,
          ),
          block.map(
            (one) => `{"jsonrpc":"2.0","id":{id},"result":{"content":[${JSON.stringify(one)}]}}`,
          ),
          anything.map(
            (value) => `data: {"jsonrpc":"2.0","id":{id},"error":${JSON.stringify(value)}}\n\n`,
          ),
        ),
      },
      { requiredKeys: ['raw', 'status', 'type'] },
    );
    await fc.assert(
      fc.asyncProperty(reply, async (given) => {
        const bodiless = given.status === 204 ? { ...given, raw: '' } : given;
        const { endpoint } = await serving({ call: [bodiless] });
        const ended = await called(endpoint).catch((error: unknown) => error);
        if (!(ended instanceof Error)) return;
        expect(ended).toBeInstanceOf(ToolFault);
        expect(ended.message).toMatch(/\S/);
        expect(ended.message).toBe(ended.message.toWellFormed());
      }),
      { seed: 39, numRuns: 40 },
    );
  });
});
