import { z } from 'zod';

/** Recurring runs of a Process, as the user that owns the schedule. */
export const ProcessSchedule = z.object({
  id: z.string(),
  ownerId: z.string(),
  processId: z.string(),
  cron: z.string(),
  /** IANA name. The cron is in this zone, including daylight saving time. */
  timezone: z.string(),
  /** JSON text of the context of each run. */
  context: z.string(),
  paused: z.boolean(),
  note: z.string().nullable(),
  /** Error of the last time that was due; null if it started a run. */
  lastError: z.string().nullable(),
  /** Number of changes of its definition; pausing is none. */
  revision: z.number().default(0),
  createdAt: z.string(),
});
export type ProcessSchedule = z.infer<typeof ProcessSchedule>;

export const SCHEDULES_PER_USER_MAX = 50;
export const SCHEDULE_CONTEXT_BYTES_MAX = 64 * 1024;
/** After an outage of Temporal, times that were due within the last ten minutes are made up for. */
export const SCHEDULE_CATCH_UP_SECONDS = 600;
export const NEXT_RUNS_SHOWN = 5;
export const RECENT_RUNS_SHOWN = 10;

/** Kind of the entry that is written when a schedule is created, changed or deleted. */
export const SCHEDULE_CHANGED = 'schedule.changed';
export const ScheduleChanged = z.object({ id: z.string(), what: z.string() });

/** Id of its Schedule in Temporal, and prefix of the ids of its workflows. */
export const temporalScheduleId = (prefix: string, id: string) => `${prefix}process-schedule-${id}`;

/** Argument of the workflow `fireSchedule`. It is in histories: only add fields. */
export type FireCall = {
  readonly scheduleId: string;
  readonly cron: string;
  readonly timezone: string;
};
/** Result of one time that was due. `skipped`: the schedule's last run is still open. */
export type Fired = 'started' | 'skipped' | 'refused' | 'paused' | 'gone';
export interface ScheduleActivities {
  /** @param key identifies the time that is due; each attempt at it has the same key */
  fireSchedule(call: FireCall & { readonly key: string }): Promise<Fired>;
}
