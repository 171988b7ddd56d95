import type { ReadTx } from '../platform/neo4j/graph.ts';
import { textOf } from '../platform/neo4j/row.ts';

const PROCESS_NAMES = /* cypher */ `
  // findProcessNamesOfRuns
  MATCH (run:ProcessRun) WHERE run.id IN $ids
  RETURN run.id AS id, run.processName AS name
`;

/** Run id → name of its Process; for the ids of forked sessions, of whoever they are. */
export async function findProcessNames(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.run(PROCESS_NAMES, { ids });
  return new Map(
    rows.map((row) => [textOf(row, 'id', 'ProcessRun'), textOf(row, 'name', 'ProcessRun')]),
  );
}
