import type { ReadTx, Row } from '../platform/neo4j/graph.ts';
import { toProcessRun } from './run.cypher.ts';
import type { ProcessRun } from './run.ts';
import type { RunSnapshot } from './snapshot.ts';

const LIST_PENDING_STARTS = /* cypher */ `
  CYPHER replan=skip
  // listPendingStarts
  MATCH (run:PendingStart) USING INDEX run:PendingStart(id) WHERE run.id > $afterId
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

const FIND_TO_START = /* cypher */ `
  // findRunToStart
  MATCH (run:ProcessRun {id: $runId})
  OPTIONAL MATCH (snapshot:RunSnapshot {hash: run.snapshotHash})
  RETURN run {.*} AS run, CASE WHEN run.status = 'pending' THEN snapshot.body END AS snapshot
`;

/** A run with, while it is pending, the snapshot it starts with; in one statement, for somebody waits for its first word. */
export async function findRunToStart(
  tx: ReadTx,
  runId: string,
): Promise<{ readonly run: ProcessRun | null; readonly snapshot: RunSnapshot | null }> {
  const [row] = await tx.run(FIND_TO_START, { runId });
  if (row === undefined) return { run: null, snapshot: null };
  const body = row['snapshot'];
  return {
    run: toProcessRun(row['run'] as Row),
    snapshot: typeof body === 'string' ? (JSON.parse(body) as RunSnapshot) : null,
  };
}
