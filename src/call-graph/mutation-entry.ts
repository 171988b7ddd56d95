import { z } from 'zod';
import { JsonValue } from '../common/stored.ts';

/** The entry of a mutation of the API that is over; it belongs to no run. */
export const MUTATION_ENDED = 'mutation.ended';

export const MutationEnded = z.object({
  /** Of its call; a run that it started names it as `callId`. */
  requestId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()).readonly(),
  /** Redacted and cut already: an entry is stored. */
  input: JsonValue,
  /** The ids of what came of it; null when it was refused. */
  output: JsonValue,
  error: z
    .object({ code: z.string(), message: z.string(), details: JsonValue.optional() })
    .nullable(),
  startedAt: z.string(),
  completedAt: z.string(),
});
export type MutationEnded = z.infer<typeof MutationEnded>;
