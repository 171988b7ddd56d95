import type { JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { checkJsonSchema } from '../../json-schema/json-schema.ts';
import {
  checkOperation,
  checkProtocolFits,
  type Operation,
  type ServiceType,
} from '../../operations/operation.ts';
import type { Protocol } from '../../operations/operation-type.ts';

/** Checks the structure of a Service or ServiceTemplate (S4-SVC-06, S4-SVC-07, S4-SVC-08). */
export function checkServiceStructure(input: {
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

/** The part of a Tool that is copied from a template, or given. */
export interface ToolStructure {
  readonly operation?: Operation | null | undefined;
  readonly inputSchema?: JsonObject | null | undefined;
  readonly outputSchema?: JsonObject | null | undefined;
}

/**
 * Checks that all three parts are given, both schemas are valid, and the operation fits inputSchema
 * (S4-TOOL-06).
 */
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
