import type { Instant } from '../common/clock.ts';
import type { ReadTx, Row, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow, textListOf, textOf } from '../platform/neo4j/row.ts';
import { readAll, readMap, readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { OPEN_RUN_STATUSES } from '../runs/run/run.ts';
import { ProcessSchedule, RECENT_RUNS_SHOWN } from './schedule.ts';

const SCHEDULE =
  's {.*, ownerId: s.ownerId, processId: p.id, note: s.note, lastError: s.lastError}';

const FIND_SCHEDULES = cypher`
  // findSchedules
  MATCH (s:ProcessSchedule)-[:SCHEDULES]->(p:Process)
  WHERE s.id IN $ids AND ($viewerId IS NULL OR s.ownerId = $viewerId)
  RETURN ${SCHEDULE} AS schedule
`;

/** The viewer's schedules with these ids, in any order. Other ids are left out. */
export const findSchedules = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readAll(tx, FIND_SCHEDULES, { ids, viewerId }, toSchedule);

/** A schedule of any owner, for background work. Requests use findSchedules. */
export function findScheduleById(tx: ReadTx, id: string): Promise<ProcessSchedule | null> {
  return readOne(tx, FIND_SCHEDULES, { ids: [id], viewerId: null }, toSchedule);
}

const LIST_SCHEDULES = cypher`
  // listSchedules
  UNWIND $processIds AS processId
  MATCH (s:ProcessSchedule {ownerId: $viewerId})-[:SCHEDULES]->(p:Process {id: processId})
  RETURN ${SCHEDULE} AS schedule ORDER BY s.createdAt, s.id
`;

/** The viewer's schedules of these Processes, oldest first; SCHEDULES_PER_USER_MAX at most. */
export const listSchedules = (tx: ReadTx, viewerId: string, processIds: readonly string[]) =>
  readAll(tx, LIST_SCHEDULES, { viewerId, processIds }, toSchedule);

const LIST_UNDER_OTHER_KEYS = cypher`
  // listSchedulesUnderOtherKeys
  MATCH (s:ProcessSchedule)
  WHERE coalesce(s.payloadMark, 'plain') <> $mark
  RETURN s.id AS id ORDER BY s.id LIMIT $limit
`;

/** Schedules whose argument in Temporal is not stored as `mark` says; of all users. */
export const listUnderOtherKeys = (
  tx: ReadTx,
  input: { readonly mark: string; readonly limit: number },
) => readAll(tx, LIST_UNDER_OTHER_KEYS, input, (row) => textOf(row, 'id', 'ProcessSchedule'));

const COUNT_SCHEDULES = cypher`
  // countSchedules
  MATCH (s:ProcessSchedule {ownerId: $ownerId})
  RETURN count(s) AS count
`;

export async function countSchedules(tx: ReadTx, ownerId: string): Promise<number> {
  return countOf(await tx.run(COUNT_SCHEDULES, { ownerId }), 'count');
}

const INSERT_SCHEDULE = cypher`
  // insertSchedule
  MATCH (owner:User {id: $schedule.ownerId}), (p:Process {id: $processId})
  CREATE (s:ProcessSchedule:Resource)
  SET s = $schedule, s.createdAt = datetime($schedule.createdAt)
  CREATE (s)-[:OWNED_BY]->(owner), (s)-[:SCHEDULES]->(p)
`;

export async function insertSchedule(tx: WriteTx, schedule: ProcessSchedule): Promise<void> {
  const { processId, ...properties } = schedule;
  await tx.run(INSERT_SCHEDULE, { schedule: properties, processId });
}

const SAVE_SCHEDULE = cypher`
  // saveSchedule
  MATCH (s:ProcessSchedule {id: $id}) WHERE $viewerId IS NULL OR s.ownerId = $viewerId
  SET s += $fields
`;

/**
 * Changes these properties of a schedule. `payloadMark` says how Temporal stores its argument.
 * @param viewerId its owner, whose request holds its lock; null for background work
 */
export const saveSchedule = (
  tx: WriteTx,
  viewerId: string | null,
  id: string,
  fields: Partial<Omit<ProcessSchedule, 'id' | 'ownerId' | 'processId'>> & {
    readonly payloadMark?: string;
  },
) => runWrite(tx, SAVE_SCHEDULE, { id, viewerId, fields });

const DELETE_SCHEDULE = cypher`
  // deleteSchedule
  MATCH (s:ProcessSchedule {id: $id, ownerId: $ownerId})
  DETACH DELETE s
`;

/** Deletes a schedule. Its runs stay. */
export const deleteScheduleNode = (
  tx: WriteTx,
  input: { readonly id: string; readonly ownerId: string },
) => runWrite(tx, DELETE_SCHEDULE, input);

const FIND_OPEN_RUN = cypher`
  // findOpenRunOfSchedule
  MATCH (run:ProcessRun {scheduleId: $id}) USING INDEX SEEK run:ProcessRun(scheduleId, id)
  WHERE run.id IS NOT NULL
  WITH run ORDER BY run.scheduleId DESC, run.id DESC LIMIT 1
  WHERE run.status IN $open
  RETURN run.id AS id
`;

/** The id of the schedule's newest run while that run is open; null otherwise. */
export async function findOpenRunOf(tx: ReadTx, id: string): Promise<string | null> {
  const [row] = await tx.run(FIND_OPEN_RUN, { id, open: [...OPEN_RUN_STATUSES] });
  return row === undefined ? null : textOf(row, 'id', 'ProcessRun');
}

const MARK_FIRED = cypher`
  // markFired
  MATCH (run:ProcessRun {id: $runId}), (s:ProcessSchedule {id: $id})
  SET run.scheduleId = s.id, s.lastError = null, s.lastFiredAt = datetime($now)
`;

/** Binds a run to its schedule and clears the schedule's `lastError`. */
export const markFired = (
  tx: WriteTx,
  input: { readonly id: string; readonly runId: string; readonly now: Instant },
) => runWrite(tx, MARK_FIRED, input);

const RECENT_RUNS = cypher`
  // recentRunsOfSchedules
  UNWIND $ids AS id
  CALL (id) {
    MATCH (run:ProcessRun {scheduleId: id}) USING INDEX SEEK run:ProcessRun(scheduleId, id)
    WHERE run.id IS NOT NULL AND run.ownerId = $viewerId
    WITH run ORDER BY run.scheduleId DESC, run.id DESC LIMIT $limit
    RETURN run.id AS runId
  }
  RETURN id, collect(runId) AS runIds
`;

/** Ids of the newest runs of each schedule, newest first. */
export const recentRunIds = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readMap(tx, RECENT_RUNS, { ids, viewerId, limit: RECENT_RUNS_SHOWN }, (row) => [
    textOf(row, 'id', 'ProcessSchedule'),
    textListOf(row, 'runIds', 'ProcessSchedule'),
  ]);

const toSchedule = (row: Row): ProcessSchedule =>
  parseRow(ProcessSchedule, row['schedule'], 'ProcessSchedule');
