import { LRUCache } from 'lru-cache';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { checkTemplate } from '../../expressions/template.ts';
import { withSentNumbers } from '../../json-schema/sent-numbers.ts';
import { wholePath } from '../renderer/whole-leaf.ts';
import type { DriverCall } from './driver.ts';

const known = new LRUCache<string, readonly string[]>({ max: 1_000 });

/**
 * Adds null for inputs that a template names but the caller omitted: the inputSchema declares them
 * as optional. A missing property inside a value is still an error.
 */
export function templateInputs(source: Json | undefined, inputs: JsonObject): JsonObject {
  const absent = variablesOf(source ?? null).filter((name) => !Object.hasOwn(inputs, name));
  return { ...Object.fromEntries(absent.map((name) => [name, null])), ...inputs };
}

function variablesOf(source: Json): readonly string[] {
  if (Array.isArray(source)) return source.flatMap(variablesOf);
  if (isJsonObject(source)) return Object.values(source).flatMap(variablesOf);
  if (typeof source !== 'string' || !source.includes('{{')) return [];
  let variables = known.get(source);
  if (variables === undefined) {
    variables = checkTemplate(source, []).variables;
    known.set(source, variables);
  }
  return variables;
}

/**
 * Takes properties out of `made`, the result of `renderJson(source)`: those that are one reference
 * to an input that the caller omitted. In a list null stays, so that the others keep their places.
 */
export function withoutAbsent(source: Json, made: Json, inputs: JsonObject): Json {
  if (Array.isArray(source) && Array.isArray(made))
    return source.map((inner, index) => withoutAbsent(inner, made[index] ?? null, inputs));
  if (!isJsonObject(source) || !isJsonObject(made)) return made;
  const given = Object.entries(made).flatMap(([key, inner]) => {
    const leaf = entryOf(source, key) ?? null;
    return isAbsent(leaf, inputs) ? [] : [[key, withoutAbsent(leaf, inner, inputs)] as const];
  });
  return Object.fromEntries(given);
}

function isAbsent(leaf: Json, inputs: JsonObject): boolean {
  const [name] = (typeof leaf === 'string' ? wholePath(leaf) : null) ?? [];
  return name !== undefined && !Object.hasOwn(inputs, name);
}

/** The inputs with the numbers that JavaScript's would change; null where there are none. */
export function sentInputs({ inputs, inputSchema }: DriverCall): JsonObject | null {
  return inputSchema === undefined ? null : withSentNumbers(inputSchema, inputs);
}
