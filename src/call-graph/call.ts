import { statusesBefore } from '../../packages/client/src/call-graph/call.ts';

// The state machine and the shape of a call are the client library's, so that both sides have one of each.
export {
  CALL_STATUSES,
  type CallError,
  type CallIdentity,
  type CallStatus,
  DEPENDS_ON,
  statusesBefore,
  TRIGGERED,
} from '../../packages/client/src/call-graph/call.ts';

/** Calls that may still do something: their operation can't go, and they are never deleted by age. */
export const ACTIVE_CALL_STATUSES = statusesBefore('aborted');

/** The second call acts on the authority of the first; stored only (S3-EDGE-05). docs/call-graph.md lists all types of edges. */
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
