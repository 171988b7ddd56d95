import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';

/** A JSON object kept as text: Neo4j's properties hold no maps. Read once, where rows become models. */
export const jsonText = z.string().transform((text, context): JsonObject => {
  const value: Json = JSON.parse(text);
  if (isJsonObject(value)) return value;
  context.addIssue('The stored text is no JSON object.');
  return z.NEVER;
});

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

/** Neo4j keeps no null properties, so an absent one is null. */
export const textOrNull = z.string().nullable().default(null);
