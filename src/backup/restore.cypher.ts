import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow, textsOf } from '../platform/neo4j/row.ts';
import { readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';

// These statements are the operator's: they see all owners' records.

/** Label of the one node that marks an incomplete restore. */
export const RESTORE_LABEL = 'IncompleteRestore';

const FIND_MARK = cypher`
  // findIncompleteRestore
  MATCH (r:IncompleteRestore) RETURN toString(r.startedAt) AS startedAt LIMIT 1
`;

const Mark = z.object({ startedAt: z.string() });

/** When an incomplete restore began; null = there is none. */
export function findIncompleteRestore(tx: ReadTx): Promise<Instant | null> {
  return readOne(tx, FIND_MARK, {}, (row) => parseRow(Mark, row, 'IncompleteRestore').startedAt);
}

/** @throws Error while a restore is incomplete: the product would run on a part of the data */
export async function refuseIncompleteRestore(tx: ReadTx): Promise<void> {
  const startedAt = await findIncompleteRestore(tx);
  if (startedAt === null) return;
  throw new Error(
    `A restore that began at ${startedAt} was cut off, so this installation is not whole. Run ` +
      `\`aiden restore\` again; it begins anew.`,
  );
}

const MARK = cypher`
  // markRestore
  MERGE (r:IncompleteRestore) SET r.startedAt = datetime($now)
`;

export const markRestore = (tx: WriteTx, now: Instant) => runWrite(tx, MARK, { now });

const UNMARK = cypher`
  // unmarkRestore
  MATCH (r:IncompleteRestore) DELETE r
`;

export const unmarkRestore = (tx: WriteTx) => runWrite(tx, UNMARK, {});

const LIST_MIGRATIONS = cypher`
  // listMigrationVersions
  MATCH (m:Migration) RETURN m.version AS version ORDER BY version
`;

/** Versions of the applied migrations, such as `010`. */
export async function listMigrationVersions(tx: ReadTx): Promise<string[]> {
  return textsOf(await tx.run(LIST_MIGRATIONS), 'version', 'Migration');
}

const REOPEN = cypher`
  // reopenRuns
  MATCH (run:ProcessRun) WHERE run.parentRunId IS NULL AND run.status IN $statuses
  SET run:PendingStart, run.status = 'pending', run.temporalRunId = null
  RETURN count(run) AS count
`;

/**
 * Makes open root runs start again: their workflows are not in the archive. A run that starts again
 * keeps the steps that have ended.
 * @param statuses of runs whose workflow was started
 * @returns the number of runs
 */
export async function reopenRuns(tx: WriteTx, statuses: readonly string[]): Promise<number> {
  return countOf(await tx.run(REOPEN, { statuses }), 'count');
}
