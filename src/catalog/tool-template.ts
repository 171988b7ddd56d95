import { z } from 'zod';
import { Operation } from './operation.ts';
import { jsonText, textOrNull } from './stored.ts';

/** A blueprint Tools are copied from, never linked to (S4-TTPL). */
export const ToolTemplate = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: textOrNull,
  operation: jsonText.pipe(Operation),
  inputSchema: jsonText,
  outputSchema: jsonText,
  shared: z.boolean(),
  archived: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ToolTemplate = z.infer<typeof ToolTemplate>;
