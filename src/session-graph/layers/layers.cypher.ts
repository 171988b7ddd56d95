import { z } from 'zod';
import { aheadOf } from '../../common/clock.ts';
import type { Json } from '../../common/json.ts';
import { JsonMap, jsonText, parseStored, textOrNull } from '../../common/stored.ts';
import type { ReadTx, Row, WriteTx } from '../../platform/neo4j/graph.ts';
import { countOf, parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { Viewer } from '../../users/user.ts';
import type { LayerEnd, LayerEvent, Layers } from './layer.ts';
import { LAYER_EVENT_NAMES } from './layers.ts';

/** Address of a session. */
export interface SessionKey {
  readonly id: string;
  readonly workspace: string;
  readonly ownerId: string;
}

const STALE = cypher`
  CYPHER replan=skip
  // listStaleSessions
  CALL () {
    MATCH (s:Session) USING INDEX s:Session(layers_stale_since)
    WHERE s.layers_stale_since <= datetime($now) - duration({milliseconds: $rest.minMs})
    WITH s, duration({milliseconds: $rest.factor * coalesce(s.layers_ms, 0)}) AS rest
    WHERE s.layers_stale_since + rest <= datetime($now)
    RETURN s ORDER BY s.layers_stale_since LIMIT $limit
    UNION ALL
    MATCH (s:Session) USING INDEX s:Session(layers_stale_since)
    WHERE s.layers_stale_since > datetime($ahead)
      AND s.layers_stale_since < datetime($ahead) + duration('P1D')
    RETURN s LIMIT $limit
  }
  RETURN s.node_id AS id, s.workspace AS workspace, s.owner_id AS ownerId,
    coalesce(s.stream_writes, 0) AS writes
  LIMIT $limit
`;

/** A session with its number of writes, which detects new writes during the build. */
export interface StaleSession extends SessionKey {
  readonly writes: number;
}

const StaleRow = z.object({
  id: z.string(),
  workspace: z.string(),
  ownerId: z.string(),
  writes: z.int(),
});

/**
 * Lists sessions with stale layers. Sessions that take longer to build are listed less often. A
 * session that is stale since the future, by a clock up to a day ahead, is listed.
 */
export async function listStaleSessions(
  tx: ReadTx,
  find: {
    readonly now: string;
    /** Delay after the first new write: at least `minMs`, and `factor` times the last build. */
    readonly rest: { readonly minMs: number; readonly factor: number };
    readonly limit: number;
  },
): Promise<StaleSession[]> {
  const ahead = aheadOf(Date.parse(find.now));
  return readAll(tx, STALE, { ...find, ahead }, (row) => parseRow(StaleRow, row, 'Session'));
}

const WRITES = cypher`
  // countStreamWrites
  MATCH (s:Session {node_id: $id, workspace: $workspace})
  RETURN coalesce(s.stream_writes, 0) AS writes
`;

/** Number of writes to a session, as in `StaleSession`. */
export const countSessionWrites = async (tx: ReadTx, { id, workspace }: SessionKey) =>
  countOf(await tx.run(WRITES, { id, workspace }), 'writes');

const EVENTS = cypher`
  // listLayerEvents
  UNWIND $sessions AS session
  CALL (session) {
    MATCH (e:Event)
    WHERE e.session_id = session.id AND e.workspace = session.workspace
      AND e.occurred_at >= datetime($afterAt) AND e.event_name IN $names
      AND (e.occurred_at > datetime($afterAt) OR e.node_id > $afterId)
    RETURN e ORDER BY e.occurred_at, e.node_id LIMIT $limit
  }
  RETURN session.id AS id, session.workspace AS workspace, e.node_id AS nodeId,
    e.event_name AS name, e.occurred_at AS at, properties(e) AS props
`;

/**
 * Lists the events for the layers of each session, in order of time, those after `after`, at most
 * `limit` of each. The lists are in the order of `sessions`.
 */
export async function listLayerEvents(
  tx: ReadTx,
  sessions: readonly SessionKey[],
  { after, limit }: { readonly after: LayerEvent | null; readonly limit: number },
): Promise<LayerEvent[][]> {
  const rows = await tx.run(EVENTS, {
    sessions: sessions.map(keyOf),
    names: [...LAYER_EVENT_NAMES],
    afterAt: after?.at ?? '0000-01-01T00:00:00Z',
    afterId: after?.nodeId ?? '',
    limit,
  });
  const groups = Map.groupBy(rows, ({ id, workspace }) => JSON.stringify([id, workspace]));
  return sessions.map(({ id, workspace }) =>
    (groups.get(JSON.stringify([id, workspace])) ?? []).map((row) => toLayerEvent(id, row)),
  );
}

const keyOf = ({ id, workspace }: SessionKey) => ({ id, workspace });

const LayerEventRow = z.object({
  nodeId: z.string(),
  name: z.string(),
  at: z.string(),
  props: JsonMap,
});
const Data = jsonText(JsonMap);

function toLayerEvent(sessionId: string, row: Row): LayerEvent {
  const { nodeId, name, at, props } = parseRow(LayerEventRow, row, 'Event');
  const { data, ...lifted } = props;
  const payload = parseStored(Data, data, () => `Event ${nodeId}, data`);
  const callId = lifted['tool_call_id'];
  return {
    nodeId,
    name,
    at,
    toolCall:
      name === 'tool:pre' && typeof callId === 'string'
        ? `${sessionId}__tool_call__${callId}`
        : null,
    data: '$blob_ref' in payload ? lifted : { ...lifted, ...payload },
  };
}

const LOCK = cypher`
  // lockLayerSessions
  UNWIND $sessions AS session
  MATCH (s:Session {node_id: session.id, workspace: session.workspace})
  SET s.layers_lock = true
  REMOVE s.layers_lock
`;

/** Locks sessions in one order, so that writers of several sessions do not deadlock. */
export async function lockLayerSessions(
  tx: WriteTx,
  sessions: readonly SessionKey[],
): Promise<void> {
  const sorted = sessions.map(keyOf).sort((left, right) => (left.id < right.id ? -1 : 1));
  await tx.run(LOCK, { sessions: sorted });
}

const DROP = cypher`
  // dropLayersOfSession
  UNWIND $sessions AS session
  MATCH (n:LayerNode {session_id: session.id, layer_workspace: session.workspace})
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS gone
`;
const DROP_ALL = cypher`
  // dropAllLayers
  MATCH (n:LayerNode)
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS gone
`;

/** Deletes up to `limit` layer nodes of these sessions (null: of all). @returns how many */
export async function dropLayers(
  tx: WriteTx,
  sessions: readonly SessionKey[] | null,
  limit: number,
): Promise<number> {
  const rows =
    sessions === null
      ? await tx.run(DROP_ALL, { limit })
      : await tx.run(DROP, { sessions: sessions.map(keyOf), limit });
  return countOf(rows, 'gone');
}

const MARK_ALL = cypher`
  // markAllSessionsStale
  MATCH (s:Session) WHERE s.layers_stale_since IS NULL
  WITH s LIMIT $limit
  SET s.layers_stale_since = datetime($now)
  RETURN count(*) AS marked
`;

export const markSessionsStale = async (
  tx: WriteTx,
  { now, limit }: { readonly now: string; readonly limit: number },
) => countOf(await tx.run(MARK_ALL, { now, limit }), 'marked');

export interface SessionLayers extends Layers {
  readonly session: SessionKey;
}

// The label is one of LAYER_LABELS. These nodes have no \`workspace\`, so that a query by
// workspace finds Layer 1 only (S0-NODE-01, S0-EDGE-01).
const INSERT = cypher`
  // insertLayerNodes
  UNWIND $nodes AS row
  MERGE (n:LayerNode {node_id: row.id, layer_workspace: row.workspace})
  SET n += row.props, n.owner_id = row.ownerId, n.session_id = row.sessionId, n:$(row.label)
`;

/** Inserts nodes. Agents and recipes get no session id, because sessions share them. */
export async function insertLayerNodes(
  tx: WriteTx,
  parts: readonly Pick<SessionLayers, 'session' | 'nodes'>[],
): Promise<void> {
  const rows = parts.flatMap(({ session: { id, workspace, ownerId }, nodes }) =>
    nodes.map((node) => ({
      ...node,
      workspace,
      ownerId,
      sessionId: node.label === 'Agent' || node.label === 'Recipe' ? null : id,
    })),
  );
  if (rows.length > 0) await tx.run(INSERT, { nodes: rows });
}

const END: Readonly<Record<LayerEnd['kind'], (name: string) => string>> = {
  layer: (name) => `(${name}:LayerNode {node_id: row.${name}, layer_workspace: row.workspace})`,
  session: (name) => `(${name}:Session {node_id: row.${name}, workspace: row.workspace})`,
  call: (name) => `(${name}:ToolCall {node_id: row.${name}, workspace: row.workspace})`,
  event: (name) => `(${name}:Event {node_id: row.${name}, workspace: row.workspace})`,
};
const KINDS = ['layer', 'session', 'call', 'event'] as const satisfies LayerEnd['kind'][];
const LINK = new Map(
  KINDS.flatMap((from) =>
    KINDS.map((to) => [
      `${from} ${to}`,
      cypher`
        // insertLayerEdges
        UNWIND $edges AS row
        MATCH ${END[from]('source')} WHERE source.owner_id = row.ownerId
        MATCH ${END[to]('target')} WHERE target.owner_id = row.ownerId
        MERGE (source)-[:$(row.type)]->(target)
      `,
    ]),
  ),
);

/** Inserts the edges whose two ends exist; the others are left out. */
export async function insertLayerEdges(
  tx: WriteTx,
  parts: readonly Pick<SessionLayers, 'session' | 'edges'>[],
): Promise<void> {
  const all = parts.flatMap(({ session: { workspace, ownerId }, edges }) =>
    edges.map(({ from, type, to }) => ({
      kinds: `${from.kind} ${to.kind}`,
      row: { workspace, ownerId, source: from.id, type, target: to.id },
    })),
  );
  for (const [kinds, group] of Map.groupBy(all, (edge) => edge.kinds))
    await tx.run(LINK.get(kinds) ?? '', { edges: group.map(({ row }) => row) });
}

const FINISH = cypher`
  // finishLayers
  UNWIND $sessions AS session
  MATCH (s:Session {node_id: session.id, workspace: session.workspace})
  SET s.layers_ms = $ms,
    s.layers_stale_since = CASE WHEN coalesce(s.stream_writes, 0) = session.writes
      THEN null ELSE datetime($now) END
`;

/** Marks sessions as up to date, unless they were written to during the build. */
export async function finishLayers(
  tx: WriteTx,
  sessions: readonly StaleSession[],
  done: { readonly ms: number; readonly now: string },
): Promise<void> {
  const rows = sessions.map((session) => ({ ...keyOf(session), writes: session.writes }));
  await tx.run(FINISH, { sessions: rows, ...done });
}

const RUNS = cypher`
  // listRunsOfSessions
  UNWIND $ids AS id
  MATCH (s:Session {node_id: id, workspace: $workspace})-[:HAS_EXECUTION]->(run:OrchestratorRun)
  WHERE s.owner_id = $ownerId
  WITH id, run ORDER BY run.started_at, run.node_id
  WITH id, collect(run)[..$limit] AS runs
  UNWIND runs AS run
  RETURN id, run {.node_id, .run_id, .started_at, .ended_at, .status,
    prompt: [(p:Prompt)-[:TRIGGERED]->(run) | p.text][0],
    iterations: [(run)-[:HAS_PART]->(i:Iteration) | i {.node_id, .number, .model, .provider,
      .started_at, .ended_at,
      toolCalls: [(i)-[:HAS_TOOL_CALL]->(tc:ToolCall) | tc.node_id]}]} AS run
`;

const RunRow = z.object({
  node_id: z.string(),
  run_id: textOrNull,
  started_at: textOrNull,
  ended_at: textOrNull,
  status: textOrNull,
  prompt: textOrNull,
  iterations: z.array(
    z.object({
      node_id: z.string(),
      number: z.number(),
      model: textOrNull,
      provider: textOrNull,
      started_at: textOrNull,
      ended_at: textOrNull,
      toolCalls: z.array(z.string()),
    }),
  ),
});

/** Lists the first `limit` OrchestratorRuns of each session, oldest first. */
export async function listRunsOfSessions(
  tx: ReadTx,
  { userId, workspace }: Pick<Viewer, 'userId' | 'workspace'>,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<Map<string, Json[]>> {
  const rows = await tx.run(RUNS, { ownerId: userId, workspace, ids, limit });
  const runs = Map.groupBy(rows, (row) => textOf(row, 'id', 'Session'));
  return new Map(
    [...runs].map(([id, found]) => [
      id,
      found.map(({ run }) => {
        const {
          node_id,
          run_id,
          started_at,
          ended_at,
          iterations: parts,
          ...rest
        } = parseRow(RunRow, run, 'OrchestratorRun');
        parts.sort((left, right) => left.number - right.number);
        return {
          nodeId: node_id,
          runId: run_id,
          startedAt: started_at,
          endedAt: ended_at,
          ...rest,
          iterations: parts.map(({ node_id: nodeId, started_at: from, ended_at: to, ...part }) => ({
            nodeId,
            startedAt: from,
            endedAt: to,
            ...part,
          })),
        };
      }),
    ]),
  );
}
