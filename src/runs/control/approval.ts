import type { JsonObject } from '../../common/json.ts';
import type { MemoryDemand } from '../memory/memory-question.ts';

/** A step that waits for a person (S4-EXEC-11), at any depth of a run. */
export interface Approval {
  readonly id: string;
  readonly ownerId: string;
  readonly runId: string;
  readonly rootRunId: string;
  readonly stepId: string;
  readonly index: number | null;
  /** null where the step calls a Process. */
  readonly toolId: string | null;
  /** null where they are over 256 KiB: then the blob `inputsBlob` holds them. */
  readonly inputs: JsonObject | null;
  readonly inputsBlob: string | null;
  /** Set where the step asks for the memory of its runner instead of for its call. */
  readonly memory: MemoryDemand | null;
  readonly requestedAt: string;
  /** Time at which the timeout of the run or of the call ends the wait; null = never. */
  readonly expiresAt: string | null;
}
