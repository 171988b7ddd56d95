import { z } from 'zod';
import { JsonValue } from '../common/stored.ts';

/** Kind of the outbox entry of a finished mutation of the API; it belongs to no run. */
export const MUTATION_ENDED = 'mutation.ended';

export const MutationEnded = z.object({
  /** Request id of the call; a run that the mutation started has it as `callId`. */
  requestId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).readonly(),
  /** Redacted and cut before the entry is stored. */
  input: JsonValue,
  /** Ids in the result; null if the mutation was refused. */
  output: JsonValue,
  error: z
    .object({ code: z.string(), message: z.string(), details: JsonValue.optional() })
    .nullable(),
  startedAt: z.string(),
  completedAt: z.string(),
});
export type MutationEnded = z.infer<typeof MutationEnded>;
