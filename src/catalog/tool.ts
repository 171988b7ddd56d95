import { z } from 'zod';
import { jsonText as textOfJson } from '../common/stored.ts';
import { HEALTH_STATUSES, Operation } from './operation.ts';
import { jsonText, storedInstant, storedInstantOrNull, textOrNull } from './stored.ts';

/** One operation bound to a Service, with the connection it uses (S4-TOOL). */
export const Tool = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: textOrNull,
  /** USES_SERVICE: for good. */
  serviceId: z.string(),
  /** On USES_SERVICE, as the author wrote them; drivers get them completed (completeConnection). */
  connectionParams: jsonText,
  operation: textOfJson(Operation),
  inputSchema: jsonText,
  outputSchema: jsonText,
  enabled: z.boolean(),
  shared: z.boolean(),
  mutating: z.boolean(),
  /** Of its own probe (src/catalog/health.ts). */
  status: z.enum(HEALTH_STATUSES),
  lastHealthCheck: storedInstantOrNull,
  errorMessage: textOrNull,
  /** USES_SECRET; shown to the owner only. */
  secretId: textOrNull,
  secretScope: textOrNull,
  /** Provenance only. */
  toolTemplateId: textOrNull,
  createdAt: storedInstant,
  updatedAt: storedInstant,
});
export type Tool = z.infer<typeof Tool>;

/** Where a Tool stands before its first probe, and after a change of where it connects to. */
export const UNCHECKED = {
  status: 'down',
  lastHealthCheck: null,
  errorMessage: 'not checked yet',
} as const satisfies Partial<Tool>;
