import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { type JobProgress, type JobRecord, jobCheckpoint } from './job.ts';

// The first SET takes the node's lock, so what is compared after it holds until this commits.
const BEGIN_TURN = /* cypher */ `
  // beginTurn
  MERGE (job:Job {name: $name})
  ON CREATE SET job.paused = false
  SET job.askedBy = $turnId
  WITH job WHERE NOT job.paused
  SET job.turnId = $turnId, job.lastRun = datetime($now)
  WITH job
  OPTIONAL MATCH (checkpoint:Checkpoint {name: $checkpointName})
  RETURN checkpoint.value AS checkpoint
`;

const BegunRow = z.object({ checkpoint: z.string().nullable() });

/** Makes this turn the one that counts; an earlier one that still lives finds itself taken over. Null while the job is paused. */
export async function beginTurn(
  tx: WriteTx,
  input: { readonly name: string; readonly turnId: string; readonly now: Instant },
): Promise<{ readonly checkpoint: string | null } | null> {
  const checkpointName = jobCheckpoint(input.name);
  const [row] = await tx.run(BEGIN_TURN, { ...input, checkpointName });
  return row === undefined ? null : parseRow(BegunRow, row, `Job ${input.name}`);
}

const SAVE_PROGRESS = /* cypher */ `
  // saveProgress
  MATCH (job:Job {name: $name})
  SET job.askedBy = $turnId
  WITH job, coalesce(job.turnId = $turnId, false) AS isOurs
  FOREACH (_ IN CASE WHEN isOurs AND $backlog IS NOT NULL THEN [1] ELSE [] END | SET job.backlog = $backlog)
  FOREACH (_ IN CASE WHEN isOurs AND $checkpoint IS NOT NULL THEN [1] ELSE [] END |
    MERGE (checkpoint:Checkpoint {name: $checkpointName})
    SET checkpoint.value = $checkpoint, checkpoint.savedAt = datetime($now))
  RETURN isOurs, job.paused AS paused
`;

/** Saves where a turn goes on, unless it was taken over; says how things stand. */
export async function saveProgress(
  tx: WriteTx,
  input: { readonly name: string; readonly turnId: string; readonly now: Instant } & JobProgress,
): Promise<{ readonly isOurs: boolean; readonly paused: boolean }> {
  const checkpointName = jobCheckpoint(input.name);
  const { checkpoint = null, backlog = null } = input;
  const [row] = await tx.run(SAVE_PROGRESS, { ...input, checkpoint, backlog, checkpointName });
  return { isOurs: row?.['isOurs'] === true, paused: row?.['paused'] === true };
}

const END_TURN = /* cypher */ `
  // endTurn
  MATCH (job:Job {name: $name})
  SET job.askedBy = $turnId
  WITH job WHERE job.turnId = $turnId
  WITH job, job.lastError AS before
  SET job.lastError = $error, job.turnId = null, job.askedBy = null
  RETURN before
`;

const EndedRow = z.object({ before: z.string().nullable() });

/** Records how a turn ended. Null where it had been taken over: then it says nothing. */
export async function endTurn(
  tx: WriteTx,
  input: { readonly name: string; readonly turnId: string; readonly error: string | null },
): Promise<{ readonly errorBefore: string | null } | null> {
  const [row] = await tx.run(END_TURN, { ...input });
  return row === undefined
    ? null
    : { errorBefore: parseRow(EndedRow, row, `Job ${input.name}`).before };
}

const SET_JOB_PAUSED = /* cypher */ `
  // setJobPaused
  MERGE (job:Job {name: $name})
  SET job.askedBy = null
  WITH job, coalesce(job.paused, false) AS before
  SET job.paused = $paused
  RETURN before <> $paused AS changed
`;

/** Whether that changed anything. */
export async function setJobPaused(
  tx: WriteTx,
  input: { readonly name: string; readonly paused: boolean },
): Promise<boolean> {
  const [row] = await tx.run(SET_JOB_PAUSED, { ...input });
  return row?.['changed'] === true;
}

const FIND_JOBS = /* cypher */ `
  // findJobs
  UNWIND $names AS name
  OPTIONAL MATCH (job:Job {name: name})
  OPTIONAL MATCH (checkpoint:Checkpoint {name: 'checkpoint:' + name})
  RETURN {name: name, paused: coalesce(job.paused, false), lastRun: job.lastRun, lastError: job.lastError,
          checkpoint: checkpoint.value, backlog: job.backlog} AS job
`;

const JobRow = z.object({
  name: z.string(),
  paused: z.boolean(),
  lastRun: z.string().nullable(),
  lastError: z.string().nullable(),
  checkpoint: z.string().nullable(),
  backlog: z.int().nullable(),
});

/** The record of each of them, in the order asked; one that has never run has an empty one. */
export async function findJobs(tx: ReadTx, names: readonly string[]): Promise<JobRecord[]> {
  const rows = await tx.run(FIND_JOBS, { names });
  return rows.map((row) => parseRow(JobRow, row['job'], 'Job'));
}
