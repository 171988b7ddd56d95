import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createGraph,
  type Graph,
  getNodesInRun,
  listGraph,
  type RunEvent,
  reduceEvent,
} from '../../packages/client/src/conversation-graph/index.ts';
import { calls } from '../testkit/graph-events.ts';

// S1, rule by rule: the node of each event, and the edges that it adds.

const fold = (events: readonly RunEvent[], from: Graph = createGraph()): Graph =>
  events.reduce(reduceEvent, from);
const pairs = (graph: Graph) => listGraph(graph).edges.map(({ from, to }) => [from, to]);

const params = { path: '/tmp' };
const EVENTS: readonly (readonly [string, RunEvent, object])[] = [
  ['S1-NODE-01', { kind: 'text', id: 't', runId: 'r', content: 'a' }, { id: 't', content: 'a' }],
  [
    'S1-NODE-01',
    { kind: 'reasoning', id: 'y', runId: 'r', content: 'b' },
    { id: 'y', content: 'b' },
  ],
  [
    'S1-NODE-02',
    { kind: 'tool_call', id: 'c', runId: 'r', name: 'bash', input: { x: 1 } },
    { id: 'c', name: 'bash', input: { x: 1 } },
  ],
  [
    'S1-NODE-02',
    { kind: 'tool_result', id: 'c', runId: 'r', name: 'bash', output: [1] },
    { id: 'c:result', name: 'bash', output: [1] },
  ],
  [
    'S1-NODE-02',
    { kind: 'tool_progress', runId: 'r', toolCallId: 'c', name: 'bash', content: 0.5 },
    { id: 'c:progress:1', toolCallId: 'c', name: 'bash', content: 0.5 },
  ],
  ['S1-NODE-03', { kind: 'user', runId: 'r', content: 'hi' }, { id: 'r:user', content: 'hi' }],
  [
    'S1-NODE-03',
    { kind: 'user', runId: 'r', content: [{ type: 'text', text: 'hi' }, { type: 'image' }] },
    { id: 'r:user', content: [{ type: 'text', text: 'hi' }, { type: 'image' }] },
  ],
  [
    'S1-NODE-04',
    { kind: 'harness_start', runId: 'r', agentId: 'a' },
    { id: 'r:harness_start', agentId: 'a' },
  ],
  [
    'S1-NODE-04',
    { kind: 'harness_end', runId: 'r', agentId: 'a' },
    { id: 'r:harness_end', agentId: 'a' },
  ],
  ['S1-NODE-04', { kind: 'error', runId: 'r', message: 'no' }, { id: 'r:error', message: 'no' }],
  [
    'S1-NODE-05',
    { kind: 'usage', runId: 'r', inputTokens: 3, outputTokens: 4 },
    { id: 'r:usage:1', inputTokens: 3, outputTokens: 4 },
  ],
  [
    'S1-NODE-06',
    {
      kind: 'relay',
      id: 'p',
      runId: 'r',
      relayKind: 'permission',
      toolCallId: 'c',
      tool: 'bash',
      params,
    },
    { id: 'p', relayKind: 'permission', toolCallId: 'c', tool: 'bash', params },
  ],
];

describe('an event', () => {
  it.each(EVENTS)(
    '%s, S1-GRAPH-05: becomes one node of its kind, in its run',
    (_id, event, node) => {
      const graph = fold([event]);
      expect([...graph.nodes.values()]).toEqual([{ runId: 'r', kind: event.kind, ...node }]);
      // S1-GRAPH-01: from an id to a node, to its children, and from a run to its last node.
      const [id] = graph.nodes.keys();
      expect(graph.nodes.get(id ?? '')).toMatchObject(node);
      expect([...graph.edges]).toEqual([]);
      expect([...graph.lastNodeByRunId]).toEqual([['r', id]]);
    },
  );
});

/** Events of one kind that always make a node of their own. */
const call = (id: string, runId: string, parentId?: string) =>
  calls(id, runId, 'n', null, parentId);

describe('an edge', () => {
  it('S1-EDGE-01: links each node of a run to the next of that run, whatever runs between', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }), (runs) => {
        const graph = fold(runs.map((run, index) => call(`n${index}`, run)));
        for (const run of new Set(runs)) {
          const chain = getNodesInRun(graph, run).map(({ id }) => id);
          expect(chain).toEqual(runs.flatMap((of, index) => (of === run ? [`n${index}`] : [])));
          expect(pairs(graph).filter(([from = '']) => chain.includes(from))).toEqual(
            chain.slice(1).map((id, index) => [chain[index], id]),
          );
        }
      }),
    );
  });

  it('S1-EDGE-02: leads from a parent only to the first node of the run it started', () => {
    const before = fold([call('tc', 'a')]);
    const started = fold([call('s1', 'b', 'tc')], before);
    expect(pairs(started)).toEqual([['tc', 's1']]);
    const again = fold([call('s2', 'b', 'tc')], started);
    expect(pairs(again)).toEqual([
      ['tc', 's1'],
      ['s1', 's2'],
    ]);
  });

  it('S1-EDGE-03: does not lead to the first node of a run without a parent', () => {
    expect(pairs(fold([call('x', 'a'), call('y', 'b'), call('z', 'c')]))).toEqual([]);
  });
});

describe.each(['text', 'reasoning'] as const)('S1-STREAM-01: %s that streams', (kind) => {
  it('goes on in the node it began, without another node, edge or last node', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 20 }), (pieces) => {
        const piece = (content: string): RunEvent => ({ kind, id: 't', runId: 'r', content });
        const begun = fold([call('c', 'r'), piece(pieces[0] ?? ''), call('d', 'r')]);
        const whole = fold(pieces.slice(1).map(piece), begun);
        expect(whole.nodes.get('t')).toEqual({
          id: 't',
          runId: 'r',
          kind,
          content: pieces.join(''),
        });
        expect(whole.nodes.size).toBe(3);
        expect(pairs(whole)).toEqual(pairs(begun));
        expect([...whole.lastNodeByRunId]).toEqual([['r', 'd']]);
      }),
    );
  });
});

describe('a graph of plain Maps (S1-GRAPH-01)', () => {
  const copyOf = ({ nodes, edges, lastNodeByRunId }: Graph): Graph =>
    structuredClone({
      nodes: new Map(nodes),
      edges: new Map([...edges].map(([from, children]) => [from, [...children]])),
      lastNodeByRunId: new Map(lastNodeByRunId),
    });
  const events = fc.array(
    fc
      .tuple(fc.nat(7), fc.constantFrom('a', 'b', 'c'), fc.option(fc.nat(9), { nil: undefined }))
      .map(([n, run, parent]): RunEvent => {
        const above = parent === undefined ? {} : { parentId: `n${parent}` };
        if (n === 6)
          return { kind: 'usage', runId: run, inputTokens: 1, outputTokens: 1, ...above };
        if (n === 7) return { kind: 'text', id: `t-${run}`, runId: run, content: 'x', ...above };
        return call(`n${n}`, run, above.parentId);
      }),
    { maxLength: 30 },
  );

  it('goes on from where it was saved, wherever that is', () => {
    fc.assert(
      fc.property(events, fc.nat(30), (all, cut) => {
        const saved = copyOf(fold(all.slice(0, cut)));
        const whole = fold(all);
        const resumed = fold(all.slice(cut), saved);
        expect(copyOf(resumed)).toEqual(copyOf(whole));
        for (const run of ['a', 'b', 'c'])
          expect(getNodesInRun(copyOf(whole), run)).toEqual(getNodesInRun(whole, run));
      }),
    );
  });

  it('is left as it was', () => {
    const saved = copyOf(fold([call('n0', 'a')]));
    const before = copyOf(saved);
    expect(reduceEvent(saved, call('n1', 'a')).nodes.size).toBe(2);
    expect(saved).toEqual(before);
  });
});
