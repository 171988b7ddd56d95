import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { isTrue } from '../common/stored.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll, readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { type JobProgress, type JobRecord, jobCheckpoint } from './job.ts';

// The first SET takes the node's lock: the values compared after it can't change before the commit.
const BEGIN_JOB_RUN = cypher`
  // beginTurn
  MERGE (job:Job {name: $name})
  ON CREATE SET job.paused = false
  SET job.askedBy = $turnId
  WITH job WHERE NOT job.paused
  WITH job, coalesce(job.isRequested, false) AS isAsked
  SET job.turnId = $turnId, job.lastRun = datetime($now), job.isRequested = false
  WITH isAsked
  OPTIONAL MATCH (checkpoint:Checkpoint {name: $checkpointName})
  RETURN checkpoint.value AS checkpoint, isAsked
`;

const BegunRow = z.object({ checkpoint: z.string().nullable(), isAsked: isTrue });

/**
 * Makes this run the current one of its job. An earlier run that still works is taken over.
 * @returns null while the job is paused
 */
export async function beginJobRun(
  tx: WriteTx,
  input: { readonly name: string; readonly jobRunId: string; readonly now: Instant },
): Promise<{ readonly checkpoint: string | null; readonly isAsked: boolean } | null> {
  const { name, jobRunId: turnId, now } = input;
  const params = { name, turnId, now, checkpointName: jobCheckpoint(name) };
  return readOne(tx, BEGIN_JOB_RUN, params, (row) => parseRow(BegunRow, row, `Job ${name}`));
}

const REQUEST = cypher`
  // requestJobRun
  MERGE (job:Job {name: $name})
  ON CREATE SET job.paused = false
  SET job.isRequested = true
`;

/** Notes that an admin asks for a run. The next run that begins sees it. */
export const requestJobRun = (tx: WriteTx, name: string) => runWrite(tx, REQUEST, { name });

const SAVE_PROGRESS = cypher`
  // saveProgress
  MATCH (job:Job {name: $name})
  SET job.askedBy = $turnId
  WITH job, coalesce(job.turnId = $turnId, false) AS isOurs
  CALL (job, isOurs) {
    WITH job, isOurs WHERE isOurs
    SET job.backlog = coalesce($backlog, job.backlog)
  }
  CALL (isOurs) {
    WITH isOurs WHERE isOurs AND $checkpoint IS NOT NULL
    MERGE (checkpoint:Checkpoint {name: $checkpointName})
    SET checkpoint.value = $checkpoint, checkpoint.savedAt = datetime($now)
  }
  RETURN isOurs, job.paused AS paused
`;

/** Saves a run's progress unless the run was taken over. */
export async function saveProgress(
  tx: WriteTx,
  input: { readonly name: string; readonly jobRunId: string; readonly now: Instant } & JobProgress,
): Promise<{ readonly isOurs: boolean; readonly paused: boolean }> {
  const { name, jobRunId: turnId, now, checkpoint = null, backlog = null } = input;
  const params = { name, turnId, now, checkpoint, backlog, checkpointName: jobCheckpoint(name) };
  const [row] = await tx.run(SAVE_PROGRESS, params);
  return { isOurs: row?.['isOurs'] === true, paused: row?.['paused'] === true };
}

const END_JOB_RUN = cypher`
  // endTurn
  MATCH (job:Job {name: $name})
  SET job.askedBy = $turnId
  WITH job WHERE job.turnId = $turnId
  WITH job, job.lastError AS before
  SET job.lastError = $error, job.turnId = null, job.askedBy = null
  RETURN before
`;

const EndedRow = z.object({ before: z.string().nullable() });

/** Records the end of a run. Null if it was taken over: then nothing is recorded. */
export async function endJobRun(
  tx: WriteTx,
  input: { readonly name: string; readonly jobRunId: string; readonly error: string | null },
): Promise<{ readonly errorBefore: string | null } | null> {
  const { name, jobRunId: turnId, error } = input;
  const [row] = await tx.run(END_JOB_RUN, { name, turnId, error });
  return row === undefined ? null : { errorBefore: parseRow(EndedRow, row, `Job ${name}`).before };
}

const SET_JOB_PAUSED = cypher`
  // setJobPaused
  MERGE (job:Job {name: $name})
  SET job.askedBy = null
  WITH job, coalesce(job.paused, false) AS before
  SET job.paused = $paused
  RETURN before <> $paused AS changed
`;

/** @returns whether the value changed */
export async function setJobPaused(
  tx: WriteTx,
  input: { readonly name: string; readonly paused: boolean },
): Promise<boolean> {
  const [row] = await tx.run(SET_JOB_PAUSED, { ...input });
  return row?.['changed'] === true;
}

const FIND_JOBS = cypher`
  // findJobs
  UNWIND $names AS name
  OPTIONAL MATCH (job:Job {name: name})
  OPTIONAL MATCH (checkpoint:Checkpoint {name: 'checkpoint:' + name})
  RETURN {name: name, paused: coalesce(job.paused, false), lastRun: job.lastRun,
    lastError: job.lastError, checkpoint: checkpoint.value, backlog: job.backlog} AS job
`;

const JobRow = z.object({
  name: z.string(),
  paused: z.boolean(),
  lastRun: z.string().nullable(),
  lastError: z.string().nullable(),
  checkpoint: z.string().nullable(),
  backlog: z.int().nullable(),
});

/** The record of each job, in the order of `names`; an empty one for a job that has never run. */
export function findJobs(tx: ReadTx, names: readonly string[]): Promise<JobRecord[]> {
  return readAll(tx, FIND_JOBS, { names }, (row) => parseRow(JobRow, row['job'], 'Job'));
}
