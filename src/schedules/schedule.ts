import { z } from 'zod';

/** A user's wish that a Process of theirs, or one shared with them, runs again and again. */
export const ProcessSchedule = z.object({
  id: z.string(),
  ownerId: z.string(),
  processId: z.string(),
  cron: z.string(),
  /** IANA name; the cron is read in it, daylight saving included. */
  timezone: z.string(),
  /** JSON text of what each run is given. */
  context: z.string(),
  paused: z.boolean(),
  note: z.string().nullable(),
  /** Why the last time that was due started no run; null when it did. */
  lastError: z.string().nullable(),
  createdAt: z.string(),
});
export type ProcessSchedule = z.infer<typeof ProcessSchedule>;

export const SCHEDULES_PER_USER_MAX = 50;
export const SCHEDULE_CONTEXT_BYTES_MAX = 64 * 1024;
/** After an outage of Temporal: what was due within the last ten minutes is made up for. */
export const SCHEDULE_CATCH_UP_SECONDS = 600;
export const NEXT_RUNS_SHOWN = 5;
export const RECENT_RUNS_SHOWN = 10;

/** Kind of the entry that says that a schedule was made, changed or deleted; its id is in the payload. */
export const SCHEDULE_CHANGED = 'schedule.changed';
export const ScheduleChanged = z.object({ id: z.string(), what: z.string() });

/** The id of its Schedule in Temporal, and the beginning of its workflows' ids. */
export const temporalScheduleId = (prefix: string, id: string) => `${prefix}process-schedule-${id}`;

/** What the workflow `fireSchedule` gets. It lies in histories: fields may be added only. */
export type FireCall = {
  readonly scheduleId: string;
  readonly cron: string;
  readonly timezone: string;
};
/** What became of one time that was due. `skipped`: the run before is still at work. */
export type Fired = 'started' | 'skipped' | 'refused' | 'paused' | 'gone';
export interface ScheduleActivities {
  /** @param key the same for every attempt at one time that was due, and no other */
  fireSchedule(call: FireCall & { readonly key: string }): Promise<Fired>;
}
