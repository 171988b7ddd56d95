import { type Children, childIds, NO_CHILDREN } from './children.ts';
import { type IdIndex, lookUp, withId } from './id-index.ts';
import { MapView } from './map-view.ts';
import type { Kind, KindFields } from './run-event.ts';
import { appended, emptyVector, replaced, slotAt, slotsOf, type Vector } from './vector.ts';

/**
 * A node of the conversation graph: one event, or the joined text of events with the same id
 * (S1-NODE).
 */
export type GraphNode = {
  readonly [K in Kind]: {
    readonly id: string;
    readonly runId: string;
    readonly kind: K;
  } & KindFields[K];
}[Kind];

/**
 * The events of runs as a forest of nodes (S1-GRAPH-01). Immutable. The three properties read like
 * Maps and keep the order of arrival.
 */
export interface Graph {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Ids of the children by node id, in the order of their edges. */
  readonly edges: ReadonlyMap<string, readonly string[]>;
  readonly lastNodeByRunId: ReadonlyMap<string, string>;
}

/** A node with its outgoing edges. Most reads need both, so one index finds them. */
export interface Slot {
  readonly node: GraphNode;
  readonly children: Children;
}

/** Data of a run that is read without visiting its nodes. */
export interface RunRecord {
  readonly runId: string;
  readonly firstId: string;
  readonly lastId: string;
  /** Index of the last node among the slots. */
  readonly lastSlot: number;
  /** The parent of this run's first node. */
  readonly parentId: string | null;
  /** Number of usage nodes; part of the next one's id. */
  readonly usages: number;
}

/**
 * Edges whose parent has not arrived, in order of arrival. `children` is empty after its arrival.
 */
interface Waiting {
  readonly parentId: string;
  readonly children: Children;
}

/** Everything but the slots. Most events only append text and do not change it. */
export interface Frame {
  readonly slotIndex: IdIndex;
  readonly runIndex: IdIndex;
  readonly runs: Vector<RunRecord>;
  /**
   * The run of the last new node. The next node is usually in the same run, which saves a look-up.
   */
  readonly lastRun: number;
  readonly waitingIndex: IdIndex;
  readonly waiting: Vector<Waiting>;
  /** Number of ids with edges. */
  readonly parents: number;
}

/** The stored form of the graph. All parts are persistent, so a change copies only one path. */
export class StoredGraph implements Graph {
  readonly slots: Vector<Slot>;
  readonly frame: Frame;
  /** Slot of the last event, for streamed text. */
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

  /** Index of a node among the slots; -1 if unknown. */
  placeOf(id: string): number {
    if (slotAt(this.slots, this.lastSlot)?.node.id === id) return this.lastSlot;
    return lookUp(this.frame.slotIndex, id);
  }

  slot(id: string): Slot | undefined {
    return slotAt(this.slots, this.placeOf(id));
  }

  /** Index of a run among the runs; -1 if unknown. */
  runPlaceOf(runId: string): number {
    const { runs, lastRun, runIndex } = this.frame;
    return slotAt(runs, lastRun)?.runId === runId ? lastRun : lookUp(runIndex, runId);
  }

  run(runId: string): RunRecord | undefined {
    return slotAt(this.frame.runs, this.runPlaceOf(runId));
  }

  /** Undefined without outgoing edges, like a Map. */
  childIds(id: string): readonly string[] | undefined {
    const children = this.slot(id)?.children ?? this.waitingFor(id);
    return children === NO_CHILDREN ? undefined : childIds(children);
  }

  /** Edges that wait for this node to arrive. */
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

/** An empty graph (S1-GRAPH-02). */
export function createGraph(): Graph {
  return EMPTY_GRAPH;
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

/** The frame with new waiting edges for a node. */
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
