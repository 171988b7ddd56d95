import {
  createGraph,
  type Graph,
  type GraphNode,
  type RunEvent,
  reduceEvent,
} from '../packages/client/src/conversation-graph/index.ts';
import { type Figure, holds, interleave, median, printFigure } from './report.ts';

/** S1's own excerpt: every event copies both maps whole. */
interface CopiedGraph {
  readonly nodes: Map<string, GraphNode>;
  readonly edges: Map<string, string[]>;
  readonly lastNodeByRunId: Map<string, string>;
}

function reduceByCopy(graph: CopiedGraph, event: RunEvent): CopiedGraph {
  const nodes = new Map(graph.nodes);
  const edges = new Map(graph.edges);
  const suffix = event.kind === 'tool_result' ? ':result' : '';
  const id = event.id === undefined ? `${event.runId}:${event.kind}` : event.id + suffix;
  const known = nodes.get(id);
  if (known?.kind === 'text' && event.kind === 'text') {
    nodes.set(id, { ...known, content: known.content + event.content });
    return { nodes, edges, lastNodeByRunId: graph.lastNodeByRunId };
  }
  const lastNodeByRunId = new Map(graph.lastNodeByRunId);
  const from = lastNodeByRunId.get(event.runId) ?? event.parentId;
  nodes.set(id, { ...event, id } as GraphNode);
  if (from != null) edges.set(from, [...(edges.get(from) ?? []), id]);
  lastNodeByRunId.set(event.runId, id);
  return { nodes, edges, lastNodeByRunId };
}

/**
 * Runs nested ten deep, each with calls, answers and streamed text: a third of the events are new
 * nodes.
 */
function stream(count: number): RunEvent[] {
  const events: RunEvent[] = [];
  for (let run = 0; events.length < count; run++) {
    const runId = `0199a2c4-${run}`;
    const parentId = run % 10 === 0 ? null : `0199a2c4-${run - 1}/call/1`;
    events.push({ kind: 'harness_start', runId, parentId, agentId: 'agent' });
    for (let step = 1; step <= 4; step++) {
      const id = step === 1 ? `${runId}/call/1` : `${runId}/step-${step}/1`;
      events.push({ kind: 'tool_call', id, runId, name: 'search', input: { step } });
      events.push({ kind: 'tool_result', id, runId, name: 'search', output: step });
      for (let word = 0; word < 8; word++)
        events.push({ kind: 'text', id: `${id}/text`, runId, content: ' word' });
    }
    events.push({ kind: 'harness_end', runId, agentId: 'agent' });
  }
  return events.slice(0, count);
}

function fold(events: readonly RunEvent[]): Graph {
  let graph = createGraph();
  for (const event of events) graph = reduceEvent(graph, event);
  return graph;
}

/**
 * CPU milliseconds of folding `times` graphs of the same events. All are kept to the end of the
 * round, so that either side leaves the collector as much that lives: only the size of one graph
 * differs.
 */
function cpuMs(events: readonly RunEvent[], times: number): number {
  const before = process.cpuUsage();
  const graphs = Array.from({ length: times }, () => fold(events));
  const { user, system } = process.cpuUsage(before);
  return graphs.length === times ? (user + system) / 1_000 : Number.NaN;
}

/**
 * Per event, in rounds that alternate; CPU time, so that other processes do not change the ratio.
 */
function perEventNs(
  small: readonly RunEvent[],
  large: readonly RunEvent[],
): { small: number; large: number } {
  const times = large.length / small.length;
  const rounds = Array.from({ length: 9 }, (_, round) => {
    const first = round % 2 === 0 ? cpuMs(small, times) : cpuMs(large, 1);
    const second = round % 2 === 0 ? cpuMs(large, 1) : cpuMs(small, times);
    return round % 2 === 0 ? { small: first, large: second } : { small: second, large: first };
  }).slice(2);
  const ns = (values: number[]): number => (median(values) * 1e6) / large.length;
  return {
    small: ns(rounds.map((round) => round.small)),
    large: ns(rounds.map((round) => round.large)),
  };
}

function growth(name: string, { small, large }: { small: number; large: number }): Figure {
  return {
    name,
    value: large / small,
    unit: 'x',
    bound: 1.5,
    keep: 'at most',
    detail: `${large.toFixed(0)} against ${small.toFixed(0)} ns of CPU an event`,
  };
}

async function main(): Promise<void> {
  const large = stream(1_000_000);
  const text: RunEvent[] = Array.from({ length: 1_000_000 }, () => ({
    kind: 'text',
    id: 't',
    runId: 'r',
    content: 'ab',
  }));
  const runs = perEventNs(large.slice(0, 10_000), large);
  const texts = perEventNs(text.slice(0, 10_000), text);

  const middle = large.slice(0, 100_000);
  const times = await interleave({ middle: async () => fold(middle) }, { rounds: 7 });
  const startedMs = performance.now();
  large
    .slice(0, 20_000)
    .reduce(reduceByCopy, { nodes: new Map(), edges: new Map(), lastNodeByRunId: new Map() });
  // In proportion, which is kind to it: copying costs with the square of the events.
  const copyMs = (performance.now() - startedMs) * 5;

  const figures: readonly Figure[] = [
    {
      name: '100,000 events against copying both maps',
      value: median(times.middle) / copyMs,
      unit: 'x',
      bound: 0.05,
      keep: 'at most',
      detail:
        `${median(times.middle).toFixed(0)} ms against ${copyMs.toFixed(0)} ms (measured at ` +
        '20,000, times 5)',
    },
    growth('an event of 1,000,000 against one of 10,000', runs),
    growth('a piece of a text streamed in 1,000,000 pieces against one in 10,000', texts),
  ];
  for (const figure of figures) printFigure(figure);
  process.exitCode = figures.every(holds) ? 0 : 1;
}

await main();
