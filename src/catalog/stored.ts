import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';

/** A JSON object kept as text: Neo4j's properties hold no maps. Read once, where rows become models. */
export const jsonText = z.string().transform((text, context): JsonObject => {
  const value: Json = JSON.parse(text);
  if (isJsonObject(value)) return value;
  context.addIssue('The stored text is no JSON object.');
  return z.NEVER;
});

/** Neo4j keeps no null properties, so an absent one is null. */
export const textOrNull = z.string().nullable().default(null);
