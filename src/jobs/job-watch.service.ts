import { type Backoff, backoffMs } from '../common/backoff.ts';
import type { PeriodicTask } from '../outbox/periodic-task.service.ts';
import type { JobDeps } from './deps.ts';
import type { Job } from './job-definition.service.ts';
import type { JobRunEnd } from './job-run.service.ts';

/** The shortest wait that a job can ask for. */
export const JOB_WATCH_EVERY_MS = 5_000;
/**
 * After a failed run the job waits longer each time before it runs again. The wait is short,
 * because a run also fails where one user's work does, and the others' work would wait too.
 */
const FAILED_BACKOFF: Backoff = { firstMs: 10_000, maxMs: 60_000 };

interface Watched<Deps> {
  readonly job: Job<Deps>;
  nextAtMs: number;
  failures: number;
  /** Work may be left from before the start, so the first look always runs the job. */
  isFirst: boolean;
  isRunning: boolean;
}

/**
 * Runs each job with `watch` when it has work, in this process and without a workflow: asking costs
 * one read, a workflow some forty writes. It is a periodic task of the process that holds the
 * relay. The job's Schedule runs it each hour too, and on runJob.
 * @param take runs a job once in this process, to its end
 * @param nowMs default: a clock that never jumps
 */
export function jobWatch<Deps extends JobDeps>(
  deps: Deps,
  jobs: readonly Job<Deps>[],
  take: (job: Job<Deps>) => Promise<JobRunEnd>,
  nowMs: () => number = () => performance.now(),
): PeriodicTask {
  const watched: Watched<Deps>[] = jobs
    .filter(({ watch }) => watch !== undefined)
    .map((job) => ({ job, nextAtMs: 0, failures: 0, isFirst: true, isRunning: false }));

  async function look(one: Watched<Deps>): Promise<void> {
    const { job } = one;
    if (job.watch === undefined || one.isRunning || nowMs() < one.nextAtMs) return;
    one.nextAtMs = nowMs() + job.watch.everySeconds * 1_000;
    if (!one.isFirst && !(await job.watch.isDue(deps))) return;
    one.isFirst = false;
    one.isRunning = true;
    void take(job)
      .catch((error: unknown): JobRunEnd => {
        deps.log.warn('A watched job could not run; it is tried again', {
          operation: job.name,
          error,
        });
        return 'failed';
      })
      .then((end) => {
        one.isRunning = false;
        one.failures = end === 'failed' ? one.failures + 1 : 0;
        if (one.failures > 0) one.nextAtMs = nowMs() + backoffMs(FAILED_BACKOFF, one.failures);
      });
  }

  return {
    name: 'job-watch',
    everyMs: JOB_WATCH_EVERY_MS,
    async run() {
      for (const one of watched) await look(one);
    },
  };
}
