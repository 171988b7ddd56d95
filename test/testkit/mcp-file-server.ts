import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

/**
 * An MCP server over stdio whose tools stand in the JSON file of its first argument. Its tools
 * `sample` and `elicit` ask the client, although it declares neither capability, and answer with
 * the client's refusal. Its other tools give an image and a file.
 */
const [, , file = ''] = process.argv;
const server = new Server({ name: 'file', version: '1' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: JSON.parse(readFileSync(file, 'utf8')),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params: { name } }) => {
  const refusal = (error: unknown) => ({ type: 'text' as const, text: `${error}` });
  if (name === 'sample') {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }];
    const asked = server.request(
      { method: 'sampling/createMessage', params: { messages, maxTokens: 5 } },
      CreateMessageResultSchema,
    );
    return { content: [await asked.then(() => refusal('answered'), refusal)] };
  }
  if (name === 'elicit') {
    const requestedSchema = { type: 'object', properties: {} };
    const asked = server.request(
      { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema } },
      ElicitResultSchema,
    );
    return { content: [await asked.then(() => refusal('answered'), refusal)] };
  }
  const data = Buffer.from([137, 80, 78, 71]).toString('base64');
  const blob = Buffer.from('%PDF-1.7').toString('base64');
  return {
    content: [
      { type: 'text', text: 'Here they are.' },
      { type: 'image', data, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: { uri: 'file:///report.pdf', mimeType: 'application/pdf', blob },
      },
    ],
  };
});

await server.connect(new StdioServerTransport());
