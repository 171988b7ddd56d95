import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import type { Protocol } from '../../src/operations/operation-type.ts';
import type { DriverCall } from '../../src/platform/drivers/driver.ts';
import { mcpDriver } from '../../src/platform/drivers/mcp-call.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { driverCall, driverTarget } from '../testkit/driver-calls.ts';
import { EVERYTHING, openEverything } from '../testkit/mcp-everything.ts';

type McpOperation = Extract<DriverCall['operation'], { type: 'mcp_call' }>;

const renderer = openRenderer();
// A server that ignores everything, also the end of its input, and has a child of its own.
const MARK = `stubborn-${process.pid}-${Date.now()}`;
const STUBBORN = `const { spawn } = require('node:child_process');
  const child = ['-e', 'setInterval(() => {}, 1e6)', 'child', '${MARK}'];
  if (process.argv[1] === 'parent') spawn(process.execPath, child);
  process.stdin.on('data', () => {}); setInterval(() => {}, 1e6);`;
const FLOOD = `process.stdin.on('data', () => {});
  const more = () => { while (process.stdout.write('x'.repeat(65536))); };
  process.stdout.on('drain', more);
  more();`;

const endpoints: Partial<Record<Protocol, JsonObject>> = { stdio: { server: 'everything' } };
const closers: (() => Promise<void>)[] = [];

const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
const node = (script: string, ...rest: string[]) => ({
  command: process.execPath,
  args: ['-e', script, ...rest],
});
const mcpServers = {
  everything: EVERYTHING,
  stubborn: node(STUBBORN, 'parent', MARK),
  flood: node(FLOOD),
  absent: { command: '/does/not/exist', args: [] },
};
const driver = mcpDriver({ egress, renderer, mcpServers });
const [sse, http] = await Promise.all([openEverything('sse'), openEverything('streamableHttp')]);
endpoints.sse = { endpoint: sse.endpoint };
endpoints.http = { endpoint: http.endpoint };
closers.push(sse.close, http.close);
afterAll(async () => {
  await Promise.all([egress.close(), renderer.close(), ...closers.map((close) => close())]);
});

type Secret = { value: string; scope: string | null } | null;
interface Given {
  readonly args?: JsonObject;
  readonly inputs?: JsonObject;
  readonly secret?: Secret;
  readonly params?: JsonObject;
  readonly call?: Partial<DriverCall<McpOperation>>;
}
async function call(
  protocol: Protocol,
  tool: string,
  { args, inputs = {}, secret = null, params, call: given }: Given = {},
): Promise<Json> {
  const target = { protocol, connectionParams: params ?? endpoints[protocol] ?? {}, secret };
  const operation: McpOperation = { type: 'mcp_call', tool, arguments: args };
  return (await driver.invoke(driverCall(operation, target, { inputs, ...given }))).output;
}
const failure = (...args: Parameters<typeof call>) =>
  call(...args).then(
    (output) => Promise.reject(new Error(`It gave ${JSON.stringify(output)}.`)),
    (error: unknown) => error,
  );
const processes = () => {
  const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return listed.split('\n').filter((line) => line.includes(MARK)).length;
};

describe('probes of a stdio server', () => {
  it('share one process per command and Secret, and start it again after its end', async () => {
    const mark = `counted-${process.pid}-${Date.now()}`;
    const args = [...EVERYTHING.args, mark];
    const mcpServers = { counted: { ...EVERYTHING, args } };
    const probing = mcpDriver({ egress, renderer, mcpServers });
    const running = () => {
      const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n');
      return lines.filter((line) => line.includes(mark)).map((line) => Number.parseInt(line, 10));
    };
    const target = (secret: Secret) =>
      driverTarget('mcp_call', {
        protocol: 'stdio',
        connectionParams: { server: 'counted' },
        secret,
      });
    const probe = (secret: Secret = null) =>
      probing.probe(target(secret), AbortSignal.timeout(120_000));
    const tools = expect.arrayContaining(['echo', 'get-sum']);
    const healthy = { status: 'healthy', errorMessage: null, tools };
    try {
      const found = await Promise.all(Array.from({ length: 6 }, () => probe()));
      expect(found).toEqual(Array.from({ length: 6 }, () => healthy));
      expect(await probe()).toEqual(healthy);
      const [first, ...others] = running();
      expect(others).toEqual([]);
      expect(await probe({ value: 'x'.repeat(20), scope: 'env:API_KEY' })).toEqual(healthy);
      expect(running()).toHaveLength(2);
      process.kill(first ?? 0, 'SIGKILL');
      await expect.poll(() => running().includes(first ?? 0)).toBe(false);
      expect(await probe()).toEqual(healthy);
      expect(running()).toHaveLength(2);
    } finally {
      await probing.close();
    }
    await expect.poll(running).toEqual([]);
  });
});

describe.each(['stdio', 'sse', 'http'] as const)(
  'mcp_call over %s, against the MCP project’s own server',
  (protocol) => {
    it('gives joined text, with plain inputs or typed arguments', async () => {
      expect(await call(protocol, 'echo', { inputs: { message: 'hi' } })).toBe('Echo: hi');
      const input = { args: { a: '{{n}}', b: '{{more.m}}' }, inputs: { n: 2, more: { m: 3.5 } } };
      expect(await call(protocol, 'get-sum', input)).toContain('5.5');
    });

    it('gives structuredContent where there is some', async () => {
      const output = await call(protocol, 'get-structured-content', {
        inputs: { location: 'New York' },
      });
      const expected = { temperature: expect.any(Number), conditions: expect.any(String) };
      expect(output).toMatchObject(expected);
    });

    it('names the fault, and that another attempt will not help', async () => {
      const expected = { code: 'TOOL_FAILED', retryable: false };
      expect(await failure(protocol, 'get-sum', { inputs: { a: 'many' } })).toMatchObject(expected);
      expect(await failure(protocol, 'no-such-tool')).toMatchObject({
        code: 'TOOL_FAILED',
        retryable: false,
      });
    });

    it('passes progress on', async () => {
      const seen: Json[] = [];
      await call(protocol, 'trigger-long-running-operation', {
        inputs: { duration: 0.4, steps: 2 },
        call: { onProgress: (content) => seen.push(content) },
      });
      expect(seen).toContainEqual(expect.objectContaining({ progress: 1, total: 2 }));
    });

    it('an abort in the middle answers at once', async () => {
      const abort = new AbortController();
      const seen: Json[] = [];
      const failed = failure(protocol, 'trigger-long-running-operation', {
        inputs: { duration: 60, steps: 120 },
        call: { signal: abort.signal, onProgress: (content) => seen.push(content) },
      });
      await expect.poll(() => seen.length).toBeGreaterThan(0);
      const startedMs = performance.now();
      abort.abort();
      expect(await failed).toMatchObject({ code: 'CANCELLED' });
      expect(performance.now() - startedMs).toBeLessThan(60_000);
    });

    it('probes by the list of its tools, and lists them with their schemas', async () => {
      const input = { protocol, connectionParams: endpoints[protocol] ?? {} };
      const target = driverTarget('mcp_call', input);
      const signal = new AbortController().signal;
      const tools = await driver.listTools(target, signal);
      expect(await driver.probe(target, signal)).toEqual({
        status: 'healthy',
        errorMessage: null,
        tools: tools.map(({ name }) => name),
      });
      expect(tools.find(({ name }) => name === 'get-sum')).toMatchObject({
        inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
      });
      expect(
        tools.find(({ name }) => name === 'get-structured-content')?.outputSchema,
      ).toMatchObject({ type: 'object' });
    });
  },
);

describe('mcp_call over stdio', () => {
  it('starts only servers that the operator registered, whatever a Tool says', async () => {
    for (const params of [
      { server: 'ls' },
      { server: '__proto__' },
      { server: 'constructor' },
      { command: 'id', args: [] },
      {},
    ]) {
      expect(await failure('stdio', 'echo', { params: params as JsonObject })).toMatchObject({
        code: 'TOOL_FAILED',
        message: expect.stringMatching(/registered/),
      });
    }
  });

  it('gives an empty environment but for the Secret, whose value does not come back', async () => {
    expect(JSON.parse(String(await call('stdio', 'get-env')))).toEqual({});
    const secret = { value: 'CANARY-env-secret', scope: 'env:API_TOKEN' };
    expect(JSON.parse(String(await call('stdio', 'get-env', { secret })))).toEqual({
      API_TOKEN: '[REDACTED]',
    });
    for (const scope of [null, 'env:NODE_OPTIONS', 'env:PERL5OPT', 'env:api_token'])
      expect(await failure('stdio', 'get-env', { secret: { ...secret, scope } })).toMatchObject({
        code: 'SECRET_UNAVAILABLE',
      });
    // A server whose operator lists no variable takes none.
    expect(await failure('stdio', 'echo', { params: { server: 'flood' }, secret })).toMatchObject({
      code: 'SECRET_UNAVAILABLE',
      message: expect.stringContaining('no variable'),
    });
  });

  it('an abort leaves no orphan: no stubborn server, and none of its children', async () => {
    const abort = new AbortController();
    const input = { params: { server: 'stubborn' }, call: { signal: abort.signal } };
    const failed = failure('stdio', 'echo', input);
    await expect.poll(processes).toBe(2);
    abort.abort();
    expect(await failed).toMatchObject({ code: 'CANCELLED' });
    await expect.poll(processes).toBe(0);
  });

  it('survives a server that floods, and one that can not be started', async () => {
    expect(await failure('stdio', 'echo', { params: { server: 'flood' } })).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    expect(await failure('stdio', 'echo', { params: { server: 'absent' } })).toMatchObject({
      code: 'TOOL_FAILED',
    });
  });
});

/** An MCP server that keeps a session, notes its messages, and never answers a call. */
async function openListener() {
  const said: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'DELETE') {
      said.push(`DELETE ${request.headers['mcp-session-id']}`);
      return response.writeHead(200).end();
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    said.push(`${method} ${id ?? params?.requestId ?? ''}`.trim());
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.flushHeaders();
    }
    const { protocolVersion } = params;
    const result = {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'listener', version: '1' },
    };
    return response
      .writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's-1' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    said: () => [...said],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('mcp_call over HTTP', () => {
  it('passes egress: neither private addresses nor a dead port', async () => {
    for (const protocol of ['http', 'sse'] as const) {
      expect(
        await failure(protocol, 'echo', { params: { endpoint: 'http://169.254.169.254/mcp' } }),
      ).toMatchObject({ code: 'EGRESS_DENIED', retryable: false });
      expect(
        await failure(protocol, 'echo', { params: { endpoint: 'http://127.0.0.1:1/mcp' } }),
      ).toMatchObject({ code: 'TOOL_FAILED', retryable: true });
    }
  });

  it('tells the server of a stop: the call is cancelled, then the session ends', async () => {
    const { endpoint, said, close } = await openListener();
    const abort = new AbortController();
    const input = { params: { endpoint }, call: { signal: abort.signal } };
    const failed = failure('http', 'slow', input);
    await expect.poll(said).toContain('tools/call 1');
    abort.abort();
    expect(await failed).toMatchObject({ code: 'CANCELLED' });
    expect(said().slice(-3)).toEqual(['tools/call 1', 'notifications/cancelled 1', 'DELETE s-1']);
    await close();
  });

  it('sends the Secret as its scope says, and stops an endless answer', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (!response.destroyed && response.write(`: ${'x'.repeat(65_536)}\n`));
      };
      response.on('drain', more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const params = { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
    expect(
      await failure('http', 'echo', { params, secret: { value: 'tok-12345678', scope: null } }),
    ).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(seen[0]).toBe('Bearer tok-12345678');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
