import type { JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { checkJsonSchema } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { checkOperation } from './operation-checks.ts';

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
