import { statusesBefore } from '../../packages/client/src/call-graph/call.ts';

// The client library defines the states and the shape of a call, for both sides.
export {
  CALL_STATUSES,
  type CallError,
  type CallIdentity,
  type CallStatus,
  DEPENDS_ON,
  statusesBefore,
  TRIGGERED,
} from '../../packages/client/src/call-graph/call.ts';

/** Statuses of active calls. They are never deleted by age, and protect their operation. */
export const ACTIVE_CALL_STATUSES = statusesBefore('aborted');

/**
 * The second call acts on the authority of the first; stored only (S3-EDGE-05). docs/call-graph.md
 * lists all types of edges.
 */
export const REQUESTED_BY = 'requested_by';

const EDGE_TYPE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const EDGE_TYPE_CHARS_MAX = 64;

/** Any snake_case name is a type of edge. */
export function isEdgeType(name: string): boolean {
  return name.length <= EDGE_TYPE_CHARS_MAX && EDGE_TYPE.test(name);
}

/** Sentinel for finished calls of removed operations (S3-OPS-02); a migration creates it. */
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
