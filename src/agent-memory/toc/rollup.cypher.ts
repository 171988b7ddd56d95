import { z } from 'zod';
import type { Instant } from '../../common/clock.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../../platform/neo4j/row.ts';
import { EVENT, type StoredEvent, toEvents } from '../events/event.cypher.ts';
import type { Grip } from '../grips/grip.ts';
import type { StoredSegment } from '../segments/segment.cypher.ts';
import { realmOfStore } from '../store.ts';
import { type NodeRef, type StoredTocNode, TOC_NODE, toTocNodes } from './toc.cypher.ts';
import type { TocBullet, TocLevel } from './toc.ts';

/** A node that has to be summed up anew. */
export interface TocWork extends NodeRef {
  readonly startMs: number;
  /** Rises with each change; work is done only when it is the same afterwards. */
  readonly revision: number;
  readonly attempts: number;
}

const LIST_WORK = /* cypher */ `
  // listTocWork
  MATCH (w:TocWork) WHERE w.level = $level AND w.since > '' AND coalesce(w.notBefore, '') <= $now
  RETURN w {.store, .nodeId, .startMs, .revision, .attempts} AS work
  ORDER BY w.level, w.since LIMIT $limit
`;

const WorkRow = z.object({
  store: z.string(),
  nodeId: z.string(),
  startMs: z.int(),
  revision: z.int(),
  attempts: z.int(),
});

/** The oldest work of a level that may be done now. */
export async function listTocWork(
  tx: ReadTx,
  level: TocLevel,
  now: Instant,
  limit: number,
): Promise<TocWork[]> {
  const rows = await tx.run(LIST_WORK, { level, now, limit });
  return rows.map((row) => parseRow(WorkRow, row['work'], 'TocWork'));
}

const COUNT_WORK = /* cypher */ `
  // countTocWork
  MATCH (w:TocWork) WHERE w.level = $level AND w.since > ''
  RETURN count(w) AS waiting
`;

export async function countTocWork(tx: ReadTx, level: TocLevel): Promise<number> {
  return countOf(await tx.run(COUNT_WORK, { level }), 'waiting');
}

// Ordered by all of the index: by the key alone the planner reads a range to its end and sorts it.
const READ_SEGMENTS = /* cypher */ `
  // readSegments
  UNWIND range(0, size($segments) - 1) AS place
  WITH place, $segments[place] AS segment
  CALL (segment) {
    MATCH (m:MemoryEvent)
    WHERE m.store = segment.store AND m.sessionId = segment.sessionId
      AND m.key >= segment.startKey AND m.key <= segment.endKey
    WITH m ORDER BY m.key
    RETURN collect(${EVENT}) AS events
  }
  CALL (segment) {
    MATCH (before:Segment)
    WHERE before.store = segment.store AND before.sessionId = segment.sessionId
      AND before.startKey < segment.startKey
    WITH before ORDER BY before.store DESC, before.sessionId DESC, before.startKey DESC LIMIT 1
    MATCH (m:MemoryEvent)
    WHERE m.store = segment.store AND m.sessionId = segment.sessionId
      AND m.key >= before.startKey AND m.key < segment.startKey
    WITH m ORDER BY m.store DESC, m.sessionId DESC, m.key DESC LIMIT $overlap
    RETURN collect(${EVENT}) AS overlap
  }
  RETURN events, overlap ORDER BY place
`;

/** The events of each segment, and the last ones of the segment before it (S2-SEG-04). */
export async function readSegments(
  tx: ReadTx,
  segments: readonly StoredSegment[],
  overlap: number,
): Promise<{ readonly events: StoredEvent[]; readonly overlap: StoredEvent[] }[]> {
  if (segments.length === 0) return [];
  const rows = await tx.run(READ_SEGMENTS, {
    segments: segments.map((segment) => ({ ...segment })),
    overlap,
  });
  return rows.map((row) => ({
    events: toEvents(row['events']),
    overlap: toEvents(row['overlap']).reverse(),
  }));
}

const READ_CHILDREN = /* cypher */ `
  // readTocChildren
  UNWIND range(0, size($refs) - 1) AS place
  WITH place, $refs[place] AS ref
  CALL (ref) {
    MATCH (l:TocLatest)
    WHERE l.store = ref.store AND l.parentId = ref.nodeId AND l.place > '' AND NOT l.isEmpty
    WITH l ORDER BY l.place
    RETURN collect(l.nodeId) AS childNodeIds, collect(l.version) AS versions, collect(l.versionKey) AS keys
  }
  CALL (ref, keys) {
    UNWIND keys[-$most..] AS key
    MATCH (n:TocNode {store: ref.store, key: key})
    RETURN collect(${TOC_NODE}) AS children
  }
  RETURN childNodeIds, versions, children ORDER BY place
`;

export interface ReadChildren {
  readonly childNodeIds: readonly string[];
  readonly versions: readonly number[];
  /** The last of them, in order; a day may have very many segments. */
  readonly children: readonly StoredTocNode[];
}

const ChildrenRow = z.object({
  childNodeIds: z.array(z.string()),
  versions: z.array(z.int()),
});

/** What each node has below it; nodes that are empty have left. */
export async function readChildren(
  tx: ReadTx,
  refs: readonly NodeRef[],
  most: number,
): Promise<ReadChildren[]> {
  const rows = await tx.run(READ_CHILDREN, {
    refs: refs.map(({ store, nodeId }) => ({ store, nodeId })),
    most,
  });
  return rows.map((row) => ({
    ...parseRow(ChildrenRow, row, 'TocLatest'),
    children: toTocNodes(row['children']),
  }));
}

const FIND_SUMS = /* cypher */ `
  // findTocSums
  UNWIND $refs AS ref
  MATCH (l:TocLatest {store: ref.store, nodeId: ref.nodeId})
  RETURN l.store AS store, l.nodeId AS nodeId, l.madeOf AS madeOf, l.isEmpty AS isEmpty
`;

const SumRow = z.object({
  store: z.string(),
  nodeId: z.string(),
  madeOf: z.string(),
  isEmpty: z.boolean(),
});

/** What the latest version of each was made of. */
export async function findTocSums(
  tx: ReadTx,
  refs: readonly NodeRef[],
): Promise<(NodeRef & { readonly madeOf: string; readonly isEmpty: boolean })[]> {
  const rows = await tx.run(FIND_SUMS, {
    refs: refs.map(({ store, nodeId }) => ({ store, nodeId })),
  });
  return rows.map((row) => parseRow(SumRow, row, 'TocLatest'));
}

/** A new version of a node, with its grips. */
export interface NewVersion extends NodeRef {
  readonly parentId: string;
  readonly level: TocLevel;
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Sorts it among its siblings. */
  readonly place: string;
  readonly bullets: readonly TocBullet[];
  readonly keywords: readonly string[];
  readonly childNodeIds: readonly string[];
  readonly isEmpty: boolean;
  /** Tells what it was made of; the same again makes no new version. */
  readonly madeOf: string;
  readonly grips: readonly NewGrip[];
}
export interface NewGrip extends Omit<Grip, 'timestamp' | 'tocNodeId'> {
  readonly timestampMs: number;
  readonly sessionId: string;
  readonly startKey: string;
  readonly endKey: string;
}

const SAVE_VERSIONS = /* cypher */ `
  // saveTocVersions
  CALL () {
    UNWIND $versions AS node
    MERGE (l:TocLatest {store: node.store, nodeId: node.nodeId})
    ON CREATE SET l.version = 0
    SET l.version = l.version + 1, l.key = 'latest:' + node.nodeId, l.parentId = node.parentId, l.place = node.place,
      l.isEmpty = node.isEmpty, l.madeOf = node.madeOf, l.words = node.words
    SET l.versionKey = node.nodeId + ':v'
      + CASE WHEN l.version < 100000 THEN right('00000' + toString(l.version), 6) ELSE toString(l.version) END
    CREATE (n:TocNode {store: node.store, key: l.versionKey})
    SET n += node.properties, n.version = l.version
  }
  CALL () {
    UNWIND $grips AS grip
    MERGE (g:Grip {realm: grip.realm, gripId: grip.gripId})
    ON CREATE SET g += grip
  }
  CALL () {
    UNWIND $done AS item
    MATCH (w:TocWork {store: item.store, nodeId: item.nodeId})
    SET w.takenAt = $nowMs
    WITH w, item WHERE w.revision = item.revision
    DELETE w
  }
  CALL () {
    UNWIND $work AS item
    MERGE (w:TocWork {store: item.store, nodeId: item.nodeId})
    ON CREATE SET w.level = item.level, w.since = $now, w.startMs = item.startMs, w.revision = 0, w.attempts = 0
    SET w.revision = w.revision + 1
  }
  FINISH
`;

/**
 * Appends versions, moves the pointers, keeps the grips, ends the work unless something changed meanwhile, and gives the
 * parents theirs: one statement, one commit (S2-TOC-06, S2-TOC-07).
 */
export async function saveVersions(
  tx: WriteTx,
  input: {
    readonly versions: readonly NewVersion[];
    readonly done: readonly TocWork[];
    readonly work: readonly (NodeRef & { readonly level: TocLevel; readonly startMs: number })[];
    readonly now: Instant;
    readonly nowMs: number;
  },
): Promise<void> {
  const versions = input.versions.map((node) => ({
    store: node.store,
    nodeId: node.nodeId,
    parentId: node.parentId,
    place: node.place,
    isEmpty: node.isEmpty,
    madeOf: node.madeOf,
    words: [node.title, ...node.bullets.map(({ text }) => text), ...node.keywords].join('\n'),
    properties: {
      nodeId: node.nodeId,
      parentId: node.parentId,
      level: node.level,
      title: node.title,
      startMs: node.startMs,
      endMs: node.endMs,
      bullets: JSON.stringify(node.bullets),
      gripIds: node.bullets.flatMap(({ gripIds }) => gripIds),
      keywords: [...node.keywords],
      childNodeIds: [...node.childNodeIds],
      createdMs: input.nowMs,
    },
  }));
  const grips = input.versions.flatMap(({ store, nodeId, grips: made }) =>
    made.map((grip) => ({
      ...grip,
      store,
      realm: realmOfStore(store),
      tocNodeId: nodeId,
      indexKey: `node:${nodeId}:${grip.gripId}`,
    })),
  );
  await tx.run(SAVE_VERSIONS, {
    versions,
    grips,
    done: input.done.map(({ store, nodeId, revision }) => ({ store, nodeId, revision })),
    work: input.work.map((item) => ({ ...item })),
    now: input.now,
    nowMs: input.nowMs,
  });
}

const DEFER_WORK = /* cypher */ `
  // deferTocWork
  UNWIND $items AS item
  MATCH (w:TocWork {store: item.store, nodeId: item.nodeId})
  SET w.attempts = w.attempts + 1, w.notBefore = item.notBefore
`;

/** Work that could not be done now is tried again later. */
export async function deferWork(
  tx: WriteTx,
  items: readonly (NodeRef & { readonly notBefore: Instant })[],
): Promise<void> {
  await tx.run(DEFER_WORK, {
    items: items.map(({ store, nodeId, notBefore }) => ({ store, nodeId, notBefore })),
  });
}
