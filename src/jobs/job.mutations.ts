import type { Instant } from '../common/clock.ts';
import { type Problem, problem, Refusal, refuseState } from '../common/refusal.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { Schedules } from '../platform/temporal/schedules.ts';
import type { Viewer } from '../users/user.ts';
import type { JobDeps } from './deps.ts';
import { findJobs, requestJobRun, setJobPaused } from './job.cypher.ts';
import { type JobState, jobEntry, jobScheduleId } from './job.ts';
import type { Job } from './job-definition.service.ts';

/** Ports of the API that shows and controls jobs. */
export interface JobsDeps extends JobDeps {
  readonly jobs: JobBoard;
}
export interface JobBoard {
  /** The jobs of this version of the product. */
  readonly list: readonly Job[];
  readonly schedules: Schedules;
}

/**
 * The state of every job, in the order of the list; with `names` only of those. `nextRun` is null
 * while Temporal is away.
 */
export async function showJobs(deps: JobsDeps, names?: readonly string[]): Promise<JobState[]> {
  const jobs = deps.jobs.list.filter(({ name }) => names?.includes(name) ?? true);
  const records = await deps.graph.read((tx) =>
    findJobs(
      tx,
      jobs.map(({ name }) => name),
    ),
  );
  return Promise.all(
    jobs.map(async (job, index) => {
      const { name, cron, describe } = job;
      const record = records[index];
      const [backlog, schedule] = await Promise.all([
        job.backlog?.(deps) ?? record?.backlog ?? 0,
        deps.jobs.schedules.look(jobScheduleId(deps.queuePrefix, name)).catch(() => null),
      ]);
      const paused = record?.paused === true || schedule?.paused === true;
      const nextRun: Instant | undefined = schedule?.nextRuns[0];
      return {
        name,
        cron,
        describe,
        paused,
        lastRun: record?.lastRun ?? null,
        nextRun: paused ? null : (nextRun ?? null),
        lastError: record?.lastError ?? null,
        checkpoint: record?.checkpoint ?? null,
        backlog,
      };
    }),
  );
}

/**
 * Pauses a job (S2-API-02): no run begins any more, and a current run ends when it next saves its
 * progress. @throws Refusal NOT_FOUND
 */
export function pauseJob(deps: JobsDeps, viewer: Viewer, name: string): Promise<JobState> {
  return setPaused(deps, viewer, name, true);
}

/** Resumes a job: it runs by its cron again, from its checkpoint. @throws Refusal NOT_FOUND */
export function resumeJob(deps: JobsDeps, viewer: Viewer, name: string): Promise<JobState> {
  return setPaused(deps, viewer, name, false);
}

/**
 * Triggers one extra run now. If a run is in progress, one more follows it.
 * @throws Refusal NOT_FOUND, STATE while the job is paused
 */
export async function runJob(deps: JobsDeps, viewer: Viewer, name: string): Promise<JobState> {
  const job = jobOf(deps, name);
  const [record] = await deps.graph.read((tx) => findJobs(tx, [job.name]));
  if (record?.paused === true) refuseState(['name'], 'The job is paused. Resume it first.');
  await deps.graph.write((tx) => requestJobRun(tx, name));
  await deps.jobs.schedules.trigger(jobScheduleId(deps.queuePrefix, name));
  await writeAndWake(deps, (tx) =>
    appendEntries(tx, [jobEntry(deps, name, 'asked', viewer.userId)]),
  );
  return getJobState(deps, name);
}

// Job runs check the record; the Schedule follows it, so that Temporal shows the same. When two
// admins disagree, the loop leaves both the record and the Schedule as the later one set them.
async function setPaused(
  deps: JobsDeps,
  viewer: Viewer,
  name: string,
  paused: boolean,
): Promise<JobState> {
  jobOf(deps, name);
  await writeAndWake(deps, async (tx) => {
    const changed = await setJobPaused(tx, { name, paused });
    const what = paused ? 'paused' : 'resumed';
    if (changed) await appendEntries(tx, [jobEntry(deps, name, what, viewer.userId)]);
  });
  for (let applied: boolean | null = null; ; ) {
    const [record] = await deps.graph.read((tx) => findJobs(tx, [name]));
    const wanted = record?.paused === true;
    if (wanted === applied) return getJobState(deps, name);
    await deps.jobs.schedules.setPaused(jobScheduleId(deps.queuePrefix, name), wanted);
    applied = wanted;
  }
}

async function getJobState(deps: JobsDeps, name: string): Promise<JobState> {
  const [state] = await showJobs(deps, [name]);
  if (state === undefined) throw new Refusal([unknownJob]);
  return state;
}

function jobOf({ jobs }: JobsDeps, name: string): Job {
  const job = jobs.list.find((one) => one.name === name);
  if (job === undefined) throw new Refusal([unknownJob]);
  return job;
}

const unknownJob: Problem = problem('NOT_FOUND', ['name'], 'No job has this name; see `jobs`.');
