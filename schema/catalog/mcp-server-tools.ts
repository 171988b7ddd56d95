import { listMcpServerTools } from '../../src/catalog/import/mcp-listing.service.ts';
import type { McpServerTool as McpServerToolModel } from '../../src/catalog/import/mcp-tools.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { argFields, nullable, outputFields } from '../fields.ts';
import { Tool } from './catalog.ts';

const McpToolState = enumOf(
  'McpToolState',
  'How a tool of an MCP server and your Tool for it stand to each other.',
  {
    new: 'You have no Tool for it.',
    changed: 'Its description or schemas differ from those of your Tool.',
    unchanged: 'It is as in your Tool.',
    gone: 'You have a Tool for it, and the server does not offer it.',
    unusable: 'It cannot be called; `problem` says why. An import leaves it out.',
  },
);

export const McpServerTool = builder.objectRef<McpServerToolModel>('McpServerTool').implement({
  description: 'A tool that an MCP server offers, beside your Tool that calls it.',
  fields: outputFields({
    name: ['String', "The server's name for it."],
    description: ['String?', "The server's description."],
    inputSchema: ['JSONObject', 'JSON Schema of its inputs.'],
    outputSchema: [
      'JSONObject?',
      'JSON Schema of its structured output; null if the server declares none.',
    ],
    problem: [
      'String?',
      'One sentence about a part of it that cannot be used; null if all of it can.',
    ],
    state: [McpToolState, 'Whether an import would create or change your Tool.'],
    tool: [
      nullable(Tool),
      'Your Tool that calls it over the same connection; null if there is none.',
    ],
    changedFields: [
      ['String'],
      'Names of the fields of your Tool that an import would change.',
      ({ changes }) => Object.keys(changes),
    ],
  }),
});

builder.queryField('mcpServerTools', (t) =>
  t.field({
    type: [McpServerTool],
    description:
      'Asks an MCP server for its tools and compares them with your Tools. Gives UNHEALTHY if ' +
      'the server does not answer.',
    complexity: 50,
    args: argFields(t, {
      serviceId: ['ID!', 'Id of an mcp_server Service.'],
      connectionParams: [
        'JSONObject',
        'Connection to the server. Default: that of your newest Tool of the Service.',
      ],
      secretId: ['ID', 'Id of a Secret of yours for the connection.'],
    }),
    resolve: async (_root, input, context) => [
      ...(await listMcpServerTools(context, viewerOf(context), input)),
    ],
  }),
);
