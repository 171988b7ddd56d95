import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import {
  EndedRun,
  EndedRunOf,
  RUN_TIMES_MAX,
  type RunTimes,
  type RunTimesOfAll,
  type RunTimesWindow,
  sumUpByProcess,
  sumUpRunTimes,
} from './run-times.ts';

/* An ended run, as far as it is summed up; `run` is bound. */
const ENDED = /* cypher */ `
  createdAtMs: run.createdAt.epochMillis, status: run.status,
  seconds: (run.completedAt.epochMillis - run.startedAt.epochMillis) / 1000.0,
  tokens: coalesce(run.inputTokens, 0) + coalesce(run.outputTokens, 0), costUsd: run.costUsd`;

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
    RETURN {${ENDED}}
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

// The newest runs first, each by the index that holds no other.
const NEWEST_OF = {
  ownUsers: /* cypher */ `
    MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(ownerId, origin, id)
    WHERE run.ownerId = $viewerId AND run.origin = 'user' AND run.id IS NOT NULL
    WITH run ORDER BY run.ownerId DESC, run.origin DESC, run.id DESC LIMIT $runsMax`,
  own: /* cypher */ `
    MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(ownerId, id)
    WHERE run.ownerId = $viewerId AND run.id IS NOT NULL
    WITH run ORDER BY run.ownerId DESC, run.id DESC LIMIT $runsMax`,
  everyone: /* cypher */ `
    MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(id)
    WHERE run.id > ''
    WITH run ORDER BY run.id DESC LIMIT $runsMax`,
} as const;
const listOfAll = (whose: keyof typeof NEWEST_OF) => cypher`
  // listRunTimesOfAll
  ${NEWEST_OF[whose]}
  WITH count(run) AS read, min(run.createdAt) AS oldestAt, collect(run) AS newest
  RETURN read = $runsMax AND oldestAt > datetime($from) AS isCut, COLLECT {
    UNWIND newest AS run
    WITH run WHERE run.completedAt IS NOT NULL
      AND run.createdAt >= datetime($from) AND run.createdAt < datetime($to)
      AND ($includeSystem OR run.origin = 'user')
    RETURN {processId: run.processId, isRoot: run.depth = 0, ${ENDED}}
  } AS runs
`;
const LIST_OF_ALL = {
  ownUsers: listOfAll('ownUsers'),
  own: listOfAll('own'),
  everyone: listOfAll('everyone'),
};
const RowOfAll = z.object({ isCut: z.boolean(), runs: z.array(EndedRunOf) });

/**
 * Times and cost of ended runs in a window, by Process and in all: the viewer's own, or of
 * everyone, which only an admin may ask. One statement.
 */
export async function readRunTimesOfAll(
  tx: ReadTx,
  viewerId: string,
  {
    bucketSeconds,
    first,
    ofEveryone,
    ...asked
  }: RunTimesWindow & {
    readonly first: number;
    readonly includeSystem: boolean;
    readonly ofEveryone: boolean;
  },
): Promise<RunTimesOfAll> {
  const whose = ofEveryone ? 'everyone' : asked.includeSystem ? 'own' : 'ownUsers';
  const [row] = await tx.run(LIST_OF_ALL[whose], { ...asked, viewerId, runsMax: RUN_TIMES_MAX });
  const { isCut, runs } = parseRow(RowOfAll, row, 'Times of runs');
  return sumUpByProcess(runs, { bucketSeconds, isWhole: !isCut, first });
}
