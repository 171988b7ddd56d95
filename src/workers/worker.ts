import { z } from 'zod';
import { OPERATION_TYPES } from '../operations/operation.ts';

export const WORKER_STATUSES = ['idle', 'busy', 'offline'] as const;

/** One place of a pool that takes steps from its type's queue (S4-WRK-01). The system writes it. */
export const Worker = z.object({
  id: z.string(),
  type: z.enum(OPERATION_TYPES),
  status: z.enum(WORKER_STATUSES),
  /** The StepRun's key, `runId/stepId[/index]`; null when idle or offline (S4-WRK-03). */
  currentJobId: z.string().nullable(),
  lastHeartbeat: z.string(),
  processedCount: z.number(),
  errorCount: z.number(),
  taskQueue: z.string(),
  /** Null: none is named (docs/decisions/0125). */
  build: z.string().nullable().default(null),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Worker = z.infer<typeof Worker>;

/** A Worker without a heartbeat for this time is deleted. */
export const WORKER_FORGOTTEN_SECONDS = 24 * 60 * 60;

/** Kind of the entry that is written when Workers are registered or go offline. */
export const WORKER_CHANGED = 'worker.changed';
export const WorkerChanged = z.object({ workerIds: z.array(z.string()) });
