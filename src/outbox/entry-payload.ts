import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../common/json.ts';
import { DamagedRow, JsonMap, parseStored, textOrNull } from '../common/stored.ts';
import type { OutboxEntry } from './entry.ts';

/** A numbered entry. The reader of its payload parses it. */
export const EntryShape = z.object({
  id: z.string(),
  seq: z.int(),
  kind: z.string(),
  at: z.string(),
  ownerId: z.string(),
  workspace: z.string(),
  rootRunId: textOrNull,
  runId: textOrNull,
  runPath: z.array(z.string()),
  conversationId: textOrNull,
  payload: JsonMap,
});

const UNREADABLE = '$unreadable';

/**
 * Reads the text of a stored payload. Text that is no JSON object is marked, and `parsePayload`
 * throws for it. So one damaged entry cannot stop the log: its readers fail, and a projection sets
 * it aside as a DeadLetter.
 */
export function readPayload(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Marked below.
  }
  return { [UNREADABLE]: true };
}

/**
 * Parses the payload of an entry by the schema of its kind.
 * @throws DamagedRow naming the entry, its kind and each missing or wrong field
 */
export function parsePayload<T extends z.ZodType>(
  schema: T,
  kind: string,
  { id, payload }: Pick<OutboxEntry, 'id' | 'payload'>,
): z.output<T> {
  const name = `OutboxEntry ${id} (${kind})`;
  if (UNREADABLE in payload)
    throw new DamagedRow(`${name}: "payload" is no JSON object.`, ['payload']);
  return parseStored(schema, payload, () => name);
}
