import type { JsonObject } from '../common/json.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { checkProtocolFits } from './connection.ts';
import { checkJsonSchema } from './json-schema.ts';
import type { Protocol, ServiceType } from './operation.ts';

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
