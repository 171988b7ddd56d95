import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshName, client as signsIn } from '../testkit/client.ts';
import { greeter, mcpClients, processTools } from '../testkit/mcp-client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';

// docs/decisions/0067: Processes as tools of MCP clients, with the official client.

let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
});
afterAll(() => rest.close());

const connects = mcpClients();
const greets = (step: object = {}, path?: string) => greeter(rest, {}, step, path);

describe('an MCP client', () => {
  it('lists exposed Processes of its user and calls one, with progress and result', async () => {
    const { ada, tool, name } = await greets();
    const mcp = await connects(ada);
    const tools = await processTools(mcp);
    expect(tools).toMatchObject([
      {
        name: tool,
        title: name,
        description: 'Greets.',
        inputSchema: { required: ['name'] },
        // Its Tool is a POST, whatever its author declares.
        annotations: { readOnlyHint: false },
      },
    ]);
    const progress: string[] = [];
    const result = await mcp.callTool({ name: tool, arguments: { name: 'Grace' } }, undefined, {
      resetTimeoutOnProgress: true,
      onprogress: ({ message }) => progress.push(message ?? ''),
    });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'Hello Grace' }],
      structuredContent: { status: 'completed', output: 'Hello Grace' },
    });
    expect(progress.length).toBeGreaterThan(0);
    const { runId } = result.structuredContent as { runId: string };
    const { contents } = await mcp.readResource({ uri: `aiden://runs/${runId}` });
    expect(JSON.parse(String((contents[0] as { text: string }).text))).toMatchObject({
      runId,
      output: 'Hello Grace',
    });
  });

  it('sees no Process that is not exposed, disabled, or of another user', async () => {
    const { ada, id, world } = await greets();
    await world.createsProcess([{ stepId: 'greet' }], { name: freshName('hidden') });
    const bob = await connects(signsIn(freshName('bob')));
    expect(await processTools(bob)).toEqual([]);
    const mcp = await connects(ada);
    expect(await processTools(mcp)).toHaveLength(1);
    const updateProcess = await ada.mutate<{ userErrors: unknown[] }>('updateProcess', {
      id,
      enabled: false,
    });
    expect(updateProcess.userErrors).toEqual([]);
    expect(await processTools(mcp)).toEqual([]);
  });

  it('reads in words why a call failed or was refused', async () => {
    const { ada, tool } = await greets({}, '/status/400');
    const mcp = await connects(ada);
    const failed = await mcp.callTool({ name: tool, arguments: { name: 'Grace' } });
    expect(failed).toMatchObject({ isError: true });
    expect(JSON.stringify(failed.content)).toContain('400');
    const refused = await mcp.callTool({ name: tool, arguments: {} });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain('name');
    await expect(mcp.callTool({ name: 'none', arguments: {} })).rejects.toThrow('No tool "none"');
  });

  it('cancels the run by cancelling its call', async () => {
    const { ada, tool } = await greets({}, '/never');
    const mcp = await connects(ada);
    const abort = new AbortController();
    const call = mcp.callTool({ name: tool, arguments: { name: 'x' } }, undefined, {
      signal: abort.signal,
      onprogress: () => abort.abort('enough'),
    });
    await expect(call).rejects.toThrow();
    const latest = async () => {
      const processRuns = await ada.one<{ nodes: { status: string }[] }>(
        '{ processRuns(first: 1) { nodes { status } } }',
      );
      return processRuns.nodes[0]?.status;
    };
    await expect.poll(latest, { timeout: 60_000 }).toBe('CANCELLED');
  });

  it('decides on a waiting step where it can be asked', async () => {
    const { ada, tool } = await greets({ execution: { interactionMode: 'MANUAL' } });
    const mcp = await connects(ada, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    mcp.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { approve: true } };
    });
    const result = await mcp.callTool({ name: tool, arguments: { name: 'Grace' } });
    expect(result).toMatchObject({ content: [{ text: 'Hello Grace' }] });
    expect(asked).toHaveLength(1);
  });

  it('reaches the same tools over stdio, through `aiden mcp`, and hears of a new one', async () => {
    const { ada, tool, world } = await greets();
    const client = new Client({ name: 'test', version: '1' });
    let heard = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
      heard += 1;
    });
    const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
    const token = ada.authorization.replace('Bearer ', '');
    const args = [main, '--url', new URL(ada.url).origin, '--token', token, 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    expect(await processTools(client)).toMatchObject([{ name: tool }]);
    const progress: unknown[] = [];
    const result = await client.callTool({ name: tool, arguments: { name: 'Ida' } }, undefined, {
      onprogress: (one) => progress.push(one),
    });
    expect(result).toMatchObject({ content: [{ text: 'Hello Ida' }] });
    expect(progress.length).toBeGreaterThan(0);
    const second = { name: freshName('second'), exposeAsTool: true };
    await world.createsProcess([{ stepId: 'greet' }], second);
    await expect.poll(() => heard).toBe(1);
    await client.close();
  });

  it('needs a token, and a session of its own', async () => {
    const { ada } = await greets();
    const post = (headers: Record<string, string>) =>
      fetch(new URL('/mcp', ada.url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    expect((await post({ authorization: 'Basic eDp5' })).status).toBe(401);
    expect((await post({ authorization: ada.authorization })).status).toBe(400);
    const mcp = await connects(ada);
    const session = (mcp.transport as StreamableHTTPClientTransport).sessionId ?? '';
    const bob = signsIn(freshName('bob'));
    const stolen = { authorization: bob.authorization, 'mcp-session-id': session };
    expect((await post(stolen)).status).toBe(404);
  });
});
