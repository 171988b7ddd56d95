import { z } from 'zod';
import { HEALTH_STATUSES } from '../../common/health.ts';
import { SERVICE_TYPES } from '../../operations/operation.ts';
import { PROTOCOLS } from '../../operations/operation-type.ts';
import { jsonText, storedInstant, textOrNull } from '../stored.ts';

/**
 * An infrastructure endpoint of one type, with the shape of its connections (S4-SVC). `status`,
 * `lastHealthCheck` and `errorMessage` are computed on each read from the owner's own Tools; they
 * are not stored.
 */
export const Service = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: textOrNull,
  type: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  connectionSchema: jsonText,
  /** Starts at 1; each change of connectionSchema adds 1. */
  schemaVersion: z.int(),
  requiresSecret: z.boolean(),
  enabled: z.boolean(),
  shared: z.boolean(),
  status: z.enum(HEALTH_STATUSES),
  lastHealthCheck: textOrNull,
  errorMessage: textOrNull,
  /** Provenance only (S4-SVC-15). The template may be archived or no longer visible. */
  serviceTemplateId: textOrNull,
  createdAt: storedInstant,
  updatedAt: storedInstant,
});
export type Service = z.infer<typeof Service>;

/** The stored fields of a Service. Health is computed on each read. */
export const StoredService = Service.omit({
  status: true,
  lastHealthCheck: true,
  errorMessage: true,
});
export type StoredService = z.infer<typeof StoredService>;

/** Counts of the enabled Tools of the Service's owner, by their health. */
export const OwnToolsHealth = z.object({
  tools: z.int(),
  checked: z.int(),
  healthy: z.int(),
  down: z.int(),
  lastHealthCheck: z.string().nullable(),
  /** Error message of one Tool that is not healthy; null if there is none. */
  complaint: z.string().nullable(),
});
export type OwnToolsHealth = z.infer<typeof OwnToolsHealth>;

export type ServiceHealth = Pick<Service, 'status' | 'lastHealthCheck' | 'errorMessage'>;

/**
 * Summarises the health of a Service (docs/decisions/0018). A disabled Service is down. One without
 * Tools is healthy, since no call needs it; with Tools that are not checked yet it is degraded.
 * Otherwise it is healthy if all Tools are, down if all are down, else degraded.
 */
export function summariseHealth(enabled: boolean, own: OwnToolsHealth): ServiceHealth {
  const { lastHealthCheck } = own;
  if (!enabled) return { status: 'down', lastHealthCheck, errorMessage: 'disabled' };
  if (own.tools > 0 && own.checked === 0)
    return { status: 'degraded', lastHealthCheck, errorMessage: 'not checked yet' };
  if (own.healthy === own.tools) return { status: 'healthy', lastHealthCheck, errorMessage: null };
  const status = own.down === own.tools ? 'down' : 'degraded';
  const count = `${own.tools - own.healthy} of ${own.tools} Tools`;
  return { status, lastHealthCheck, errorMessage: `${count}: ${own.complaint ?? 'not healthy'}` };
}
