import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import {
  EndedRun,
  RUN_TIMES_MAX,
  type RunTimes,
  type RunTimesWindow,
  sumUpRunTimes,
} from './run-times.ts';

// The limit comes before the conditions: a Process with more runs than that is read in part, at one
// price for each viewer. Ids rise with time.
const LIST = cypher`
  // listRunTimes
  MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(processId, id)
  WHERE run.processId = $processId AND run.id IS NOT NULL
  WITH run ORDER BY run.processId DESC, run.id DESC LIMIT $runsMax
  WITH count(run) AS read, min(run.createdAt) AS oldestAt, collect(run) AS newest
  RETURN read = $runsMax AND oldestAt > datetime($from) AS isCut, COLLECT {
    UNWIND newest AS run
    WITH run WHERE run.ownerId = $viewerId AND run.completedAt IS NOT NULL
      AND run.createdAt >= datetime($from) AND run.createdAt < datetime($to)
      AND ($includeSystem OR run.origin = 'user')
    RETURN {createdAtMs: run.createdAt.epochMillis, status: run.status,
      seconds: (run.completedAt.epochMillis - run.startedAt.epochMillis) / 1000.0,
      tokens: coalesce(run.inputTokens, 0) + coalesce(run.outputTokens, 0), costUsd: run.costUsd}
  } AS runs
`;
const Row = z.object({
  isCut: z.boolean(),
  runs: z.array(EndedRun),
});

/** Times and cost of the viewer's ended runs of a Process in a window. One statement. */
export async function readRunTimes(
  tx: ReadTx,
  viewerId: string,
  {
    bucketSeconds,
    ...asked
  }: RunTimesWindow & { readonly processId: string; readonly includeSystem: boolean },
): Promise<RunTimes> {
  const [row] = await tx.run(LIST, { ...asked, viewerId, runsMax: RUN_TIMES_MAX });
  const { isCut, runs } = parseRow(Row, row, 'Times of runs');
  return { ...sumUpRunTimes(runs, bucketSeconds), isWhole: !isCut };
}
