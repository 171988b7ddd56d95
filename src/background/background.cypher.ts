import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { jsonText, textOrNull } from '../common/stored.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../platform/neo4j/row.ts';
import { readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { RUN_STATUSES } from '../runs/run/run.ts';
import { RunError } from '../runs/run/stored.ts';
import { SYSTEM_USER_ID } from '../users/user.ts';
import { BackgroundFault } from './background.ts';
import { processOf, type WorkItem, workKey } from './work.ts';

// BackgroundDay: a user's tokens for background work on one day, used and reserved.
// BackgroundFault: the last fault of a Process in the work for a user.

/** The day of a user in UTC. */
export interface OwnerDay {
  readonly ownerId: string;
  readonly day: string;
}

const dayKey = ({ ownerId, day }: OwnerDay) => `${ownerId}/${day}`;

const FIND_DAY = cypher`
  // findBackgroundDay
  OPTIONAL MATCH (day:BackgroundDay {key: $key})
  RETURN coalesce(day.tokensUsed, 0) AS tokensUsed,
    coalesce(day.tokensReserved, 0) AS tokensReserved
`;
const RESERVE = cypher`
  // reserveBackgroundTokens
  MERGE (day:BackgroundDay {key: $key})
  ON CREATE SET day.ownerId = $ownerId, day.day = $day, day.tokensUsed = 0, day.tokensReserved = 0
  SET day.lockedAt = datetime()
  WITH day
  SET day.tokensReserved = day.tokensReserved + $tokens
  RETURN day.tokensUsed AS tokensUsed, day.tokensReserved AS tokensReserved
`;

const DayRow = z.object({ tokensUsed: z.int(), tokensReserved: z.int() });
export type DayTokens = z.infer<typeof DayRow>;

export async function findDay(tx: ReadTx, of: OwnerDay): Promise<DayTokens> {
  const [row] = await tx.run(FIND_DAY, { key: dayKey(of) });
  return parseRow(DayRow, row, 'BackgroundDay');
}

/**
 * Reserves tokens of a day, and locks the day until the transaction ends. Reserving 0 only locks.
 * @returns the tokens afterwards
 */
export async function reserveTokens(tx: WriteTx, of: OwnerDay, tokens: number): Promise<DayTokens> {
  const [row] = await tx.run(RESERVE, { key: dayKey(of), ...of, tokens });
  return parseRow(DayRow, row, 'BackgroundDay');
}

const BIND = cypher`
  // bindBackgroundRun
  MATCH (run:ProcessRun {id: $runId})
  SET run.workDay = $dayKey, run.workReserved = $tokens, run.workProcess = $processName,
    run.workItem = $itemId
`;

/** Binds a run to its work and to the day that its tokens count for. */
export const bindRun = (
  tx: WriteTx,
  bind: OwnerDay & {
    readonly runId: string;
    readonly processName: string;
    readonly itemId: string | null;
    readonly tokens: number;
  },
) => runWrite(tx, BIND, { ...bind, dayKey: dayKey(bind) });

// A day without a node counts nothing: runs of older versions have reserved no tokens.
const SETTLE = cypher`
  // settleBackgroundRun
  MATCH (run:ProcessRun {id: $runId}) WHERE run.origin = 'system' AND run.depth = 0
  CALL (run) {
    MATCH (day:BackgroundDay {key: run.workDay})
    SET day.tokensReserved = day.tokensReserved - run.workReserved,
      day.tokensUsed = day.tokensUsed + coalesce(run.inputTokens, 0) + coalesce(run.outputTokens, 0)
  }
  RETURN run.ownerId AS ownerId, coalesce(run.workProcess, run.processName) AS kind,
    run.workItem AS itemId, run.status AS status, run.error AS error
`;

const SettledRow = z.object({
  ownerId: z.string(),
  kind: z.string(),
  itemId: textOrNull,
  status: z.enum(RUN_STATUSES),
  error: jsonText(RunError).nullable(),
});

/** Counts the usage of a background run that has ended. Null for any other run. */
export function settleRun(tx: WriteTx, runId: string): Promise<z.infer<typeof SettledRow> | null> {
  return readOne(tx, SETTLE, { runId }, (row) => parseRow(SettledRow, row, `ProcessRun ${runId}`));
}

/** Work, or a Process of a user as a whole: then `itemId` is null. */
export type WorkOf = Omit<WorkItem, 'itemId'> & { readonly itemId: string | null };

const faultKey = ({ ownerId, kind }: WorkOf) => `${ownerId}/${processOf(kind)}`;

const FINISH = cypher`
  // finishWork
  CALL () {
    MATCH (w:Work {key: $key}) DELETE w
  }
  CALL () {
    MATCH (fault:BackgroundFault {key: $faultKey}) DELETE fault
  }
  FINISH
`;

/** Deletes the record of work that is done, and the fault of its Process. */
export async function finishWork(tx: WriteTx, { itemId, ...of }: WorkOf): Promise<void> {
  const key = itemId === null ? null : workKey({ ...of, itemId });
  await tx.run(FINISH, { key, faultKey: faultKey({ ...of, itemId }) });
}

const SET_FAULT = cypher`
  // setBackgroundFault
  MERGE (fault:BackgroundFault {key: $key})
  ON CREATE SET fault.ownerId = $ownerId, fault.processName = $processName,
    fault.since = datetime($now)
  SET fault.code = $code, fault.message = $message, fault.at = datetime($now)
`;

/** Why a Process of the product did not do its work for a user. */
export interface WorkFault {
  readonly code: string;
  readonly message: string;
}

export async function setFault(
  tx: WriteTx,
  of: WorkOf,
  { code, message }: WorkFault,
  now: Instant,
): Promise<void> {
  const processName = processOf(of.kind);
  const fault = { ownerId: of.ownerId, processName, code, message };
  await tx.run(SET_FAULT, { key: faultKey(of), ...fault, now });
}

const LIST_ENABLED = cypher`
  // listEnabledSystemProcesses
  MATCH (process:Process)-[:OWNED_BY]->(:User {id: $systemId})
  WHERE process.name IN $names AND process.enabled AND process.shared
  RETURN DISTINCT process.name AS name
`;

/** The names among these that the system has enabled Processes of. */
export async function listEnabledProcesses(
  tx: ReadTx,
  names: readonly string[],
): Promise<string[]> {
  const rows = await tx.run(LIST_ENABLED, { names: [...names], systemId: SYSTEM_USER_ID });
  return textsOf(rows, 'name', 'Process');
}

// The fault of a Process that was disabled or gone is over when the system has it, enabled.
const LIST_FAULTS = cypher`
  // listBackgroundFaults
  MATCH (fault:BackgroundFault) WHERE $ownerId IS NULL OR fault.ownerId = $ownerId
  WITH fault WHERE NOT fault.code IN ['DISABLED', 'NOT_FOUND'] OR NOT EXISTS {
    MATCH (process:Process {name: fault.processName})-[:OWNED_BY]->(:User {id: $systemId})
    WHERE process.enabled AND process.shared
  }
  WITH fault ORDER BY fault.at DESC
  RETURN fault.processName AS processName, head(collect(fault.code)) AS code,
    head(collect(fault.message)) AS message, toString(min(fault.since)) AS since,
    count(*) AS users
  ORDER BY processName
`;

/** Faults that last, by Process, each with its newest message. @param ownerId null: of all users */
export async function listFaults(tx: ReadTx, ownerId: string | null): Promise<BackgroundFault[]> {
  const rows = await tx.run(LIST_FAULTS, { ownerId, systemId: SYSTEM_USER_ID });
  return rows.map((row) => parseRow(BackgroundFault, row, 'BackgroundFault'));
}
