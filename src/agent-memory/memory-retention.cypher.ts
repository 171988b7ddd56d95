import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { readOne } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { findLatest, refKey } from './rollup/rollup.cypher.ts';
import { queueNodes } from './toc/toc.cypher.ts';
import { BulletsText, type TocLevel, type TocPeriod } from './toc/toc.ts';

const NEXT_STORE = cypher`
  // findNextOldStore
  CALL () {
    MATCH (s:Segment) WHERE s.store > $after AND s.startKey < $beforeKey
    RETURN s.store AS store ORDER BY s.store, s.startKey LIMIT 1
    UNION ALL
    MATCH (l:TocLatest)
    WHERE l.store > $after AND l.nodeId >= 'toc:day:' AND l.nodeId < $beforeDay
    RETURN l.store AS store ORDER BY l.store, l.nodeId LIMIT 1
  }
  RETURN min(store) AS store
`;

const StoreRow = z.object({ store: z.string().nullable() });

/** Finds the next store with segments or days before these; null after the last store. */
export const findNextOldStore = (
  tx: ReadTx,
  input: { readonly after: string; readonly beforeKey: string; readonly beforeDay: string },
) => readOne(tx, NEXT_STORE, input, (row) => parseRow(StoreRow, row, 'Store').store);

// Locks the record of the segmenter, which every step of the segmenter locks first. Otherwise the
// segmenter could cut segments from events that this statement deletes.
const FORGET_SEGMENTS = cypher`
  // forgetSegments
  OPTIONAL MATCH (job:Job {name: 'segmenter'})
  SET job.heldBy = $now
  WITH count(*) AS held
  CALL () {
    MATCH (s:Segment) WHERE s.store = $store AND s.startKey < $beforeKey
    RETURN s ORDER BY s.store, s.startKey LIMIT $limit
  }
  CALL (s) {
    MATCH (m:MemoryEvent)
    WHERE m.store = s.store AND m.sessionId = s.sessionId
      AND m.key >= s.startKey AND m.key <= s.endKey
    DETACH DELETE m
  }
  CALL (s) {
    MATCH (g:Grip)
    WHERE g.realm = $realm
      AND g.gripId >= 'grip:' + toString(s.startMs) AND g.gripId < 'grip:' + toString(s.endMs)
        + ':~'
      AND g.store = s.store AND g.sessionId = s.sessionId
    DETACH DELETE g
  }
  DETACH DELETE s
  RETURN count(*) AS gone
`;

/**
 * Deletes the oldest segments that begin before a key, with their events and grips.
 * @returns how many segments
 */
export const forgetSegments = async (
  tx: WriteTx,
  input: {
    readonly store: string;
    readonly realm: string;
    readonly beforeKey: string;
    readonly limit: number;
    readonly now: Instant;
  },
) => countOf(await tx.run(FORGET_SEGMENTS, input), 'gone');

const FORGET_NODES = cypher`
  // forgetTocNodes
  CALL () {
    MATCH (l:TocLatest) WHERE l.store = $store AND l.nodeId >= $from AND l.nodeId < $before
    RETURN l ORDER BY l.store, l.nodeId LIMIT $limit
  }
  CALL (l) {
    MATCH (n:TocNode)
    WHERE n.store = l.store AND n.key > l.nodeId + ':v' AND n.key < l.nodeId + ':w'
    DETACH DELETE n
  }
  CALL (l) {
    MATCH (g:Grip)
    WHERE g.store = l.store
      AND g.indexKey > 'node:' + l.nodeId + ':' AND g.indexKey < 'node:' + l.nodeId + ':~'
    DETACH DELETE g
  }
  DETACH DELETE l
  RETURN count(*) AS gone
`;

/**
 * Deletes the nodes with ids from `from` (inclusive) to `before` (exclusive), with all of their
 * versions and grips. Work that is left on them finds nothing to do.
 * @returns how many nodes
 */
export const forgetTocNodes = async (
  tx: WriteTx,
  input: {
    readonly store: string;
    readonly from: string;
    readonly before: string;
    readonly limit: number;
  },
) => countOf(await tx.run(FORGET_NODES, input), 'gone');

const FIND_UNPROVEN = cypher`
  // findUnprovenVersions
  UNWIND $nodeIds AS nodeId
  MATCH (n:TocNode) WHERE n.store = $store AND n.key > nodeId + ':v' AND n.key < nodeId + ':w'
  WITH n,
    [id IN n.gripIds WHERE NOT EXISTS { MATCH (:Grip {realm: $realm, gripId: id}) }] AS missing
  WHERE size(missing) > 0
  RETURN n.key AS key, n.title AS title, n.bullets AS bullets, missing LIMIT $limit
`;
const REDACT = cypher`
  // redactVersions
  UNWIND $versions AS version
  MATCH (n:TocNode {store: $store, key: version.key})
  SET n.bullets = version.bullets, n.gripIds = version.gripIds, n.keywords = []
  WITH n, version
  MATCH (l:TocLatest {store: $store, nodeId: n.nodeId}) WHERE l.versionKey = n.key
  SET l.words = version.words
`;

const VersionRow = z.object({
  key: z.string(),
  title: z.string(),
  bullets: BulletsText,
  missing: z.array(z.string()),
});

/**
 * Removes the lines whose grips were deleted from all versions of these nodes, and the keywords of
 * such versions.
 * @returns how many versions had such lines
 */
export async function redactUnproven(
  tx: WriteTx,
  input: {
    readonly store: string;
    readonly realm: string;
    readonly nodeIds: readonly string[];
    readonly limit: number;
  },
): Promise<number> {
  const rows = await tx.run(FIND_UNPROVEN, { ...input, nodeIds: [...input.nodeIds] });
  const versions = rows.map((row) => {
    const version = parseRow(VersionRow, row, 'TocNode');
    const missing = new Set(version.missing);
    const bullets = version.bullets.filter(({ gripIds }) => !gripIds.some((id) => missing.has(id)));
    return {
      key: version.key,
      bullets: JSON.stringify(bullets),
      gripIds: bullets.flatMap(({ gripIds }) => gripIds),
      words: [version.title, ...bullets.map(({ text }) => text)].join('\n'),
    };
  });
  if (versions.length > 0) await tx.run(REDACT, { store: input.store, versions });
  return versions.length;
}

/** Queues the existing ones of these nodes for a new summary. @returns their levels */
export async function queueKnownNodes(
  tx: WriteTx,
  store: string,
  periods: readonly Pick<TocPeriod, 'nodeId' | 'level' | 'startMs'>[],
  now: Instant,
): Promise<TocLevel[]> {
  const known = await findLatest(
    tx,
    periods.map(({ nodeId }) => ({ store, nodeId })),
  );
  const nodes = periods
    .map(({ nodeId, level, startMs }) => ({ store, nodeId, level, startMs }))
    .filter((node) => known.has(refKey(node)));
  await queueNodes(tx, nodes, now);
  return nodes.map(({ level }) => level);
}
