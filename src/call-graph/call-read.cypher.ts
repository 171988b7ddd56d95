import { z } from 'zod';
import { newestFirst, type Page, type PageArgs } from '../common/page.ts';
import { textOrNull } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { type Listing, listing, listPage } from '../platform/neo4j/list-page.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll, readMap, readOne } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { isAdmin, type Viewer } from '../users/user.ts';
import { DEPENDS_ON, REQUESTED_BY, TRIGGERED } from './call.ts';
import {
  CALL_GRAPH_MAX,
  CallEdge,
  type CallFilter,
  CallNode,
  type CallPayloads,
  type CallScope,
  NEIGHBOURS_MAX,
} from './call-node.ts';
import { BUCKET_GROWTH, type CallTally, EXACT_MS_MAX } from './stats.ts';

// Names each property, because a null property is absent. A deleted account is null.
const CALL = /* cypher */ `n {.id, .requestId, .operationId, .parentRequestId, .identity,
  .callerAccountId, .status, .origin,
    .startedAt, .completedAt, .createdAt, .updatedAt, retentionExpiresAt: n._retentionExpiresAt}`;

/** Users see their own calls, an admin all. */
const scopeOf = (viewer: Viewer) => ({ viewerId: viewer.userId, isAdmin: isAdmin(viewer) });
const MINE = '($isAdmin OR n.ownerId = $viewerId)';

const FIND_CALL = cypher`
  // findCall
  MATCH (n:CallGraphNode {requestId: $requestId}) WHERE ${MINE}
  RETURN ${CALL} AS call
`;

export function findCall(tx: ReadTx, viewer: Viewer, requestId: string): Promise<CallNode | null> {
  return readOne(tx, FIND_CALL, { ...scopeOf(viewer), requestId }, (row) =>
    parseRow(CallNode, row['call'], 'CallGraphNode'),
  );
}

const FIND_CALLS = cypher`
  // findCalls
  MATCH (n:CallGraphNode) WHERE n.id IN $ids AND ${MINE}
  RETURN ${CALL} AS call
`;

/** Finds the viewer's calls (for an admin: all) by node id; unknown ids are left out. */
export function findCalls(tx: ReadTx, viewer: Viewer, ids: readonly string[]): Promise<CallNode[]> {
  return readAll(tx, FIND_CALLS, { ...scopeOf(viewer), ids }, (row) =>
    parseRow(CallNode, row['call'], 'CallGraphNode'),
  );
}

const CONDITIONS = {
  operationId: 'n.operationId = $operationId',
  status: 'n.status IN $status',
  callerAccountId: 'n.callerAccountId = $callerAccountId',
  from: 'n.createdAt >= datetime($from)',
  to: 'n.createdAt < datetime($to)',
} as const satisfies Record<keyof CallFilter, string>;

const OF_OWNER = 'USING INDEX SEEK n:CallGraphNode(ownerId, createdAt, id)';
const OF_OWNER_BY_ORIGIN = 'USING INDEX SEEK n:CallGraphNode(ownerId, origin, createdAt, id)';
// Unused conditions are left out of the text, not switched off, so that the planner uses the index.
const listings = new Map<string, Listing>();

function listingFor(viewer: Viewer, filter: CallFilter, includeSystem: boolean): Listing {
  const asked = (Object.keys(CONDITIONS) as (keyof CallFilter)[]).filter(
    (name) => filter[name] != null,
  );
  const scope = isAdmin(viewer) ? 'n.createdAt IS NOT NULL' : 'n.ownerId = $viewerId';
  const origin = includeSystem ? [] : ["n.origin = 'user'"];
  const where = [scope, ...origin, ...asked.map((name) => CONDITIONS[name])].join(' AND ');
  let known = listings.get(where);
  if (known === undefined) {
    const index = includeSystem ? OF_OWNER : OF_OWNER_BY_ORIGIN;
    const within = includeSystem ? ['n.ownerId'] : ['n.ownerId', 'n.origin'];
    known = listing({
      name: 'listCalls',
      match: `MATCH (n:CallGraphNode) ${isAdmin(viewer) ? '' : index} WHERE ${where}`,
      within: isAdmin(viewer) ? [] : within,
      order: newestFirst('n'),
      item: CALL,
    });
    listings.set(where, known);
  }
  return known;
}

/** The viewer's calls (for an admin: all), newest first. */
export function listCalls(
  tx: ReadTx,
  viewer: Viewer,
  { includeSystem, ...filter }: CallFilter & CallScope,
  page: PageArgs,
): Promise<Page<CallNode>> {
  const params = { viewerId: viewer.userId, ...filter, status: filter.status ?? null };
  return listPage(tx, listingFor(viewer, filter, includeSystem === true), page, params, (row) =>
    parseRow(CallNode, row, 'CallGraphNode'),
  );
}

const FIND_TREE = cypher`
  // findCallTree
  MATCH (root:CallGraphNode {requestId: $requestId}) WHERE $isAdmin OR root.ownerId = $viewerId
  MATCH (root) (()-[:CALL_EDGE {edgeType: '${TRIGGERED}'}]->()){0,250} (n)
  WITH n LIMIT $limit
  RETURN ${CALL} AS call
`;
const FIND_EDGES = cypher`
  // findCallEdges
  UNWIND $ids AS id
  MATCH (:CallGraphNode {id: id})-[r:CALL_EDGE]->()
  RETURN r.id AS id, r.sourceId AS source, r.targetId AS target, r.edgeType AS edgeType,
    toString(r.createdAt) AS createdAt
`;

export interface CallGraph {
  readonly nodes: readonly CallNode[];
  readonly edges: readonly CallEdge[];
}

/**
 * Finds a call with all calls it triggered and the edges among them, by two statements; null if the
 * viewer may see no such call.
 */
export async function findCallGraph(
  tx: ReadTx,
  viewer: Viewer,
  requestId: string,
): Promise<CallGraph | null> {
  const params = { ...scopeOf(viewer), requestId, limit: CALL_GRAPH_MAX };
  const nodes = (await tx.run(FIND_TREE, params)).map(({ call }) =>
    parseRow(CallNode, call, 'CallGraphNode'),
  );
  if (nodes.length === 0) return null;
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = (await tx.run(FIND_EDGES, { ids: [...ids] })).map((row) =>
    parseRow(CallEdge, row, 'CALL_EDGE'),
  );
  return { nodes, edges: edges.filter(({ target }) => ids.has(target)) };
}

const FIND_PAYLOADS = cypher`
  // findCallPayloads
  MATCH (n:CallGraphNode) WHERE n.id IN $ids
  RETURN n.id AS id, n.input AS input, n.output AS output, n.error AS error
`;

const PayloadRow = z.object({
  id: z.string(),
  input: textOrNull,
  output: textOrNull,
  error: textOrNull,
});

/** Finds payloads by node id, without a viewer: callers have found the nodes for the viewer. */
export function findCallPayloads(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, CallPayloads>> {
  return readMap(tx, FIND_PAYLOADS, { ids }, (row) => {
    const { id, ...payloads } = parseRow(PayloadRow, row, 'CallGraphNode');
    return [id, payloads];
  });
}

export type Neighbourhood = 'triggered' | 'dependsOn' | 'requestedBy';
const NEIGHBOURS: Readonly<Record<Neighbourhood, string>> = {
  triggered: `(at)-[:CALL_EDGE {edgeType: '${TRIGGERED}'}]->(n:CallGraphNode)`,
  dependsOn: `(at)-[:CALL_EDGE {edgeType: '${DEPENDS_ON}'}]->(n:CallGraphNode)`,
  requestedBy: `(at)<-[:CALL_EDGE {edgeType: '${REQUESTED_BY}'}]-(n:CallGraphNode)`,
};
const findNeighbours = (which: Neighbourhood) => cypher`
  // findCallNeighbours
  UNWIND $ids AS id
  MATCH (at:CallGraphNode {id: id})
  CALL (at) {
    MATCH ${NEIGHBOURS[which]} WHERE ${MINE}
    WITH n ORDER BY n.createdAt, n.id LIMIT $limit
    RETURN collect(${CALL}) AS calls
  }
  RETURN id, calls
`;
const NEIGHBOUR_STATEMENTS: Readonly<Record<Neighbourhood, string>> = {
  triggered: findNeighbours('triggered'),
  dependsOn: findNeighbours('dependsOn'),
  requestedBy: findNeighbours('requestedBy'),
};

const NeighbourRow = z.object({ id: z.string(), calls: z.array(CallNode) });

/** Finds the neighbours of each call, oldest first, in the order of `ids`. */
export async function findCallNeighbours(
  tx: ReadTx,
  viewer: Viewer,
  which: Neighbourhood,
  ids: readonly string[],
): Promise<CallNode[][]> {
  const params = { ...scopeOf(viewer), ids, limit: NEIGHBOURS_MAX };
  const rows = await tx.run(NEIGHBOUR_STATEMENTS[which], params);
  const found = new Map(
    rows.map((row) => {
      const { id, calls } = parseRow(NeighbourRow, row, 'CallGraphNodes beside');
      return [id, calls];
    }),
  );
  return ids.map((id) => found.get(id) ?? []);
}

const LIST_TALLIES = cypher`
  // listCallTallies
  MATCH (n:CallGraphNode)
  WHERE ${MINE} AND ($from IS NULL OR n.createdAt >= datetime($from))
    AND ($to IS NULL OR n.createdAt < datetime($to))
    AND ($includeSystem OR n.origin = 'user')
  WITH n, n.completedAt.epochMillis - n.startedAt.epochMillis AS ms
  WITH n.operationId AS operationId, n.status AS status, ms,
    CASE WHEN ms <= ${EXACT_MS_MAX} THEN ms
      ELSE ${EXACT_MS_MAX} + toInteger(ceil(log(ms / ${EXACT_MS_MAX}.0) / log(${BUCKET_GROWTH})))
        END AS bucket
  RETURN operationId, bucket, count(*) AS calls, sum(coalesce(ms, 0)) AS totalMs,
    sum(CASE WHEN status IN ['completed', 'failed', 'aborted'] THEN 1 ELSE 0 END) AS ended,
    sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed
`;
const LIST_KEPT_TALLIES = cypher`
  // listKeptTallies
  MATCH (s:CallStats)
  WHERE ($isAdmin OR s.ownerId = $viewerId) AND ($from IS NULL OR s.day >= date(datetime($from)))
    AND ($to IS NULL OR datetime({date: s.day}) < datetime($to))
    AND ($includeSystem OR coalesce(s.origin, 'user') = 'user')
  RETURN s.operationId AS operationId, s.calls AS calls, s.ended AS ended, s.failed AS failed,
    s.totalMs AS totalMs,
    s.buckets AS buckets, s.counts AS counts
`;

export interface OperationTally {
  readonly operationId: string;
  readonly tally: CallTally;
}

const SUMS = { calls: z.int(), ended: z.int(), failed: z.int(), totalMs: z.number() };
const LiveTally = z.object({ operationId: z.string(), bucket: z.int().nullable(), ...SUMS });
const OfOperation = z.object({ operationId: z.string() });
const KeptTally = z.object({ ...SUMS, buckets: z.array(z.int()), counts: z.array(z.int()) });

/**
 * Lists tallies by operation: of stored calls, and by day of calls deleted by retention. An
 * operation may have several.
 */
export async function listTallies(
  tx: ReadTx,
  viewer: Viewer,
  { from, to, includeSystem }: Pick<CallFilter, 'from' | 'to'> & CallScope,
): Promise<OperationTally[]> {
  const window = { from: from ?? null, to: to ?? null };
  const params = { ...scopeOf(viewer), ...window, includeSystem: includeSystem === true };
  const live = await tx.run(LIST_TALLIES, params);
  const kept = await tx.run(LIST_KEPT_TALLIES, params);
  return [
    ...live.map((row) => {
      const { operationId, bucket, ...sums } = parseRow(LiveTally, row, 'CallGraphNodes');
      const durations = new Map(bucket === null ? [] : [[bucket, sums.calls]]);
      return { operationId, tally: { ...sums, durations } };
    }),
    ...kept.map((row) => {
      const { operationId } = parseRow(OfOperation, row, 'CallStats');
      return { operationId, tally: toTally(row) };
    }),
  ];
}

/** Parses the sums of a CallStats node; its two arrays become one map. @throws DamagedRow */
export function toTally(row: unknown): CallTally {
  const { buckets, counts, ...sums } = parseRow(KeptTally, row, 'CallStats');
  return { ...sums, durations: new Map(buckets.map((bucket, at) => [bucket, counts[at] ?? 0])) };
}
