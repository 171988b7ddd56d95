/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Statuses of a call (S3-NODE-07). */
export const CALL_STATUSES = ['pending', 'running', 'completed', 'failed', 'aborted'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

const NEXT: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  pending: ['running', 'aborted'],
  running: ['completed', 'failed', 'aborted'],
  completed: [],
  failed: [],
  aborted: [],
};

/** Whether the state machine of a call allows a change (S3-STATE-01). */
export function mayFollow(from: CallStatus, to: CallStatus): boolean {
  return NEXT[from].includes(to);
}

/**
 * The statuses from which a call can come to this one, in one step or more. A log may lack
 * intermediate steps: a call that is pending and then completed was running in between.
 */
export function statusesBefore(to: CallStatus): CallStatus[] {
  const leads = (from: CallStatus): boolean =>
    NEXT[from].some((next) => next === to || leads(next));
  return CALL_STATUSES.filter(leads);
}

/** Authority of a call at the time of the call (S3-NODE-05). */
export interface CallIdentity {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly resources?: { [key: string]: Json };
}

export interface CallError {
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

/** Attributes of a call; `CallNodeAttrs` of the specification. `requestId` is its key. */
export interface CallAttrs {
  readonly requestId: string;
  readonly operationId: string;
  /** Null for a top-level call. */
  readonly parentRequestId: string | null;
  readonly identity: CallIdentity | Readonly<Record<string, unknown>> | null;
  /** Null for the system, and for a removed account. */
  readonly callerAccountId: string | null;
  readonly status: CallStatus;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: CallError | Readonly<Record<string, unknown>> | null;
  /** RFC 3339. */
  readonly startedAt: string | null;
  /** RFC 3339. */
  readonly completedAt: string | null;
}

/** The source triggered the target (S3-EDGE-03). */
export const TRIGGERED = 'triggered';
/** The source needs the result of the target (S3-EDGE-04). */
export const DEPENDS_ON = 'depends_on';
