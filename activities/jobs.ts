import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { JobDeps } from '../src/jobs/deps.ts';
import type { JobActivities } from '../src/jobs/job.ts';
import type { Job } from '../src/jobs/job-definition.service.ts';
import { failLostJobRun, performJobRun } from '../src/jobs/job-run.service.ts';
import { isOutage } from '../src/platform/neo4j/graph.ts';
import { endsItsProcess, whileBeating } from '../src/platform/temporal/beating.ts';
import { toFailure } from './failure.ts';

/** Type of the failure of a job run whose message is in the job's record. */
export const JOB_FAILED = 'JOB_FAILED';

/** The activity of every job run. Repeated after a crash, it goes on from the job's checkpoint. */
export function createPerformJob<Deps extends JobDeps>(
  deps: Deps,
  jobs: readonly Job<Deps>[],
): JobActivities {
  const onDefect = (error: unknown, where: string) =>
    deps.log.error('A turn could not be recorded', { error, operation: where });
  return {
    async performJob({ name }) {
      const { info, cancellationSignal: signal } = Context.current();
      const job = jobs.find((one) => one.name === name);
      // Another version of the product made the Schedule. The API server of this version removes it
      // when it starts.
      if (job === undefined) throw failure('UNKNOWN_JOB', `No job ${name} here.`, 'final');
      const jobRunOf = (attempt: number) => `${info.workflowExecution?.runId}/${attempt}`;
      try {
        // The tries before this one recorded no end, since their processes ended.
        if (endsItsProcess(info)) await failLostJobRun(deps, job, jobRunOf(info.attempt - 1));
        return await whileBeating(() => perform(deps, job, jobRunOf(info.attempt), signal));
      } catch (error) {
        if (isOutage(error)) throw failure('INFRASTRUCTURE', 'Neo4j is away.', 'again');
        throw toFailure({ onDefect }, error, `job ${name}`);
      }
    },
  };
}

async function perform<Deps extends JobDeps>(
  deps: Deps,
  job: Job<Deps>,
  jobRunId: string,
  signal: AbortSignal,
): Promise<string> {
  const end = await performJobRun(deps, job, { jobRunId, signal });
  // The error of a quiet job is on record. A failed workflow would repeat it every time.
  if (end === 'failed' && job.isQuiet !== true)
    throw failure(JOB_FAILED, `The job ${job.name} failed.`, 'final');
  if (end === 'cancelled') throw cancelled(signal);
  return end;
}

function cancelled({ reason }: AbortSignal): Error {
  const isShutdown = reason instanceof CancelledFailure && reason.message === 'WORKER_SHUTDOWN';
  if (isShutdown) return failure('WORKER_SHUTDOWN', 'The worker ends; another goes on.', 'again');
  return new CancelledFailure('The turn was cancelled.');
}

function failure(type: string, message: string, finality: 'final' | 'again'): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: finality === 'final' });
}
