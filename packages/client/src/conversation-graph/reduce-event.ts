import { type Children, childIds, NO_CHILDREN, withChild } from './children.ts';
import {
  EMPTY_GRAPH,
  type Frame,
  type Graph,
  type GraphNode,
  type RunRecord,
  StoredGraph,
  withWaiting,
} from './graph.ts';
import { lookUp, withId } from './id-index.ts';
import { asRunEvent, type RunEvent, type TypedRunEvent } from './run-event.ts';
import { appended, replaced, slotAt } from './vector.ts';

/**
 * The graph with one more event (S1-GRAPH-03); the given one is left as it was. Costs O(log n).
 *
 * A new id becomes a node, linked from its run's last node, or, if it is the run's first, from
 * `parentId` (S1-EDGE-01..03). A known id of text or reasoning goes on with its text
 * (S1-STREAM-01); any other known id takes the new values in place, without another edge.
 */
export function reduceEvent(graph: Graph, given: RunEvent | TypedRunEvent): Graph {
  const event = asRunEvent(given);
  const before = storedOf(graph);
  const id = nodeId(before, event);
  const at = before.placeOf(id);
  return at >= 0
    ? withKnown(before, at, event)
    : withNew(before, nodeOf(id, event), event.parentId);
}

/**
 * The stored form of a graph. One of plain Maps, such as a saved or cloned one, is taken over in
 * time linear in its nodes: pass it to `reduceEvent` once, and keep the graph that comes back.
 */
export function storedOf(graph: Graph): StoredGraph {
  if (graph instanceof StoredGraph) return graph;
  const parents = new Map<string, string>();
  for (const [from, children] of graph.edges) for (const to of children) parents.set(to, from);
  let stored = EMPTY_GRAPH;
  for (const [id, node] of graph.nodes) stored = withNew(stored, { ...node, id }, parents.get(id));
  return stored;
}

/** Node id (S1-ID). Counters come from the graph, so the same stream gives the same ids again. */
function nodeId(graph: StoredGraph, event: RunEvent): string {
  switch (event.kind) {
    case 'tool_result':
      return `${event.id}:result`;
    case 'harness_start':
    case 'harness_end':
    case 'error':
    case 'user':
      return `${event.runId}:${event.kind}`;
    case 'usage':
      return `${event.runId}:usage:${(graph.run(event.runId)?.usages ?? 0) + 1}`;
    case 'tool_progress':
      return event.id ?? nextProgressId(graph, event.toolCallId);
    default:
      return event.id;
  }
}

/**
 * The first free `toolCallId:progress:n`. Doubling keeps the search cheap for many reports of one
 * call.
 */
function nextProgressId(graph: StoredGraph, toolCallId: string): string {
  const isTaken = (count: number): boolean =>
    lookUp(graph.frame.slotIndex, `${toolCallId}:progress:${count}`) >= 0;
  let taken = 0;
  let free = 1;
  while (isTaken(free)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = (taken + free) >> 1;
    if (isTaken(middle)) taken = middle;
    else free = middle;
  }
  return `${toolCallId}:progress:${free}`;
}

/** The node of an event: only the fields of its kind, without other fields of the stream. */
function nodeOf(id: string, event: RunEvent): GraphNode {
  const { runId, kind } = event;
  switch (kind) {
    case 'text':
    case 'reasoning':
      return { id, runId, kind, content: event.content };
    case 'user':
      return { id, runId, kind, content: event.content };
    case 'tool_call':
      return { id, runId, kind, name: event.name, input: event.input };
    case 'tool_result':
      return { id, runId, kind, name: event.name, output: event.output };
    case 'tool_progress':
      return {
        id,
        runId,
        kind,
        toolCallId: event.toolCallId,
        name: event.name,
        content: event.content,
      };
    case 'harness_start':
    case 'harness_end':
      return { id, runId, kind, agentId: event.agentId };
    case 'error':
      return { id, runId, kind, message: event.message };
    case 'usage':
      return { id, runId, kind, inputTokens: event.inputTokens, outputTokens: event.outputTokens };
    case 'relay':
      return {
        id,
        runId,
        kind,
        relayKind: event.relayKind,
        toolCallId: event.toolCallId,
        tool: event.tool,
        params: event.params,
      };
    default:
      return unreachable(event);
  }
}

function unreachable(value: never): never {
  throw new TypeError(`No node for ${JSON.stringify(value)}.`);
}

function withKnown(graph: StoredGraph, at: number, event: RunEvent): StoredGraph {
  const slot = slotAt(graph.slots, at);
  if (slot === undefined) throw new Error('The index points beside the slots.');
  const known = slot.node;
  // Engines store a growing text as a rope, so appending does not copy the earlier text.
  const node: GraphNode =
    (event.kind === 'text' || event.kind === 'reasoning') && event.kind === known.kind
      ? { ...known, content: known.content + event.content }
      : // It stays where it first came: its edges belong to that run.
        { ...nodeOf(known.id, event), runId: known.runId };
  const slots = replaced(graph.slots, at, { node, children: slot.children });
  return new StoredGraph(slots, graph.frame, at);
}

function withNew(
  graph: StoredGraph,
  node: GraphNode,
  givenParent: string | null | undefined,
): StoredGraph {
  const place = graph.slots.size;
  const runAt = graph.runPlaceOf(node.runId);
  const run = slotAt(graph.frame.runs, runAt);
  // Only a run's first node has a parent in another run. An edge to itself would break the DAG
  // (S1-GRAPH-04).
  const parentId = run !== undefined || givenParent === node.id ? null : (givenParent ?? null);
  const parentAt = run?.lastSlot ?? (parentId === null ? -1 : graph.placeOf(parentId));
  const parent = slotAt(graph.slots, parentAt);

  const record = recordWith(run, node, { place, parentId });
  const { frame } = graph;
  let next: Frame = {
    slotIndex: withId(frame.slotIndex, node.id, place),
    runIndex:
      run === undefined ? withId(frame.runIndex, node.runId, frame.runs.size) : frame.runIndex,
    runs: run === undefined ? appended(frame.runs, record) : replaced(frame.runs, runAt, record),
    lastRun: run === undefined ? frame.runs.size : runAt,
    waitingIndex: frame.waitingIndex,
    waiting: frame.waiting,
    parents: frame.parents + (parent !== undefined && parent.children === NO_CHILDREN ? 1 : 0),
  };
  let { slots } = graph;
  if (parent !== undefined) {
    const children = withChild(parent.children, node.id);
    slots = replaced(slots, parentAt, { node: parent.node, children });
  } else if (parentId !== null) {
    const waiting = graph.waitingFor(parentId);
    next = withWaiting(next, parentId, withChild(waiting, node.id));
    if (waiting === NO_CHILDREN) next = { ...next, parents: next.parents + 1 };
  }
  slots = appended(slots, { node, children: NO_CHILDREN });
  const grown = new StoredGraph(slots, next, place);
  const waiting = graph.waitingFor(node.id);
  return waiting === NO_CHILDREN ? grown : withArrived(grown, node, place, waiting);
}

function recordWith(
  run: RunRecord | undefined,
  { id, runId, kind }: GraphNode,
  { place, parentId }: { place: number; parentId: string | null },
): RunRecord {
  return {
    runId,
    firstId: run?.firstId ?? id,
    lastId: id,
    lastSlot: place,
    parentId: run === undefined ? parentId : run.parentId,
    usages: (run?.usages ?? 0) + (kind === 'usage' ? 1 : 0),
  };
}

/** Moves the edges of runs that waited for this parent, except those that would close a cycle. */
function withArrived(
  graph: StoredGraph,
  node: GraphNode,
  place: number,
  waiting: Children,
): StoredGraph {
  const ancestors = runAncestors(graph, node.runId);
  const children = childIds(waiting)
    .filter((id) => !ancestors.has(graph.slot(id)?.node.runId ?? ''))
    .reduce(withChild, NO_CHILDREN);
  const cleared = withWaiting(graph.frame, node.id, NO_CHILDREN);
  const parents = children === NO_CHILDREN ? cleared.parents - 1 : cleared.parents;
  const slots = replaced(graph.slots, place, { node, children });
  return new StoredGraph(slots, { ...cleared, parents }, place);
}

/** The run and all runs above it. Their nodes may not become children of this run. */
function runAncestors(graph: StoredGraph, runId: string): Set<string> {
  const ancestors = new Set<string>();
  let current: string | undefined = runId;
  while (current !== undefined && !ancestors.has(current)) {
    ancestors.add(current);
    const parentId: string | null = graph.run(current)?.parentId ?? null;
    current = parentId === null ? undefined : graph.slot(parentId)?.node.runId;
  }
  return ancestors;
}
