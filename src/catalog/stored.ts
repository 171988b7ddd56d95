import { z } from 'zod';
import { JsonMap, jsonText as textOfJson } from '../common/stored.ts';

/** A JSON object kept as text. */
export const jsonText = textOfJson(JsonMap);
export { textOrNull } from '../common/stored.ts';

/**
 * A moment as it is read: milliseconds since 1970 where a statement asked for those (`epochMillis`), else RFC 3339 text. Decoding a
 * DateTime costs the driver some twenty times as much as a number, which is felt where pages are read.
 */
export const storedInstant = z
  .union([z.string(), z.int()])
  .transform((value) => (typeof value === 'string' ? value : new Date(value).toISOString()));
export const storedInstantOrNull = storedInstant.nullable().default(null);

/** The part of a map projection that gives a node's moments as milliseconds: `createdAt: n.createdAt.epochMillis`. */
export function instantsOf(node: string, ...names: readonly string[]): string {
  return names.map((name) => `${name}: ${node}.${name}.epochMillis`).join(', ');
}
