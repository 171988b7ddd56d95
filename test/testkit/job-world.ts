import { createPerformJob } from '../../activities/jobs.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import { type JobsDeps, showJobs } from '../../src/jobs/job.mutations.ts';
import { type JobState, jobScheduleId, jobsQueue } from '../../src/jobs/job.ts';
import type { Job } from '../../src/jobs/job-definition.service.ts';
import { registerJobs } from '../../src/jobs/job-registry.service.ts';
import { workflowBundle } from '../../src/main/worker.ts';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { type Fleet, startFleet } from '../../src/platform/temporal/fleet.ts';
import { createSchedules } from '../../src/platform/temporal/schedules.ts';
import { processesQueue } from '../../src/runs/run/run.ts';
import type { Viewer } from '../../src/users/user.ts';
import { testGraph } from './graph.ts';
import { clock, eventually, newId, quiet } from './outbox.ts';

/**
 * An installation of its own as far as jobs go: own queues and Schedules, on the tests' Neo4j and
 * Temporal.
 */
export interface JobWorld {
  readonly deps: JobsDeps;
  readonly prefix: string;
  readonly root: Viewer;
  /** Puts these jobs in the list and registers them, as a start of the product would. */
  has(...jobs: Job[]): Promise<void>;
  /** Workers that take turns of the jobs in the list. */
  works(): Promise<Fleet>;
  shows(name: string): Promise<JobState>;
  /** Until the job looks like that. */
  until(name: string, what: string, check: (job: JobState) => boolean): Promise<JobState>;
  scheduleIds(): Promise<string[]>;
  look(name: string): Promise<{ paused: boolean; nextRuns: readonly string[] } | null>;
  close(): Promise<void>;
}

export const settings = { address: process.env['TEMPORAL_ADDRESS'] ?? '', namespace: 'default' };

export function jobWorld(given: Partial<JobDeps> = {}): JobWorld {
  const prefix = `t${newId()}-`;
  const graph = testGraph();
  const temporal = openTemporal(settings);
  const schedules = createSchedules(temporal);
  const list: Job[] = [];
  const fleets = new Set<Fleet>();
  const base = { graph, clock, newId, log: quiet, wake: () => {}, queuePrefix: prefix, ...given };
  // Other ports are for the jobs of the product, which these tests do not run.
  const deps = { ...base, jobs: { list, schedules } } as unknown as JobsDeps;
  const root: Viewer = { userId: newId(), name: 'root', roles: ['admin'], workspace: 'root' };

  const world: JobWorld = {
    deps,
    prefix,
    root,
    async has(...jobs) {
      list.splice(0, list.length, ...jobs);
      await registerJobs({ ...deps, schedules }, list);
    },
    async works() {
      const fleet = await startFleet({
        temporal: settings,
        log: quiet,
        drainMs: 500,
        workflows: {
          taskQueue: processesQueue(prefix),
          bundle: await workflowBundle(),
          activities: {},
        },
        pools: [
          { taskQueue: jobsQueue(prefix), size: 4, activities: createPerformJob(deps, list) },
        ],
      });
      fleets.add(fleet);
      return {
        ...fleet,
        async stop() {
          fleets.delete(fleet);
          await fleet.stop();
        },
      };
    },
    async shows(name) {
      const [state] = await showJobs(deps, [name]);
      if (state === undefined) throw new Error(`No job ${name} in this world.`);
      return state;
    },
    async until(name, what, check) {
      let state = await world.shows(name);
      const isSo = async () => {
        state = await world.shows(name);
        return check(state);
      };
      await eventually(what, isSo);
      return state;
    },
    scheduleIds: () => schedules.list(jobScheduleId(prefix, '')),
    look: (name) => schedules.look(jobScheduleId(prefix, name)),
    async close() {
      for (const { name } of list) await schedules.remove(jobScheduleId(prefix, name));
      await Promise.all([...fleets].map((fleet) => fleet.stop()));
      await temporal.close();
      await graph.close();
    },
  };
  return world;
}
