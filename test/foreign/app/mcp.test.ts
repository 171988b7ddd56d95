import { createServer, type ServerResponse } from 'node:http';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from '../../testkit/api-server.ts';
import { freshName, client as signsIn } from '../../testkit/client.ts';
import { closing, listening } from '../../testkit/listen.ts';
import { greeter, mcpClients, processTools } from '../../testkit/mcp-client.ts';
import { openRestServer, type RestServer } from '../../testkit/rest-server.ts';
import { REFUSALS } from '../mcp.cases.ts';

// Clients of others at /mcp (docs/decisions/0095).

let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
});
afterAll(() => rest.close());

const connects = mcpClients();
const greets = (more: object = {}, step: object = {}, server = rest) => greeter(server, more, step);

const textOf = (result: object) =>
  'content' in result ? ((result.content as readonly { text: string }[])[0]?.text ?? '') : '';

/** A service whose answers wait until the test opens the gate. */
async function openGate() {
  const waiting: ServerResponse[] = [];
  let isOpen = false;
  const answer = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  const server = createServer((_request, response) => {
    if (isOpen) answer(response);
    else waiting.push(response);
  });
  const origin = `http://${await listening(server)}`;
  return {
    origin,
    open() {
      isOpen = true;
      waiting.forEach(answer);
    },
    close: () => closing(server),
  };
}

describe('arguments that do not fit', () => {
  it.each(REFUSALS)('$title', async ({ input, right }) => {
    const { schema } = input;
    const { ada, tool } = await greets(
      {
        contextSchema: schema,
        initialContext: Object.keys(schema.properties),
        outputTemplate: 'done',
      },
      { inputs: { name: 'x' } },
    );
    const mcp = await connects(ada);
    const refused = await mcp.callTool({ name: tool, arguments: { ...input.arguments } });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused).split('\n').sort()).toEqual([...right].sort());
  });
});

describe('a long call', () => {
  it('sends progress while the run is open, though no tool is called', async () => {
    const gate = await openGate();
    const { ada, tool } = await greets({}, {}, { ...rest, origin: gate.origin });
    const mcp = await connects(ada);
    const heard: string[] = [];
    const call = mcp.callTool({ name: tool, arguments: { name: 'Ada' } }, undefined, {
      // Without progress the client gives up after this time.
      timeout: 60_000,
      resetTimeoutOnProgress: true,
      onprogress: ({ message }) => {
        heard.push(message ?? '');
        if (/^Runs, after \d+ s\.$/.test(message ?? '')) gate.open();
      },
    });
    expect(await call).toMatchObject({ content: [{ text: 'Hello Ada' }] });
    expect(heard).toContainEqual(expect.stringMatching(/^Calls greet/));
    expect(heard.filter((one) => one.startsWith('Runs, after'))).not.toEqual([]);
    await gate.close();
  });

  it('that its client gives up stays in the inbox where it waits for a person', async () => {
    const { ada, tool, world } = await greets({}, { execution: { interactionMode: 'MANUAL' } });
    const mcp = await connects(ada);
    const giveUp = new AbortController();
    let asked = '';
    const call = mcp.callTool({ name: tool, arguments: { name: 'Ada' } }, undefined, {
      signal: giveUp.signal,
      onprogress: ({ message }) => {
        if (message?.includes('waits for a decision') !== true) return;
        asked = message;
        giveUp.abort('late');
      },
    });
    await expect(call).rejects.toThrow();
    // Another request on the session: the cancel before it has been read.
    await mcp.listTools();
    const read = async () => {
      const { processRuns, approvals } = await ada.query<{
        processRuns: { nodes: { id: string; status: string }[] };
        approvals: { nodes: { run: { id: string }; stepId: string }[] };
      }>(
        `{ processRuns(first: 1) { nodes { id status } } approvals(first: 1) { nodes { run { id
          } stepId } } }`,
      );
      return { run: processRuns.nodes[0], approval: approvals.nodes[0] };
    };
    // The question is told before the run is marked.
    await expect.poll(async () => (await read()).run?.status).toBe('WAITING');
    const { run, approval } = await read();
    // It names both places of the decision.
    expect(asked).toContain(`/console/runs/${run?.id}, or with: aiden approvals --run ${run?.id}`);
    expect(approval).toBeDefined();
    const { run: resolved } = await ada.mutate<{ run: { id: string } | null }>(
      'resolveStep',
      { runId: run?.id, stepId: approval?.stepId, decision: 'APPROVE' },
      'run { id }',
    );
    expect(resolved?.id).toBe(run?.id);
    expect(await world.finishes(run?.id ?? '')).toMatchObject({ status: 'COMPLETED' });
    const { contents } = await mcp.readResource({ uri: `aiden://runs/${run?.id}` });
    expect(JSON.parse(String((contents[0] as { text: string }).text))).toMatchObject({
      output: 'Hello Ada',
    });
  });
});

describe('the runs of a user', () => {
  it('are a list of resources, none at first, then the latest with their steps', async () => {
    const { ada, tool } = await greets();
    const mcp = await connects(ada);
    expect(await mcp.listResources()).toEqual({ resources: [] });
    await mcp.callTool({ name: tool, arguments: { name: 'Ada' } });
    await mcp.callTool({ name: tool, arguments: { name: 'Bea' } });
    const { resources } = await mcp.listResources();
    expect(resources).toHaveLength(2);
    const [latest] = resources;
    expect(latest).toMatchObject({ mimeType: 'application/json' });
    const { contents } = await mcp.readResource({ uri: latest?.uri ?? '' });
    expect(JSON.parse(String((contents[0] as { text: string }).text))).toMatchObject({
      status: 'completed',
      output: 'Hello Bea',
      error: null,
      steps: [{ stepId: 'greet', status: 'completed', attempt: 1, error: null }],
    });
    await expect(mcp.listResources({ cursor: 'not one' })).rejects.toThrow(/cursor/i);
    const bob = await connects(signsIn(freshName('bob')));
    await expect(bob.readResource({ uri: latest?.uri ?? '' })).rejects.toThrow('No run');
  });
});

describe('a client', () => {
  it('hears that a cursor is none of ours, in each list', async () => {
    const { ada } = await greets();
    const mcp = await connects(ada);
    const unknown = { code: -32_602, message: expect.stringContaining('cursor') };
    await expect(mcp.listTools({ cursor: 'x' })).rejects.toMatchObject(unknown);
    await expect(mcp.listResources({ cursor: 'x' })).rejects.toMatchObject(unknown);
    await expect(mcp.listResourceTemplates({ cursor: 'x' })).rejects.toMatchObject(unknown);
    expect((await mcp.listTools({ cursor: '' })).tools).toHaveLength(4);
  });

  it('gets instructions, and an output that is JSON as JSON too', async () => {
    const { ada, tool } = await greets({ outputTemplate: '{"hello": "{{name}}"}' });
    const mcp = await connects(ada);
    expect(mcp.getInstructions()).toContain('aiden://runs/{runId}');
    expect(mcp.getServerCapabilities()).toMatchObject({ tools: { listChanged: true } });
    expect(await mcp.callTool({ name: tool, arguments: { name: 'Ada' } })).toMatchObject({
      structuredContent: { output: '{"hello": "Ada"}', json: { hello: 'Ada' } },
    });
  });

  it('hears of a newly exposed Process in its open session', async () => {
    const { ada, world } = await greets();
    const mcp = await connects(ada);
    let heard = 0;
    mcp.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      heard += 1;
    });
    expect(await processTools(mcp)).toHaveLength(1);
    await world.createsProcess([{ stepId: 'greet' }], {
      name: freshName('second'),
      exposeAsTool: true,
    });
    await expect.poll(() => heard).toBe(1);
    expect(await processTools(mcp)).toHaveLength(2);
  });

  it('in a browser may send the headers of the protocol, and read its own', async () => {
    const { url } = signsIn(freshName('ada'));
    const address = new URL('/mcp', url);
    const origin = address.origin;
    const asked = 'authorization,content-type,mcp-protocol-version,mcp-session-id,x-new';
    const preflight = await fetch(address, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': asked,
      },
    });
    expect(preflight.status).toBe(204);
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ') ?? [];
    expect(allowed).toEqual(expect.arrayContaining(asked.split(',')));
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
    const begun = await fetch(address, {
      method: 'POST',
      headers: {
        origin,
        authorization: `Bearer dev:${freshName('ada')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'page', version: '1' },
        },
      }),
    });
    expect(begun.headers.get('access-control-allow-origin')).toBe(origin);
    expect(begun.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    expect(begun.headers.get('mcp-session-id')).toMatch(/\S/);
    await begun.body?.cancel();
    const foreign = await fetch(address, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });

  it('has a bounded number of open streams, with those of the other routes', async () => {
    const api = await startApi({ openOperations: { places: 10, placesPerOwner: 1 } });
    const authorization = `Bearer dev:${freshName('ada')}`;
    const opened = await connects({ url: api.url, authorization });
    const { sessionId = '' } = opened.transport as StreamableHTTPClientTransport;
    const listens = () =>
      fetch(new URL('/mcp', api.url), {
        headers: {
          authorization,
          accept: 'text/event-stream',
          'mcp-session-id': sessionId,
        },
      }).then(async (response) => {
        await response.body?.cancel();
        return response.status;
      });
    await expect.poll(listens).toBe(429);
    await opened.close();
    await api.stop();
  });
});
