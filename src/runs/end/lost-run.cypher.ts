import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { OPEN_RUN_STATUSES } from '../run/run.ts';

const LIST = cypher`
  // listStartedRuns
  UNWIND $statuses AS status
  CALL (status) {
    MATCH (run:ProcessRun)
    USING INDEX run:ProcessRun(status, id)
    WHERE run.status = status AND run.id > $afterId
    WITH run WHERE run.queuePrefix = $queuePrefix AND run.createdAt < datetime($before)
    RETURN run ORDER BY run.id LIMIT $limit
  }
  RETURN run.id AS id, coalesce(run.workflowId, run.id) AS workflowId
  ORDER BY id LIMIT $limit
`;

/** An open run that has a workflow. */
export const StartedRun = z.object({ id: z.string(), workflowId: z.string() });
export type StartedRun = z.infer<typeof StartedRun>;

/** A pending run has no workflow yet: the run starter makes one. */
const STARTED = OPEN_RUN_STATUSES.filter((status) => status !== 'pending');

/** Open runs with a workflow, made before `before`, in the order of their ids. */
export async function listStartedRuns(
  tx: ReadTx,
  page: {
    readonly queuePrefix: string;
    readonly before: string;
    readonly afterId: string;
    readonly limit: number;
  },
): Promise<StartedRun[]> {
  const rows = await tx.run(LIST, { ...page, statuses: STARTED });
  return rows.map((row) => parseRow(StartedRun, row, 'An open run'));
}
