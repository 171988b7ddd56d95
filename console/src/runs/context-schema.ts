import type { DefinedStepFragment } from '../generated/documents.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** `{context.name}` and nothing else: the value goes to the step as it is. */
const WHOLE = /^\{context\.([A-Za-z_]\w*)\}$/;
const SPLIT = /context\.([A-Za-z_]\w*)\.split\(/g;

/**
 * A JSON Schema for the context of a Process. The type of a name is what the schema of the Process
 * says, else that of the Tool's input that receives it. A name that no Tool receives whole takes
 * any text. Only a name with a default may be left out, as the API has it.
 */
export function formSchema({
  initialContext,
  contextSchema,
  steps,
}: {
  readonly initialContext: readonly string[];
  readonly contextSchema: Schema | null;
  readonly steps: readonly DefinedStepFragment[];
}): Schema {
  const found = typesFromSteps(steps);
  const properties = initialContext.map((name) => {
    const type = propertyOf(contextSchema, name) ?? found.get(name) ?? { type: 'string' };
    return [name, { title: name, ...type }] as const;
  });
  return {
    ...contextSchema,
    type: 'object',
    required: properties.filter(([, type]) => !('default' in type)).map(([name]) => name),
    properties: Object.fromEntries(properties),
  };
}

function typesFromSteps(steps: readonly DefinedStepFragment[]): Map<string, Schema> {
  const found = new Map<string, Schema>();
  for (const { inputs, target, execution } of steps) {
    for (const [key, value] of Object.entries(inputs)) {
      const name = typeof value === 'string' ? WHOLE.exec(value)?.[1] : undefined;
      if (name === undefined || target.__typename !== 'Tool' || found.has(name)) continue;
      const schema = propertyOf(target.inputSchema, key);
      if (schema === null) continue;
      // The default of a Tool's input is not one of the Process: a caller still has to give the
      // value.
      const { default: _, ...type } = schema;
      found.set(name, type);
    }
    for (const [, name = ''] of execution.forEach?.matchAll(SPLIT) ?? [])
      if (!found.has(name)) found.set(name, { type: 'string' });
  }
  return found;
}

function propertyOf(schema: unknown, key: string): Schema | null {
  if (!isRecord(schema)) return null;
  const { properties } = schema;
  const property = isRecord(properties) ? properties[key] : undefined;
  if (!isRecord(property)) return null;
  // A form needs a type to choose a field.
  return typeof property['type'] === 'string' || property['enum'] !== undefined ? property : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
