import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { jsonText as textOfJson } from '../../common/stored.ts';
import { checkJsonSchema } from '../../json-schema/json-schema.ts';
import { jsonText, storedInstant, storedInstantOrNull, textOrNull } from '../stored.ts';
import { HEALTH_STATUSES, Operation } from './operation.ts';
import { checkOperation } from './operation-checks.ts';

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
  /** Of its own probe (src/catalog/tools/tool-health.service.ts). */
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

/** What a Tool takes over from a template, or brings itself. */
export interface ToolStructure {
  readonly operation?: Operation | null | undefined;
  readonly inputSchema?: JsonObject | null | undefined;
  readonly outputSchema?: JsonObject | null | undefined;
}

/** S4-TOOL-06: all there, both schemas valid, operation and inputSchema in agreement. */
export function checkToolStructure(
  input: ToolStructure,
  graphParameters: 'supplied' | 'none' = 'none',
): Problem[] {
  const { operation, inputSchema, outputSchema } = input;
  const missing = (['operation', 'inputSchema', 'outputSchema'] as const)
    .filter((name) => input[name] == null)
    .map((name) =>
      problem('REQUIRED', [name], `A Tool needs ${name}, or a toolTemplateId to copy it from.`),
    );
  const inputProblems = inputSchema == null ? [] : checkJsonSchema(inputSchema, ['inputSchema']);
  return [
    ...missing,
    ...inputProblems,
    ...(outputSchema == null ? [] : checkJsonSchema(outputSchema, ['outputSchema'])),
    ...(operation == null || inputSchema == null
      ? []
      : checkOperation(operation, inputSchema, graphParameters)),
  ];
}
