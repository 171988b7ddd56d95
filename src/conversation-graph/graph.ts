import { type Children, childIds, hasChildren, NO_CHILDREN, withChild } from './children.ts';
import { type HashTrie, hashOf, lookUp, stored } from './hash-trie.ts';
import { MapView } from './map-view.ts';
import type { Kind, KindFields } from './run-event.ts';
import { appended, emptyVector, replaced, slotAt, slotsOf, type Vector } from './vector.ts';

/** A node of the conversation graph: one event, or the text of many with one id (S1-NODE). */
export type GraphNode = {
  readonly [K in Kind]: {
    readonly id: string;
    readonly runId: string;
    readonly kind: K;
  } & KindFields[K];
}[Kind];

/**
 * What runs said and did, as a forest of nodes (S1-GRAPH-01). Immutable: an older graph stays as it was. The three
 * read like Maps and keep the order in which things first came.
 */
export interface Graph {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** From a node's id to its children's, in the order of their edges. */
  readonly edges: ReadonlyMap<string, readonly string[]>;
  readonly lastNodeByRunId: ReadonlyMap<string, string>;
}

/** A node with its outgoing edges: most reads want both, and one index finds them. */
export interface Slot {
  readonly node: GraphNode;
  readonly children: Children;
}

/** What is known of a run without walking it. */
export interface RunRecord {
  readonly runId: string;
  readonly firstId: string;
  readonly lastId: string;
  /** Where the last node lies among the slots. */
  readonly lastSlot: number;
  /** The node this run's first node hangs on. */
  readonly parentId: string | null;
  /** How many usage nodes it has; names the next one (C-39). */
  readonly usages: number;
}

/** Edges whose parent has not come yet, in the order they came; `children` is empty once it has. */
interface Waiting {
  readonly parentId: string;
  readonly children: Children;
}

type GraphParts = Pick<
  StoredGraph,
  'slotIndex' | 'slots' | 'runIndex' | 'runs' | 'waitingIndex' | 'waiting' | 'parents'
>;

/** The graph as it is kept; everything in it is persistent, so a change shares all but a path of it. */
export class StoredGraph implements Graph {
  readonly slotIndex: HashTrie;
  readonly slots: Vector<Slot>;
  readonly runIndex: HashTrie;
  readonly runs: Vector<RunRecord>;
  readonly waitingIndex: HashTrie;
  readonly waiting: Vector<Waiting>;
  /** How many ids have edges. */
  readonly parents: number;

  constructor(parts: GraphParts) {
    this.slotIndex = parts.slotIndex;
    this.slots = parts.slots;
    this.runIndex = parts.runIndex;
    this.runs = parts.runs;
    this.waitingIndex = parts.waitingIndex;
    this.waiting = parts.waiting;
    this.parents = parts.parents;
  }

  get nodes(): ReadonlyMap<string, GraphNode> {
    return new MapView({
      size: () => this.slots.size,
      get: (id) => this.slot(id)?.node,
      entries: () => nodeEntries(this),
    });
  }

  get edges(): ReadonlyMap<string, readonly string[]> {
    return new MapView({
      size: () => this.parents,
      get: (id) => this.childIds(id),
      entries: () => edgeEntries(this),
    });
  }

  get lastNodeByRunId(): ReadonlyMap<string, string> {
    return new MapView({
      size: () => this.runs.size,
      get: (runId) => this.run(runId)?.lastId,
      entries: () => lastEntries(this),
    });
  }

  slot(id: string): Slot | undefined {
    return slotAt(this.slots, lookUp(this.slotIndex, id));
  }

  run(runId: string): RunRecord | undefined {
    return slotAt(this.runs, lookUp(this.runIndex, runId));
  }

  /** Undefined where no edge leaves, as a Map would answer. */
  childIds(id: string): readonly string[] | undefined {
    const children = this.slot(id)?.children ?? this.waitingFor(id)?.children;
    return children !== undefined && hasChildren(children) ? childIds(children) : undefined;
  }

  waitingFor(id: string): Waiting | undefined {
    return slotAt(this.waiting, lookUp(this.waitingIndex, id));
  }
}

export const EMPTY_GRAPH = new StoredGraph({
  slotIndex: null,
  slots: emptyVector(),
  runIndex: null,
  runs: emptyVector(),
  waitingIndex: null,
  waiting: emptyVector(),
  parents: 0,
});

/** A graph of nothing (S1-GRAPH-02). */
export function createGraph(): Graph {
  return EMPTY_GRAPH;
}

/** Only graphs that grew from `createGraph` can be read as they are kept. */
export function asStored(graph: Graph): StoredGraph {
  if (graph instanceof StoredGraph) return graph;
  throw new TypeError('This graph was not made by createGraph and reduceEvent.');
}

function* nodeEntries({ slots }: StoredGraph): Generator<[string, GraphNode], undefined> {
  for (const { node } of slotsOf(slots)) yield [node.id, node];
  return undefined;
}

function* edgeEntries(graph: StoredGraph): Generator<[string, readonly string[]], undefined> {
  for (const { node, children } of slotsOf(graph.slots)) {
    if (hasChildren(children)) yield [node.id, childIds(children)];
  }
  for (const { parentId, children } of slotsOf(graph.waiting)) {
    if (hasChildren(children)) yield [parentId, childIds(children)];
  }
  return undefined;
}

function* lastEntries({ runs }: StoredGraph): Generator<[string, string], undefined> {
  for (const { runId, lastId } of slotsOf(runs)) yield [runId, lastId];
  return undefined;
}

/** The graph with an edge whose parent is not there yet. */
export function withWaiting(graph: StoredGraph, parentId: string, childId: string): StoredGraph {
  const hash = hashOf(parentId);
  const at = lookUp(graph.waitingIndex, parentId, hash);
  const known = slotAt(graph.waiting, at);
  const children = known?.children ?? NO_CHILDREN;
  const entry = { parentId, children: withChild(children, childId) };
  const { slotIndex, slots, runIndex, runs, waitingIndex, waiting, parents } = graph;
  return new StoredGraph({
    slotIndex,
    slots,
    runIndex,
    runs,
    waitingIndex:
      known === undefined ? stored(waitingIndex, parentId, waiting.size, hash) : waitingIndex,
    waiting: known === undefined ? appended(waiting, entry) : replaced(waiting, at, entry),
    parents: hasChildren(children) ? parents : parents + 1,
  });
}
