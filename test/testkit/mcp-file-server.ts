import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * An MCP server over stdio whose tools stand in the JSON file of its first argument. Each gives an
 * image and a file.
 */
const [, , file = ''] = process.argv;
const server = new Server({ name: 'file', version: '1' }, { capabilities: { tools: {} } });

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: JSON.parse(readFileSync(file, 'utf8')),
}));

server.setRequestHandler(CallToolRequestSchema, () => {
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
