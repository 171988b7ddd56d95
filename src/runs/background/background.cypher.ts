import { z } from 'zod';
import type { Instant } from '../../common/clock.ts';
import { jsonText, textOrNull } from '../../common/stored.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { SYSTEM_USER_ID } from '../../users/user.ts';
import { RunError } from '../run/stored.ts';
import {
  type BackgroundFault,
  type BackgroundItem,
  itemKey,
  WAIT_REASONS,
  type Waiting,
  type WaitReason,
} from './background.ts';

// BackgroundDay: a user's tokens for background work on one day, used and reserved.
// BackgroundWait: a piece of work that waits. BackgroundFault: the last fault of a Process.

const RESERVE = /* cypher */ `
  // reserveBackgroundTokens
  MERGE (day:BackgroundDay {key: $key})
  ON CREATE SET day.ownerId = $ownerId, day.day = $day, day.tokensUsed = 0, day.tokensReserved = 0
  SET day.lockedAt = $now
  WITH day, $limit = 0 OR day.tokensUsed + day.tokensReserved < $limit AS fits
  FOREACH (_ IN CASE WHEN fits THEN [1] ELSE [] END |
    SET day.tokensReserved = day.tokensReserved + $tokens)
  RETURN fits
`;

/**
 * Reserves tokens of a user's day, under the lock of the day. False where none are left. A run may
 * use more than it reserved, so the last run of a day may exceed the limit.
 */
export async function reserveTokens(
  tx: WriteTx,
  reserve: {
    readonly ownerId: string;
    readonly day: string;
    readonly limit: number;
    readonly tokens: number;
    readonly now: Instant;
  },
): Promise<boolean> {
  const key = `${reserve.ownerId}/${reserve.day}`;
  const [row] = await tx.run(RESERVE, { ...reserve, key });
  return row?.['fits'] === true;
}

const RELEASE = /* cypher */ `
  // releaseBackgroundTokens
  MATCH (day:BackgroundDay {key: $key})
  SET day.tokensReserved = day.tokensReserved - $tokens
`;

/** Undoes reserveTokens. */
export async function releaseTokens(
  tx: WriteTx,
  { ownerId, day, tokens }: { ownerId: string; day: string; tokens: number },
): Promise<void> {
  await tx.run(RELEASE, { key: `${ownerId}/${day}`, tokens });
}

const BIND = /* cypher */ `
  // bindBackgroundRun
  MATCH (run:ProcessRun {id: $runId})
  SET run.workDay = $ownerId + '/' + $day, run.workReserved = $tokens,
    run.workProcess = $processName, run.workItem = $itemId
  WITH 1 AS bound
  OPTIONAL MATCH (wait:BackgroundWait {key: $waitKey})
  SET wait.reason = 'running'
`;

/**
 * Binds a run to its work and to the day that its tokens count for. The record of a wait stays
 * until the run has ended, because it counts the failed runs.
 */
export async function bindRun(
  tx: WriteTx,
  bind: {
    readonly runId: string;
    readonly item: BackgroundItem;
    readonly day: string;
    readonly tokens: number;
  },
): Promise<void> {
  const { item, ...rest } = bind;
  await tx.run(BIND, { ...rest, ...item, waitKey: itemKey(item) });
}

// A day without a node counts nothing: runs of older versions have reserved no tokens.
const END = /* cypher */ `
  // endBackgroundRun
  MATCH (run:ProcessRun {id: $runId}) WHERE run.origin = 'system' AND run.depth = 0
  CALL (run) {
    MATCH (day:BackgroundDay {key: run.workDay})
    SET day.tokensReserved = day.tokensReserved - run.workReserved,
      day.tokensUsed = day.tokensUsed + coalesce(run.inputTokens, 0) + coalesce(run.outputTokens, 0)
  }
  CALL (run) {
    WITH run WHERE run.status = 'completed'
    MATCH (fault:BackgroundFault
      {key: run.ownerId + '/' + coalesce(run.workProcess, run.processName)})
    DELETE fault
  }
  CALL (run) {
    WITH run WHERE run.status IN ['completed', 'cancelled']
    MATCH (wait:BackgroundWait
      {key: run.ownerId + '/' + run.workProcess + '/' + run.workItem})
    DELETE wait
  }
  RETURN run.ownerId AS ownerId, coalesce(run.workProcess, run.processName) AS processName,
    run.workItem AS itemId, run.status AS status, run.error AS error
`;

const EndRow = z.object({
  ownerId: z.string(),
  processName: z.string(),
  itemId: textOrNull,
  status: z.string(),
  error: jsonText(RunError).nullable(),
});

/**
 * Counts the usage of a background run that has ended. A completed run clears the fault of its
 * Process, and its work does not wait any more. Null for any other run.
 */
export async function endBackgroundRun(
  tx: WriteTx,
  runId: string,
): Promise<z.infer<typeof EndRow> | null> {
  const [row] = await tx.run(END, { runId });
  return row === undefined ? null : parseRow(EndRow, row, `ProcessRun ${runId}`);
}

const SET_FAULT = /* cypher */ `
  // setBackgroundFault
  MERGE (fault:BackgroundFault {key: $ownerId + '/' + $processName})
  ON CREATE SET fault.ownerId = $ownerId, fault.processName = $processName,
    fault.since = datetime($now)
  SET fault.code = $code, fault.message = $message, fault.at = datetime($now)
`;

/** Records why a Process of the product did not do its work for a user. */
export async function setFault(
  tx: WriteTx,
  fault: {
    readonly ownerId: string;
    readonly processName: string;
    readonly code: string;
    readonly message: string;
    readonly now: Instant;
  },
): Promise<void> {
  await tx.run(SET_FAULT, fault);
}

const SET_WAIT = /* cypher */ `
  // setBackgroundWait
  MERGE (wait:BackgroundWait {key: $key})
  ON CREATE SET wait.ownerId = $ownerId, wait.processName = $processName, wait.itemId = $itemId,
    wait.since = datetime($now), wait.attempt = 0
  SET wait.reason = $reason, wait.notBefore = datetime($notBefore), wait.setAt = datetime($now),
    wait.attempt = coalesce($attempt, wait.attempt)
`;

/** Records that a piece of work waits. `since` stays; an absent `attempt` too. */
export async function setWait(
  tx: WriteTx,
  wait: {
    readonly item: BackgroundItem;
    readonly reason: WaitReason;
    readonly notBefore: Instant;
    /** Number of failed runs in a row. */
    readonly attempt?: number;
    readonly now: Instant;
  },
): Promise<void> {
  const { item, attempt = null, ...rest } = wait;
  await tx.run(SET_WAIT, { ...item, ...rest, attempt, key: itemKey(item) });
}

const CLEAR_WAIT = /* cypher */ `
  // clearBackgroundWait
  MATCH (wait:BackgroundWait {key: $key})
  DELETE wait
`;

export async function clearWait(tx: WriteTx, item: BackgroundItem): Promise<void> {
  await tx.run(CLEAR_WAIT, { key: itemKey(item) });
}

const FIND_WAIT = /* cypher */ `
  // findBackgroundWait
  MATCH (wait:BackgroundWait {key: $key})
  RETURN wait.attempt AS attempt, wait.notBefore AS notBefore
`;

const WaitRow = z.object({ attempt: z.int(), notBefore: z.string() });

/** How often a piece of work failed so far, and when it may be tried again; null: it never waited. */
export async function findWait(
  tx: ReadTx,
  item: BackgroundItem,
): Promise<z.infer<typeof WaitRow> | null> {
  const [row] = await tx.run(FIND_WAIT, { key: itemKey(item) });
  return row === undefined ? null : parseRow(WaitRow, row, 'BackgroundWait');
}

// The first ones of each user, so that a user with much waiting work does not hold up others. Work
// that waits for tokens is due at once where the limit was raised, and work whose wait began in the
// future because a clock was wrong.
const LIST_DUE = /* cypher */ `
  // listDueWaits
  MATCH (wait:BackgroundWait)
  WHERE wait.reason <> 'running' AND wait.processName IN $processNames
    AND ($ownerId IS NULL OR wait.ownerId = $ownerId)
  OPTIONAL MATCH (day:BackgroundDay {key: wait.ownerId + '/' + $day})
  WITH wait, $tokensPerDay = 0
    OR coalesce(day.tokensUsed + day.tokensReserved, 0) < $tokensPerDay AS hasTokens
  WHERE wait.notBefore <= datetime($now) OR wait.setAt > datetime($ahead)
    OR (wait.reason = 'budget' AND hasTokens)
  WITH wait.ownerId AS ownerId, wait ORDER BY wait.since, wait.itemId
  WITH ownerId, collect(wait)[..$perUser] AS waits
  UNWIND waits AS wait
  RETURN wait.ownerId AS ownerId, wait.processName AS processName, wait.itemId AS itemId
  LIMIT $limit
`;

const DueRow = z.object({ ownerId: z.string(), processName: z.string(), itemId: z.string() });

/** Lists waiting work that may start, at most `perUser` pieces of each user. */
export async function listDueWaits(
  tx: ReadTx,
  due: {
    /** Null: of all users. */
    readonly ownerId: string | null;
    readonly processNames: readonly string[];
    readonly now: Instant;
    /** `aheadOf` now. */
    readonly ahead: Instant;
    readonly day: string;
    readonly tokensPerDay: number;
    readonly perUser: number;
    readonly limit: number;
  },
): Promise<BackgroundItem[]> {
  const rows = await tx.run(LIST_DUE, { ...due, processNames: [...due.processNames] });
  return rows.map((row) => parseRow(DueRow, row, 'BackgroundWait'));
}

const POSTPONE = /* cypher */ `
  // postponeWait
  MATCH (wait:BackgroundWait {key: $key})
  SET wait.notBefore = datetime($notBefore), wait.setAt = datetime($now)
`;

/** Postpones the next try of waiting work. */
export async function postponeWait(
  tx: WriteTx,
  item: BackgroundItem,
  at: { readonly now: Instant; readonly notBefore: Instant },
): Promise<void> {
  await tx.run(POSTPONE, { key: itemKey(item), ...at });
}

const LIST_ENABLED = /* cypher */ `
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

const LIST_WAITING = /* cypher */ `
  // listWaiting
  MATCH (wait:BackgroundWait)
  WHERE ($ownerId IS NULL OR wait.ownerId = $ownerId) AND wait.reason <> 'running'
  RETURN wait.processName AS processName, wait.reason AS reason, count(*) AS count,
    count(DISTINCT wait.ownerId) AS users, toString(min(wait.since)) AS since
  ORDER BY processName, reason
`;

const WaitingRow = z.object({
  processName: z.string(),
  reason: z.enum(WAIT_REASONS),
  count: z.int(),
  users: z.int(),
  since: z.string(),
});

/** Waiting work by Process and reason. @param ownerId null: of all users */
export async function listWaiting(
  tx: ReadTx,
  ownerId: string | null,
): Promise<(Waiting & { readonly users: number })[]> {
  const rows = await tx.run(LIST_WAITING, { ownerId });
  return rows.map((row) => parseRow(WaitingRow, row, 'BackgroundWait'));
}

const COUNT_WAITING = /* cypher */ `
  // countWaiting
  MATCH (wait:BackgroundWait) WHERE wait.reason <> 'running'
  RETURN count(wait) AS count
`;

export async function countWaiting(tx: ReadTx): Promise<number> {
  const [row] = await tx.run(COUNT_WAITING);
  return z.int().parse(row?.['count'] ?? 0);
}

// The fault of a Process that was disabled or gone is over when the system has it, enabled.
const LIST_FAULTS = /* cypher */ `
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

const FaultRow = z.object({
  processName: z.string(),
  code: z.string(),
  message: z.string(),
  since: z.string(),
  users: z.int(),
});

/** Faults that last, by Process, each with its newest message. @param ownerId null: of all users */
export async function listFaults(tx: ReadTx, ownerId: string | null): Promise<BackgroundFault[]> {
  const rows = await tx.run(LIST_FAULTS, { ownerId, systemId: SYSTEM_USER_ID });
  return rows.map((row) => parseRow(FaultRow, row, 'BackgroundFault'));
}

const FIND_DAY = /* cypher */ `
  // findBackgroundDay
  OPTIONAL MATCH (day:BackgroundDay {key: $key})
  RETURN coalesce(day.tokensUsed, 0) AS tokensUsed, coalesce(day.tokensReserved, 0) AS tokensReserved
`;

const DayRow = z.object({ tokensUsed: z.int(), tokensReserved: z.int() });

export async function findDay(
  tx: ReadTx,
  of: { readonly ownerId: string; readonly day: string },
): Promise<z.infer<typeof DayRow>> {
  const [row] = await tx.run(FIND_DAY, { key: `${of.ownerId}/${of.day}` });
  return parseRow(DayRow, row, 'BackgroundDay');
}
