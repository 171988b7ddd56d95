import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { type Backoff, backoffMs } from '../common/backoff.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Schedules } from '../platform/temporal/schedules.ts';
import { processesQueue } from '../runs/run/run.ts';
import { findJobs } from './job.cypher.ts';
import {
  JOB_CATCH_UP_SECONDS,
  JOB_TIME_LIMIT_SECONDS,
  type JobCall,
  jobScheduleId,
  jobsQueue,
} from './job.ts';
import type { Job } from './job-definition.service.ts';

const BACKOFF: Backoff = { firstMs: 1_000, maxMs: 15_000 };

export interface RegistryDeps {
  readonly graph: Graph;
  readonly schedules: Schedules;
  readonly log: Log;
  readonly queuePrefix: string;
}

/**
 * Brings Temporal's Schedules in line with the list: creates missing ones, updates changed crons,
 * removes those of jobs that no longer exist. Idempotent. A job stays paused if its record in Neo4j
 * says so.
 */
export async function registerJobs(deps: RegistryDeps, jobs: readonly Job[]): Promise<void> {
  const { graph, schedules, queuePrefix } = deps;
  const records = await graph.read((tx) =>
    findJobs(
      tx,
      jobs.map(({ name }) => name),
    ),
  );
  for (const [index, job] of jobs.entries()) {
    const call: JobCall = {
      name: job.name,
      cron: job.cron,
      taskQueue: jobsQueue(queuePrefix),
      timeLimitSeconds: job.timeLimitSeconds ?? JOB_TIME_LIMIT_SECONDS,
    };
    await schedules.ensure({
      id: jobScheduleId(queuePrefix, job.name),
      cron: job.cron,
      timezone: 'UTC',
      workflow: 'runJob',
      argument: call,
      taskQueue: processesQueue(queuePrefix),
      paused: records[index]?.paused === true,
      catchUpSeconds: JOB_CATCH_UP_SECONDS,
    });
  }
  const known = new Set(jobs.map(({ name }) => jobScheduleId(queuePrefix, name)));
  for (const id of await schedules.list(jobScheduleId(queuePrefix, '')))
    if (!known.has(id)) await schedules.remove(id);
}

/**
 * Registers the jobs in the background and retries until it succeeds, so a start does not wait.
 * @param startOver resolves when the start is over; default: it is
 */
export function keepRegistering(
  deps: RegistryDeps,
  jobs: readonly Job[],
  startOver: Promise<void> = Promise.resolve(),
): { readonly registered: Promise<void>; close(): Promise<void> } {
  const complaint = 'Jobs are not registered yet; trying again';
  return keepTrying(deps.log, complaint, () => registerJobs(deps, jobs), startOver);
}

/** Does work after the start in the background, again and again until it succeeds. */
export function keepTrying(
  log: Log,
  complaint: string,
  work: () => Promise<unknown>,
  startOver: Promise<void> = Promise.resolve(),
): { readonly registered: Promise<void>; close(): Promise<void> } {
  const closing = new AbortController();
  async function run(): Promise<void> {
    await Promise.race([startOver, once(closing.signal, 'abort')]);
    for (let failures = 0; !closing.signal.aborted; ) {
      try {
        await work();
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (failures++ === 0) log.warn(complaint, { error });
        await setTimeout(backoffMs(BACKOFF, failures), null, { signal: closing.signal }).catch(
          () => {},
        );
      }
    }
  }
  const registered = run();
  return {
    registered,
    async close() {
      closing.abort();
      await registered;
    },
  };
}
