import { z } from 'zod';
import {
  type Page,
  type PageArgs,
  type PageDirection,
  pageWindow,
  type SortField,
  toPage,
} from '../../common/page.ts';
import type { ReadTx, Row } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { isRow, parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { AgentSession, EventFilter, SessionEvent, ToolCall } from './session.ts';
import {
  CALL,
  EVENT,
  type Reader,
  SESSION,
  scope,
  toCall,
  toEvent,
  toSession,
} from './session-row.cypher.ts';

type ByTwo = readonly [SortField, SortField];
const BY_START: readonly SortField[] = [
  {
    cypher: 'coalesce(s.started_at, datetime({epochMillis: 0}))',
    type: 'instant',
    order: 'descending',
  },
  { cypher: 's.node_id', type: 'text', order: 'descending' },
];
const ofReader = 'MATCH (s:Session) WHERE s.owner_id = $ownerId AND s.workspace = $workspace';
const ALL_SESSIONS = listing({
  name: 'listAllSessions',
  match: ofReader,
  order: BY_START,
  item: SESSION,
});
const USER_SESSIONS = listing({
  name: 'listSessions',
  match: `${ofReader} AND s.origin = 'user'`,
  order: BY_START,
  item: SESSION,
});

/**
 * Lists the viewer's sessions, newest first.
 * @param page `includeSystem`: also the sessions of the product's background runs; default false
 */
export function listSessions(
  tx: ReadTx,
  reader: Reader,
  { includeSystem, ...page }: PageArgs & { readonly includeSystem?: boolean | null | undefined },
): Promise<Page<AgentSession>> {
  const list = includeSystem === true ? ALL_SESSIONS : USER_SESSIONS;
  return listPage(tx, list, page, scope(reader), toSession);
}

const BY_TIME: ByTwo = [
  { cypher: 'e.occurred_at', type: 'instant', order: 'ascending' },
  { cypher: 'e.node_id', type: 'text', order: 'ascending' },
];
const NARROWED = /* cypher */ `
  ($names IS NULL OR e.event_name IN $names) AND ($label IS NULL OR $label IN labels(e))
  AND ($toolName IS NULL OR e.tool_name = $toolName)
  AND ($from IS NULL OR e.occurred_at >= datetime($from))
  AND ($to IS NULL OR e.occurred_at < datetime($to))
`;
const ofOwner = 'e.owner_id = $ownerId AND e.workspace = $workspace';
const common = { order: BY_TIME, item: EVENT };
// A bound that is always set: with optional bounds only, the planner does not use the index.
const EVENTS = listing({
  name: 'listSessionEvents',
  match: `MATCH (e:Event) USING INDEX SEEK e:Event(owner_id, workspace, occurred_at)
    WHERE ${ofOwner} AND e.occurred_at >= datetime($since) AND ${NARROWED}`,
  within: ['e.owner_id', 'e.workspace'],
  ...common,
});
const EVENTS_OF_TOOL = listing({
  name: 'listToolEvents',
  match: `MATCH (e:Event) WHERE ${ofOwner} AND e.tool_name = $toolName AND ${NARROWED}`,
  ...common,
});

/** Lists events of all the viewer's sessions, oldest first. Check the filter before the call. */
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

/** Builds a statement that lists a page of children of each of several sessions. */
interface PerSession<T> {
  readonly statements: Readonly<Record<PageDirection, string>>;
  readonly order: readonly SortField[];
  readonly read: (row: Row) => T;
}

const perSession = (name: string, pattern: string, narrow: string, order: ByTwo, item: string) => ({
  forward: towards('forward', name, pattern, narrow, order, item),
  backward: towards('backward', name, pattern, narrow, order, item),
});
function towards(
  direction: PageDirection,
  name: string,
  pattern: string,
  narrow: string,
  [first, second]: ByTwo,
  item: string,
) {
  const [beyond, way] = direction === 'forward' ? ['>', 'ASC'] : ['<', 'DESC'];
  return cypher`
    // ${name}
    UNWIND $ids AS id
    MATCH (s:Session {node_id: id, workspace: $workspace}) WHERE s.owner_id = $ownerId
    CALL (s) {
      MATCH ${pattern} WHERE ${narrow}
      RETURN count(*) AS totalCount
    }
    CALL (s) {
      MATCH ${pattern} WHERE ${narrow}
        AND ($cursor IS NULL OR ${first.cypher} ${beyond} datetime($cursor[0])
          OR (${first.cypher} = datetime($cursor[0]) AND ${second.cypher} ${beyond} $cursor[1]))
      WITH * ORDER BY ${first.cypher} ${way}, ${second.cypher} ${way} LIMIT $limit
      RETURN collect({item: ${item}, key: [toString(${first.cypher}), ${second.cypher}]}) AS rows
    }
    RETURN id, totalCount, rows
  `;
}
const BY_CALL_START: ByTwo = [
  {
    cypher: 'coalesce(tc.started_at, datetime({epochMillis: 0}))',
    type: 'instant',
    order: 'ascending',
  },
  { cypher: 'tc.node_id', type: 'text', order: 'ascending' },
];
const SESSION_EVENTS: PerSession<SessionEvent> = {
  statements: perSession(
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
  statements: perSession(
    'listCallsOfSessions',
    '(s)-[:HAS_TOOL_CALL]->(tc:ToolCall)',
    'true',
    BY_CALL_START,
    CALL,
  ),
  order: BY_CALL_START,
  read: toCall,
};

export interface SessionPageArgs extends PageArgs {
  readonly names?: readonly string[] | null | undefined;
}

const PerSessionRow = z.object({
  id: z.string(),
  totalCount: z.int(),
  rows: z.array(z.object({ item: z.custom<Row>(isRow), key: z.array(z.string()) })),
});

async function listPerSession<T>(
  tx: ReadTx,
  { statements, order, read }: PerSession<T>,
  reader: Reader,
  ids: readonly string[],
  { names, ...page }: SessionPageArgs,
): Promise<Map<string, Page<T>>> {
  const window = pageWindow(page, order);
  const rows = await tx.run(statements[window.direction], {
    ...scope(reader),
    ids,
    names: names ?? null,
    cursor: window.cursor,
    limit: window.limit + 1,
  });
  return new Map(
    rows.map((row) => {
      const { id, totalCount, rows: found } = parseRow(PerSessionRow, row, 'Session');
      const items = found.map(({ item, key }) => ({ key, item: read(item) }));
      return [id, toPage(window, items, totalCount)];
    }),
  );
}

/** Lists a page of each session's events, oldest first (the flexible path, S0-TC-03). */
export const listEventsOfSessions = (
  tx: ReadTx,
  reader: Reader,
  ids: readonly string[],
  args: SessionPageArgs,
) => listPerSession(tx, SESSION_EVENTS, reader, ids, args);

/** Lists a page of each session's tool calls by start time (the structured path, S0-TC-03). */
export const listCallsOfSessions = (
  tx: ReadTx,
  reader: Reader,
  ids: readonly string[],
  args: SessionPageArgs,
) => listPerSession(tx, SESSION_CALLS, reader, ids, args);
