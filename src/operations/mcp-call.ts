import { z } from 'zod';
import { problem } from '../common/refusal.ts';
import { jsonObject, readTexts, together, typeOfOperation } from './operation-type.ts';

export const mcpCall = typeOfOperation({
  schema: z.object({
    type: z.literal('mcp_call'),
    tool: z.string().min(1),
    /** Absent: the inputs unchanged. */
    arguments: jsonObject.nullish(),
  }),
  serviceType: 'mcp_server',
  protocols: ['stdio', 'sse', 'http', 'https'],
  inputField: 'mcpCall',
  mutatesByDefault: () => true,
  passesInputs: (operation) => operation.arguments == null,
  healthTells: () => 'answer',
  read: (operation, path) => {
    const message = 'The name of the MCP tool is required.';
    const isNamed = operation.tool.trim() !== '';
    return together(
      { problems: isNamed ? [] : [problem('REQUIRED', [...path, 'tool'], message)], uses: [] },
      readTexts(operation.arguments ?? null, [...path, 'arguments']),
    );
  },
});
