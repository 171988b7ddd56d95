import type { Graph, GraphNode } from './graph.ts';
import { storedOf } from './reduce-event.ts';

/** A node's children in the order of their edges; [] for an unknown id (S1-QUERY-01). */
export function getChildren(graph: Graph, nodeId: string): GraphNode[] {
  const stored = storedOf(graph);
  return (stored.childIds(nodeId) ?? []).flatMap((id) => stored.slot(id)?.node ?? []);
}

/** A run's nodes in order of arrival (S1-QUERY-02). Cost grows with the run, not with the graph. */
export function getNodesInRun(graph: Graph, runId: string): GraphNode[] {
  const stored = storedOf(graph);
  const nodes: GraphNode[] = [];
  let id = stored.run(runId)?.firstId;
  while (id !== undefined) {
    const slot = stored.slot(id);
    if (slot === undefined) break;
    nodes.push(slot.node);
    // Every node of a run but the last has exactly one child in the run. Other children start other
    // runs.
    id = stored.childIds(id)?.find((child) => stored.slot(child)?.node.runId === runId);
  }
  return nodes;
}

/** The concatenated text of a run (S1-QUERY-03). */
export function getText(graph: Graph, runId: string): string {
  return getNodesInRun(graph, runId)
    .map((node) => (node.kind === 'text' ? node.content : ''))
    .join('');
}

/** The tool calls of a run (S1-QUERY-04). */
export function getToolCalls(
  graph: Graph,
  runId: string,
): Extract<GraphNode, { kind: 'tool_call' }>[] {
  return getNodesInRun(graph, runId).filter((node) => node.kind === 'tool_call');
}

/**
 * Visits a node and its descendants, parents first. Does nothing for an unknown start
 * (S1-QUERY-05).
 */
export function walkDFS(graph: Graph, startId: string, visit: (node: GraphNode) => void): void {
  const stored = storedOf(graph);
  // An explicit stack: a run of a hundred thousand events is a chain of that depth.
  const pending = [startId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = stored.slot(id)?.node;
    if (node === undefined) continue;
    visit(node);
    const children = stored.childIds(id) ?? [];
    for (let index = children.length - 1; index >= 0; index--) pending.push(children[index] ?? '');
  }
}

/** Whether a run has ended. */
export function hasEnded(graph: Graph, runId: string): boolean {
  return storedOf(graph).slot(`${runId}:harness_end`) !== undefined;
}

/** Nodes and edges as lists in order of arrival, like `ProcessRun.graph`. */
export interface GraphListing {
  readonly nodes: GraphNode[];
  readonly edges: { readonly from: string; readonly to: string }[];
}

export function listGraph(graph: Graph): GraphListing {
  return {
    nodes: [...graph.nodes.values()],
    edges: [...graph.edges].flatMap(([from, children]) => children.map((to) => ({ from, to }))),
  };
}
