import { type Children, childIds, NO_CHILDREN } from './children.ts';
import { type IdIndex, lookUp, withId } from './id-index.ts';
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
  /** How many usage nodes it has; names the next one. */
  readonly usages: number;
}

/** Edges whose parent has not come yet, in the order they came; `children` is empty once it has. */
interface Waiting {
  readonly parentId: string;
  readonly children: Children;
}

/** All but the slots; most events go on with a text and leave it as it is. */
export interface Frame {
  readonly slotIndex: IdIndex;
  readonly runIndex: IdIndex;
  readonly runs: Vector<RunRecord>;
  /** The run the last new node was of: mostly the next one is too, and needs no look-up. */
  readonly lastRun: number;
  readonly waitingIndex: IdIndex;
  readonly waiting: Vector<Waiting>;
  /** How many ids have edges. */
  readonly parents: number;
}

/** The graph as it is kept; everything in it is persistent, so a change shares all but a path of it. */
export class StoredGraph implements Graph {
  readonly slots: Vector<Slot>;
  readonly frame: Frame;
  /** The slot of the last event: text streams into it. */
  readonly lastSlot: number;

  constructor(slots: Vector<Slot>, frame: Frame, lastSlot: number) {
    this.slots = slots;
    this.frame = frame;
    this.lastSlot = lastSlot;
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
      size: () => this.frame.parents,
      get: (id) => this.childIds(id),
      entries: () => edgeEntries(this),
    });
  }

  get lastNodeByRunId(): ReadonlyMap<string, string> {
    return new MapView({
      size: () => this.frame.runs.size,
      get: (runId) => this.run(runId)?.lastId,
      entries: () => lastEntries(this),
    });
  }

  /** The place of a node among the slots, -1 where it has none. */
  placeOf(id: string): number {
    if (slotAt(this.slots, this.lastSlot)?.node.id === id) return this.lastSlot;
    return lookUp(this.frame.slotIndex, id);
  }

  slot(id: string): Slot | undefined {
    return slotAt(this.slots, this.placeOf(id));
  }

  /** The place of a run among the runs, -1 where it has none. */
  runPlaceOf(runId: string): number {
    const { runs, lastRun, runIndex } = this.frame;
    return slotAt(runs, lastRun)?.runId === runId ? lastRun : lookUp(runIndex, runId);
  }

  run(runId: string): RunRecord | undefined {
    return slotAt(this.frame.runs, this.runPlaceOf(runId));
  }

  /** Undefined where no edge leaves, as a Map would answer. */
  childIds(id: string): readonly string[] | undefined {
    const children = this.slot(id)?.children ?? this.waitingFor(id);
    return children === NO_CHILDREN ? undefined : childIds(children);
  }

  /** The edges that wait for this node to come. */
  waitingFor(id: string): Children {
    const { waiting, waitingIndex } = this.frame;
    return waiting.size === 0
      ? NO_CHILDREN
      : (slotAt(waiting, lookUp(waitingIndex, id))?.children ?? NO_CHILDREN);
  }
}

export const EMPTY_GRAPH = new StoredGraph(
  emptyVector(),
  {
    slotIndex: null,
    runIndex: null,
    runs: emptyVector(),
    lastRun: -1,
    waitingIndex: null,
    waiting: emptyVector(),
    parents: 0,
  },
  -1,
);

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

function* edgeEntries({
  slots,
  frame,
}: StoredGraph): Generator<[string, readonly string[]], undefined> {
  for (const { node, children } of slotsOf(slots)) {
    if (children !== NO_CHILDREN) yield [node.id, childIds(children)];
  }
  for (const { parentId, children } of slotsOf(frame.waiting)) {
    if (children !== NO_CHILDREN) yield [parentId, childIds(children)];
  }
  return undefined;
}

function* lastEntries({ frame }: StoredGraph): Generator<[string, string], undefined> {
  for (const { runId, lastId } of slotsOf(frame.runs)) yield [runId, lastId];
  return undefined;
}

/** The frame with other edges waiting for a node. */
export function withWaiting(frame: Frame, parentId: string, children: Children): Frame {
  const at = lookUp(frame.waitingIndex, parentId);
  const entry = { parentId, children };
  const { waiting, waitingIndex } = frame;
  return at >= 0
    ? { ...frame, waiting: replaced(waiting, at, entry) }
    : {
        ...frame,
        waitingIndex: withId(waitingIndex, parentId, waiting.size),
        waiting: appended(waiting, entry),
      };
}
