import type { JsonObject } from '../common/json.ts';
import { type Page, type PageArgs, pageWindow, type SortField, toPage } from '../common/page.ts';
import type { ReadTx, Row } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import type { Viewer } from '../users/viewer.ts';
import {
  type AgentSession,
  type EventFilter,
  type SessionEvent,
  sessionState,
  type ToolCall,
} from './session.ts';

/** Whose graph is read: both have to hold for every node (decisions.md, Identity and access). */
type Reader = Pick<Viewer, 'userId' | 'workspace'>;
const scope = ({ userId, workspace }: Reader) => ({ ownerId: userId, workspace });

const SESSION = /* cypher */ `
  {props: properties(s), labels: labels(s), parentId: [(p:Session)-[:HAS_FORK]->(s) | p.node_id][0]}
`;
const EVENT = /* cypher */ `{props: properties(e), labels: labels(e)}`;
const CALL = /* cypher */ `tc {.node_id, .tool_call_id, .tool_name, .session_id, .parallel_group_id, .started_at, .ended_at}`;

const text = (value: unknown): string | null => (value == null ? null : String(value));

// What keeps the graph in order and says nothing about the session or event.
const OWN_KEYS = [
  'owner_id',
  'feed',
  'content_hash',
  'layers_stale_since',
  'layers_ms',
  'stream_writes',
  'awaits_tool_call',
];

function toSession(row: Row): AgentSession {
  const props = row['props'] as Record<string, unknown>;
  const { ended_at, end_status, resumed_at, ...rest } = props;
  const state = sessionState({
    endedAt: text(ended_at),
    endStatus: text(end_status),
    resumedAt: text(resumed_at),
  });
  return {
    nodeId: String(props['node_id']),
    workspace: String(props['workspace']),
    labels: labelsOf(row),
    parentId: text(row['parentId']),
    startedAt: text(props['started_at']),
    ...state,
    properties: without(rest, OWN_KEYS),
  };
}

function toEvent(row: Row): SessionEvent {
  const props = row['props'] as Record<string, unknown>;
  return {
    nodeId: String(props['node_id']),
    name: String(props['event_name']),
    labels: labelsOf(row),
    occurredAt: String(props['occurred_at']),
    properties: without(props, [...OWN_KEYS, 'data']),
    data: JSON.parse(String(props['data'])) as JsonObject,
  };
}

function toCall(row: Row): ToolCall {
  const startedAt = text(row['started_at']);
  const endedAt = text(row['ended_at']);
  return {
    nodeId: String(row['node_id']),
    toolCallId: String(row['tool_call_id']),
    toolName: text(row['tool_name']) ?? '',
    sessionId: String(row['session_id']),
    parallelGroupId: text(row['parallel_group_id']),
    startedAt,
    endedAt,
    durationMs:
      startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
  };
}

/** The base label first, as the document lists them. */
function labelsOf(row: Row): string[] {
  return [...(row['labels'] as string[])].sort((left, right) => left.length - right.length);
}

function without(props: Readonly<Record<string, unknown>>, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(props).filter(([key]) => !keys.includes(key)),
  ) as JsonObject;
}

const FIND_SESSIONS = /* cypher */ `
  // findSessions
  UNWIND $ids AS id
  MATCH (s:Session {node_id: id, workspace: $workspace}) WHERE s.owner_id = $ownerId
  RETURN ${SESSION} AS session
`;

/** Batched for the request's loader; gaps are the loader's business. */
export async function findSessions(
  tx: ReadTx,
  reader: Reader,
  ids: readonly string[],
): Promise<AgentSession[]> {
  const rows = await tx.run(FIND_SESSIONS, { ...scope(reader), ids });
  return rows.map((row) => toSession(row['session'] as Row));
}

const FIND_CALLS = /* cypher */ `
  // findToolCalls
  UNWIND $ids AS id
  MATCH (tc:ToolCall {node_id: id, workspace: $workspace}) WHERE tc.owner_id = $ownerId
  RETURN ${CALL} AS call
`;

export async function findToolCalls(
  tx: ReadTx,
  reader: Reader,
  ids: readonly string[],
): Promise<ToolCall[]> {
  const rows = await tx.run(FIND_CALLS, { ...scope(reader), ids });
  return rows.map((row) => toCall(row['call'] as Row));
}

const BY_START: readonly SortField[] = [
  {
    cypher: 'coalesce(s.started_at, datetime({epochMillis: 0}))',
    type: 'instant',
    order: 'descending',
  },
  { cypher: 's.node_id', type: 'text', order: 'descending' },
];
const SESSIONS = listing({
  name: 'listSessions',
  match: 'MATCH (s:Session) WHERE s.owner_id = $ownerId AND s.workspace = $workspace',
  order: BY_START,
  item: SESSION,
});

/** The viewer's sessions, newest first. */
export function listSessions(
  tx: ReadTx,
  reader: Reader,
  page: PageArgs,
): Promise<Page<AgentSession>> {
  return listPage(tx, SESSIONS, page, scope(reader), toSession);
}

const BY_TIME: readonly SortField[] = [
  { cypher: 'e.occurred_at', type: 'instant', order: 'ascending' },
  { cypher: 'e.node_id', type: 'text', order: 'ascending' },
];
const NARROWED = /* cypher */ `
  ($names IS NULL OR e.event_name IN $names) AND ($label IS NULL OR $label IN labels(e))
  AND ($toolName IS NULL OR e.tool_name = $toolName)
  AND ($from IS NULL OR e.occurred_at >= datetime($from)) AND ($to IS NULL OR e.occurred_at < datetime($to))
`;
const events = (name: string, narrowBy: string) =>
  listing({
    name,
    match: `MATCH (e:Event) WHERE e.owner_id = $ownerId AND e.workspace = $workspace AND ${narrowBy} ${NARROWED}`,
    order: BY_TIME,
    item: EVENT,
  });
// A bound that is always given lets the planner use the index over it, which an optional one does not.
const EVENTS = events('listSessionEvents', 'e.occurred_at >= datetime($since) AND');
const EVENTS_OF_TOOL = events('listToolEvents', 'e.tool_name = $toolName AND');

/** Events of all the viewer's sessions, oldest first. The filter has been checked (`checkEventFilter`). */
export function listSessionEvents(
  tx: ReadTx,
  reader: Reader,
  { names, label, toolName, from, to, ...page }: EventFilter,
): Promise<Page<SessionEvent>> {
  const params = {
    ...scope(reader),
    names: names ?? null,
    label: label ?? null,
    toolName: toolName ?? null,
    from: from ?? null,
    since: from ?? '0001-01-01T00:00:00Z',
    to: to ?? null,
  };
  return listPage(tx, toolName == null ? EVENTS : EVENTS_OF_TOOL, page, params, toEvent);
}

/** A page of things under each of several sessions, in one statement. */
interface PerSession<T> {
  readonly statement: string;
  readonly order: readonly SortField[];
  readonly read: (row: Row) => T;
}

const perSession = (
  name: string,
  pattern: string,
  narrow: string,
  order: readonly SortField[],
  item: string,
) => {
  const [first, second] = order as [SortField, SortField];
  return /* cypher */ `
    // ${name}
    UNWIND $ids AS id
    MATCH (s:Session {node_id: id, workspace: $workspace}) WHERE s.owner_id = $ownerId
    CALL (s) {
      MATCH ${pattern} WHERE ${narrow}
      RETURN count(*) AS totalCount
    }
    CALL (s) {
      MATCH ${pattern} WHERE ${narrow}
        AND ($cursor IS NULL OR ${first.cypher} > datetime($cursor[0])
          OR (${first.cypher} = datetime($cursor[0]) AND ${second.cypher} > $cursor[1]))
      WITH * ORDER BY ${first.cypher}, ${second.cypher} LIMIT $limit
      RETURN collect({item: ${item}, key: [toString(${first.cypher}), ${second.cypher}]}) AS rows
    }
    RETURN id, totalCount, rows
  `;
};
const BY_CALL_START: readonly SortField[] = [
  {
    cypher: 'coalesce(tc.started_at, datetime({epochMillis: 0}))',
    type: 'instant',
    order: 'ascending',
  },
  { cypher: 'tc.node_id', type: 'text', order: 'ascending' },
];
const SESSION_EVENTS: PerSession<SessionEvent> = {
  statement: perSession(
    'listEventsOfSessions',
    '(s)-[:HAS_EVENT]->(e:Event)',
    '($names IS NULL OR e.event_name IN $names)',
    BY_TIME,
    EVENT,
  ),
  order: BY_TIME,
  read: toEvent,
};
const SESSION_CALLS: PerSession<ToolCall> = {
  statement: perSession(
    'listCallsOfSessions',
    '(s)-[:HAS_TOOL_CALL]->(tc:ToolCall)',
    'true',
    BY_CALL_START,
    CALL,
  ),
  order: BY_CALL_START,
  read: toCall,
};

/** What is asked of a session's list: forwards only, which is what the contract has. */
export interface SessionPageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly names?: readonly string[] | null | undefined;
}

async function listPerSession<T>(
  tx: ReadTx,
  { statement, order, read }: PerSession<T>,
  reader: Reader,
  ids: readonly string[],
  { names, ...page }: SessionPageArgs,
): Promise<Map<string, Page<T>>> {
  const window = pageWindow(page, order);
  const rows = await tx.run(statement, {
    ...scope(reader),
    ids,
    names: names ?? null,
    cursor: window.cursor,
    limit: window.limit + 1,
  });
  return new Map(
    rows.map((row) => {
      const found = row['rows'] as { item: Row; key: [string, string] }[];
      const items = found.map(({ item, key }) => ({ key, item: read(item) }));
      return [String(row['id']), toPage(window, items, Number(row['totalCount']))];
    }),
  );
}

/** A page of each session's events, oldest first (the flexible path, S0-TC-03). */
export function listEventsOfSessions(
  tx: ReadTx,
  reader: Reader,
  ids: readonly string[],
  args: SessionPageArgs,
): Promise<Map<string, Page<SessionEvent>>> {
  return listPerSession(tx, SESSION_EVENTS, reader, ids, args);
}

/** A page of each session's tool calls, first begun first (the structured path, S0-TC-03). */
export function listCallsOfSessions(
  tx: ReadTx,
  reader: Reader,
  ids: readonly string[],
  args: SessionPageArgs,
): Promise<Map<string, Page<ToolCall>>> {
  return listPerSession(tx, SESSION_CALLS, reader, ids, args);
}

const FORKS = /* cypher */ `
  // listForkedSessions
  UNWIND $ids AS id
  MATCH (parent:Session {node_id: id, workspace: $workspace})-[:HAS_FORK]->(s:Session)
  WHERE parent.owner_id = $ownerId AND s.owner_id = $ownerId
  WITH id, s ORDER BY s.started_at, s.node_id
  WITH id, collect(s)[..$limit] AS forks
  UNWIND forks AS s
  RETURN id, ${SESSION} AS session
`;

/** The first `limit` sessions forked from each of these, first begun first. */
export async function listForkedSessions(
  tx: ReadTx,
  reader: Reader,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<Map<string, AgentSession[]>> {
  const rows = await tx.run(FORKS, { ...scope(reader), ids, limit });
  const forks = Map.groupBy(rows, (row) => String(row['id']));
  return new Map(
    [...forks].map(([id, found]) => [id, found.map((row) => toSession(row['session'] as Row))]),
  );
}

const CALL_EVENTS = /* cypher */ `
  // listEventsOfCalls
  UNWIND $ids AS id
  MATCH (tc:ToolCall {node_id: id, workspace: $workspace})-[:HAS_EVENT]->(e:Event)
  WHERE tc.owner_id = $ownerId AND e.owner_id = $ownerId
  WITH id, e ORDER BY e.occurred_at, e.node_id
  WITH id, collect(e)[..$limit] AS events
  UNWIND events AS e
  RETURN id, ${EVENT} AS event
`;

/** The first `limit` lifecycle events of each of these calls, oldest first. */
export async function listEventsOfCalls(
  tx: ReadTx,
  reader: Reader,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<Map<string, SessionEvent[]>> {
  const rows = await tx.run(CALL_EVENTS, { ...scope(reader), ids, limit });
  const events = Map.groupBy(rows, (row) => String(row['id']));
  return new Map(
    [...events].map(([id, found]) => [id, found.map((row) => toEvent(row['event'] as Row))]),
  );
}
