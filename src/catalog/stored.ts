import { z } from 'zod';
import { JsonMap, jsonText as textOfJson } from '../common/stored.ts';

/** A JSON object stored as text. */
export const jsonText = textOfJson(JsonMap);
export { textOrNull } from '../common/stored.ts';

/**
 * A stored instant: milliseconds since 1970 (a statement reads `epochMillis`) or RFC 3339 text.
 * Decoding a DateTime costs the driver about 20 times as much as a number, which is noticeable on
 * pages.
 */
export const storedInstant = z
  .union([z.string(), z.int()])
  .transform((value) => (typeof value === 'string' ? value : new Date(value).toISOString()));
export const storedInstantOrNull = storedInstant.nullable().default(null);

/**
 * The part of a map projection that reads instants as milliseconds: `createdAt:
 * n.createdAt.epochMillis`.
 */
export function instantsOf(node: string, ...names: readonly string[]): string {
  return names.map((name) => `${name}: ${node}.${name}.epochMillis`).join(', ');
}
