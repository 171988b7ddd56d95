import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { type OutboxEntry, systemEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';

/** The progress of a job run. Absent fields keep their saved value. */
export interface JobProgress {
  readonly checkpoint?: string;
  /** Amount of work that is left. */
  readonly backlog?: number;
}

export const STOP_REASONS = ['cancelled', 'paused', 'over its time', 'taken over'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Ends a job run from outside; the job itself did not fail. */
export class JobRunStopped extends Error {
  override readonly name = 'JobRunStopped';
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`The job run was stopped: ${reason}.`);
    this.reason = reason;
  }
}

/** A job as the API shows it. */
export interface JobState {
  readonly name: string;
  readonly cron: string;
  readonly describe: string;
  readonly paused: boolean;
  /** Start of the last run. */
  readonly lastRun: Instant | null;
  /** Null while it is paused, or while Temporal does not answer. */
  readonly nextRun: Instant | null;
  /** Error of the last run; null if it succeeded. */
  readonly lastError: string | null;
  readonly checkpoint: string | null;
  readonly backlog: number;
}

/** The stored part of a job's state; the rest comes from its definition and from Temporal. */
export type JobRecord = Omit<JobState, 'cron' | 'describe' | 'nextRun' | 'backlog'> & {
  readonly backlog: number | null;
};

export const JOB_TIME_LIMIT_SECONDS = 600;
/** After an outage of Temporal, runs that were due within the last hour are made up for. */
export const JOB_CATCH_UP_SECONDS = 3_600;
/** Maximum number of concurrent job runs in one process. */
export const JOBS_AT_ONCE = 8;

/** Kind of the entry that is written when a job ran, failed, was paused or resumed. */
export const JOB_CHANGED = 'job.changed';
export const JobChanged = z.object({
  name: z.string(),
  what: z.string(),
  by: z.string().optional(),
});

/** Task queue of job runs. The prefix separates installations that share a Temporal namespace. */
export const jobsQueue = (prefix: string) => `${prefix}jobs`;
/** Id of the job's Schedule, and prefix of the ids of its workflows. */
export const jobScheduleId = (prefix: string, name: string) => `${prefix}job-${name}`;
/** Name of the job's checkpoint node (S2-KEY-03). */
export const jobCheckpoint = (name: string) => `checkpoint:${name}`;

/** Argument of the workflow `runJob` and of its activity. It is in histories: only add fields. */
export type JobCall = {
  readonly name: string;
  readonly cron: string;
  readonly taskQueue: string;
  readonly timeLimitSeconds: number;
};
export interface JobActivities {
  performJob(call: JobCall): Promise<string>;
}

/** The entry of a change of a job. Subscribers read the job's state themselves. */
export function jobEntry(deps: BaseDeps, name: string, what: string, by?: string): OutboxEntry {
  return systemEntry(deps, JOB_CHANGED, { name, what, ...(by === undefined ? {} : { by }) });
}
