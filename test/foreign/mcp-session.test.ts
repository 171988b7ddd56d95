import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { McpRefused, readClientMessage } from '../../src/main/http/mcp-message.ts';
import { SessionTransport } from '../../src/main/http/mcp-transport.ts';
import { closing, listening } from '../testkit/listen.ts';

// Messages of MCP clients on their way through the SDK, without the rest of /mcp.

/** The signals of the calls that wait, in their order. */
let waiting: AbortSignal[] = [];
let transport: SessionTransport;

const http = createServer(async (request, response) => {
  transport.take(readClientMessage(await text(request)), response, 'events');
});
const url = `http://${await listening(http)}`;
afterAll(() => closing(http));

beforeEach(async () => {
  waiting = [];
  transport = new SessionTransport('one');
  const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }, extra) => {
    const { _meta, sendNotification, signal } = extra;
    if (params?.cursor === 'wait') {
      waiting.push(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined)
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
    return { tools: [] };
  });
  await server.connect(transport);
});

const posts = (body: string, signal = AbortSignal.timeout(10_000)) =>
  fetch(url, { method: 'POST', body, signal });
const lists = (params: string) =>
  posts(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`);
const waits = (signal?: AbortSignal) =>
  posts('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"wait"}}', signal);
const cancels = (params: string) =>
  posts(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);

describe('a request', () => {
  it.each(['7', '9007199254740992', '1000000000000000000000', '"7"'])(
    'with the token %s is answered, and hears of progress by it',
    async (token) => {
      const answer = await (await lists(`{"_meta":{"progressToken":${token}}}`)).text();
      expect(answer).toContain(`"progressToken":${token}`);
      expect(answer).toContain('"tools":[]');
    },
  );

  it('with a related task of null is answered', async () => {
    const meta = '{"_meta":{"io.modelcontextprotocol/related-task":null}}';
    expect(await (await lists(meta)).text()).toContain('"tools":[]');
  });

  it('to initialize has an id', () => {
    const body =
      '{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
    expect(() => readClientMessage(body)).toThrow(McpRefused);
  });
});

describe('a cancel', () => {
  it('whose reason is null ends the call', async () => {
    const call = await waits();
    await expect.poll(() => waiting.length).toBe(1);
    await cancels('{"requestId":1,"reason":null}');
    expect(await call.text()).toBe('');
    await expect.poll(() => waiting[0]?.aborted).toBe(true);
  });

  it('of one of two requests with an id ends the one whose client has gone', async () => {
    const hangUp = new AbortController();
    await waits();
    await waits(hangUp.signal);
    await expect.poll(() => waiting.length).toBe(2);
    await cancels('{"requestId":1}');
    expect(waiting.map(({ aborted }) => aborted)).toEqual([false, false]);
    hangUp.abort();
    await expect
      .poll(async () => {
        await cancels('{"requestId":1}');
        return waiting.map(({ aborted }) => aborted);
      })
      .toEqual([false, true]);
  });
});
