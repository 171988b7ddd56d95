import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { afterAll } from 'vitest';
import { freshName, client as signsIn, type TestClient } from './client.ts';
import type { RestServer } from './rest-server.ts';
import { runWorld } from './run-world.ts';

/** Connects the official client to /mcp as a user. Its clients are closed after the test file. */
export function mcpClients() {
  const clients: Client[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));
  return async (
    { url, authorization }: Pick<TestClient, 'url' | 'authorization'>,
    options: ConstructorParameters<typeof Client>[1] = {},
    name = 'test',
  ): Promise<Client> => {
    const client = new Client({ name, version: '1' }, options);
    clients.push(client);
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization } },
    });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return client;
  };
}

const MEMORY = ['remember', 'search_memory', 'forget'];

/** The tools of /mcp that are Processes. */
export async function processTools(client: Client): Promise<Tool[]> {
  const { tools } = await client.listTools();
  return tools.filter(({ name }) => !MEMORY.includes(name));
}

/** A new user whose exposed Process `Hello {{name}}` calls a path of the server in its one step. */
export async function greeter(
  rest: RestServer,
  more: object = {},
  step: object = {},
  path = '/echo',
) {
  const ada = signsIn(freshName('ada'));
  const world = await runWorld(ada, rest, path);
  const name = freshName('greet');
  const id = await world.createsProcess([{ stepId: 'greet', ...step }], {
    ...{ name, exposeAsTool: true, description: 'Greets.', outputTemplate: 'Hello {{name}}' },
    ...more,
  });
  return { ada, world, id, name, tool: name.replace(/[^A-Za-z0-9_-]+/g, '_') };
}
