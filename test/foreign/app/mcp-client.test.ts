import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshName, client as signsIn, type TestClient } from '../../testkit/client.ts';
import { closing, listening } from '../../testkit/listen.ts';
import { greeter } from '../../testkit/mcp-client.ts';
import { openRestServer, type RestServer } from '../../testkit/rest-server.ts';
import { SENT, type Sent, type Told } from '../mcp-client.cases.ts';

// Requests of MCP clients as they reach /mcp (docs/decisions/0067).

const FULL = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2025-06-18',
};

let rest: RestServer;
let ada: TestClient;
let session: string;
beforeAll(async () => {
  rest = await openRestServer();
  ada = signsIn(freshName('ada'));
  session = await begins(ada);
});
afterAll(() => rest.close());

async function sends(
  user: TestClient,
  own: string,
  { method = 'POST', path = '/mcp', headers = {}, session: named = 'own', body, isGzip }: Sent,
): Promise<Response> {
  const all: Record<string, string | null> = {
    ...HEADERS,
    authorization: user.authorization,
    ...(named === 'none' ? {} : { 'mcp-session-id': named === 'own' ? own : named }),
    ...(isGzip === true ? { 'content-encoding': 'gzip' } : {}),
    ...headers,
  };
  const given = Object.entries(all).filter(([, value]) => value !== null) as [string, string][];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(new URL(path, user.url), {
    method,
    headers: given,
    ...(body === undefined ? {} : { body: isGzip === true ? gzipSync(text) : text }),
  });
}

async function begins(user: TestClient): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: FULL };
  const begun = await sends(user, '', { session: 'none', body });
  await begun.text();
  return begun.headers.get('mcp-session-id') ?? '';
}

interface Message {
  readonly id?: unknown;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The last message of an answer, and its text. */
async function messageOf(response: Response): Promise<readonly [string, Message]> {
  const body = await response.text();
  const isEvents = response.headers.get('content-type')?.includes('event-stream') === true;
  const text = isEvents
    ? (/^data: (.*)$/m.exec(body.slice(body.lastIndexOf('event:')))?.[1] ?? '')
    : body;
  return [text, text === '' ? {} : (JSON.parse(text) as Message)];
}

describe('a request of an MCP client', () => {
  it.each(SENT)('$title', async ({ input, right }) => {
    const response = await sends(ada, session, input);
    const [text, message] = await messageOf(response);
    const shown = `${response.status} ${text.slice(0, 300)}`;
    expect(response.status, shown).toBe(right.status);
    checkTold(response, text, message, right);
    expect(message.error?.message ?? '', shown).not.toMatch(/invalid_type|Something went wrong/);
  });

  function checkTold(response: Response, text: string, message: Message, right: Told): void {
    if (right.type !== undefined) expect(response.headers.get('content-type')).toMatch(right.type);
    for (const [name, words] of Object.entries(right.headers ?? {}))
      expect(response.headers.get(name)).toMatch(words);
    if (right.result !== undefined) expect(message.result, text).toMatchObject(right.result);
    expect(message.error?.code, text).toBe(right.code);
    if (right.words !== undefined) expect(message.error?.message).toMatch(right.words);
    if (right.id !== undefined)
      expect(/"id":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(text)?.[1]).toBe(right.id);
  }
});

/** A service whose answers wait until the test opens the gate. */
async function openGate() {
  const waiting = new Set<ServerResponse>();
  const server = createServer((_request, response) => void waiting.add(response));
  const origin = `http://${await listening(server)}`;
  return {
    origin,
    waits: () => waiting.size,
    open() {
      for (const response of waiting)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      waiting.clear();
    },
    close: () => closing(server),
  };
}

const calls = (tool: string, name: string, id: unknown) => ({
  body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: tool, arguments: { name } } },
});

describe('requests of one session', () => {
  // modelcontextprotocol/typescript-sdk#2433, anthropics/claude-ai-mcp#539
  it('that have the same id at the same time get each its own answer', async () => {
    const gate = await openGate();
    const { ada: eve, tool } = await greeter({ ...rest, origin: gate.origin });
    const own = await begins(eve);
    const names = ['Ada', 'Bea', 'Cleo'];
    const answers = names.map(async (name) => {
      const [, { id, result }] = await messageOf(await sends(eve, own, calls(tool, name, 1)));
      return { id, result };
    });
    await expect.poll(gate.waits, { timeout: 60_000 }).toBeGreaterThan(0);
    const opening = setInterval(gate.open, 200);
    expect(await Promise.all(answers)).toMatchObject(
      names.map((name) => ({ id: 1, result: { content: [{ text: `Hello ${name}` }] } })),
    );
    clearInterval(opening);
    await gate.close();
  });

  // punkpeye/mcp-remote#159, render-oss/render-mcp-server#26
  it('may open another stream while a dead one seems open, and it gets the news', async () => {
    const { ada: eve, world } = await greeter(rest);
    const own = await begins(eve);
    const listens = async () => {
      const headers = { accept: 'text/event-stream' };
      const response = await sends(eve, own, { method: 'GET', headers });
      expect(response.status).toBe(200);
      return response.body?.pipeThrough(new TextDecoderStream()).getReader();
    };
    const [first, second] = [await listens(), await listens()];
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const exposes = async () => {
      await messageOf(await sends(eve, own, { body }));
      const more = { name: freshName('more'), exposeAsTool: true };
      await world.createsProcess([{ stepId: 'greet' }], more);
    };
    await exposes();
    expect((await second?.read())?.value).toContain('notifications/tools/list_changed');
    await second?.cancel();
    await exposes();
    // The first stream had no message of the second one.
    expect((await first?.read())?.value).toMatch(/^event: message\n.*list_changed.*\n\n$/);
    await first?.cancel();
  });

  it('end with it: its id is unknown afterwards', async () => {
    const own = await begins(ada);
    expect((await sends(ada, own, { method: 'DELETE' })).status).toBe(200);
    expect((await sends(ada, own, { method: 'DELETE' })).status).toBe(404);
  });

  it('that are cancelled end, also where the client waits for JSON', async () => {
    const gate = await openGate();
    const { ada: eve, tool } = await greeter({ ...rest, origin: gate.origin });
    const own = await begins(eve);
    for (const accept of ['application/json', 'text/event-stream']) {
      const call = sends(eve, own, { ...calls(tool, 'Ada', accept), headers: { accept } });
      await expect.poll(gate.waits, { timeout: 60_000 }).toBeGreaterThan(0);
      const params = { requestId: accept };
      const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      expect((await sends(eve, own, { body })).status).toBe(202);
      const [text] = await messageOf(await call);
      expect(text).toMatch(accept === 'application/json' ? /was cancelled/ : /^$/);
      gate.open();
    }
    await gate.close();
  });

  it('hear of progress by their token, whatever its type', async () => {
    const gate = await openGate();
    const { ada: eve, tool } = await greeter({ ...rest, origin: gate.origin });
    const own = await begins(eve);
    const opening = setInterval(gate.open, 200);
    for (const token of ['"a token"', '7', '1764468000123456789', '"1764468000123456789"']) {
      const meta = `"_meta":{"progressToken":${token}}`;
      const params = `{"name":"${tool}","arguments":{"name":"Ada"},${meta}}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      const text = await (await sends(eve, own, { body })).text();
      expect(text).toContain('notifications/progress');
      expect(text).toContain(`"progressToken":${token},`);
    }
    clearInterval(opening);
    await gate.close();
  });
});
