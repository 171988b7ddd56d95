import { describe, expect, it } from 'vitest';
import type { JobDeps } from '../../src/jobs/deps.ts';
import type { Job } from '../../src/jobs/job-definition.service.ts';
import type { JobRunEnd } from '../../src/jobs/job-run.service.ts';
import { jobWatch } from '../../src/jobs/job-watch.service.ts';

/** A watch over one job that is due when `isDue` says so, with a clock of its own. */
function watchedJob() {
  const done: JobRunEnd | Promise<JobRunEnd> = 'done' as JobRunEnd | Promise<JobRunEnd>;
  const seen = { nowMs: 0, isDue: true, asked: 0, taken: 0, end: done };
  const job: Job = {
    name: 'segmenter',
    cron: '@hourly',
    describe: '',
    watch: {
      everySeconds: 60,
      isDue: async () => {
        seen.asked++;
        return seen.isDue;
      },
    },
    run: async () => {},
  };
  const { run } = jobWatch(
    {} as JobDeps,
    [job, { ...job, name: 'by schedule', watch: undefined }] as Job[],
    async () => {
      seen.taken++;
      return seen.end;
    },
    () => seen.nowMs,
  );
  const lookAt = async (seconds: number) => {
    seen.nowMs = seconds * 1_000;
    await run();
    // The job runs beside the watch.
    await new Promise((resolve) => setImmediate(resolve));
    return seen.taken;
  };
  return { seen, lookAt };
}

describe('a job that waits for work', () => {
  it('runs once after a start, and then only when it has work', async () => {
    const { seen, lookAt } = watchedJob();
    seen.isDue = false;
    expect(await lookAt(0)).toBe(1);
    expect(await lookAt(61)).toBe(1);
    seen.isDue = true;
    expect(await lookAt(90)).toBe(1);
    expect(await lookAt(122)).toBe(2);
    // Between two looks it is not even asked.
    expect(seen.asked).toBe(2);
  });

  it('that fails runs again after growing waits', async () => {
    const { seen, lookAt } = watchedJob();
    seen.end = 'failed';
    expect(await lookAt(0)).toBe(1);
    expect(await lookAt(9)).toBe(1);
    expect(await lookAt(11)).toBe(2);
    expect(await lookAt(29)).toBe(2);
    expect(await lookAt(32)).toBe(3);
    seen.end = 'done';
    expect(await lookAt(73)).toBe(4);
    expect(await lookAt(134)).toBe(5);
  });

  it('does not run twice at once', async () => {
    const { seen, lookAt } = watchedJob();
    const { promise, resolve } = Promise.withResolvers<JobRunEnd>();
    seen.end = promise;
    expect(await lookAt(0)).toBe(1);
    expect(await lookAt(1_000)).toBe(1);
    resolve('done');
    await promise;
  });
});
