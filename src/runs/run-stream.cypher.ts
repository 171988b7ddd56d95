import type { ReadTx } from '../platform/neo4j/graph.ts';

const FIND_RUN_END = /* cypher */ `
  // findRunEnd
  MATCH (o:OutboxEntry {rootRunId: $rootRunId})
  WHERE o.kind = 'run.ended' AND o.runId = $runId AND o.seq IS NOT NULL
  RETURN o.seq AS seq LIMIT 1
`;

/** The number of the entry that ended this run; null while it runs, or for the moment until the end is numbered. */
export async function findRunEnd(
  tx: ReadTx,
  run: { readonly runId: string; readonly rootRunId: string },
): Promise<number | null> {
  const [row] = await tx.run(FIND_RUN_END, { ...run });
  return row === undefined ? null : Number(row['seq']);
}
