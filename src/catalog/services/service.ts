import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { checkJsonSchema } from '../../json-schema/json-schema.ts';
import { jsonText, storedInstant, textOrNull } from '../stored.ts';
import {
  HEALTH_STATUSES,
  PROTOCOLS,
  type Protocol,
  SERVICE_TYPES,
  type ServiceType,
} from '../tools/operation.ts';
import { checkProtocolFits } from './connection.ts';

/**
 * An infrastructure endpoint of one type and the shape of the connections to it (S4-SVC). `status`, `lastHealthCheck`
 * and `errorMessage` sum up its owner's own Tools whenever it is read; nothing stores them.
 */
export const Service = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  description: textOrNull,
  type: z.enum(SERVICE_TYPES),
  protocol: z.enum(PROTOCOLS),
  connectionSchema: jsonText,
  /** From 1; goes up by one with each change of connectionSchema. */
  schemaVersion: z.int(),
  requiresSecret: z.boolean(),
  enabled: z.boolean(),
  shared: z.boolean(),
  status: z.enum(HEALTH_STATUSES),
  lastHealthCheck: textOrNull,
  errorMessage: textOrNull,
  /** Provenance only (S4-SVC-15): the template may be archived or out of sight. */
  serviceTemplateId: textOrNull,
  createdAt: storedInstant,
  updatedAt: storedInstant,
});
export type Service = z.infer<typeof Service>;

/** What is stored of a Service; how it is doing is summed up when somebody asks. */
export const StoredService = Service.omit({
  status: true,
  lastHealthCheck: true,
  errorMessage: true,
});
export type StoredService = z.infer<typeof StoredService>;

/** How its owner's own, enabled Tools are doing. */
export interface OwnToolsHealth {
  readonly tools: number;
  readonly checked: number;
  readonly healthy: number;
  readonly down: number;
  readonly lastHealthCheck: string | null;
  /** What one of those that are not healthy says. */
  readonly complaint: string | null;
}

export type ServiceHealth = Pick<Service, 'status' | 'lastHealthCheck' | 'errorMessage'>;

/** docs/decisions/0018: disabled is down; without a checked Tool nobody knows; else the worst and the best decide together. */
export function summariseHealth(enabled: boolean, own: OwnToolsHealth): ServiceHealth {
  const { lastHealthCheck } = own;
  if (!enabled) return { status: 'down', lastHealthCheck, errorMessage: 'disabled' };
  if (own.checked === 0)
    return { status: 'degraded', lastHealthCheck, errorMessage: 'not checked yet' };
  if (own.healthy === own.tools) return { status: 'healthy', lastHealthCheck, errorMessage: null };
  const status = own.down === own.tools ? 'down' : 'degraded';
  const count = `${own.tools - own.healthy} of ${own.tools} Tools`;
  return { status, lastHealthCheck, errorMessage: `${count}: ${own.complaint ?? 'not healthy'}` };
}

/** S4-SVC-06, S4-SVC-07, S4-SVC-08; the same for a template. */
export function checkStructure(input: {
  readonly type?: ServiceType | null | undefined;
  readonly protocol?: Protocol | null | undefined;
  readonly connectionSchema?: JsonObject | null | undefined;
}): Problem[] {
  const { type, protocol, connectionSchema } = input;
  const missing = (['type', 'protocol', 'connectionSchema'] as const)
    .filter((name) => input[name] == null)
    .map((name) =>
      problem(
        'REQUIRED',
        [name],
        `A Service needs ${name}, or a serviceTemplateId to copy it from.`,
      ),
    );
  return [
    ...missing,
    ...(type != null && protocol != null ? checkProtocolFits(type, protocol) : []),
    ...(connectionSchema != null ? checkJsonSchema(connectionSchema, ['connectionSchema']) : []),
  ];
}
