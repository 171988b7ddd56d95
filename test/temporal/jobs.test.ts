import { setTimeout } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerformJob } from '../../activities/jobs.ts';
import { beginJobRun, findJobs } from '../../src/jobs/job.cypher.ts';
import { pauseJob, resumeJob, runJob, showJobs } from '../../src/jobs/job.mutations.ts';
import { jobScheduleId } from '../../src/jobs/job.ts';
import type { Job, JobRun } from '../../src/jobs/job-definition.service.ts';
import { keepRegistering } from '../../src/jobs/job-registry.service.ts';
import { performJobRun } from '../../src/jobs/job-run.service.ts';
import { watchJobs } from '../../src/jobs/job-stream.service.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { createSchedules } from '../../src/platform/temporal/schedules.ts';
import { readWith, writeWith } from '../testkit/graph.ts';
import { jobWorld } from '../testkit/job-world.ts';
import { eventually, newId, quiet } from '../testkit/outbox.ts';
import { refuses } from '../testkit/world.ts';

const world = jobWorld();
const { deps, root } = world;
beforeAll(async () => void (await world.works()));
afterAll(() => world.close());

const YEARLY = '0 0 1 1 *';
/** A job of a name of its own that never falls due by itself. */
function aJob(given: Partial<Job> = {}): Job {
  return {
    name: `test-${newId()}`,
    cron: YEARLY,
    describe: 'Does what the test says.',
    run: async () => {},
    ...given,
  };
}
/** Counts from its checkpoint to `end`, one step at a time. */
function counting(end: number, each: (at: number, turn: JobRun) => Promise<void> = async () => {}) {
  return async (_deps: unknown, turn: JobRun) => {
    for (let at = Number(turn.checkpoint ?? 0) + 1; at <= end; at++) {
      await each(at, turn);
      await turn.progress({ checkpoint: String(at), backlog: end - at });
    }
  };
}

/** Counts its turns. */
function turning(given: Partial<Job> = {}) {
  const seen = { turns: 0, now: 0, most: 0 };
  const job = aJob({
    ...given,
    run: async (jobDeps, turn) => {
      seen.most = Math.max(seen.most, ++seen.now);
      seen.turns += 1;
      try {
        await given.run?.(jobDeps, turn);
      } finally {
        seen.now -= 1;
      }
    },
  });
  return { seen, job };
}
const hangs = (signal: AbortSignal) => setTimeout(60_000, null, { signal });
const never = new AbortController().signal;
const runs = ({ name }: Job) => runJob(deps, root, name);
/** A run of the job by this process, without Temporal. */
const performs = (job: Job, jobRunId: string = newId(), given = deps) =>
  performJobRun(given, job, { jobRunId, signal: never });
const stored = async ({ name }: Job) => (await readWith(deps.graph, findJobs, [name]))[0];

describe('the registry of jobs', () => {
  it('makes a Schedule of each job, follows a new cron, removes that of a lost job', async () => {
    const own = jobWorld();
    const [kept, gone] = [aJob(), aJob()];
    const next = async () => (await own.look(kept.name))?.nextRuns?.[0];
    await own.has(kept, gone);
    await eventually('both are listed', async () => (await own.scheduleIds()).length === 2);
    expect(await next()).toMatch(/-01-01T00:00:00.000Z$/);
    await own.has({ ...kept, cron: '30 6 * * *' });
    expect(await next()).toMatch(/T06:30:00.000Z$/);
    expect(await own.look(gone.name)).toBeNull();
    // Every start repeats it, and changes nothing then, nor a pause.
    await pauseJob(own.deps, root, kept.name);
    await Promise.all([own.has(kept), own.has(kept)]);
    expect(await own.look(kept.name)).toMatchObject({ paused: true });
    await resumeJob(own.deps, root, kept.name);
    await own.has(kept);
    expect(await own.look(kept.name)).toMatchObject({ paused: false });
    await own.close();
  });

  it('does not hold up a start while Temporal is away, and shows the jobs', async () => {
    const away = openTemporal({ address: '127.0.0.1:1', namespace: 'default' });
    const schedules = createSchedules(away);
    const job = aJob();
    const registering = keepRegistering({ ...deps, schedules, log: quiet }, [job]);
    const [shown] = await showJobs({ ...deps, jobs: { list: [job], schedules } });
    expect(shown).toMatchObject({ name: job.name, paused: false, nextRun: null, lastRun: null });
    await registering.close();
    await away.close();
  });
});

describe('a job (S2-API-02, SX-07)', () => {
  it('runs when its cron says, never twice at once, and shows its last and next run', async () => {
    const { seen, job } = turning({ cron: '@every 1s', run: () => setTimeout(1_500) });
    await world.has(job);
    const shown = await world.until(
      job.name,
      'it ran twice, and the first is recorded',
      ({ lastRun }) => seen.turns >= 2 && lastRun !== null,
    );
    expect(seen.most).toBe(1);
    expect(shown).toMatchObject({ cron: '@every 1s', lastError: null, backlog: 0 });
    expect(Date.parse(shown.lastRun ?? '')).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(shown.nextRun ?? '')).toBeGreaterThan(Date.parse(shown.lastRun ?? ''));
  });

  it('runs at once when an admin says so, and shows its own backlog', async () => {
    const { seen, job } = turning({ backlog: async () => 42 });
    await world.has(job);
    expect(await world.shows(job.name)).toMatchObject({ backlog: 42 });
    expect(await runs(job)).toMatchObject({ name: job.name });
    await eventually('it ran', () => seen.turns === 1);
    await refuses(runJob(deps, root, 'unknown'), 'NOT_FOUND name');
    await refuses(pauseJob(deps, root, 'unknown'), 'NOT_FOUND name');
  });

  // S2-API-02
  it('does not run while it is paused, says so, and runs once it is resumed', async () => {
    const { seen, job } = turning({ cron: '@every 1s' });
    await world.has(job);
    await eventually('it ran', () => seen.turns > 0);
    expect(await pauseJob(deps, root, job.name)).toMatchObject({ paused: true, nextRun: null });
    expect(await stored(job)).toMatchObject({ paused: true });
    const turnsThen = seen.turns;
    await setTimeout(2_500);
    // One that had begun before the pause may have ended after it.
    expect(seen.turns - turnsThen).toBeLessThanOrEqual(1);
    await refuses(runs(job), 'STATE name');
    const before = seen.turns;
    expect(await resumeJob(deps, root, job.name)).toMatchObject({ paused: false });
    await eventually('it runs again', () => seen.turns > before);
  });

  // S2-KEY-03
  it('ends where it next saves when it is paused at work, and goes on there', async () => {
    const visited: number[] = [];
    let pauseAt = 3;
    const job = aJob();
    const counts = counting(6, async (at) => {
      visited.push(at);
      if (at === pauseAt) await pauseJob(deps, root, job.name);
    });
    await world.has({ ...job, run: counts });
    await runs(job);
    const paused = await world.until(job.name, 'three are done', (one) => one.checkpoint === '3');
    expect(paused).toMatchObject({ paused: true, backlog: 3, lastError: null });
    pauseAt = 0;
    await resumeJob(deps, root, job.name);
    await eventually('the run before has ended', async () => {
      await runs(job);
      return (await world.shows(job.name)).checkpoint === '6';
    });
    expect(visited).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('goes on from its checkpoint when the worker that ran it ends (S2-KEY-03)', async () => {
    const own = jobWorld();
    const visited: number[] = [];
    const job = aJob({
      run: counting(8, async (at, { signal }) => {
        if (at === 4 && !visited.includes(3)) throw new Error('It did not begin at its beginning.');
        visited.push(at);
        // The first worker gets to here and no further.
        if (at === 5 && visited.filter((one) => one === 5).length === 1) await hangs(signal);
      }),
    });
    await own.has(job);
    const first = await own.works();
    await runJob(own.deps, root, job.name);
    await eventually('it is at the fifth', () => visited.includes(5));
    await first.stop();
    expect(await own.shows(job.name)).toMatchObject({ checkpoint: '4' });
    await own.works();
    await own.until(job.name, 'it is done', (one) => one.checkpoint === '8');
    expect(visited).toEqual([1, 2, 3, 4, 5, 5, 6, 7, 8]);
    await own.close();
  });

  it('that fails says why, without secrets, and its next run tries again', async () => {
    const { seen, job } = turning({
      run: async () => {
        if (seen.turns === 1)
          throw new Error('No luck with Authorization: Bearer abcdefghijklmnop');
      },
    });
    await world.has(job);
    await runs(job);
    const failed = await world.until(job.name, 'it failed', (one) => one.lastError !== null);
    expect(failed.lastError).toContain('No luck');
    expect(failed.lastError).not.toContain('abcdefghijklmnop');
    await runs(job);
    await world.until(job.name, 'it went well', (one) => one.lastError === null);
    expect(seen.turns).toBe(2);
  });

  it('that takes too long is stopped and keeps its checkpoint', async () => {
    const run = counting(2, async (at, { signal }) => {
      if (at === 2) await hangs(signal);
    });
    const job = aJob({ timeLimitSeconds: 1, run });
    await world.has(job);
    await runs(job);
    const late = await world.until(job.name, 'it was stopped', (one) => one.lastError !== null);
    expect(late.lastError).toContain('longer than 1 s');
    expect(late.checkpoint).toBe('1');
  });

  it('that is cancelled in Temporal ends there, and its next run is a new one', async () => {
    const { seen, job } = turning({
      run: async (_, { signal }) => {
        if (seen.turns === 1) await hangs(signal);
      },
    });
    await world.has(job);
    await runs(job);
    await eventually('it is at work', () => seen.turns === 1);
    const address = process.env['TEMPORAL_ADDRESS'] ?? '';
    const { client, close } = openTemporal({ address, namespace: 'default' });
    const schedule = client.schedule.getHandle(jobScheduleId(world.prefix, job.name));
    const [running] = (await schedule.describe()).info.runningActions;
    await client.workflow.getHandle(running?.workflow.workflowId ?? '').cancel();
    await close();
    await eventually('the next run began', async () => {
      await runs(job);
      return seen.turns >= 2;
    });
    expect(await world.shows(job.name)).toMatchObject({ lastError: null });
  });

  it('whose run was taken over saves nothing any more, nor how the other one ended', async () => {
    const job = aJob();
    const [began, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const saves = (checkpoint: string, before = async () => {}): Job => ({
      ...job,
      run: async (_, turn) => {
        await before();
        await turn.progress({ checkpoint });
      },
    });
    const lost = saves('of the lost one', () => {
      began.resolve();
      return released.promise;
    });
    const lostTurn = performs(lost, 'first');
    await began.promise;
    expect(await performs(saves('of its successor'), 'second')).toBe('done');
    released.resolve();
    expect(await lostTurn).toBe('taken over');
    const expected = { checkpoint: 'of its successor', lastError: null };
    expect(await stored(job)).toMatchObject(expected);
  });

  it('that is quiet logs a fault once, and again after another fault or a good run', async () => {
    const logged: unknown[] = [];
    const error = (_: string, about?: { error?: unknown }) => logged.push(about?.error);
    const job = aJob({ isQuiet: true });
    for (const wrong of ['No model.', 'No model.', 'No key.', null, 'No key.', 'No key.']) {
      const run = async () => {
        if (wrong !== null) throw new Error(wrong);
      };
      const end = await performs({ ...job, run }, newId(), { ...deps, log: { ...quiet, error } });
      expect(end).toBe(wrong === null ? 'done' : 'failed');
    }
    expect(logged.map(String)).toEqual(['Error: No model.', 'Error: No key.', 'Error: No key.']);
  });

  it('is told by jobEvents when it was paused, ran or failed; a quiet one less', async () => {
    const bus = openBus({ graph: deps.graph });
    const relay = openRelay({ ...deps, bus, log: quiet }, { settings: { leaseName: newId() } });
    const fails = aJob({ run: () => Promise.reject(new Error('It broke.')) });
    const quietOne = aJob({ isQuiet: true });
    await world.has(fails, quietOne);
    const seen: { name: string; paused: boolean; lastError: string | null }[] = [];
    const stopped = new AbortController();
    const watching = (async () => {
      for await (const job of watchJobs({ ...deps, bus }, stopped.signal)) seen.push(job);
    })();
    await eventually('it is read', () => bus.readers === 1);
    await performs(quietOne);
    await pauseJob(deps, root, fails.name);
    await resumeJob(deps, root, fails.name);
    await performs(fails);
    const errors = () => seen.filter(({ name }) => name === fails.name).map((one) => one.lastError);
    const isTold = () => errors().length === 3 && errors().at(-1) === 'It broke.';
    await eventually('the failure is told', isTold);
    expect(seen.filter(({ name }) => name === quietOne.name)).toEqual([]);
    stopped.abort();
    await watching;
    await relay.close();
  });

  it('whose tries end their process fails after two, as its record tells', async () => {
    const { seen, job } = turning();
    const { performJob } = createPerformJob(deps, [job]);
    const { name } = job;
    const call = { name, cron: YEARLY, taskQueue: 'none', timeLimitSeconds: 60 };
    const workflowExecution = { workflowId: newId(), runId: newId() };
    // The second try was lost with its process: it began, and left its last heartbeat.
    const now = new Date().toISOString();
    const jobRunId = `${workflowExecution.runId}/2`;
    await writeWith(deps.graph, beginJobRun, { name, jobRunId, now });
    const third = { attempt: 3, heartbeatDetails: 1, workflowExecution };
    const failing = new MockActivityEnvironment(third).run(performJob, call);
    await expect(failing).rejects.toMatchObject({ type: 'DEFECT', nonRetryable: true });
    expect(seen.turns).toBe(0);
    expect((await stored(job))?.lastError).toContain('process of the Workers ended');
    expect(await new MockActivityEnvironment().run(performJob, call)).toBe('done');
    expect(seen.turns).toBe(1);
  });
});
