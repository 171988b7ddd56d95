import { type Children, childIds, hasChildren, NO_CHILDREN, withChild } from './children.ts';
import {
  asStored,
  type Graph,
  type GraphNode,
  type RunRecord,
  StoredGraph,
  withWaiting,
} from './graph.ts';
import { hashOf, lookUp, stored } from './hash-trie.ts';
import { asRunEvent, type RunEvent, type TypedRunEvent } from './run-event.ts';
import { appended, replaced, slotAt } from './vector.ts';

/**
 * The graph with one more event (S1-GRAPH-03); the given one is left as it was. Costs O(log n).
 *
 * A new id becomes a node, linked from its run's last node, or, if it is the run's first, from `parentId`
 * (S1-EDGE-01..03). A known id of text or reasoning goes on with its text (S1-STREAM-01); any other known id takes
 * the new values in place, without another edge (C-40).
 */
export function reduceEvent(graph: Graph, given: RunEvent | TypedRunEvent): Graph {
  const event = asRunEvent(given);
  const before = asStored(graph);
  const run = before.run(event.runId);
  const id = nodeId(before, event, run);
  const hash = hashOf(id);
  const at = lookUp(before.slotIndex, id, hash);
  return at >= 0
    ? withKnown(before, at, event)
    : withNew(before, nodeOf(id, event), hash, event, run);
}

/** S1-ID; a count comes from the graph, so the same stream gives the same ids again (C-39). */
function nodeId(graph: StoredGraph, event: RunEvent, run: RunRecord | undefined): string {
  switch (event.kind) {
    case 'tool_result':
      return `${event.id}:result`;
    case 'harness_start':
    case 'harness_end':
    case 'error':
    case 'user':
      return `${event.runId}:${event.kind}`;
    case 'usage':
      return `${event.runId}:usage:${(run?.usages ?? 0) + 1}`;
    case 'tool_progress':
      return event.id ?? nextProgressId(graph, event.toolCallId);
    default:
      return event.id;
  }
}

/** The first free `toolCallId:progress:n`, found by doubling, so that many reports of one call stay cheap. */
function nextProgressId(graph: StoredGraph, toolCallId: string): string {
  const isTaken = (count: number): boolean =>
    lookUp(graph.slotIndex, `${toolCallId}:progress:${count}`) >= 0;
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

/** The node an event becomes: its kind's fields and nothing else of what the stream may carry. */
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
  // Engines keep a growing text as a rope, so going on with it costs no copy of what was said before.
  const node: GraphNode =
    (event.kind === 'text' || event.kind === 'reasoning') && event.kind === known.kind
      ? { ...known, content: known.content + event.content }
      : // It stays where it first came: its edges belong to that run.
        { ...nodeOf(known.id, event), runId: known.runId };
  return new StoredGraph({
    slotIndex: graph.slotIndex,
    slots: replaced(graph.slots, at, { node, children: slot.children }),
    runIndex: graph.runIndex,
    runs: graph.runs,
    waitingIndex: graph.waitingIndex,
    waiting: graph.waiting,
    parents: graph.parents,
  });
}

function withNew(
  graph: StoredGraph,
  node: GraphNode,
  hash: number,
  event: RunEvent,
  run: RunRecord | undefined,
): StoredGraph {
  // An edge to itself would be no edge of a DAG (S1-GRAPH-04).
  const parentId =
    run === undefined && event.parentId != null && event.parentId !== node.id
      ? event.parentId
      : null;
  const parentSlot = run?.lastSlot ?? (parentId === null ? -1 : lookUp(graph.slotIndex, parentId));
  const place = graph.slots.size;
  const isUsage = node.kind === 'usage';
  const record: RunRecord =
    run === undefined
      ? {
          runId: node.runId,
          firstId: node.id,
          lastId: node.id,
          lastSlot: place,
          parentId,
          usages: isUsage ? 1 : 0,
        }
      : {
          runId: run.runId,
          firstId: run.firstId,
          lastId: node.id,
          lastSlot: place,
          parentId: run.parentId,
          usages: isUsage ? run.usages + 1 : run.usages,
        };
  const runAt = run === undefined ? graph.runs.size : lookUp(graph.runIndex, run.runId);

  const waiting =
    graph.waiting.size === 0 ? NO_CHILDREN : (graph.waitingFor(node.id)?.children ?? NO_CHILDREN);
  const parent = slotAt(graph.slots, parentSlot);
  const linked =
    parent === undefined
      ? graph.slots
      : replaced(graph.slots, parentSlot, {
          node: parent.node,
          children: withChild(parent.children, node.id),
        });
  const next = new StoredGraph({
    slotIndex: stored(graph.slotIndex, node.id, place, hash),
    slots: appended(linked, { node, children: NO_CHILDREN }),
    runIndex: run === undefined ? stored(graph.runIndex, node.runId, runAt) : graph.runIndex,
    runs: run === undefined ? appended(graph.runs, record) : replaced(graph.runs, runAt, record),
    waitingIndex: graph.waitingIndex,
    waiting: graph.waiting,
    parents:
      parent === undefined || hasChildren(parent.children) ? graph.parents : graph.parents + 1,
  });
  if (hasChildren(waiting)) return withArrived(next, node, place, waiting);
  return parentId !== null && parent === undefined ? withWaiting(next, parentId, node.id) : next;
}

/** The parent some runs were waiting for has come: their edges move to it, but for those that would close a circle. */
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
  const at = lookUp(graph.waitingIndex, node.id);
  return new StoredGraph({
    slotIndex: graph.slotIndex,
    slots: replaced(graph.slots, place, { node, children }),
    runIndex: graph.runIndex,
    runs: graph.runs,
    waitingIndex: graph.waitingIndex,
    waiting: replaced(graph.waiting, at, { parentId: node.id, children: NO_CHILDREN }),
    parents: hasChildren(children) ? graph.parents : graph.parents - 1,
  });
}

/** The run, the run its first node hangs on, and so on: nothing of these may hang on a node of the first. */
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
