import { z } from 'zod';
import { PROTOCOLS, SERVICE_TYPES } from './operation.ts';
import { jsonText, textOrNull } from './stored.ts';

/** A blueprint Services are copied from, never linked to (S4-STPL). */
export const ServiceTemplate = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: textOrNull,
  type: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  connectionSchema: jsonText,
  requiresSecret: z.boolean(),
  shared: z.boolean(),
  archived: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ServiceTemplate = z.infer<typeof ServiceTemplate>;
