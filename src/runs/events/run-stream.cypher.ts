import { ENTRY, toEntries } from '../../outbox/entry.cypher.ts';
import type { NumberedEntry } from '../../outbox/entry.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { countOf, intOf, textOf } from '../../platform/neo4j/row.ts';
import { readMap, readOne } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';

const FIND_RUN_END = cypher`
  // findRunEnd
  MATCH (o:OutboxEntry {rootRunId: $rootRunId})
  WHERE o.kind = 'run.ended' AND o.runId = $runId AND o.seq IS NOT NULL
  RETURN o.seq AS seq LIMIT 1
`;

/**
 * The number of the entry that ended this run; null while the run is open, or its end has no number
 * yet.
 */
export const findRunEnd = (
  tx: ReadTx,
  run: { readonly runId: string; readonly rootRunId: string },
) => readOne(tx, FIND_RUN_END, { ...run }, (row) => intOf(row, 'seq', 'OutboxEntry'));

/** A run whose events are requested, with the events of all sub-runs below it. */
export interface AskedRun {
  readonly id: string;
  readonly rootRunId: string;
}

const OF_RUN = /* cypher */ `
    MATCH (o:OutboxEntry {rootRunId: run.rootRunId})
    WHERE o.seq > 0 AND run.id IN o.runPath AND o.kind IN $kinds`;

const MEASURE = cypher`
  // measureRunHistories
  UNWIND $runs AS run
  CALL (run) {
    ${OF_RUN}
    WITH o LIMIT $limit
    RETURN count(*) AS entries, sum(size(o.payload)) AS characters
  }
  RETURN run.id AS id, entries, characters
`;

/**
 * Number of entries of each run (at most `limit`), and the total length of their payloads in
 * characters.
 */
export function measureRunHistories(
  tx: ReadTx,
  asked: {
    readonly runs: readonly AskedRun[];
    readonly kinds: readonly string[];
    readonly limit: number;
  },
): Promise<Map<string, { readonly entries: number; readonly characters: number }>> {
  return readMap(tx, MEASURE, { ...asked }, (row) => [
    textOf(row, 'id', 'ProcessRun'),
    { entries: countOf([row], 'entries'), characters: countOf([row], 'characters') },
  ]);
}

const LIST = cypher`
  // listRunHistories
  UNWIND $runs AS run
  CALL (run) {
    ${OF_RUN}
    RETURN o ORDER BY o.seq LIMIT $limit
  }
  WITH run, o ORDER BY o.seq
  RETURN run.id AS id, collect(${ENTRY}) AS entries
`;

/** The first `limit` entries of each run, in order. A run without entries is left out. */
export async function listRunHistories(
  tx: ReadTx,
  asked: {
    readonly runs: readonly AskedRun[];
    readonly kinds: readonly string[];
    readonly limit: number;
  },
): Promise<Map<string, NumberedEntry[]>> {
  const rows = await tx.run(LIST, { ...asked });
  return new Map(rows.map((row) => [textOf(row, 'id', 'ProcessRun'), toEntries(row['entries'])]));
}
