import { z } from 'zod';
import type { Instant } from '../../common/clock.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../../platform/neo4j/row.ts';
import { EVENT, type StoredEvent, toEvents } from '../events/event.cypher.ts';
import { findGrips, type StoredGrip } from '../grips/grip.cypher.ts';
import type { Grip } from '../grips/grip.ts';
import { SegmentRow, type StoredSegment } from '../segments/segment.cypher.ts';
import { realmOfStore } from '../store.ts';
import { type NodeRef, type StoredTocNode, TOC_NODE, toTocNodes } from './toc.cypher.ts';
import { TOC_LEVELS, type TocBullet, type TocLevel } from './toc.ts';

/** A node that needs a new summary. */
export interface TocWork extends NodeRef {
  readonly startMs: number;
  /** Rises with each change. The work is deleted only if the revision is still the same. */
  readonly revision: number;
  readonly attempts: number;
}

const LIST_WORK = /* cypher */ `
  // listTocWork
  MATCH (w:TocWork)
  WHERE w.level = $level AND w.since > '' AND coalesce(w.notBefore, '') <= $now
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

/** Lists the oldest work of a level that is due. */
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

/** Counts the work of a level, due or not. */
export async function countTocWork(tx: ReadTx, level: TocLevel): Promise<number> {
  return countOf(await tx.run(COUNT_WORK, { level }), 'waiting');
}

/** The latest version of a node, as far as the next version depends on it. */
export interface LatestVersion {
  /** Digest of the sources of the version. */
  readonly madeOf: string;
  readonly isEmpty: boolean;
}

const FIND_LATEST = /* cypher */ `
  // findTocSums
  UNWIND $refs AS ref
  MATCH (l:TocLatest {store: ref.store, nodeId: ref.nodeId})
  RETURN l.store AS store, l.nodeId AS nodeId, l.madeOf AS madeOf, l.isEmpty AS isEmpty
`;

const LatestRow = z.object({
  store: z.string(),
  nodeId: z.string(),
  madeOf: z.string(),
  isEmpty: z.boolean(),
});

const refKey = ({ store, nodeId }: NodeRef) => `${store} ${nodeId}`;
const refsOf = (nodes: readonly NodeRef[]) => nodes.map(({ store, nodeId }) => ({ store, nodeId }));

async function findLatest(
  tx: ReadTx,
  nodes: readonly NodeRef[],
): Promise<ReadonlyMap<string, LatestVersion>> {
  const rows = await tx.run(FIND_LATEST, { refs: refsOf(nodes) });
  const found = rows.map((row) => parseRow(LatestRow, row, 'TocLatest'));
  return new Map(found.map((latest) => [refKey(latest), latest]));
}

const FIND_SEGMENTS = /* cypher */ `
  // findSegmentsOfNodes
  UNWIND $nodes AS node
  MATCH (s:Segment {store: node.store, nodeId: node.nodeId})
  RETURN s {.*} AS segment
`;

/** Finds the segments of nodes; a dissolved segment is left out. */
export async function findSegmentsOfNodes(
  tx: ReadTx,
  nodes: readonly NodeRef[],
): Promise<StoredSegment[]> {
  const rows = await tx.run(FIND_SEGMENTS, { nodes: refsOf(nodes) });
  return rows.map((row) => parseRow(SegmentRow, row['segment'], 'Segment'));
}

// Order by all properties of the index: if ordered by the key alone, the planner reads the whole
// range and sorts it.
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

/** A segment with its events. */
export interface ReadSegment {
  readonly segment: StoredSegment;
  readonly events: readonly StoredEvent[];
  /** The last events of the segment before it (S2-SEG-04). */
  readonly overlap: readonly StoredEvent[];
}

/** Stored data from which the next version of a segment's node is drafted. */
export interface SegmentSource {
  readonly work: TocWork;
  readonly latest: LatestVersion | null;
  /** Null if the segment was dissolved. */
  readonly read: ReadSegment | null;
}

/**
 * Reads the sources of segments, in the order of `work`.
 * @param overlap events before each segment
 */
export async function readSegmentSources(
  tx: ReadTx,
  work: readonly TocWork[],
  overlap: number,
): Promise<SegmentSource[]> {
  const latest = await findLatest(tx, work);
  const segments = await findSegmentsOfNodes(tx, work);
  const rows = segments.length === 0 ? [] : await tx.run(READ_SEGMENTS, { segments, overlap });
  const read = new Map<string, ReadSegment>();
  segments.forEach((segment, index) => {
    const row = rows[index] ?? { events: [], overlap: [] };
    read.set(refKey(segment), {
      segment,
      events: toEvents(row['events']),
      overlap: toEvents(row['overlap']).reverse(),
    });
  });
  return work.map((one) => ({
    work: one,
    latest: latest.get(refKey(one)) ?? null,
    read: read.get(refKey(one)) ?? null,
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
    RETURN collect(l.nodeId) AS childNodeIds, collect(l.version) AS versions,
      collect(l.versionKey) AS keys
  }
  CALL (ref, keys) {
    UNWIND keys[-$most..] AS key
    MATCH (n:TocNode {store: ref.store, key: key})
    RETURN collect(${TOC_NODE}) AS children
  }
  RETURN childNodeIds, versions, children ORDER BY place
`;

/** Stored data from which the next version of a day, week, month or year is drafted. */
export interface PeriodSource {
  readonly work: TocWork;
  readonly latest: LatestVersion | null;
  /** Ids of all children that are not empty, in order of time. */
  readonly childNodeIds: readonly string[];
  /** Latest versions of these children, in the same order. */
  readonly versions: readonly number[];
  /** The last of the children, in order; limited because a day may have thousands of segments. */
  readonly children: readonly StoredTocNode[];
  /** By id: the grips of the realm that the children name. */
  readonly grips: ReadonlyMap<string, StoredGrip>;
}

const ChildrenRow = z.object({
  childNodeIds: z.array(z.string()),
  versions: z.array(z.int()),
});

/** Reads the sources of periods, in the order of `work`. @param most children read of each node */
export async function readPeriodSources(
  tx: ReadTx,
  work: readonly TocWork[],
  most: number,
): Promise<PeriodSource[]> {
  const latest = await findLatest(tx, work);
  const rows = await tx.run(READ_CHILDREN, { refs: refsOf(work), most });
  const read = rows.map((row) => ({
    ...parseRow(ChildrenRow, row, 'TocLatest'),
    children: toTocNodes(row['children']),
  }));
  const grips = await findGripsOf(
    tx,
    read.flatMap(({ children }) => children),
  );
  return work.map((one, index) => ({
    work: one,
    latest: latest.get(refKey(one)) ?? null,
    ...(read[index] ?? { childNodeIds: [], versions: [], children: [] }),
    grips: grips.get(realmOfStore(one.store)) ?? new Map(),
  }));
}

/** Finds the grips of nodes: by realm, then by id. */
async function findGripsOf(
  tx: ReadTx,
  nodes: readonly StoredTocNode[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, StoredGrip>>> {
  const found = new Map<string, ReadonlyMap<string, StoredGrip>>();
  for (const [realm, nodesOfRealm] of Map.groupBy(nodes, ({ store }) => realmOfStore(store))) {
    const ids = nodesOfRealm.flatMap(({ bullets }) => bullets.flatMap(({ gripIds }) => gripIds));
    const grips = await findGrips(tx, realm, ids);
    found.set(realm, new Map(grips.map((grip) => [grip.gripId, grip])));
  }
  return found;
}

/** A new version of a node, with its grips. */
export interface NewVersion extends NodeRef {
  readonly parentId: string;
  readonly level: TocLevel;
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Sort key among the siblings. */
  readonly place: string;
  readonly bullets: readonly TocBullet[];
  readonly keywords: readonly string[];
  readonly childNodeIds: readonly string[];
  readonly isEmpty: boolean;
  /** Digest of the sources; equal sources make no new version. */
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
    SET l.version = l.version + 1, l.key = 'latest:' + node.nodeId, l.parentId = node.parentId,
      l.place = node.place, l.isEmpty = node.isEmpty, l.madeOf = node.madeOf, l.words = node.words
    SET l.versionKey = node.nodeId + ':v' + CASE
      WHEN l.version < 100000 THEN right('00000' + toString(l.version), 6)
      ELSE toString(l.version) END
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
    ON CREATE SET w.level = item.level, w.since = $now, w.startMs = item.startMs, w.revision = 0,
      w.attempts = 0
    SET w.revision = w.revision + 1
  }
  FINISH
`;

/**
 * Inserts versions and their grips, points TocLatest at them and queues the work of the parents.
 * Deletes finished work unless its revision has risen. One statement, one transaction (S2-TOC-06,
 * S2-TOC-07).
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

/** Defers work until `notBefore` and counts the attempt. */
export async function deferWork(
  tx: WriteTx,
  items: readonly (NodeRef & { readonly notBefore: Instant })[],
): Promise<void> {
  await tx.run(DEFER_WORK, {
    items: items.map(({ store, nodeId, notBefore }) => ({ store, nodeId, notBefore })),
  });
}

const POSTPONE_WORK = /* cypher */ `
  // postponeTocWork
  UNWIND $items AS item
  MATCH (w:TocWork {store: item.store, nodeId: item.nodeId})
  SET w.notBefore = item.notBefore
`;

/** Defers work until `notBefore` without counting an attempt. */
export async function postponeWork(
  tx: WriteTx,
  items: readonly (NodeRef & { readonly notBefore: Instant })[],
): Promise<void> {
  await tx.run(POSTPONE_WORK, { items: items.map((item) => ({ ...item })) });
}

const RESUME_WORK = /* cypher */ `
  // resumeTocWork
  MATCH (w:TocWork {nodeId: $nodeId}) WHERE w.store STARTS WITH $ownerId
  SET w.notBefore = null
  RETURN DISTINCT w.level AS level
`;

const LevelRow = z.object({ level: z.enum(TOC_LEVELS) });

/** Makes deferred work of a node due at once, in the stores of its owner. @returns its levels */
export async function resumeWork(
  tx: WriteTx,
  of: { readonly ownerId: string; readonly nodeId: string },
): Promise<TocLevel[]> {
  const rows = await tx.run(RESUME_WORK, of);
  return rows.map((row) => parseRow(LevelRow, row, 'TocWork').level);
}
