import type { Json, JsonObject } from '../../common/json.ts';
import { validateJson } from '../../json-schema/json-schema.ts';

/** What a model is told, whatever its provider knows about schemas. */
export function schemaInstruction(schema: JsonObject): string {
  return `Answer with one JSON value that fits this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;
}

export function repairRequest(problem: string): string {
  return `Your answer could not be used: ${problem} Answer again with one JSON value that fits the schema, and with nothing else.`;
}

/**
 * The value in a model's answer: fences and words around it are forgiven, then it is coerced and checked against the
 * schema. `problem` says in one sentence what is wrong: nothing there, not JSON, cut off, or not fitting.
 */
export function readStructured(
  text: string,
  schema: JsonObject,
  finish: string,
): { readonly value: Json } | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'It was empty.' };
  for (const candidate of candidatesOf(text)) {
    const found = parse(candidate);
    if (found === undefined) continue;
    const { value, problems } = validateJson(schema, found, []);
    if (problems.length === 0) return { value };
    return {
      problem: problems
        .map(({ message, path }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
        .join(' '),
    };
  }
  return {
    problem:
      finish === 'length'
        ? 'It was cut off before the JSON was complete.'
        : 'It was not valid JSON.',
  };
}

function candidatesOf(text: string): string[] {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/i.exec(text)?.[1];
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return [
    text,
    ...(fenced === undefined ? [] : [fenced]),
    ...(start >= 0 && end > start ? [text.slice(start, end + 1)] : []),
  ];
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
