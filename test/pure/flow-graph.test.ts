import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CALL_STATUSES,
  type CallEvent,
  CallRefused,
  type CallStatus,
  FlowGraph,
  fromCallGraph,
  mayFollow,
  statusesBefore,
} from '../../packages/client/src/call-graph/index.ts';
import { isEdgeType } from '../../src/call-graph/call.ts';

const AT = '2026-03-01T12:00:00.000Z';
const codes = (work: () => void): string[] => {
  try {
    work();
    return ['done'];
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    return error.problems.map(({ code, path }) => `${code} ${path.join('.')}`);
  }
};

describe('the status of a call', () => {
  it('goes from pending over running to its end only (S3-NODE-07, S3-STATE-01)', () => {
    const allowed = CALL_STATUSES.flatMap((from) =>
      CALL_STATUSES.filter((to) => mayFollow(from, to)).map((to) => `${from} ${to}`),
    );
    expect(allowed).toEqual([
      'pending running',
      'pending aborted',
      'running completed',
      'running failed',
      'running aborted',
    ]);
    expect(statusesBefore('aborted')).toEqual(['pending', 'running']);
    // A log without the start of a call: the machine leads there over running.
    expect(statusesBefore('completed')).toEqual(['pending', 'running']);
    expect(statusesBefore('running')).toEqual(['pending']);
    expect(statusesBefore('pending')).toEqual([]);
  });
});

describe('a type of edge', () => {
  it.each(['triggered', 'depends_on', 'requested_by', 'retries', 'v2_of', 'a1'])(
    'may be %s (S3-EDGE-02)',
    (name) => expect(isEdgeType(name)).toBe(true),
  );
  it.each(['BadCase', 'with-dash', '_x', 'x_', 'a__b', '', '1a', 'x'.repeat(65), 'a b', 'a`b'])(
    'is never %s (S3-EDGE-02)',
    (name) => expect(isEdgeType(name)).toBe(false),
  );
});

const runningCall = (requestId: string): CallEvent => ({
  ...{ type: 'call.status', requestId, status: 'running', patch: { startedAt: AT } },
});

/** The hub's example: A calls B and C, C needs B's result. */
function example(): CallEvent[] {
  return [
    {
      type: 'call.requested',
      call: { requestId: 'a', operationId: 'plan', input: { token: 'x' } },
    },
    runningCall('a'),
    { type: 'call.requested', call: { requestId: 'b', operationId: 'read', parentRequestId: 'a' } },
    runningCall('b'),
    {
      type: 'call.requested',
      call: { requestId: 'c', operationId: 'write', parentRequestId: 'a' },
    },
    { type: 'call.dependency', source: 'c', target: 'b' },
    { type: 'call.responded', requestId: 'b', response: { data: { rows: 2 } }, at: AT },
    runningCall('c'),
    { type: 'call.error', requestId: 'c', error: { code: 'NO', message: 'No.' }, at: AT },
    { type: 'call.aborted', requestId: 'a', at: AT },
  ];
}

describe('the graph of calls at work', () => {
  it('is as graphology reads it (S3-FLOW-01, S3-EDGE-03, S3-EDGE-04, S3-NODE-08)', () => {
    const exported = FlowGraph.fromCallEvents(example()).export();
    expect(exported.options).toEqual({ type: 'directed', multi: true, allowSelfLoops: false });
    expect(exported.nodes.map(({ key, attributes }) => [key, attributes.status])).toEqual([
      ['a', 'aborted'],
      ['b', 'completed'],
      ['c', 'failed'],
    ]);
    expect(exported.nodes[1]?.attributes).toEqual({
      requestId: 'b',
      operationId: 'read',
      parentRequestId: 'a',
      identity: null,
      callerAccountId: null,
      status: 'completed',
      input: null,
      // The data of the envelope, and nothing of the envelope.
      output: { rows: 2 },
      error: null,
      startedAt: AT,
      completedAt: AT,
    });
    expect(
      exported.edges.map(({ source, target, attributes }) => [source, attributes.edgeType, target]),
    ).toEqual([
      ['a', 'triggered', 'b'],
      ['a', 'triggered', 'c'],
      ['c', 'depends_on', 'b'],
    ]);
  });

  it('knows no event for running: a call is pending until its dispatch (S3-STATE-02)', () => {
    const graph = FlowGraph.fromCallEvents(example().slice(0, 1));
    expect(graph.get('a')).toMatchObject({ status: 'pending', startedAt: null });
    graph.updateStatus('a', 'running', { startedAt: AT });
    expect(graph.get('a')).toMatchObject({ status: 'running', startedAt: AT });
  });

  it('answers for whole payloads, children, paths and order (S3-FLOW-04, S3-EDGE-07)', () => {
    const graph = FlowGraph.fromCallEvents(example());
    expect(graph.get('a')?.input).toEqual({ token: 'x' });
    expect(graph.childrenOf('a')).toEqual(['b', 'c']);
    expect(graph.path('a', 'b')).toEqual(['a', 'b']);
    expect(graph.path('b', 'a')).toBeNull();
    expect(graph.topologicalOrder()).toEqual(['a', 'b', 'c']);
    expect(graph.hasCycle()).toBe(false);
  });

  it('refuses the impossible: doubles, strangers, circles, steps back', () => {
    const graph = FlowGraph.fromCallEvents(example());
    expect(codes(() => graph.addCall({ requestId: 'a', operationId: 'x' }))).toEqual([
      'TAKEN requestId',
    ]);
    expect(
      codes(() => graph.addCall({ requestId: 'd', operationId: 'x', parentRequestId: 'z' })),
    ).toEqual(['NOT_FOUND parentRequestId']);
    expect(codes(() => graph.addDependency('z', 'y'))).toEqual([
      'NOT_FOUND source',
      'NOT_FOUND target',
    ]);
    expect(codes(() => graph.addDependency('b', 'c'))).toEqual(['CYCLE target']);
    expect(codes(() => graph.addDependency('b', 'b'))).toEqual(['CYCLE target']);
    expect(codes(() => graph.updateStatus('b', 'running'))).toEqual(['STATE status']);
    expect(codes(() => graph.updateStatus('z', 'running'))).toEqual(['NOT_FOUND requestId']);
  });

  it('finds the circle of a call that needs one which it was triggered by in the end', () => {
    const calls = FlowGraph.fromCallEvents(example().slice(0, 5)).export();
    const edges = calls.edges.map(({ source, target, attributes }) => ({
      source,
      target,
      edgeType: attributes.edgeType,
    }));
    const nodes = calls.nodes.map(({ attributes }) => attributes);
    // A waits for B before it starts, and B is started by A: neither begins.
    const stuck = FlowGraph.fromCalls(nodes, [
      ...edges,
      { source: 'a', target: 'b', edgeType: 'depends_on' },
    ]);
    expect(stuck.topologicalOrder()).toBeNull();
    expect(stuck.hasCycle()).toBe(true);
  });
});

describe('any graph', () => {
  const events = fc
    .array(fc.record({ parent: fc.nat(), fate: fc.nat(4), needs: fc.nat() }), {
      minLength: 1,
      maxLength: 30,
    })
    .map((calls) =>
      calls.flatMap(({ parent, fate, needs }, index): CallEvent[] => {
        const requestId = `r${index}`;
        const at = AT;
        const runs = runningCall(requestId);
        const ends: CallEvent[][] = [
          [],
          [runs],
          [runs, { type: 'call.responded', requestId, response: { data: { index } }, at }],
          [runs, { type: 'call.error', requestId, error: { code: 'X', message: 'x' }, at }],
          [{ type: 'call.aborted', requestId, at }],
        ];
        return [
          {
            type: 'call.requested',
            call: {
              requestId,
              operationId: 'o',
              parentRequestId: index === 0 || parent % 4 === 0 ? null : `r${parent % index}`,
            },
          },
          ...(index < 2
            ? []
            : [
                {
                  type: 'call.dependency' as const,
                  source: requestId,
                  target: `r${needs % index}`,
                },
              ]),
          ...(ends[fate] ?? []),
        ];
      }),
    );

  it('is rebuilt from its calls and edges, in whatever order they are read (S3-FLOW-03)', () => {
    fc.assert(
      fc.property(events, fc.boolean(), (told, isReversed) => {
        const before = FlowGraph.fromCallEvents(told).export();
        const calls = before.nodes.map(({ attributes }) => attributes);
        const edges = before.edges.map(({ source, target, attributes }) => ({
          source,
          target,
          edgeType: attributes.edgeType,
        }));
        if (isReversed) {
          calls.reverse();
          edges.reverse();
        }
        // Stored only, never in memory (S3-EDGE-05).
        const stored = [...edges, { source: 'r0', target: 'r0', edgeType: 'requested_by' }];
        expect(FlowGraph.fromCalls(calls, stored).export()).toEqual(before);
        expect(FlowGraph.fromCallEvents(told).export()).toEqual(before);
      }),
    );
  });

  it('has an edge to every call with a parent, and no other of that kind (S3-NODE-04)', () => {
    fc.assert(
      fc.property(events, (told) => {
        const { nodes, edges } = FlowGraph.fromCallEvents(told).export();
        const byParent = nodes.flatMap(({ key, attributes: { parentRequestId } }) =>
          parentRequestId === null ? [] : [`${parentRequestId} ${key}`],
        );
        const byEdge = edges.flatMap(({ source, target, attributes }) =>
          attributes.edgeType === 'triggered' ? [`${source} ${target}`] : [],
        );
        expect(byEdge.sort()).toEqual(byParent.sort());
      }),
    );
  });

  it('is put in an order in which each call comes after its dependencies (S3-EDGE-07)', () => {
    fc.assert(
      fc.property(events, (told) => {
        const graph = FlowGraph.fromCallEvents(told);
        const order = graph.topologicalOrder() ?? [];
        expect(order).toHaveLength(graph.export().nodes.length);
        const place = new Map(order.map((key, index) => [key, index]));
        const at = (key: string) => place.get(key) ?? -1;
        for (const { source, target, attributes } of graph.export().edges) {
          const [first, then] =
            attributes.edgeType === 'triggered' ? [source, target] : [target, source];
          expect(at(first)).toBeLessThan(at(then));
        }
      }),
    );
  });

  it('never lets a status step back, whatever is tried (S3-STATE-01)', () => {
    const rank: Record<CallStatus, number> = {
      pending: 0,
      running: 1,
      completed: 2,
      failed: 2,
      aborted: 2,
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CALL_STATUSES), { maxLength: 12 }), (tries) => {
        const graph = FlowGraph.fromCallEvents(example().slice(0, 1));
        for (const status of tries) {
          const before = graph.get('a')?.status ?? 'pending';
          const isDone = codes(() => graph.updateStatus('a', status))[0] === 'done';
          expect(isDone).toBe(mayFollow(before, status));
          if (isDone) expect(rank[status]).toBeGreaterThan(rank[before]);
        }
      }),
    );
  });
});

describe('an answer of the API', () => {
  const call = {
    operationId: 'o',
    parentRequestId: null,
    identity: null,
    callerAccountId: null,
    status: 'RUNNING',
    input: { n: 1 },
    output: null,
    error: null,
    startedAt: AT,
    completedAt: null,
  };

  it('becomes a graph whose edges go by requestId (S3-FLOW-03)', () => {
    const graph = fromCallGraph({
      nodes: [
        { ...call, id: '1', requestId: 'a' },
        { ...call, id: '2', requestId: 'b', parentRequestId: 'a' },
      ],
      edges: [
        { source: '1', target: '2', edgeType: 'triggered' },
        { source: '1', target: '2', edgeType: 'requested_by' },
        { source: '1', target: 'gone', edgeType: 'triggered' },
      ],
    });
    expect(graph.childrenOf('a')).toEqual(['b']);
    expect(graph.get('b')).toMatchObject({ status: 'running', parentRequestId: 'a' });
    expect(graph.export().edges).toHaveLength(1);
  });

  it('with a status of a later version is refused, not guessed', () => {
    const node = { ...call, id: '1', requestId: 'a', status: 'PAUSED' };
    expect(() => fromCallGraph({ nodes: [node], edges: [] })).toThrow('PAUSED');
  });
});
