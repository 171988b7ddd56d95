import { z } from 'zod';
import { queueWork } from '../../background/work.cypher.ts';
import { type Instant, instantOf } from '../../common/clock.ts';
import { JsonMap, textOrNull } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import {
  BulletsText,
  type LevelRef,
  type NodeRef,
  TOC_LEVELS,
  TOC_STATES,
  type TocNode,
} from './toc.ts';
import { tocItem } from './toc-work.ts';

/** A version of a node, with its store and its parent. */
export type StoredTocNode = TocNode & { readonly store: string; readonly parentId: string };

/** Parent id of years; there is no such node. */
export const TOC_ROOT = 'toc';

/** Map projection of a version `n`, as `toTocNode` reads it. */
export const TOC_NODE = /* cypher */ `n {.store, .nodeId, .parentId, .level, .title, .startMs,
  .endMs,
    .bullets, .keywords, .childNodeIds, .state, .reason, .version, .createdMs}`;

const TocNodeRow = z.object({
  store: z.string(),
  nodeId: z.string(),
  parentId: z.string(),
  level: z.enum(TOC_LEVELS),
  title: z.string(),
  startMs: z.int(),
  endMs: z.int(),
  bullets: BulletsText,
  keywords: z.array(z.string()),
  childNodeIds: z.array(z.string()),
  // Absent in versions that were written before there were states.
  state: z.enum(TOC_STATES).nullish(),
  reason: textOrNull,
  version: z.int(),
  createdMs: z.int(),
});

/** @throws DamagedRow */
export function toTocNode(row: unknown): StoredTocNode {
  const { startMs, endMs, createdMs, state, ...node } = parseRow(TocNodeRow, row, 'TocNode');
  return {
    ...node,
    state: state ?? 'summarised',
    startTime: instantOf(startMs),
    endTime: instantOf(endMs),
    createdAt: instantOf(createdMs),
  };
}

const Maps = z.array(JsonMap);
/** Parses a list of nodes from a row. @throws DamagedRow */
export const toTocNodes = (nodes: unknown) => parseRow(Maps, nodes, 'TocNodes').map(toTocNode);

/** Queues new summaries of nodes, due at once. */
export async function queueNodes(
  tx: WriteTx,
  nodes: readonly LevelRef[],
  now: Instant,
): Promise<void> {
  await queueWork(tx, nodes.map(tocItem), now);
}

const FIND_LATEST = cypher`
  // findTocNodes
  UNWIND $refs AS ref
  MATCH (l:TocLatest {store: ref.store, nodeId: ref.nodeId})
  MATCH (n:TocNode {store: l.store, key: l.versionKey})
  RETURN ${TOC_NODE} AS node
`;

/** Finds the latest version of each node; unknown nodes are left out (S2-TOC-06). */
export async function findTocNodes(tx: ReadTx, refs: readonly NodeRef[]): Promise<StoredTocNode[]> {
  const rows = await tx.run(FIND_LATEST, {
    refs: refs.map(({ store, nodeId }) => ({ store, nodeId })),
  });
  return rows.map((row) => toTocNode(row['node']));
}

const FIND_VERSIONS = cypher`
  // findTocVersions
  UNWIND $refs AS ref
  MATCH (n:TocNode {store: ref.store, key: ref.key})
  RETURN ${TOC_NODE} AS node
`;

/** Address of one version of a node; `key` is its tocVersionKey. */
export interface VersionRef {
  readonly store: string;
  readonly key: string;
}

/** Finds versions by their keys; unknown versions are left out. */
export async function findTocVersions(
  tx: ReadTx,
  refs: readonly VersionRef[],
): Promise<StoredTocNode[]> {
  const rows = await tx.run(FIND_VERSIONS, {
    refs: refs.map(({ store, key }) => ({ store, key })),
  });
  return rows.map((row) => toTocNode(row['node']));
}

const LIST_VERSIONS = cypher`
  // listTocVersions
  UNWIND range(0, size($refs) - 1) AS place
  WITH place, $refs[place] AS ref
  CALL (ref) {
    MATCH (n:TocNode)
    WHERE n.store = ref.store AND n.key >= ref.nodeId + ':v' AND n.key < ref.nodeId + ':w'
    WITH n ORDER BY n.version DESC LIMIT $limit
    RETURN collect(${TOC_NODE}) AS nodes
  }
  RETURN nodes ORDER BY place
`;

/** Lists the versions of each node, newest first, at most `limit` of each. */
export async function listTocVersions(
  tx: ReadTx,
  refs: readonly NodeRef[],
  limit: number,
): Promise<StoredTocNode[][]> {
  const rows = await tx.run(LIST_VERSIONS, {
    refs: refs.map(({ store, nodeId }) => ({ store, nodeId })),
    limit,
  });
  return rows.map((row) => toTocNodes(row['nodes']));
}

const children = (direction: 'ASC' | 'DESC') => cypher`
  // listTocChildren
  UNWIND range(0, size($parents) - 1) AS at
  WITH at, $parents[at] AS parent
  CALL (parent) {
    MATCH (l:TocLatest)
    WHERE l.store = parent.store AND l.parentId = parent.nodeId AND l.place > '' AND NOT l.isEmpty
    RETURN count(l) AS totalCount
  }
  CALL (parent) {
    MATCH (l:TocLatest)
    WHERE l.store = parent.store AND l.parentId = parent.nodeId
      AND l.place > $afterPlace AND l.place < $beforePlace AND NOT l.isEmpty
    WITH l ORDER BY l.store ${direction}, l.parentId ${direction}, l.place ${direction} LIMIT $limit
    MATCH (n:TocNode {store: l.store, key: l.versionKey})
    WITH l, n ORDER BY l.place ${direction}
    RETURN collect({place: l.place, node: ${TOC_NODE}}) AS rows
  }
  RETURN totalCount, rows ORDER BY at
`;
const LIST_CHILDREN = { forward: children('ASC'), backward: children('DESC') };

export interface ChildrenPage {
  readonly totalCount: number;
  readonly rows: readonly { readonly place: string; readonly node: StoredTocNode }[];
}

const ChildrenRow = z.object({
  totalCount: z.int(),
  rows: z.array(z.object({ place: z.string(), node: JsonMap })),
});

/**
 * Lists children of each parent in order of time, between the same bounds (exclusive), by one
 * statement. Years are the children of TOC_ROOT.
 */
export async function listTocChildren(
  tx: ReadTx,
  parents: readonly NodeRef[],
  {
    direction = 'forward',
    after = '',
    before = '~',
    limit,
  }: {
    readonly direction?: 'forward' | 'backward';
    readonly after?: string;
    readonly before?: string;
    readonly limit: number;
  },
): Promise<ChildrenPage[]> {
  const rows = await tx.run(LIST_CHILDREN[direction], {
    parents: parents.map(({ store, nodeId }) => ({ store, nodeId })),
    afterPlace: after,
    beforePlace: before,
    limit,
  });
  return rows.map((row) => {
    const { totalCount, rows: found } = parseRow(ChildrenRow, row, 'TocNodes');
    return {
      totalCount,
      rows: found.map(({ place, node }) => ({ place, node: toTocNode(node) })),
    };
  });
}
