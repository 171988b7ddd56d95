import type { Instant } from '../common/clock.ts';
import type { Json } from '../common/json.ts';
import type { CallError } from './call.ts';

/** The entry of a mutation of the API that is over; it belongs to no run. */
export const MUTATION_ENDED = 'mutation.ended';

export interface MutationEnded {
  /** Of its call; a run that it started names it as `callId`. */
  readonly requestId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Redacted and cut already: an entry is stored. */
  readonly input: Json;
  /** The ids of what came of it; null when it was refused. */
  readonly output: Json;
  readonly error: CallError | null;
  readonly startedAt: Instant;
  readonly completedAt: Instant;
}
