import { type CallAttrs, type CallStatus, DEPENDS_ON, mayFollow, TRIGGERED } from './call.ts';

/** One problem with a change: code, message and argument. */
export interface CallProblem {
  readonly code: 'NOT_FOUND' | 'TAKEN' | 'STATE' | 'CYCLE';
  readonly message: string;
  readonly path: readonly string[];
}

/** The graph refused a change and is unchanged. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly problems: readonly CallProblem[];

  constructor(problems: readonly CallProblem[]) {
    super(problems.map(({ message }) => message).join(' '));
    this.problems = problems;
  }
}

/** Fields that a new status may set. Times are RFC 3339. */
export interface StatusPatch {
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly output?: CallAttrs['output'];
  readonly error?: CallAttrs['error'];
}

/** A new call. Omitted fields are empty. */
export type NewCall = Pick<CallAttrs, 'requestId' | 'operationId'> &
  Partial<Omit<CallAttrs, 'status'>>;

/**
 * Events of the protocol. There is no event for "running": the dispatcher updates the status
 * directly (S3-STATE-02). The log records that update as `call.status`.
 */
export type CallEvent =
  | { readonly type: 'call.requested'; readonly call: NewCall }
  | {
      readonly type: 'call.status';
      readonly requestId: string;
      readonly status: CallStatus;
      readonly patch?: StatusPatch;
    }
  | {
      readonly type: 'call.responded';
      readonly requestId: string;
      /** Envelope of the response. Only its `data` becomes the output (S3-NODE-08). */
      readonly response: { readonly data: CallAttrs['output'] };
      readonly at: string;
    }
  | {
      readonly type: 'call.error';
      readonly requestId: string;
      readonly error: NonNullable<CallAttrs['error']>;
      readonly at: string;
    }
  | { readonly type: 'call.aborted'; readonly requestId: string; readonly at: string }
  | { readonly type: 'call.dependency'; readonly source: string; readonly target: string };

export type FlowEdgeType = typeof TRIGGERED | typeof DEPENDS_ON;

/**
 * Graphology's native JSON, `CallGraphSerialized` of the document. It is sorted, so that equal
 * graphs have equal texts.
 */
export interface CallGraphSerialized {
  readonly attributes: Record<string, never>;
  readonly options: {
    readonly type: 'directed';
    readonly multi: true;
    readonly allowSelfLoops: false;
  };
  readonly nodes: readonly { readonly key: string; readonly attributes: CallAttrs }[];
  readonly edges: readonly {
    readonly key: string;
    readonly source: string;
    readonly target: string;
    readonly attributes: { readonly edgeType: FlowEdgeType };
  }[];
}

/**
 * A call graph in memory, keyed by `requestId` (S3-FLOW-01). Payloads are kept unchanged
 * (S3-FLOW-04); the stored copies are redacted and truncated. `requested_by` edges are only stored;
 * this graph does not have them (S3-EDGE-05).
 */
export class FlowGraph {
  readonly #calls = new Map<string, CallAttrs>();
  readonly #edges = new Map<string, { source: string; target: string; edgeType: FlowEdgeType }>();

  /**
   * Builds a graph from events, in their order (S3-FLOW-03). @throws CallRefused like the methods
   */
  static fromCallEvents(events: Iterable<CallEvent>): FlowGraph {
    const graph = new FlowGraph();
    for (const event of events) graph.apply(event);
    return graph;
  }

  /** Builds a graph from stored calls and edges, in any order. */
  static fromCalls(
    calls: Iterable<CallAttrs>,
    edges: Iterable<{ source: string; target: string; edgeType: string }>,
  ): FlowGraph {
    const graph = new FlowGraph();
    for (const call of calls) graph.#calls.set(call.requestId, { ...call });
    for (const { source, target, edgeType } of edges)
      if (
        (edgeType === TRIGGERED || edgeType === DEPENDS_ON) &&
        graph.has(source) &&
        graph.has(target)
      )
        graph.#connect(source, target, edgeType);
    return graph;
  }

  apply(event: CallEvent): void {
    switch (event.type) {
      case 'call.requested':
        this.addCall(event.call);
        return;
      case 'call.status':
        this.updateStatus(event.requestId, event.status, event.patch);
        return;
      case 'call.responded': {
        const patch = { output: event.response.data, completedAt: event.at };
        this.updateStatus(event.requestId, 'completed', patch);
        return;
      }
      case 'call.error':
        this.updateStatus(event.requestId, 'failed', {
          error: event.error,
          completedAt: event.at,
        });
        return;
      case 'call.aborted':
        this.updateStatus(event.requestId, 'aborted', { completedAt: event.at });
        return;
      case 'call.dependency':
        this.addDependency(event.source, event.target);
        return;
    }
  }

  /**
   * Adds a pending call; with a parent also its `triggered` edge (S3-EDGE-03). @throws CallRefused
   * TAKEN, NOT_FOUND
   */
  addCall(call: NewCall): void {
    const parent = call.parentRequestId ?? null;
    refuse([
      ...(this.has(call.requestId)
        ? [problem('TAKEN', ['requestId'], `There is a call ${call.requestId} already.`)]
        : []),
      ...(parent === null ? [] : this.#unknown(parent, 'parentRequestId')),
    ]);
    this.#calls.set(call.requestId, {
      identity: null,
      callerAccountId: null,
      input: null,
      output: null,
      error: null,
      startedAt: null,
      completedAt: null,
      ...call,
      parentRequestId: parent,
      status: 'pending',
    });
    if (parent !== null) this.#connect(parent, call.requestId, TRIGGERED);
  }

  /**
   * Records that `source` needs the result of `target` (S3-EDGE-04). Idempotent. @throws
   * CallRefused NOT_FOUND, CYCLE
   */
  addDependency(source: string, target: string): void {
    refuse([
      ...this.#unknown(source, 'source'),
      ...this.#unknown(target, 'target'),
      ...(source === target || this.#reaches(target, source, DEPENDS_ON)
        ? [problem('CYCLE', ['target'], `${target} waits for ${source} already.`)]
        : []),
    ]);
    this.#connect(source, target, DEPENDS_ON);
  }

  /** @throws CallRefused NOT_FOUND, STATE */
  updateStatus(requestId: string, status: CallStatus, patch: StatusPatch = {}): void {
    refuse(this.#unknown(requestId, 'requestId'));
    const call = this.#calls.get(requestId);
    if (call === undefined) return;
    refuse(
      mayFollow(call.status, status)
        ? []
        : [problem('STATE', ['status'], `A call that is ${call.status} can't become ${status}.`)],
    );
    this.#calls.set(requestId, { ...call, ...patch, status });
  }

  has(requestId: string): boolean {
    return this.#calls.has(requestId);
  }

  get(requestId: string): CallAttrs | null {
    return this.#calls.get(requestId) ?? null;
  }

  /** Ids of the calls triggered by this call, in order. */
  childrenOf(requestId: string): string[] {
    return this.#targets(requestId, TRIGGERED);
  }

  /** A path along edges of all types, with both ends; null if there is none (S3-EDGE-07). */
  path(from: string, to: string): string[] | null {
    if (!this.has(from) || !this.has(to)) return null;
    const cameFrom = new Map<string, string | null>([[from, null]]);
    const queue = [from];
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      if (at === to) {
        const found: string[] = [];
        for (let step: string | null = to; step !== null; step = cameFrom.get(step) ?? null)
          found.unshift(step);
        return found;
      }
      for (const next of this.#targets(at)) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, at);
        queue.push(next);
      }
    }
    return null;
  }

  /**
   * All calls in topological order: each after its trigger and its dependencies. Null if the graph
   * has a cycle (S3-EDGE-07).
   */
  topologicalOrder(): string[] | null {
    const before = new Map<string, Set<string>>(
      [...this.#calls.keys()].map((key) => [key, new Set()]),
    );
    const after = new Map<string, string[]>();
    for (const { source, target, edgeType } of this.#edges.values()) {
      const [first, then] = edgeType === TRIGGERED ? [source, target] : [target, source];
      before.get(then)?.add(first);
      after.set(first, [...(after.get(first) ?? []), then]);
    }
    const order = [...before].filter(([, waits]) => waits.size === 0).map(([key]) => key);
    for (const key of order) {
      for (const then of after.get(key) ?? []) {
        const waits = before.get(then);
        if (waits?.delete(key) && waits.size === 0) order.push(then);
      }
    }
    return order.length === this.#calls.size ? order : null;
  }

  hasCycle(): boolean {
    return this.topologicalOrder() === null;
  }

  export(): CallGraphSerialized {
    const byKey = (left: { key: string }, right: { key: string }) =>
      left.key < right.key ? -1 : left.key > right.key ? 1 : 0;
    return {
      attributes: {},
      options: { type: 'directed', multi: true, allowSelfLoops: false },
      nodes: [...this.#calls].map(([key, attributes]) => ({ key, attributes })).sort(byKey),
      edges: [...this.#edges]
        .map(([key, { source, target, edgeType }]) => ({
          key,
          source,
          target,
          attributes: { edgeType },
        }))
        .sort(byKey),
    };
  }

  #connect(source: string, target: string, edgeType: FlowEdgeType): void {
    this.#edges.set(JSON.stringify([source, target, edgeType]), { source, target, edgeType });
  }

  #targets(source: string, type: FlowEdgeType | null = null): string[] {
    return [...this.#edges.values()]
      .filter((edge) => edge.source === source && (type === null || edge.edgeType === type))
      .map(({ target }) => target);
  }

  #reaches(from: string, to: string, type: FlowEdgeType): boolean {
    const seen = new Set([from]);
    for (const at of seen) {
      if (at === to) return true;
      for (const next of this.#targets(at, type)) seen.add(next);
    }
    return false;
  }

  #unknown(requestId: string, name: string): CallProblem[] {
    return this.has(requestId)
      ? []
      : [problem('NOT_FOUND', [name], `There is no call ${requestId}.`)];
  }
}

function problem(code: CallProblem['code'], path: readonly string[], message: string): CallProblem {
  return { code, message, path };
}

function refuse(problems: readonly CallProblem[]): void {
  if (problems.length > 0) throw new CallRefused(problems);
}
