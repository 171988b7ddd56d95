import { z } from 'zod';
import { JsonMap, jsonText, numberOrNull, textOrNull } from '../../common/stored.ts';
import { MemoryDemandPayload } from '../events/run-payloads.ts';

/** A step that waits for a person (S4-EXEC-11), at any depth of a run. */
export const Approval = z.object({
  id: z.string(),
  ownerId: z.string(),
  runId: z.string(),
  rootRunId: z.string(),
  stepId: z.string(),
  index: numberOrNull,
  /** null where the step calls a Process. */
  toolId: textOrNull,
  /** null where they are over 256 KiB: then the blob `inputsBlob` holds them. */
  inputs: jsonText(JsonMap).nullable(),
  inputsBlob: textOrNull,
  /** Set where the step asks for the memory of its runner instead of for its call. */
  memory: jsonText(MemoryDemandPayload).nullable().default(null),
  requestedAt: z.string(),
  /** Time at which the timeout of the run or of the call ends the wait; null = never. */
  expiresAt: textOrNull,
});
export type Approval = z.infer<typeof Approval>;
