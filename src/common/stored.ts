import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

// Schema pieces for stored rows and payloads. Build schemas at module load, not per row.

/** Any JSON value. Its content is not checked: it comes from JSON.parse or from the driver. */
export const JsonValue = z.custom<Json>((value) => value !== undefined);
export const JsonMap = z.custom<JsonObject>(isJsonObject, 'has to be a JSON object');

/** A property that may be absent. Neo4j does not store null, so absent becomes null. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}
/** A list that may be absent or null; both count as empty. */
export function orNone<T extends z.ZodType>(schema: z.ZodArray<T>) {
  return schema.nullish().transform((list) => list ?? []);
}
/** A text that may be absent or null; both count as ''. */
export const textOrEmpty = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
/** `orNull` for the most common types, without the cost of a transform. */
export const textOrNull = z.string().nullable().default(null);
export const numberOrNull = z.number().nullable().default(null);

/** A flag that may be absent or null; both count as false. */
export const isTrue = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

/** JSON text, parsed and then checked by `schema`. Neo4j properties can't hold maps. */
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

/** Stored data that does not fit its schema: a defect of the data, INTERNAL at every edge. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';
  /** Path of the first missing or wrong property, outermost name first. */
  readonly path: readonly string[];

  constructor(message: string, path: readonly string[]) {
    super(message);
    this.path = path;
  }
}

/**
 * Parses stored data by `schema`. Messages name properties and types only, never values.
 * @param nameOf names the node or entry, such as `ProcessRun 0190…`; called only on a failure
 * @throws DamagedRow `ProcessRun 0190…: "status" is missing.`
 */
export function parseStored<T extends z.ZodType>(
  schema: T,
  value: unknown,
  nameOf: () => string,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // Parsed again to get the inputs of the issues, which zod leaves out by default.
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
