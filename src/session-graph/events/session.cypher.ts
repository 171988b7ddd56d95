import { z } from 'zod';
import { textOrNull } from '../../common/stored.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../../platform/neo4j/row.ts';
import { readAll, readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { AgentSession, SessionEvent } from './session.ts';
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

const FIND_SESSIONS = cypher`
  // findSessions
  UNWIND $ids AS id
  MATCH (s:Session {node_id: id, workspace: $workspace}) WHERE s.owner_id = $ownerId
  RETURN ${SESSION} AS session
`;

/** Finds the viewer's sessions by id; unknown ids are left out. */
export const findSessions = (tx: ReadTx, reader: Reader, ids: readonly string[]) =>
  readAll(tx, FIND_SESSIONS, { ...scope(reader), ids }, (row) => toSession(row['session']));

// The id of a run's session begins with the id of the run; a conversation's session has its id.
const FIND_TITLES = cypher`
  // findSessionTitles
  UNWIND $ids AS id
  OPTIONAL MATCH (c:Conversation {id: id}) WHERE c.ownerId = $ownerId
  OPTIONAL MATCH (run:ProcessRun {id: left(id, 36)}) WHERE run.ownerId = $ownerId
  RETURN id, coalesce(c.title, run.processName) AS title
`;

const TitleRow = z.object({ id: z.string(), title: textOrNull });

/** Finds titles of the viewer's sessions: of a conversation its title, of a run its Process. */
export function findSessionTitles(
  tx: ReadTx,
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  return readMap(tx, FIND_TITLES, { ...scope(reader), ids }, (row) => {
    const { id, title } = parseRow(TitleRow, row, 'Session');
    return [id, title];
  });
}

const FIND_CALLS = cypher`
  // findToolCalls
  UNWIND $ids AS id
  MATCH (tc:ToolCall {node_id: id, workspace: $workspace}) WHERE tc.owner_id = $ownerId
  RETURN ${CALL} AS call
`;

export const findToolCalls = (tx: ReadTx, reader: Reader, ids: readonly string[]) =>
  readAll(tx, FIND_CALLS, { ...scope(reader), ids }, (row) => toCall(row['call']));

const FIND_EVENTS = cypher`
  // findSessionEvents
  UNWIND $ids AS id
  MATCH (e:Event {node_id: id, workspace: $workspace}) WHERE e.owner_id = $ownerId
  RETURN ${EVENT} AS event
`;

/** Finds the viewer's events by id; unknown ids are left out. */
export const findSessionEvents = (tx: ReadTx, reader: Reader, ids: readonly string[]) =>
  readAll(tx, FIND_EVENTS, { ...scope(reader), ids }, (row) => toEvent(row['event']));

const FORKS = cypher`
  // listForkedSessions
  UNWIND $ids AS id
  MATCH (parent:Session {node_id: id, workspace: $workspace})-[:HAS_FORK]->(s:Session)
  WHERE parent.owner_id = $ownerId AND s.owner_id = $ownerId
  WITH id, s ORDER BY s.started_at, s.node_id
  WITH id, collect(s)[..$limit] AS forks
  UNWIND forks AS s
  RETURN id, ${SESSION} AS session
`;

/** Lists the first `limit` sessions forked from each of these, by start time. */
export async function listForkedSessions(
  tx: ReadTx,
  reader: Reader,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<Map<string, AgentSession[]>> {
  const rows = await tx.run(FORKS, { ...scope(reader), ids, limit });
  const forks = Map.groupBy(rows, (row) => textOf(row, 'id', 'Node'));
  return new Map(
    [...forks].map(([id, found]) => [id, found.map((row) => toSession(row['session']))]),
  );
}

const CALL_EVENTS = cypher`
  // listEventsOfCalls
  UNWIND $ids AS id
  MATCH (tc:ToolCall {node_id: id, workspace: $workspace})-[:HAS_EVENT]->(e:Event)
  WHERE tc.owner_id = $ownerId AND e.owner_id = $ownerId
  WITH id, e ORDER BY e.occurred_at, e.node_id
  WITH id, collect(e)[..$limit] AS events
  UNWIND events AS e
  RETURN id, ${EVENT} AS event
`;

/** Lists the first `limit` lifecycle events of each of these calls, oldest first. */
export async function listEventsOfCalls(
  tx: ReadTx,
  reader: Reader,
  { ids, limit }: { readonly ids: readonly string[]; readonly limit: number },
): Promise<Map<string, SessionEvent[]>> {
  const rows = await tx.run(CALL_EVENTS, { ...scope(reader), ids, limit });
  const events = Map.groupBy(rows, (row) => textOf(row, 'id', 'Node'));
  return new Map([...events].map(([id, found]) => [id, found.map((row) => toEvent(row['event']))]));
}
