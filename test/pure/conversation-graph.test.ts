import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createGraph,
  fromGraphQL,
  type Graph,
  getChildren,
  getNodesInRun,
  getText,
  getToolCalls,
  listGraph,
  type RunEvent,
  reduceEvent,
  walkDFS,
} from '../../packages/client/src/conversation-graph/index.ts';
import { asks, calls, ends, gives, says, starts, usage } from '../testkit/graph-events.ts';

const fold = (events: readonly RunEvent[], from: Graph = createGraph()): Graph =>
  events.reduce(reduceEvent, from);
const edgesOf = (graph: Graph): string[] =>
  listGraph(graph).edges.map(({ from, to }) => `${from} → ${to}`);
/** The nodes and edges of a graph, sorted. */
const said = (graph: Graph) => ({
  nodes: new Map([...graph.nodes].sort(([left], [right]) => (left < right ? -1 : 1))),
  edges: edgesOf(graph).sort(),
  last: new Map([...graph.lastNodeByRunId].sort(([left], [right]) => (left < right ? -1 : 1))),
});

const EXAMPLE: readonly RunEvent[] = [
  { kind: 'user', runId: 'user-1', content: 'List files' },
  starts('agent-1', 'user-1:user'),
  says('text-1', 'agent-1', "I'll list "),
  says('text-1', 'agent-1', 'the files...'),
  calls('tc-1', 'agent-1', 'bash', { command: 'ls' }),
  usage('agent-1', 50, 20),
  asks('relay-1', 'agent-1', 'tc-1', 'bash'),
  gives('tc-1', 'agent-1', 'bash', { context: 'file1.txt' }),
  says('text-2', 'agent-1', 'The directory contains...'),
  usage('agent-1', 70, 15),
  ends('agent-1'),
];

describe('the conversation graph', () => {
  it('begins with nothing (S1-GRAPH-02)', () => {
    const { nodes, edges, lastNodeByRunId } = createGraph();
    expect([nodes.size, edges.size, lastNodeByRunId.size]).toEqual([0, 0, 0]);
  });

  it('holds exactly the edges of the worked example (S1-EDGE-04)', () => {
    const graph = fold(EXAMPLE);
    expect(edgesOf(graph)).toEqual([
      'user-1:user → agent-1:harness_start',
      'agent-1:harness_start → text-1',
      'text-1 → tc-1',
      'tc-1 → agent-1:usage:1',
      'agent-1:usage:1 → relay-1',
      'relay-1 → tc-1:result',
      'tc-1:result → text-2',
      'text-2 → agent-1:usage:2',
      'agent-1:usage:2 → agent-1:harness_end',
    ]);
    expect(Object.fromEntries(graph.lastNodeByRunId)).toEqual({
      'user-1': 'user-1:user',
      'agent-1': 'agent-1:harness_end',
    });
    expect(graph.nodes.get('text-1')).toEqual({
      id: 'text-1',
      runId: 'agent-1',
      kind: 'text',
      content: "I'll list the files...",
    });
  });

  it('hangs a subagent on the tool call that started it (S1-EDGE-05)', () => {
    const graph = fold([
      says('t', 'a1', "I'll search..."),
      calls('tc-1', 'a1', 'agent', { task: 'search for X' }),
      starts('a2', 'tc-1', 'b'),
      { kind: 'text', id: 't2', runId: 'a2', parentId: 'tc-1', content: 'Searching...' },
      ends('a2', 'b'),
      gives('tc-1', 'a1', 'agent', 'found'),
    ]);
    expect(getChildren(graph, 'tc-1').map(({ id }) => id)).toEqual([
      'a2:harness_start',
      'tc-1:result',
    ]);
    expect(edgesOf(graph)).toContain('a2:harness_start → t2');
    expect(edgesOf(graph)).toHaveLength(5);
  });

  it('names every node by its kind (S1-ID-01..04)', () => {
    const events: RunEvent[] = [
      { kind: 'user', runId: 'r', content: 'x' },
      { kind: 'tool_progress', runId: 'r', toolCallId: 'tc', name: 'n', content: 1 },
      { kind: 'tool_progress', runId: 'r', toolCallId: 'tc', name: 'n', content: 2 },
      { kind: 'tool_progress', id: 'own', runId: 'r', toolCallId: 'tc', name: 'n', content: 3 },
      { kind: 'tool_progress', runId: 'r', toolCallId: 'tc', name: 'n', content: 4 },
      { kind: 'error', runId: 'r', message: 'm' },
      { kind: 'reasoning', id: 'why', runId: 'r', content: 'c' },
    ];
    expect([...fold(events).nodes.keys()]).toEqual(
      'r:user tc:progress:1 tc:progress:2 own tc:progress:3 r:error why'.split(' '),
    );
  });

  it('reads the spelling of the specification too, with `type`', () => {
    const graph = reduceEvent(createGraph(), {
      type: 'text',
      id: 't',
      runId: 'r',
      content: 'hello',
    });
    expect(graph.nodes.get('t')).toEqual({ id: 't', runId: 'r', kind: 'text', content: 'hello' });
  });

  it('keeps the fields of a kind, without those that a stream adds', () => {
    const event = fromGraphQL({
      __typename: 'ErrorEvent',
      id: 'e',
      runId: 'r',
      parentId: null,
      cursor: '7',
      at: 'now',
      message: 'no',
    });
    expect(event).toEqual({ kind: 'error', id: 'e', runId: 'r', cursor: '7', message: 'no' });
    expect([...fold(event === null ? [] : [event]).nodes.values()]).toEqual([
      { id: 'r:error', runId: 'r', kind: 'error', message: 'no' },
    ]);
    expect(fromGraphQL({ __typename: 'DreamEvent', id: 'd', runId: 'r', cursor: '8' })).toBeNull();
  });

  it('replaces a node of a known id in place and adds no edge', () => {
    const graph = fold([
      says('x', 'r', 'a'),
      says('y', 'r', 'b'),
      calls('x', 'r', 'n', 1),
      { kind: 'error', runId: 'r', message: 'one' },
      { kind: 'error', runId: 'r', message: 'two' },
    ]);
    expect([...graph.nodes.keys()]).toEqual(['x', 'y', 'r:error']);
    expect(graph.nodes.get('x')).toMatchObject({ kind: 'tool_call' });
    expect(graph.nodes.get('r:error')).toMatchObject({ message: 'two' });
    expect(edgesOf(graph)).toEqual(['x → y', 'y → r:error']);
    expect(graph.lastNodeByRunId.get('r')).toBe('r:error');
  });

  it('answers the queries (S1-QUERY-01..05)', () => {
    const graph = fold(EXAMPLE);
    expect(getChildren(graph, 'nobody')).toEqual([]);
    expect(getText(graph, 'agent-1')).toBe("I'll list the files...The directory contains...");
    expect(getToolCalls(graph, 'agent-1').map(({ name }) => name)).toEqual(['bash']);
    expect(getNodesInRun(graph, 'agent-1')).toHaveLength(9);
    const visited: string[] = [];
    walkDFS(graph, 'user-1:user', ({ id }) => visited.push(id));
    expect(visited).toEqual([...graph.nodes.keys()]);
    walkDFS(graph, 'nobody', () => expect.unreachable());
  });

  it('walks a run of a hundred thousand events, which is as deep', () => {
    const graph = fold(Array.from({ length: 100_000 }, (_, index) => says(`t${index}`, 'r', 'x')));
    let count = 0;
    walkDFS(graph, 't0', () => count++);
    expect([count, getText(graph, 'r').length]).toEqual([100_000, 100_000]);
  });

  it('keeps thousands of children in their order', () => {
    const children = Array.from({ length: 3_000 }, (_, index) => starts(`r${index}`, 'p'));
    const parent = calls('p', 'root');
    const ids = children.map(({ runId }) => `${runId}:harness_start`);
    expect(fold([parent, ...children]).edges.get('p')).toEqual(ids);
    expect(fold([...children, parent]).edges.get('p')).toEqual(ids);
  });
});

/**
 * A run of a tree: events of the run in order; a run's parent is a tool call of an earlier run, or
 * nothing.
 */
const streams = fc
  .array(
    fc.record({ parent: fc.nat(), kinds: fc.array(fc.nat(6), { minLength: 1, maxLength: 8 }) }),
    { minLength: 1, maxLength: 6 },
  )
  .map((plans) => {
    const calls: string[] = [];
    return plans.map(({ parent, kinds }, number): RunEvent[] => {
      const runId = `run-${number}`;
      const parentId =
        calls.length > 0 && parent % 3 > 0 ? (calls[parent % calls.length] ?? null) : null;
      const own: string[] = [];
      const events = kinds.map((kind, index): RunEvent => {
        const id = `${runId}/${index % 3}`;
        if (kind === 0) return { kind: 'text', id: `${id}:text`, runId, content: `${index} ` };
        if (kind === 1) {
          own.push(id);
          return { kind: 'tool_call', id, runId, name: 'n', input: index };
        }
        if (kind === 2) return { kind: 'tool_result', id, runId, name: 'n', output: index };
        if (kind === 3) return { kind: 'usage', runId, inputTokens: index, outputTokens: 1 };
        if (kind === 4)
          return { kind: 'tool_progress', runId, toolCallId: id, name: 'n', content: index };
        if (kind === 5) return { kind: 'error', runId, message: `${index}` };
        return { kind: 'reasoning', id: `${id}:why`, runId, content: 'hm ' };
      });
      calls.push(...own);
      return [{ kind: 'harness_start', runId, parentId, agentId: 'a' }, ...events];
    });
  });

/** Merges runs in any order that keeps each run's own. */
function interleaved(runs: readonly (readonly RunEvent[])[], picks: readonly number[]): RunEvent[] {
  const rests = runs.map((run) => [...run]);
  const merged: RunEvent[] = [];
  for (let turn = 0; ; turn++) {
    const open = rests.filter((rest) => rest.length > 0);
    const next = open[(picks[turn % picks.length] ?? 0) % open.length]?.shift();
    if (next === undefined) return merged;
    merged.push(next);
  }
}
const picks = fc.array(fc.nat(100), { minLength: 1, maxLength: 40 });

describe('any stream of runs', () => {
  it('gives the same graph however the runs interleave (S1-PERSIST-02)', () => {
    fc.assert(
      fc.property(streams, picks, (runs, order) => {
        expect(said(fold(interleaved(runs, order)))).toEqual(said(fold(runs.flat())));
      }),
    );
  });

  it('gives the same graph from any point on, and leaves earlier ones alone (S1-GRAPH-03)', () => {
    fc.assert(
      fc.property(streams, picks, fc.nat(), (runs, order, cut) => {
        const events = interleaved(runs, order);
        const at = cut % (events.length + 1);
        const kept = fold(events.slice(0, at));
        const before = JSON.stringify(listGraph(kept));
        const whole = fold(events.slice(at), kept);
        // Another branch from the same graph must not be seen by either.
        fold([says('elsewhere', 'run-0', 'x'), ...events.slice(at)], kept);
        expect(JSON.stringify(listGraph(kept))).toBe(before);
        expect(listGraph(whole)).toEqual(listGraph(fold(events)));
      }),
    );
  });

  it('gives a forest, whatever the parents said: no two parents, no circle (S1-GRAPH-04)', () => {
    const wild = fc.array(
      fc
        .record({ run: fc.nat(4), id: fc.nat(12), parent: fc.option(fc.nat(12), { nil: null }) })
        .map(
          ({ run, id, parent }): RunEvent => ({
            kind: 'text',
            id: `n${id}`,
            runId: `r${run}`,
            content: 'x',
            parentId: parent === null ? null : `n${parent}`,
          }),
        ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(wild, (events) => {
        const graph = fold(events);
        const { edges } = listGraph(graph);
        const parents = new Map(edges.map(({ from, to }) => [to, from]));
        expect(parents.size).toBe(edges.length);
        expect(graph.edges.size).toBe(new Set(edges.map(({ from }) => from)).size);
        for (const id of graph.nodes.keys()) {
          const above = new Set<string>();
          for (let at = parents.get(id); at !== undefined && !above.has(at); at = parents.get(at))
            above.add(at);
          expect(above.has(id)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads like the Maps it stands for', () => {
    fc.assert(
      fc.property(streams, (runs) => {
        const graph = fold(runs.flat());
        const nodes = new Map(graph.nodes);
        expect(graph.nodes.size).toBe(nodes.size);
        expect([...graph.nodes.keys()]).toEqual([...nodes.keys()]);
        expect([...graph.nodes.values()]).toEqual([...nodes.values()]);
        for (const [id, node] of nodes) {
          expect(graph.nodes.get(id)).toBe(node);
          expect(graph.nodes.has(`${id}?`)).toBe(false);
        }
        for (const { runId } of nodes.values()) {
          const filtered = [...nodes.values()].filter((node) => node.runId === runId);
          expect(getNodesInRun(graph, runId)).toEqual(filtered);
        }
      }),
    );
  });
});
