import type { DefinedStepFragment } from '../generated/documents.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** `{context.name}` and nothing else: the value goes to the step as it is. */
const WHOLE = /^\{context\.([A-Za-z_]\w*)\}$/;
const SPLIT = /context\.([A-Za-z_]\w*)\.split\(/g;

/**
 * A JSON Schema for a Process's context. A Process declares names only; the type of a name is that
 * of the Tool's input that receives it. A name that no Tool receives whole takes any text.
 */
export function contextSchema(
  names: readonly string[],
  steps: readonly DefinedStepFragment[],
): Schema {
  const found = new Map<string, Schema>();
  for (const { inputs, target, execution } of steps) {
    for (const [key, value] of Object.entries(inputs)) {
      const name = typeof value === 'string' ? WHOLE.exec(value)?.[1] : undefined;
      if (name === undefined || target.__typename !== 'Tool') continue;
      const schema = propertyOf(target.inputSchema, key);
      if (schema !== null && !found.has(name)) found.set(name, schema);
    }
    for (const [, name = ''] of execution.forEach?.matchAll(SPLIT) ?? [])
      if (!found.has(name)) found.set(name, { type: 'string' });
  }
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(
      names.map((name) => [name, { title: name, ...(found.get(name) ?? { type: 'string' }) }]),
    ),
  };
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
