import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

// Pieces of the schemas that stored rows and payloads are parsed with. Build schemas once, when a file is loaded.

/** Any JSON value. Its inside is not looked at: it comes from JSON.parse or from the driver. */
export const JsonValue = z.custom<Json>((value) => value !== undefined);
export const JsonMap = z.custom<JsonObject>(isJsonObject, 'has to be a JSON object');

/** A property that Neo4j does not store where it is null: absent is null. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}
/** `orNull` of the commonest types, without the cost of a transform. */
export const textOrNull = z.string().nullable().default(null);
export const numberOrNull = z.number().nullable().default(null);

/** A flag that may be unknown (null), which counts as false. */
export const isTrue = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

/** A text that holds JSON, parsed and then checked by `schema`: Neo4j's properties hold no maps. */
export function jsonText<T extends z.ZodType>(schema: T) {
  return z.preprocess((text, context) => {
    if (typeof text !== 'string') {
      context.issues.push({ code: 'invalid_type', expected: 'string', input: text });
      return z.NEVER;
    }
    try {
      return JSON.parse(text);
    } catch {
      context.issues.push({ code: 'custom', message: 'is no JSON', input: text });
      return z.NEVER;
    }
  }, schema);
}

/** Something stored that is not what the product writes: a defect of the data, INTERNAL at every edge. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';
  /** Of the first missing or wrong property, outermost name first. */
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}

/**
 * What is stored, as `schema` reads it. Messages name properties and types only, never values.
 * @param nameOf names the node or entry, such as `ProcessRun 0190…`; called for a damaged one only
 * @throws DamagedRow `ProcessRun 0190…: "status" is missing.`
 */
export function parseStored<T extends z.ZodType>(
  schema: T,
  value: unknown,
  nameOf: () => string,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // Parsed once more for the inputs of the issues, which zod leaves out by default.
  const issues = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  const faults = issues.slice(0, FAULTS_MAX).map((issue) => {
    const name = issue.path.length === 0 ? 'The row' : `"${issue.path.map(String).join('.')}"`;
    const isMissing = issue.input === undefined || issue.input === null;
    return isMissing ? `${name} is missing.` : `${name} is wrong (${issue.message}).`;
  });
  const path = issues[0]?.path.map(String) ?? [];
  throw new DamagedRow(`${nameOf()}: ${faults.join(' ')}`, path);
}
const FAULTS_MAX = 10;
