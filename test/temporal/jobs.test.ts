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
import { jobWorld } from '../testkit/job-world.ts';
import { eventually, newId, quiet } from '../testkit/outbox.ts';
import { refusals } from '../testkit/world.ts';

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

describe('the registry of jobs', () => {
  it('makes a Schedule of each, follows a changed cron, and removes that of a job that is gone', async () => {
    const own = jobWorld();
    const [kept, gone] = [aJob(), aJob()];
    await own.has(kept, gone);
    await eventually('both are listed', async () => (await own.scheduleIds()).length === 2);
    const [before] = (await own.look(kept.name))?.nextRuns ?? [];
    expect(before).toMatch(/-01-01T00:00:00.000Z$/);
    await own.has({ ...kept, cron: '30 6 * * *' });
    const [after] = (await own.look(kept.name))?.nextRuns ?? [];
    expect(after).toMatch(/T06:30:00.000Z$/);
    expect(await own.look(gone.name)).toBeNull();
    await own.close();
  });

  it('is repeated by every start and changes nothing then, nor what was paused', async () => {
    const own = jobWorld();
    const job = aJob();
    await own.has(job);
    await pauseJob(own.deps, root, job.name);
    await Promise.all([own.has(job), own.has(job)]);
    expect(await own.look(job.name)).toMatchObject({ paused: true });
    await resumeJob(own.deps, root, job.name);
    await own.has(job);
    expect(await own.look(job.name)).toMatchObject({ paused: false });
    await own.close();
  });

  it('does not hold up a start while Temporal is away, and shows the jobs all the same', async () => {
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
  it('runs when its cron says, and shows its last and next turn', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
    };
    const job = aJob({ cron: '@every 1s', run: async () => count() });
    await world.has(job);
    const shown = await world.until(
      job.name,
      'it ran twice, and the first is recorded',
      ({ lastRun }) => turns >= 2 && lastRun !== null,
    );
    expect(shown).toMatchObject({ cron: '@every 1s', lastError: null, backlog: 0 });
    expect(Date.parse(shown.lastRun ?? '')).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(shown.nextRun ?? '')).toBeGreaterThan(Date.parse(shown.lastRun ?? ''));
  });

  it('runs at once when an admin says so', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
    };
    const job = aJob({ run: async () => count() });
    await world.has(job);
    expect(await runJob(deps, root, job.name)).toMatchObject({ name: job.name });
    await eventually('it ran', () => turns === 1);
  });

  it('never runs twice at once: what falls due meanwhile is skipped', async () => {
    const seen = { now: 0, most: 0, turns: 0 };
    const job = aJob({
      cron: '@every 1s',
      run: async () => {
        seen.now += 1;
        seen.most = Math.max(seen.most, seen.now);
        await setTimeout(2_500);
        seen.now -= 1;
        seen.turns += 1;
      },
    });
    await world.has(job);
    await eventually('it turned twice', () => seen.turns >= 2);
    expect(seen.most).toBe(1);
  });

  it('does not run while it is paused, says so, and runs once it is resumed (S2-API-02)', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
    };
    const job = aJob({ cron: '@every 1s', run: async () => count() });
    await world.has(job);
    await eventually('it ran', () => turns > 0);
    expect(await pauseJob(deps, root, job.name)).toMatchObject({ paused: true, nextRun: null });
    expect(await deps.graph.read((tx) => findJobs(tx, [job.name]))).toMatchObject([
      { paused: true },
    ]);
    const turnsThen = turns;
    await setTimeout(2_500);
    // One that had begun before the pause may have ended after it.
    expect(turns - turnsThen).toBeLessThanOrEqual(1);
    expect(await refusals(runJob(deps, root, job.name))).toEqual(['STATE name']);
    const before = turns;
    expect(await resumeJob(deps, root, job.name)).toMatchObject({ paused: false });
    await eventually('it runs again', () => turns > before);
  });

  it('ends where it next saves when it is paused at work, and goes on from there (S2-KEY-03)', async () => {
    const visited: number[] = [];
    let pauseAt = 3;
    const job = aJob();
    const counts = counting(6, async (at) => {
      visited.push(at);
      if (at === pauseAt) await pauseJob(deps, root, job.name);
    });
    await world.has({ ...job, run: counts });
    await runJob(deps, root, job.name);
    const paused = await world.until(job.name, 'three are done', (one) => one.checkpoint === '3');
    expect(paused).toMatchObject({ paused: true, backlog: 3, lastError: null });
    pauseAt = 0;
    await resumeJob(deps, root, job.name);
    await eventually('the turn before has ended', async () => {
      await runJob(deps, root, job.name);
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
        if (at === 5 && visited.filter((one) => one === 5).length === 1)
          await setTimeout(60_000, null, { signal });
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

  it('that fails says why, without secrets, and the next turn tries again', async () => {
    let turns = 0;
    const job = aJob({
      run: async () => {
        turns += 1;
        if (turns === 1) throw new Error('No luck with Authorization: Bearer abcdefghijklmnop');
      },
    });
    await world.has(job);
    await runJob(deps, root, job.name);
    const failed = await world.until(job.name, 'it failed', (one) => one.lastError !== null);
    expect(failed.lastError).toContain('No luck');
    expect(failed.lastError).not.toContain('abcdefghijklmnop');
    await runJob(deps, root, job.name);
    await world.until(job.name, 'it went well', (one) => one.lastError === null);
    expect(turns).toBe(2);
  });

  it('that takes too long is stopped and keeps what it saved', async () => {
    const job = aJob({
      timeLimitSeconds: 1,
      run: counting(2, async (at, { signal }) => {
        if (at === 2) await setTimeout(60_000, null, { signal });
      }),
    });
    await world.has(job);
    await runJob(deps, root, job.name);
    const late = await world.until(job.name, 'it was stopped', (one) => one.lastError !== null);
    expect(late.lastError).toContain('longer than 1 s');
    expect(late.checkpoint).toBe('1');
  });

  it('that is cancelled in Temporal ends there, and its next turn is a new one', async () => {
    let turns = 0;
    const job = aJob({
      run: async (_deps, { signal }) => {
        turns += 1;
        if (turns === 1) await setTimeout(60_000, null, { signal });
      },
    });
    await world.has(job);
    await runJob(deps, root, job.name);
    await eventually('it is at work', () => turns === 1);
    const temporal = openTemporal({
      address: process.env['TEMPORAL_ADDRESS'] ?? '',
      namespace: 'default',
    });
    const { info } = await temporal.client.schedule
      .getHandle(jobScheduleId(world.prefix, job.name))
      .describe();
    const [running] = info.runningActions;
    await temporal.client.workflow.getHandle(running?.workflow.workflowId ?? '').cancel();
    await temporal.close();
    await eventually('the next turn was taken', async () => {
      await runJob(deps, root, job.name);
      return turns >= 2;
    });
    expect(await world.shows(job.name)).toMatchObject({ lastError: null });
  });

  it('asks its own backlog when it is shown', async () => {
    const job = aJob({ backlog: async () => 42 });
    await world.has(job);
    expect(await world.shows(job.name)).toMatchObject({ backlog: 42 });
  });

  it('of a name nobody knows is not found', async () => {
    expect(await refusals(runJob(deps, root, 'nobody'))).toEqual(['NOT_FOUND name']);
    expect(await refusals(pauseJob(deps, root, 'nobody'))).toEqual(['NOT_FOUND name']);
  });
});

describe('a turn that was taken over', () => {
  it('saves nothing any more, and does not say how the other one ended', async () => {
    const job = aJob();
    const never = new AbortController().signal;
    let began = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      began = resolve;
    });
    let go = () => {};
    const released = new Promise<void>((resolve) => {
      go = resolve;
    });
    const lost: Job = {
      ...job,
      run: async (_deps, turn) => {
        began();
        await released;
        await turn.progress({ checkpoint: 'of the one that was lost' });
      },
    };
    const lostTurn = performJobRun(deps, lost, { jobRunId: 'first', signal: never });
    await hasBegun;
    const other: Job = {
      ...job,
      run: (_deps, turn) => turn.progress({ checkpoint: 'of its successor' }),
    };
    expect(await performJobRun(deps, other, { jobRunId: 'second', signal: never })).toBe('done');
    go();
    expect(await lostTurn).toBe('taken over');
    const [record] = await deps.graph.read((tx) => findJobs(tx, [job.name]));
    expect(record).toMatchObject({ checkpoint: 'of its successor', lastError: null });
  });
});

describe('a quiet job', () => {
  it('logs what is wrong once, and again when it is another thing or went well in between', async () => {
    const logged: unknown[] = [];
    const log = {
      ...quiet,
      error: (_message: string, about?: { error?: unknown }) => logged.push(about?.error),
    };
    const job = aJob({ isQuiet: true });
    const never = new AbortController().signal;
    for (const wrong of ['No model.', 'No model.', 'No key.', null, 'No key.', 'No key.']) {
      const run = async () => {
        if (wrong !== null) throw new Error(wrong);
      };
      const end = await performJobRun(
        { ...deps, log },
        { ...job, run },
        { jobRunId: newId(), signal: never },
      );
      expect(end).toBe(wrong === null ? 'done' : 'failed');
    }
    expect(logged.map(String)).toEqual(['Error: No model.', 'Error: No key.', 'Error: No key.']);
  });
});

describe('jobEvents', () => {
  it('tells when a job was paused, ran or failed, and of quiet ones only what went wrong', async () => {
    const bus = openBus({ graph: deps.graph });
    const relay = openRelay({ ...deps, bus, log: quiet }, { settings: { leaseName: newId() } });
    const never = new AbortController().signal;
    const fails = aJob({ run: () => Promise.reject(new Error('It broke.')) });
    const quietOne = aJob({ isQuiet: true });
    await world.has(fails, quietOne);
    const seen: { name: string; paused: boolean; lastError: string | null }[] = [];
    const stopped = new AbortController();
    const watching = (async () => {
      for await (const job of watchJobs({ ...deps, bus }, stopped.signal)) seen.push(job);
    })();
    await eventually('somebody reads', () => bus.readers === 1);
    await performJobRun(deps, quietOne, { jobRunId: newId(), signal: never });
    await pauseJob(deps, root, fails.name);
    await resumeJob(deps, root, fails.name);
    await performJobRun(deps, fails, { jobRunId: newId(), signal: never });
    const ofOurs = () => seen.filter(({ name }) => name === fails.name);
    await eventually(
      'the failure is told',
      () => ofOurs().length === 3 && ofOurs().at(-1)?.lastError === 'It broke.',
    );
    expect(seen.filter(({ name }) => name === quietOne.name)).toEqual([]);
    stopped.abort();
    await watching;
    await relay.close();
  });
});

describe('a job whose tries end their process', () => {
  it('fails after two, which its record tells; the next run begins anew', async () => {
    let tries = 0;
    const job = aJob({
      run: async () => {
        tries += 1;
      },
    });
    const { performJob } = createPerformJob(deps, [job]);
    const call = { name: job.name, cron: YEARLY, taskQueue: 'none', timeLimitSeconds: 60 };
    const workflowExecution = { workflowId: newId(), runId: newId() };
    // The second try was lost with its process: it began, and left its last heartbeat.
    const now = new Date().toISOString();
    await deps.graph.write((tx) =>
      beginJobRun(tx, { name: job.name, jobRunId: `${workflowExecution.runId}/2`, now }),
    );
    const third = { attempt: 3, heartbeatDetails: 1, workflowExecution };
    await expect(new MockActivityEnvironment(third).run(performJob, call)).rejects.toMatchObject({
      type: 'DEFECT',
      nonRetryable: true,
    });
    expect(tries).toBe(0);
    const [failed] = await deps.graph.read((tx) => findJobs(tx, [job.name]));
    expect(failed?.lastError).toContain('process of the Workers ended');
    expect(await new MockActivityEnvironment().run(performJob, call)).toBe('done');
    expect(tries).toBe(1);
  });
});
