import { z } from 'zod';
import { RUN_ORIGINS } from '../runs/run/run-origin.ts';
import { CALL_STATUSES } from './call.ts';

/** A stored call without its payloads, which are read only on request. */
export const CallNode = z.object({
  id: z.string(),
  requestId: z.string(),
  operationId: z.string(),
  parentRequestId: z.string().nullable(),
  /** JSON text of a CallIdentity. */
  identity: z.string().nullable(),
  callerAccountId: z.string().nullable(),
  status: z.enum(CALL_STATUSES),
  /** Null until a migration has reached the call. */
  origin: z.enum(RUN_ORIGINS).nullable(),
  startedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Time after which retention deletes the call; null while it is active. */
  retentionExpiresAt: z.string().nullable(),
});
export type CallNode = Readonly<z.infer<typeof CallNode>>;

/** Payloads as JSON texts. */
export interface CallPayloads {
  readonly input: string | null;
  readonly output: string | null;
  readonly error: string | null;
}

/** `source` and `target` are ids of nodes, not requestIds (S3-EDGE-01). */
export const CallEdge = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  edgeType: z.string(),
  createdAt: z.string(),
});
export type CallEdge = Readonly<z.infer<typeof CallEdge>>;

export interface CallFilter {
  readonly operationId?: string | null | undefined;
  readonly status?: readonly string[] | null | undefined;
  readonly callerAccountId?: string | null | undefined;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** Whether a list or a sum includes the calls of the product's background runs; default false. */
export interface CallScope {
  readonly includeSystem?: boolean | null | undefined;
}

/** Calls in one answer of `callGraph`; a tree of runs has at most 1,000 runs and 10,000 steps. */
export const CALL_GRAPH_MAX = 20_000;
/** Neighbours of one call in one answer. */
export const NEIGHBOURS_MAX = 1_000;
