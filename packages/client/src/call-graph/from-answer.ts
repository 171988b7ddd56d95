import { CALL_STATUSES, type CallAttrs } from './call.ts';
import { FlowGraph } from './flow-graph.ts';

/** A call of the API's `callGraph` (GetCallGraphDocument). */
export interface CallAnswer {
  readonly id: string;
  readonly requestId: string;
  readonly operationId: string;
  readonly parentRequestId: string | null;
  readonly identity: Readonly<Record<string, unknown>> | null;
  readonly callerAccountId: string | null;
  /** A value of the API's enum, such as `RUNNING`. */
  readonly status: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/** The API's `callGraph`. Edges refer to calls by `id`. */
export interface CallGraphAnswer {
  readonly nodes: readonly CallAnswer[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly edgeType: string;
  }[];
}

/**
 * Builds a graph from an answer of the API (S3-FLOW-03). Payloads are the stored ones, redacted and
 * truncated.
 * @throws TypeError on an unknown status
 */
export function fromCallGraph({ nodes, edges }: CallGraphAnswer): FlowGraph {
  const requestIds = new Map(nodes.map(({ id, requestId }) => [id, requestId]));
  const ends = edges.flatMap(({ source, target, edgeType }) => {
    const [from, to] = [requestIds.get(source), requestIds.get(target)];
    return from === undefined || to === undefined ? [] : [{ source: from, target: to, edgeType }];
  });
  return FlowGraph.fromCalls(nodes.map(attrsOf), ends);
}

function attrsOf({ id: _id, status: given, ...call }: CallAnswer): CallAttrs {
  const status = CALL_STATUSES.find((known) => known === given.toLowerCase());
  if (status === undefined) throw new TypeError(`Call ${call.requestId} has the status ${given}.`);
  return { ...call, status };
}
