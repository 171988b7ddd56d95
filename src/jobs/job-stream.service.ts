import type { Bus } from '../outbox/bus.ts';
import { parsePayload } from '../outbox/entry-payload.ts';
import { type JobsDeps, showJobs } from './job.mutations.ts';
import { JOB_CHANGED, JobChanged, type JobState } from './job.ts';

/** The state of a job each time it ran, failed, progressed, was paused or resumed; from now on. */
export async function* watchJobs(
  deps: JobsDeps & { readonly bus: Bus },
  signal: AbortSignal,
): AsyncGenerator<JobState, void, void> {
  for await (const entry of deps.bus.subscribe({ kinds: [JOB_CHANGED] }, null, signal))
    yield* await showJobs(deps, [parsePayload(JobChanged, JOB_CHANGED, entry).name]);
}
