import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import { type OutboxEntry, systemEntry } from '../outbox/entry.ts';
import type { BaseDeps } from '../users/user.ts';

/** Where a turn stands. */
export interface JobProgress {
  /** Absent: as it was. */
  readonly checkpoint?: string;
  /** How much is left; absent: as it was. */
  readonly backlog?: number;
}

export const STOP_REASONS = ['cancelled', 'paused', 'over its time', 'taken over'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Ends a turn from within; nothing went wrong in the job itself. */
export class JobRunStopped extends Error {
  override readonly name = 'TurnStopped';
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(`The turn was stopped: ${reason}.`);
    this.reason = reason;
  }
}

/** A job as the API shows it. */
export interface JobState {
  readonly name: string;
  readonly cron: string;
  readonly describe: string;
  readonly paused: boolean;
  /** Start of its last turn. */
  readonly lastRun: Instant | null;
  /** Null while it is paused, or while Temporal does not answer. */
  readonly nextRun: Instant | null;
  /** What went wrong in its last turn; null when it went well. */
  readonly lastError: string | null;
  readonly checkpoint: string | null;
  readonly backlog: number;
}

/** What the record knows of a job; the rest comes from its definition and from Temporal. */
export type JobRecord = Omit<JobState, 'cron' | 'describe' | 'nextRun' | 'backlog'> & {
  readonly backlog: number | null;
};

export const JOB_TIME_LIMIT_SECONDS = 600;
/** After an outage of Temporal: what was due within the last hour is made up for. */
export const JOB_CATCH_UP_SECONDS = 3_600;
/** Turns at once in one process of Workers. */
export const JOBS_AT_ONCE = 8;

/** Kind of the entry that says that a job changed: turned, failed, was paused or resumed. */
export const JOB_CHANGED = 'job.changed';
export const JobChanged = z.object({
  name: z.string(),
  what: z.string(),
  by: z.string().optional(),
});

/** Where turns are done; the prefix sets installations apart that share a Temporal namespace. */
export const jobsQueue = (prefix: string) => `${prefix}jobs`;
/** The Schedule's id, and the beginning of its workflows' ids. */
export const jobScheduleId = (prefix: string, name: string) => `${prefix}job-${name}`;
/** S2-KEY-03. */
export const jobCheckpoint = (name: string) => `checkpoint:${name}`;

/** What the workflow `runJob` gets and hands to its activity. It lies in histories: fields may be added only. */
export type JobCall = {
  readonly name: string;
  readonly cron: string;
  readonly taskQueue: string;
  readonly timeLimitSeconds: number;
};
export interface JobActivities {
  performJob(call: JobCall): Promise<string>;
}

/** The entry that tells subscribers of a change of a job: its name and what happened, the rest is read when it is shown. */
export function jobEntry(deps: BaseDeps, name: string, what: string, by?: string): OutboxEntry {
  return systemEntry(deps, JOB_CHANGED, { name, what, ...(by === undefined ? {} : { by }) });
}
