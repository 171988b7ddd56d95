import type { Json, JsonObject } from '../../common/json.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import { shapeOf } from '../../json-schema/schema-shape.ts';

/**
 * The instruction that states the schema. A server that is sent the schema too gets only its shape:
 * a schema in full may cost more tokens than the text that it is about.
 */
export function schemaInstruction(schema: JsonObject, isSent: boolean): string {
  const shape = isSent ? shapeOf(schema) : null;
  return shape === null
    ? `Answer with one JSON value that fits this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`
    : `Answer with one JSON value of this type, and with nothing else:\n${shape}`;
}

/** States the schema in full: the server may have ignored the one that it was sent. */
export function repairRequest(problem: string, schema: JsonObject): string {
  return `Your answer could not be used: ${problem} ${schemaInstruction(schema, false)}`;
}

/**
 * Extracts the JSON value from a model's answer, without fences and surrounding text, then coerces
 * and validates it. `problem` describes the fault in one sentence: empty, not JSON, cut off, or not
 * fitting.
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
