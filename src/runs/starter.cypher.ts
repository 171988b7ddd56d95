import type { ReadTx } from '../platform/neo4j/graph.ts';

const LIST_PENDING_STARTS = /* cypher */ `
  // listPendingStarts
  MATCH (run:PendingStart) WHERE run.id > $afterId
  RETURN run.id AS id ORDER BY run.id LIMIT $limit
`;

/** Runs that were requested and not yet started, of every owner, oldest first. */
export async function listPendingStarts(
  tx: ReadTx,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tx.run(LIST_PENDING_STARTS, { afterId, limit });
  return rows.map((row) => String(row['id']));
}
