import { z } from 'zod';
import { JsonMap, parseStored, textOrNull } from '../common/stored.ts';
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

/**
 * Parses the payload of an entry by the schema of its kind.
 * @throws DamagedRow naming the entry, its kind and each missing or wrong field
 */
export function parsePayload<T extends z.ZodType>(
  schema: T,
  kind: string,
  { id, payload }: Pick<OutboxEntry, 'id' | 'payload'>,
): z.output<T> {
  return parseStored(schema, payload, () => `OutboxEntry ${id} (${kind})`);
}
