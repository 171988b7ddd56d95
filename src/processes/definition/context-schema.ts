import { didYouMean } from '../../common/did-you-mean.ts';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { checkJsonSchema, schemaProperties } from '../../json-schema/json-schema.ts';
import type { ProcessDefinition } from '../process.ts';

/**
 * Checks the JSON Schema of the initial context (docs/decisions/0057): a valid schema of an object
 * whose properties are all in initialContext. A Process without one has no problems here.
 */
export function checkContextSchema({
  contextSchema,
  initialContext,
}: Pick<ProcessDefinition, 'contextSchema' | 'initialContext'>): Problem[] {
  if (contextSchema == null) return [];
  const path = ['contextSchema'];
  const problems = checkJsonSchema(contextSchema, path);
  if (problems.length > 0) return problems;
  const type = entryOf(contextSchema, 'type');
  if (type !== undefined && type !== 'object') {
    const message = 'The initial context is an object, so its schema has the type object.';
    problems.push(problem('SCHEMA_INVALID', [...path, 'type'], message));
  }
  const required = entryOf(contextSchema, 'required');
  const named = [
    ...schemaProperties(contextSchema).map((name) => ({ name, at: ['properties', name] })),
    ...(Array.isArray(required) ? required : []).map((name, index) => ({
      name: String(name),
      at: ['required', String(index)],
    })),
  ];
  for (const { name, at } of named) {
    if (initialContext.includes(name)) continue;
    const message = `${name} is not in initialContext.${didYouMean(name, initialContext)}`;
    problems.push(problem('UNKNOWN_VARIABLE', [...path, ...at], message));
  }
  return problems;
}

/** The variables that a caller may leave out, because the schema has a default for them. */
export function optionalVariables(contextSchema: JsonObject | null | undefined): Set<string> {
  if (contextSchema == null) return new Set();
  const properties = entryOf(contextSchema, 'properties');
  if (!isJsonObject(properties)) return new Set();
  const withDefault = Object.keys(properties).filter((name) => {
    const property = properties[name];
    return isJsonObject(property) && entryOf(property, 'default') !== undefined;
  });
  return new Set(withDefault);
}
