import { parseJson } from '../../common/exact-json.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import { namesType } from '../../json-schema/schema-fit.ts';
import { shapeOf } from '../../json-schema/schema-shape.ts';

/**
 * The instruction that states the schema. A server that is sent the schema too gets only its shape:
 * a schema in full may cost more tokens than the text that it is about.
 */
export function schemaInstruction(schema: JsonObject, isSent: boolean): string {
  const shape = isSent ? shapeOf(schema) : null;
  return shape === null
    ? 'Answer with one JSON value that fits this JSON Schema, and with nothing ' +
        `else:\n${JSON.stringify(schema)}`
    : `Answer with one JSON value of this type, and with nothing else:\n${shape}`;
}

/** States the schema in full: the server may have ignored the one that it was sent. */
export function repairRequest(problem: string, schema: JsonObject): string {
  return `Your answer could not be used: ${problem} ${schemaInstruction(schema, false)}`;
}

/**
 * Finds the JSON value in a model's answer among fences, drafts and prose: of all values that stand
 * whole in the text, the last that fits the schema. `problem` describes the fault in one sentence:
 * empty, not JSON, cut off, or not fitting, which is said of the last value.
 */
export function readStructured(
  text: string,
  schema: JsonObject,
  finish: string,
): { readonly value: Json } | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'It was empty.' };
  const { values, isOpen } = valuesOf(text);
  let problem: string | null = null;
  for (const found of values.slice(-VALUES_MAX).reverse()) {
    const { value, problems } = validateJson(schema, found, []);
    if (problems.length === 0) return { value };
    const inner = typeof found === 'string' ? parse(found) : undefined;
    const read = inner === undefined ? null : fitting(schema, inner);
    if (read !== null) return read;
    problem ??= problems
      .map(({ message, path }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join(' ');
  }
  const bare = finish === 'length' ? null : bareText(text.trim(), schema);
  if (bare !== null) return bare;
  return {
    problem:
      finish === 'length' && (isOpen || problem === null)
        ? 'It was cut off before the JSON was complete.'
        : (problem ?? 'It was not valid JSON.'),
  };
}

function fitting(schema: JsonObject, given: Json): { readonly value: Json } | null {
  const { value, problems } = validateJson(schema, given, []);
  return problems.length === 0 ? { value } : null;
}

/** An answer in words, for a schema that names texts: `yes` instead of `"yes"`. */
const bareText = (text: string, schema: JsonObject): { readonly value: Json } | null =>
  namesType(schema, 'string') ? fitting(schema, text) : null;

/** Values that are tried at most, the last first. Each is validated against the whole schema. */
const VALUES_MAX = 20;
/** Characters that the search for closing brackets reads at most, over all opening ones. */
const SCANNED_CHARS_MAX = 8_000_000;

interface Found {
  /** In the order of the text. */
  readonly values: readonly Json[];
  /** Whether the text ends within a value. */
  readonly isOpen: boolean;
}

/** The JSON values of an answer: the whole text, else the outermost ones in prose and in fences. */
function valuesOf(text: string): Found {
  const whole = parse(text);
  if (whole !== undefined) return { values: [whole], isOpen: false };
  const values: { readonly at: number; readonly value: Json }[] = [];
  let isOpen = false;
  let budget = SCANNED_CHARS_MAX;
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null && budget > 0; match = OPENING.exec(text)) {
    const end = closeOf(text, match.index, budget);
    budget -= Math.abs(end) - match.index;
    isOpen = end === text.length + 1;
    const value = isOpen || end < 0 ? undefined : parse(text.slice(match.index, end));
    if (value !== undefined) values.push({ at: match.index, value });
    // Brackets of prose, such as [see below], may hold a value.
    OPENING.lastIndex = value === undefined ? match.index + 1 : end;
  }
  for (const { index, 1: inner = '' } of text.matchAll(FENCE)) {
    const value = /^\s*[[{]/.test(inner) ? undefined : parse(inner);
    if (value !== undefined) values.push({ at: index, value });
  }
  values.sort((left, right) => left.at - right.at);
  return { values: values.map(({ value }) => value), isOpen };
}

/** A bracket that may begin a JSON value. */
const OPENING = /\{(?=\s*["}])|\[(?=\s*["[{\]\d\-tfn])/g;
const FENCE = /```[\w-]*[ \t]*\r?\n([\s\S]*?)```/g;

/**
 * The place after the bracket that closes the one at `start`. One past the end of the text where
 * none does; negative where another kind of bracket closes, or the budget ends: minus that place.
 */
function closeOf(text: string, start: number, budget: number): number {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    if (at - start > budget) return -at;
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === '{') open.push('}');
    else if (character === '[') open.push(']');
    else if (character === '}' || character === ']') {
      if (open.pop() !== character) return -at;
      if (open.length === 0) return at + 1;
    }
  }
  return text.length + 1;
}

/** The place of the quote that ends the string at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
