import { createHash } from 'node:crypto';
import { z } from 'zod';
import { hasWorkBetween, listDueWork } from '../../background/work.cypher.ts';
import { isTrue } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll, readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { EVENT, type StoredEvent, toEvents } from '../events/event.cypher.ts';
import { findGrips, type StoredGrip } from '../grips/grip.cypher.ts';
import type { Grip } from '../grips/grip.ts';
import { SegmentRow, type StoredSegment } from '../segments/segment.cypher.ts';
import { realmOfStore } from '../store.ts';
import { type StoredTocNode, TOC_NODE, toTocNodes } from '../toc/toc.cypher.ts';
import {
  type CalendarLevel,
  type NodeRef,
  TOC_STATES,
  type TocBullet,
  type TocLevel,
  type TocState,
} from '../toc/toc.ts';
import { keysBelow, type TocWork, tocKind, toTocWork } from '../toc/toc-work.ts';
import type { WordCounts } from './keywords.ts';

/** Lists the oldest work of a level that is due. */
export async function listTocWork(
  tx: ReadTx,
  level: TocLevel,
  due: { readonly nowMs: number; readonly isAsked: boolean; readonly limit: number },
): Promise<TocWork[]> {
  const work = await listDueWork(tx, { kinds: [tocKind(level)], ...due });
  return work.map(toTocWork);
}

/** The latest version of a node, as far as the next version depends on it. */
export const LatestVersion = z.object({
  /** Digest of the sources of the version. */
  madeOf: z.string(),
  isEmpty: z.boolean(),
  version: z.int(),
  state: z.enum(TOC_STATES),
  /** Unix milliseconds of its creation. */
  createdMs: z.int(),
});
export type LatestVersion = z.infer<typeof LatestVersion>;
const LatestRow = LatestVersion.extend({ store: z.string(), nodeId: z.string() });

const FIND_LATEST = cypher`
  // findTocSums
  UNWIND $refs AS ref
  MATCH (l:TocLatest {store: ref.store, nodeId: ref.nodeId})
  RETURN l.store AS store, l.nodeId AS nodeId, l.madeOf AS madeOf, l.isEmpty AS isEmpty,
    l.version AS version, coalesce(l.state, 'summarised') AS state,
    coalesce(l.createdMs, 0) AS createdMs
`;

export const refKey = ({ store, nodeId }: NodeRef) => `${store} ${nodeId}`;
const refsOf = (nodes: readonly NodeRef[]) => nodes.map(({ store, nodeId }) => ({ store, nodeId }));

/** Finds the latest versions of nodes; unknown nodes are left out. */
export async function findLatest(
  tx: ReadTx,
  nodes: readonly NodeRef[],
): Promise<ReadonlyMap<string, LatestVersion>> {
  const rows = await tx.run(FIND_LATEST, { refs: refsOf(nodes) });
  const found = rows.map((row) => parseRow(LatestRow, row, 'TocLatest'));
  return new Map(found.map((latest) => [refKey(latest), latest]));
}

const FIND_SEGMENTS = cypher`
  // findSegmentsOfNodes
  UNWIND $nodes AS node
  MATCH (s:Segment {store: node.store, nodeId: node.nodeId})
  RETURN s {.*} AS segment
`;

/** Finds the segments of nodes; a dissolved segment is left out. */
export const findSegmentsOfNodes = (tx: ReadTx, nodes: readonly NodeRef[]) =>
  readAll(tx, FIND_SEGMENTS, { nodes: refsOf(nodes) }, (row) =>
    parseRow(SegmentRow, row['segment'], 'Segment'),
  );

// Order by all properties of the index: if ordered by the key alone, the planner reads the whole
// range and sorts it.
const READ_SEGMENTS = cypher`
  // readSegments
  UNWIND range(0, size($segments) - 1) AS place
  WITH place, $segments[place] AS segment
  CALL (segment) {
    MATCH (m:MemoryEvent)
    WHERE m.store = segment.store AND m.sessionId = segment.sessionId
      AND m.key >= segment.startKey AND m.key <= segment.endKey
    WITH m ORDER BY m.key
    RETURN collect(${EVENT}) AS events, max(m.arrivedMs) AS arrivedMs
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
  RETURN events, overlap, coalesce(arrivedMs, 0) AS arrivedMs, EXISTS {
    MATCH (after:Segment)
    WHERE after.store = segment.store AND after.sessionId = segment.sessionId
      AND after.startKey > segment.startKey
  } AS isFollowed ORDER BY place
`;

const READ_OVERLAPS = cypher`
  // readSegmentOverlaps
  UNWIND range(0, size($segments) - 1) AS place
  WITH place, $segments[place] AS segment
  CALL (segment) {
    MATCH (m:MemoryEvent)
    WHERE m.store = segment.store AND m.sessionId = segment.sessionId AND m.key < segment.startKey
    WITH m ORDER BY m.store DESC, m.sessionId DESC, m.key DESC LIMIT $overlap
    RETURN collect(${EVENT}) AS overlap
  }
  RETURN overlap ORDER BY place
`;

/** Reads the last events before each segment in its conversation, oldest first (S2-SEG-04). */
export async function readOverlaps(
  tx: ReadTx,
  segments: readonly StoredSegment[],
  overlap: number,
): Promise<StoredEvent[][]> {
  if (segments.length === 0) return [];
  const given = segments.map(({ store, sessionId, startKey }) => ({ store, sessionId, startKey }));
  const rows = await tx.run(READ_OVERLAPS, { segments: given, overlap });
  return rows.map((row) => toEvents(row['overlap']).reverse());
}

export interface ReadSegment {
  readonly segment: StoredSegment;
  readonly events: readonly StoredEvent[];
  /** The last events of the segment before it (S2-SEG-04). */
  readonly overlap: readonly StoredEvent[];
  /** Unix milliseconds of the latest arrival of one of its events. */
  readonly arrivedMs: number;
  /** Whether its conversation has a later segment. */
  readonly isFollowed: boolean;
}

const SegmentStateRow = z.object({ arrivedMs: z.int(), isFollowed: isTrue });

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
    const row = rows[index];
    if (row === undefined) return;
    read.set(refKey(segment), {
      segment,
      ...parseRow(SegmentStateRow, row, 'Segment'),
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

const READ_CHILDREN = cypher`
  // readTocChildren
  UNWIND range(0, size($refs) - 1) AS place
  WITH place, $refs[place] AS ref
  CALL (ref) {
    MATCH (l:TocLatest)
    WHERE l.store = ref.store AND l.parentId = ref.nodeId AND l.place > '' AND NOT l.isEmpty
    WITH l ORDER BY l.place
    RETURN collect(l.nodeId) AS childNodeIds,
      collect(coalesce(l.digest, toString(l.version))) AS digests,
      collect(l.versionKey) AS keys
  }
  CALL (ref, keys) {
    UNWIND keys[-$most..] AS key
    MATCH (n:TocNode {store: ref.store, key: key})
    RETURN collect(${TOC_NODE}) AS children
  }
  RETURN childNodeIds, digests, children ORDER BY place
`;

/** Stored data from which the next version of a day, week, month or year is drafted. */
export interface PeriodSource {
  readonly work: TocWork;
  readonly latest: LatestVersion | null;
  /** Ids of all children that are not empty, in order of time. */
  readonly childNodeIds: readonly string[];
  /** Digests of the lines of these children, in the same order. */
  readonly digests: readonly string[];
  /** Whether a node below it is about to change. */
  readonly isPending: boolean;
  /** The last of the children, in order; limited because a day may have thousands of segments. */
  readonly children: readonly StoredTocNode[];
  /** By id: the grips of the realm that the children name. */
  readonly grips: ReadonlyMap<string, StoredGrip>;
}

const ChildrenRow = z.object({
  childNodeIds: z.array(z.string()),
  digests: z.array(z.string()),
});

/** Reads the sources of periods, in the order of `work`. @param most children read of each node */
export async function readPeriodSources(
  tx: ReadTx,
  level: CalendarLevel,
  work: readonly TocWork[],
  most: number,
): Promise<PeriodSource[]> {
  const latest = await findLatest(tx, work);
  const rows = await tx.run(READ_CHILDREN, { refs: refsOf(work), most });
  const below = work.map((one) => keysBelow(level, one));
  const pending = await hasWorkBetween(tx, below.flat());
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
    ...(read[index] ?? { childNodeIds: [], digests: [], children: [] }),
    isPending: pending.splice(0, below[index]?.length ?? 0).includes(true),
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

const COUNT_WORDS = cypher`
  // countTocWords
  UNWIND $stores AS store
  CALL (store) {
    MATCH (l:TocLatest)
    WHERE l.store = store AND l.nodeId >= 'toc:segment:' AND l.nodeId < 'toc:segment;'
      AND l.terms IS NOT NULL
    RETURN l.terms AS terms ORDER BY l.store DESC, l.nodeId DESC LIMIT $most
  }
  WITH store, collect(terms) AS lists
  UNWIND lists AS terms
  UNWIND terms AS word
  WITH store, size(lists) AS segments, word, count(*) AS times
  RETURN store, segments, collect({word: word, times: times}) AS words
`;

const WordsRow = z.object({
  store: z.string(),
  segments: z.int(),
  words: z.array(z.object({ word: z.string(), times: z.int() })),
});
/** Segments whose words are counted, the newest ones. */
const COUNTED_MAX = 500;

/** Counts in how many segments of each store a word is. Stores without segments are left out. */
export function countWords(
  tx: ReadTx,
  stores: readonly string[],
): Promise<ReadonlyMap<string, WordCounts>> {
  return readMap(tx, COUNT_WORDS, { stores: [...stores], most: COUNTED_MAX }, (row) => {
    const { store, segments, words } = parseRow(WordsRow, row, 'TocLatest');
    return [store, { segments, withWord: new Map(words.map(({ word, times }) => [word, times])) }];
  });
}

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
  readonly terms: readonly string[];
  readonly childNodeIds: readonly string[];
  readonly isEmpty: boolean;
  /** Digest of the sources; equal sources make no new version. */
  readonly madeOf: string;
  readonly state: TocState;
  readonly reason: string | null;
  /** Number of the version before it; 0 for the first. */
  readonly after: number;
  readonly grips: readonly NewGrip[];
}
export interface NewGrip extends Omit<Grip, 'timestamp' | 'tocNodeId'> {
  readonly timestampMs: number;
  readonly sessionId: string;
  readonly startKey: string;
  readonly endKey: string;
}

/** Events that a grip is linked with; a longer grip has its bounds in its properties. */
const QUOTES_MAX = 100;

const SAVE_VERSIONS = cypher`
  // saveTocVersions
  UNWIND $versions AS node
  MERGE (l:TocLatest {store: node.store, nodeId: node.nodeId})
  ON CREATE SET l.version = 0
  SET l.key = 'latest:' + node.nodeId
  WITH l, node WHERE l.version = node.after
  SET l += node.latest
  CREATE (n:TocNode {store: node.store, key: l.versionKey})
  SET n += node.properties
  CREATE (l)-[:HAS_VERSION]->(n)
  WITH l
  CALL (l) {
    MATCH (parent:TocLatest {store: l.store, nodeId: l.parentId})
    MERGE (l)-[:PART_OF]->(parent)
  }
  // A child that was written before its parent.
  CALL (l) {
    MATCH (child:TocLatest)
    WHERE child.store = l.store AND child.parentId = l.nodeId AND child.place > ''
      AND NOT EXISTS { (child)-[:PART_OF]->(l) }
    CREATE (child)-[:PART_OF]->(l)
  }
  CALL (l) {
    MATCH (s:Segment {store: l.store, nodeId: l.nodeId})
    MERGE (s)-[:SUMMED_UP_IN]->(l)
  }
`;

const SAVE_GRIPS = cypher`
  // saveTocGrips
  UNWIND $grips AS grip
  MERGE (g:Grip {realm: grip.realm, gripId: grip.gripId})
  ON CREATE SET g += grip
  WITH g WHERE NOT EXISTS { (g)-[:QUOTES]->() }
  CALL (g) {
    MATCH (m:MemoryEvent)
    WHERE m.store = g.store AND m.sessionId = g.sessionId
      AND m.key >= g.startKey AND m.key <= g.endKey
    WITH g, m ORDER BY m.store, m.sessionId, m.key LIMIT $quotesMax
    CREATE (g)-[:QUOTES]->(m)
  }
`;

const PROVE_VERSIONS = cypher`
  // proveTocVersions
  UNWIND $versions AS node
  MATCH (l:TocLatest {store: node.store, nodeId: node.nodeId})
  MATCH (n:TocNode {store: node.store, key: l.versionKey})
  UNWIND n.gripIds AS gripId
  MATCH (g:Grip {realm: node.realm, gripId: gripId})
  MERGE (n)-[:PROVEN_BY]->(g)
`;

/**
 * Inserts versions and their grips, and points TocLatest at them. A version is left out if another
 * process wrote one since; the write of TocLatest is its lock (S2-TOC-06, S2-TOC-07).
 */
export async function saveVersions(
  tx: WriteTx,
  added: readonly NewVersion[],
  nowMs: number,
): Promise<void> {
  const versions = added.map((node) => {
    const { store, nodeId, parentId, isEmpty, state, bullets } = node;
    const lines = bullets.map(({ text }) => text);
    const version = node.after + 1;
    return {
      store,
      realm: realmOfStore(store),
      nodeId,
      after: node.after,
      latest: {
        ...{ version, versionKey: versionKey(nodeId, version), parentId, isEmpty, state },
        ...{ place: node.place, madeOf: node.madeOf, terms: [...node.terms], createdMs: nowMs },
        digest: createHash('sha256').update(JSON.stringify(lines)).digest('hex'),
        words: [node.title, ...lines, ...node.keywords].join('\n'),
      },
      properties: {
        ...{ nodeId, parentId, version, state, level: node.level, title: node.title },
        ...{ startMs: node.startMs, endMs: node.endMs, reason: node.reason, createdMs: nowMs },
        bullets: JSON.stringify(bullets),
        gripIds: bullets.flatMap(({ gripIds }) => gripIds),
        keywords: [...node.keywords],
        childNodeIds: [...node.childNodeIds],
      },
    };
  });
  const grips = added.flatMap(({ store, nodeId, grips: made }) =>
    made.map((grip) => ({
      ...grip,
      store,
      realm: realmOfStore(store),
      tocNodeId: nodeId,
      indexKey: `node:${nodeId}:${grip.gripId}`,
    })),
  );
  await tx.run(SAVE_VERSIONS, { versions });
  if (grips.length > 0) await tx.run(SAVE_GRIPS, { grips, quotesMax: QUOTES_MAX });
  await tx.run(PROVE_VERSIONS, {
    versions: versions.map(({ store, realm, nodeId }) => ({ store, realm, nodeId })),
  });
}

/** Sorts the versions of a node by their number. */
const versionKey = (nodeId: string, version: number): string =>
  `${nodeId}:v${String(version).padStart(6, '0')}`;
