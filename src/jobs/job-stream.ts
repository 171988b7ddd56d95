import type { Bus } from '../outbox/bus.ts';
import { type JobsDeps, showJobs } from './job.mutations.ts';
import { JOB_CHANGED, type JobState } from './job.ts';

/** A job whenever it turned, failed, got on, was paused or resumed; from now on. */
export async function* watchJobs(
  deps: JobsDeps & { readonly bus: Bus },
  signal: AbortSignal,
): AsyncGenerator<JobState, void, void> {
  for await (const { payload } of deps.bus.subscribe({ kinds: [JOB_CHANGED] }, null, signal))
    yield* await showJobs(deps, [String(payload['name'])]);
}
