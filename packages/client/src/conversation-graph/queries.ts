import { asStored, type Graph, type GraphNode } from './graph.ts';

/** A node's children in the order of their edges; [] for an id that is not there (S1-QUERY-01). */
export function getChildren(graph: Graph, nodeId: string): GraphNode[] {
  const stored = asStored(graph);
  return (stored.childIds(nodeId) ?? []).flatMap((id) => stored.slot(id)?.node ?? []);
}

/** A run's nodes in the order they came (S1-QUERY-02). Costs what the run holds, not what the graph holds. */
export function getNodesInRun(graph: Graph, runId: string): GraphNode[] {
  const stored = asStored(graph);
  const nodes: GraphNode[] = [];
  let id = stored.run(runId)?.firstId;
  while (id !== undefined) {
    const slot = stored.slot(id);
    if (slot === undefined) break;
    nodes.push(slot.node);
    // Every node of a run but the last has exactly one child in it; other children begin runs of their own.
    id = stored.childIds(id)?.find((child) => stored.slot(child)?.node.runId === runId);
  }
  return nodes;
}

/** All a run said, joined (S1-QUERY-03). */
export function getText(graph: Graph, runId: string): string {
  return getNodesInRun(graph, runId)
    .map((node) => (node.kind === 'text' ? node.content : ''))
    .join('');
}

/** What a run called (S1-QUERY-04). */
export function getToolCalls(
  graph: Graph,
  runId: string,
): Extract<GraphNode, { kind: 'tool_call' }>[] {
  return getNodesInRun(graph, runId).filter((node) => node.kind === 'tool_call');
}

/** Visits a node and all below it, each before its children; silent on an unknown start (S1-QUERY-05). */
export function walkDFS(graph: Graph, startId: string, visit: (node: GraphNode) => void): void {
  const stored = asStored(graph);
  // A stack of our own: a run of a hundred thousand events is a chain as deep.
  const pending = [startId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const node = stored.slot(id)?.node;
    if (node === undefined) continue;
    visit(node);
    const children = stored.childIds(id) ?? [];
    for (let index = children.length - 1; index >= 0; index--) pending.push(children[index] ?? '');
  }
}

/** Whether a run has said its last word. */
export function hasEnded(graph: Graph, runId: string): boolean {
  return asStored(graph).slot(`${runId}:harness_end`) !== undefined;
}

/** Nodes and edges as lists, in the order they came: what `ProcessRun.graph` answers. */
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
