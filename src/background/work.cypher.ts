import { z } from 'zod';
import { aheadOf, type Instant, instantOf } from '../common/clock.ts';
import { isTrue, JsonMap, jsonText, textOrNull } from '../common/stored.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow } from '../platform/neo4j/row.ts';
import { readAll, readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { WAIT_REASONS, Waiting } from './background.ts';
import { WORK_REASONS, type Work, type WorkItem, type WorkState, workKey } from './work.ts';

// Work: a piece of background work that waits, is due, or has failed before. An index finds it by
// kind and time, another by reason and owner.

const NEW = /* cypher */ `w.ownerId = item.ownerId, w.kind = item.kind, w.itemId = item.itemId,
    w.payload = item.payload, w.since = datetime($now), w.attempts = 0, w.revision = 0`;

const rowOf = (item: WorkItem) => ({
  key: workKey(item),
  ownerId: item.ownerId,
  kind: item.kind,
  itemId: item.itemId,
  payload: item.payload == null ? null : JSON.stringify(item.payload),
});
/** In one order, so that two transactions do not wait for each other. */
const keysOf = (items: readonly WorkItem[]) => items.map(workKey).toSorted();

const QUEUE = cypher`
  // queueWork
  UNWIND $items AS item
  MERGE (w:Work {key: item.key})
  ON CREATE SET ${NEW}, w.reason = 'due'
  SET w.revision = w.revision + 1
  WITH w
  WHERE w.reason IN ['due', 'quiet'] AND (w.runAt IS NULL OR w.runAt > datetime($now))
  SET w.reason = 'due', w.runAt = datetime($now), w.setAt = datetime($now)
`;

/** Makes things due that changed. A pause after a failure, and a wait for tokens, go on. */
export async function queueWork(
  tx: WriteTx,
  items: readonly WorkItem[],
  now: Instant,
): Promise<void> {
  if (items.length > 0) await tx.run(QUEUE, { items: items.map(rowOf), now });
}

const SET = cypher`
  // setWork
  UNWIND $items AS item
  MERGE (w:Work {key: item.key})
  ON CREATE SET ${NEW}
  SET w.revision = w.revision + 1, w.reason = item.reason, w.runAt = datetime(item.runAt),
    w.setAt = datetime($now), w.attempts = coalesce(item.attempts, w.attempts)
`;

/** Puts work into a state. Work without a record gets one. */
export async function setWork(
  tx: WriteTx,
  states: readonly (WorkItem & WorkState)[],
  now: Instant,
): Promise<void> {
  const items = states.map(({ reason, runAt, attempts = null, ...item }) => ({
    ...rowOf(item),
    reason,
    runAt,
    attempts,
  }));
  if (items.length > 0) await tx.run(SET, { items, now });
}

const BEGIN = cypher`
  // beginWork
  MATCH (w:Work {key: $key})
  SET w.revision = w.revision + 1, w.reason = 'running', w.runAt = datetime($runAt),
    w.setAt = datetime($now)
`;

/**
 * Records that a run does the work. Its record stays until the run has ended, because it counts the
 * failures; work without a record gets none.
 * @param runAt when the work is due again if nothing has ended it; null: never
 */
export const beginWork = (
  tx: WriteTx,
  item: WorkItem,
  at: { readonly now: Instant; readonly runAt: Instant | null },
) => runWrite(tx, BEGIN, { key: workKey(item), ...at });

const LOCK = cypher`
  // lockWork
  UNWIND $keys AS key
  MATCH (w:Work {key: key})
  SET w.lockedAt = datetime($now)
  RETURN key, w.revision AS revision
`;

const LockRow = z.object({ key: z.string(), revision: z.int() });

/** Locks work. @returns the present revision by key; work that is gone is left out */
export async function lockWork(
  tx: WriteTx,
  items: readonly WorkItem[],
  now: Instant,
): Promise<ReadonlyMap<string, number>> {
  const rows = items.length === 0 ? [] : await tx.run(LOCK, { keys: keysOf(items), now });
  return new Map(
    rows.map((row) => {
      const { key, revision } = parseRow(LockRow, row, 'Work');
      return [key, revision];
    }),
  );
}

const DELETE = cypher`
  // deleteWork
  UNWIND $keys AS key
  MATCH (w:Work {key: key})
  DELETE w
`;

export async function deleteWork(tx: WriteTx, items: readonly WorkItem[]): Promise<void> {
  if (items.length > 0) await tx.run(DELETE, { keys: keysOf(items) });
}

const WORK = /* cypher */ `w {.ownerId, .kind, .itemId, .payload, .reason, .runAt, .setAt,
    .attempts, .revision} AS work`;

const WorkRow = z.object({
  ownerId: z.string(),
  kind: z.string(),
  itemId: z.string(),
  payload: jsonText(JsonMap).nullable().default(null),
  reason: z.enum(WORK_REASONS),
  runAt: textOrNull,
  setAt: z.string(),
  attempts: z.int(),
  revision: z.int(),
});

const FIND = cypher`
  // findWork
  MATCH (w:Work {key: $key})
  RETURN ${WORK}
`;

export function findWork(tx: ReadTx, item: WorkItem): Promise<Work | null> {
  return readOne(tx, FIND, { key: workKey(item) }, (row) => parseRow(WorkRow, row['work'], 'Work'));
}

// Work whose time was set in the future, by a wrong clock, is due.
const IS_DUE = /* cypher */ `w.runAt <= datetime($now) OR w.setAt > datetime($ahead)`;

const LIST_DUE = cypher`
  // listDueWork
  MATCH (w:Work)
  WHERE w.kind IN $kinds AND w.runAt IS NOT NULL AND ($ownerId IS NULL OR w.ownerId = $ownerId)
    AND (${IS_DUE} OR ($isAsked AND w.reason = 'quiet'))
  WITH w.ownerId AS ownerId, w ORDER BY w.runAt, w.key
  WITH ownerId, collect(w)[..$perUser] AS works
  UNWIND range(0, size(works) - 1) AS place
  WITH place, works[place] AS w ORDER BY place, w.runAt LIMIT $limit
  RETURN ${WORK}
`;

/**
 * Lists work that may start: the oldest of each user, then the next of each, so that a user with
 * much work holds up no other.
 */
export async function listDueWork(
  tx: ReadTx,
  due: {
    readonly kinds: readonly string[];
    /** Null: of all users. */
    readonly ownerId?: string | null;
    readonly nowMs: number;
    /** Also lists work that rests until it is quiet. Default false. */
    readonly isAsked?: boolean;
    /** Default: `limit`. */
    readonly perUser?: number;
    readonly limit: number;
  },
): Promise<Work[]> {
  const { kinds, ownerId = null, nowMs, isAsked = false, limit, perUser = limit } = due;
  const times = { now: instantOf(nowMs), ahead: aheadOf(nowMs) };
  const rows = await tx.run(LIST_DUE, {
    ...{ kinds: [...kinds], ownerId, isAsked, perUser, limit },
    ...times,
  });
  return rows.map((row) => parseRow(WorkRow, row['work'], 'Work'));
}

const COUNT = cypher`
  // countWork
  MATCH (w:Work)
  WHERE w.kind IN $kinds AND w.runAt IS NOT NULL AND (w.reason <> 'quiet' OR ${IS_DUE})
  RETURN count(w) AS waiting
`;

/** Counts work of these kinds that is due, waits for tokens, or failed. */
export async function countWork(
  tx: ReadTx,
  kinds: readonly string[],
  nowMs: number,
): Promise<number> {
  const times = { now: instantOf(nowMs), ahead: aheadOf(nowMs) };
  return countOf(await tx.run(COUNT, { kinds: [...kinds], ...times }), 'waiting');
}

const HAS_BETWEEN = cypher`
  // hasWorkBetween
  UNWIND range(0, size($ranges) - 1) AS place
  WITH place, $ranges[place] AS range
  RETURN EXISTS { MATCH (w:Work) WHERE w.key >= range.from AND w.key <= range.to } AS isThere
  ORDER BY place
`;

const ThereRow = z.object({ isThere: isTrue });

/** For each range of keys, both ends inclusive: whether it has work. */
export async function hasWorkBetween(
  tx: ReadTx,
  ranges: readonly { readonly from: string; readonly to: string }[],
): Promise<boolean[]> {
  const rows = await tx.run(HAS_BETWEEN, { ranges: ranges.map((range) => ({ ...range })) });
  return rows.map((row) => parseRow(ThereRow, row, 'Work').isThere);
}

const LIST_SHORT = cypher`
  // listOwnersWithoutTokens
  MATCH (w:Work)
  WHERE w.reason = 'budget' AND w.ownerId > '' AND ($ownerId IS NULL OR w.ownerId = $ownerId)
  WITH DISTINCT w.ownerId AS ownerId
  OPTIONAL MATCH (day:BackgroundDay {key: ownerId + '/' + $day})
  RETURN ownerId, coalesce(day.tokensUsed + day.tokensReserved, 0) AS tokens
`;

const ShortRow = z.object({ ownerId: z.string(), tokens: z.int() });

/** Owners whose work waits for tokens, with the tokens that are used or reserved on a day. */
export const listOwnersWithoutTokens = (
  tx: ReadTx,
  of: { readonly ownerId: string | null; readonly day: string },
) => readAll(tx, LIST_SHORT, of, (row) => parseRow(ShortRow, row, 'Work'));

const RESUME = cypher`
  // resumeWork
  MATCH (w:Work) WHERE w.reason = 'budget' AND w.ownerId IN $ownerIds
  SET w.runAt = datetime($now), w.setAt = datetime($now)
`;

/** Makes the work of these owners due that waits for tokens. */
export const resumeWork = (tx: WriteTx, ownerIds: readonly string[], now: Instant) =>
  runWrite(tx, RESUME, { ownerIds: [...ownerIds], now });

const LIST_WAITING = cypher`
  // listWaiting
  MATCH (w:Work)
  WHERE w.reason IN $reasons AND w.ownerId > '' AND ($ownerId IS NULL OR w.ownerId = $ownerId)
  RETURN split(w.kind, '/')[0] AS processName, w.reason AS reason, count(*) AS count,
    count(DISTINCT w.ownerId) AS users, toString(min(w.since)) AS since
  ORDER BY processName, reason
`;

const WaitingRow = Waiting.extend({ users: z.int() });

/** Waiting work by Process and reason. @param ownerId null: of all users */
export const listWaiting = (tx: ReadTx, ownerId: string | null) =>
  readAll(tx, LIST_WAITING, { ownerId, reasons: [...WAIT_REASONS] }, (row) =>
    parseRow(WaitingRow, row, 'Work'),
  );
