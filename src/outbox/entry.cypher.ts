import { z } from 'zod';
import type { ReadTx, Row, WriteTx } from '../platform/neo4j/graph.ts';
import { intOf, parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { EntryFilter } from './bus.ts';
import type { NumberedEntry, OutboxEntry } from './entry.ts';
import { EntryShape, readPayload } from './entry-payload.ts';

/**
 * Append to a statement that has the parameter `$entries` (from `entryParams`). It stores the
 * entries in the same commit, without a round trip of their own.
 */
export const CREATE_ENTRIES = /* cypher */ `
  UNWIND $entries AS entry
  CREATE (o:OutboxEntry:PendingEntry)
  SET o = entry, o.at = datetime(entry.at)
`;

const APPEND_ENTRIES = cypher`
  // appendEntries
  ${CREATE_ENTRIES}
`;

export function entryParams(entries: readonly OutboxEntry[]): Record<string, unknown>[] {
  return entries.map(({ payload, runPath, ...entry }) => ({
    ...entry,
    runPath: [...runPath],
    payload: JSON.stringify(payload),
  }));
}

/**
 * Records entries in the transaction that makes them true. The caller wakes the relay after its
 * commit.
 */
export async function appendEntries(tx: WriteTx, entries: readonly OutboxEntry[]): Promise<void> {
  if (entries.length > 0) await tx.run(APPEND_ENTRIES, { entries: entryParams(entries) });
}

/** The returned properties of an entry `o`; `toEntry` parses them. */
export const ENTRY = /* cypher */ `o {.id, .seq, .kind, .at, .ownerId, .workspace, .rootRunId,
  .runId,
    .runPath, .conversationId, .payload}`;

const EntryRow = EntryShape.extend({ payload: z.string().transform(readPayload) });
const EntryRows = z.array(EntryRow);

/**
 * Parses the row's `entry`. The payload is parsed by its reader (`parsePayload`).
 * @throws DamagedRow
 */
export const toEntry = ({ entry }: Row): NumberedEntry => parseRow(EntryRow, entry, 'OutboxEntry');

/**
 * Parses a list of entries.
 * @throws DamagedRow
 */
export const toEntries = (entries: unknown): NumberedEntry[] =>
  parseRow(EntryRows, entries, 'OutboxEntries');

// `rootRunId` and `conversationId` each have an index together with `seq`. The other conditions
// filter its rows.
const history = (anchor: 'rootRunId' | 'conversationId' | null) => cypher`
  // listEntries
  MATCH (o:OutboxEntry)
  WHERE ${anchor === null ? '' : `o.${anchor} = $${anchor} AND`} o.seq > $afterSeq
    AND ($runId IS NULL OR o.runId = $runId)
    AND ($ownerId IS NULL OR o.ownerId = $ownerId)
    AND ($underRunId IS NULL OR $underRunId IN o.runPath)
    AND ($kinds IS NULL OR o.kind IN $kinds)
  RETURN ${ENTRY} AS entry
  ORDER BY o.seq LIMIT $limit
`;
const HISTORY_OF_RUN = history('rootRunId');
const HISTORY_OF_CONVERSATION = history('conversationId');
const HISTORY = history(null);

/** Matching entries after `afterSeq`, in the order of their numbers. */
export async function listEntries(
  tx: ReadTx,
  filter: EntryFilter,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<NumberedEntry[]> {
  const { rootRunId, conversationId, ownerId, runId, underRunId, kinds } = filter;
  const byRun = rootRunId === undefined ? HISTORY : HISTORY_OF_RUN;
  const statement = conversationId === undefined ? byRun : HISTORY_OF_CONVERSATION;
  const ids = { rootRunId, conversationId, ownerId, runId, underRunId };
  const rows = await tx.run(statement, { ...ids, kinds: kinds && [...kinds], afterSeq, limit });
  // A conversation's entries may belong to several runs, so both ids must match.
  const entries = rows.map(toEntry);
  return entries.filter((entry) => rootRunId === undefined || entry.rootRunId === rootRunId);
}

const LOOK = cypher`
  CYPHER replan=skip
  // lookAtOutbox
  MATCH (counter:Counter {name: 'outbox'})
  RETURN counter.value AS lastSeq, EXISTS { MATCH (:PendingEntry) } AS hasPending
`;

/** The last assigned number, and whether entries wait for a number. */
export async function lookAtOutbox(
  tx: ReadTx,
): Promise<{ readonly lastSeq: number; readonly hasPending: boolean }> {
  const [row] = await tx.run(LOOK);
  if (row === undefined) return { lastSeq: 0, hasPending: false };
  return { lastSeq: intOf(row, 'lastSeq', 'Counter'), hasPending: row['hasPending'] === true };
}
