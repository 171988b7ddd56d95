import type { Instant } from '../common/clock.ts';
import type { Json, JsonObject } from '../common/json.ts';

/** S3-NODE-07. */
export const CALL_STATUSES = ['pending', 'running', 'completed', 'failed', 'aborted'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Calls that may still do something: their operation can't go, and they are never deleted by age. */
export const ACTIVE_CALL_STATUSES = ['pending', 'running'] as const satisfies CallStatus[];

const NEXT: Readonly<Record<CallStatus, readonly CallStatus[]>> = {
  pending: ['running', 'aborted'],
  running: ['completed', 'failed', 'aborted'],
  completed: [],
  failed: [],
  aborted: [],
};

/** The state machine of a call (S3-STATE-01): anything that is not here is refused. */
export function mayFollow(from: CallStatus, to: CallStatus): boolean {
  return NEXT[from].includes(to);
}

/** What a status may follow; what a write checks in the statement itself. */
export function predecessorsOf(to: CallStatus): CallStatus[] {
  return CALL_STATUSES.filter((from) => mayFollow(from, to));
}

export function isActive(status: CallStatus): boolean {
  return NEXT[status].length > 0;
}

/** On whose authority a call was made, as it was then (S3-NODE-05). */
export interface CallIdentity {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly resources?: JsonObject;
}

export interface CallError {
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

/** What is known of one call; `CallNodeAttrs` of the document. `requestId` is its key everywhere. */
export interface CallAttrs {
  readonly requestId: string;
  readonly operationId: string;
  /** Null: a top-level call. */
  readonly parentRequestId: string | null;
  readonly identity: CallIdentity | null;
  /** Null: the system itself, or an account that is gone. */
  readonly callerAccountId: string | null;
  readonly status: CallStatus;
  readonly input: Json;
  readonly output: Json;
  readonly error: CallError | null;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
}

/** S3-EDGE-02: the types that the document names; docs/call-graph.md lists those that were added. */
export const TRIGGERED = 'triggered';
export const DEPENDS_ON = 'depends_on';
export const REQUESTED_BY = 'requested_by';

const EDGE_TYPE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const EDGE_TYPE_CHARS_MAX = 64;

/** Any snake_case name is a type of edge. */
export function isEdgeType(name: string): boolean {
  return name.length <= EDGE_TYPE_CHARS_MAX && EDGE_TYPE.test(name);
}

/** What finished calls are moved to when their operation goes (S3-OPS-02); there from the first migration on. */
export const REMOVED_OPERATION = {
  id: '__removed__',
  name: 'removed',
  namespace: 'system',
} as const;

export interface OperationRef {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
}
