import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';

const MEMORY = ['remember', 'search_memory', 'forget'];

/** The tools of /mcp that are Processes. */
export async function processTools(client: Client): Promise<Tool[]> {
  const { tools } = await client.listTools();
  return tools.filter(({ name }) => !MEMORY.includes(name));
}
