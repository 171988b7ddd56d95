import { z } from 'zod';
import { HEALTH_STATUSES } from '../../common/health.ts';
import { jsonText as textOfJson } from '../../common/stored.ts';
import { Operation } from '../../operations/operation.ts';
import { HEALTH_TELLS } from '../../operations/operation-type.ts';
import { jsonText, storedInstant, storedInstantOrNull, textOrNull } from '../stored.ts';

/** One operation bound to a Service, with the connection it uses (S4-TOOL). */
export const Tool = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: textOrNull,
  /** The edge USES_SERVICE; can't change. */
  serviceId: z.string(),
  /**
   * On the edge USES_SERVICE, as the author wrote them. Drivers get them completed
   * (completeConnection).
   */
  connectionParams: jsonText,
  operation: textOfJson(Operation),
  inputSchema: jsonText,
  outputSchema: jsonText,
  enabled: z.boolean(),
  shared: z.boolean(),
  mutating: z.boolean(),
  /** Result of the Tool's last probe (src/catalog/tools/tool-health.service.ts). */
  status: z.enum(HEALTH_STATUSES),
  lastHealthCheck: storedInstantOrNull,
  errorMessage: textOrNull,
  /** What that probe tells; null: what all of its operation do. */
  probeTells: z.enum(HEALTH_TELLS).nullable().default(null),
  /** The edge USES_SECRET; visible to the Tool's owner only. */
  secretId: textOrNull,
  secretScope: textOrNull,
  /** Provenance only: the template may be archived or no longer visible. */
  toolTemplateId: textOrNull,
  createdAt: storedInstant,
  updatedAt: storedInstant,
});
export type Tool = z.infer<typeof Tool>;

/** Health before the first probe, and after a change of the connection. */
export const UNCHECKED = {
  status: 'down',
  lastHealthCheck: null,
  errorMessage: 'not checked yet',
  probeTells: null,
} as const satisfies Partial<Tool>;
