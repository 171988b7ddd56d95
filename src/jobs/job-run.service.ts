import { instant } from '../common/clock.ts';
import { firstChars } from '../common/well-formed.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { isOutage } from '../platform/neo4j/graph.ts';
import { scrub } from '../platform/telemetry/scrub.ts';
import type { JobDeps } from './deps.ts';
import { beginJobRun, endJobRun, saveProgress } from './job.cypher.ts';
import {
  JOB_TIME_LIMIT_SECONDS,
  type JobProgress,
  JobRunStopped,
  jobEntry,
  type StopReason,
} from './job.ts';
import type { Job } from './job-definition.service.ts';

/** How a job run ended. The message of `failed` is in the job's record. */
export type JobRunEnd = 'done' | 'failed' | StopReason;

// A job that ignores its signal is abandoned after this time. Its later saves are refused.
const ABANDON_AFTER_MS = 5_000;
const PROGRESS_ENTRY_EVERY_MS = 1_000;
const ERROR_CHARS_MAX = 1_000;

/**
 * Does one run of a job: from its checkpoint until it is done, stopped, or over its time limit. The
 * end is on record before this returns.
 * @throws if Neo4j is away or overloaded; then repeat the run, which continues at its checkpoint
 */
export async function performJobRun<Deps extends JobDeps>(
  deps: Deps,
  job: Job<Deps>,
  {
    jobRunId,
    signal: outer,
    isAsked = false,
  }: {
    readonly jobRunId: string;
    readonly signal: AbortSignal;
    /** Default: whether runJob asked for a run since the last one began. */
    readonly isAsked?: boolean;
  },
): Promise<JobRunEnd> {
  const { graph, clock } = deps;
  const { name, timeLimitSeconds = JOB_TIME_LIMIT_SECONDS } = job;
  const begun = await graph.write((tx) => beginJobRun(tx, { name, jobRunId, now: instant(clock) }));
  if (begun === null) return 'paused';

  const stopping = new AbortController();
  const stop = (reason: StopReason) => stopping.abort(new JobRunStopped(reason));
  const onCancel = () => stop('cancelled');
  if (outer.aborted) onCancel();
  else outer.addEventListener('abort', onCancel, { once: true });
  const limit = setTimeout(() => stop('over its time'), timeLimitSeconds * 1_000);

  let progressEntryAtMs = performance.now();
  async function progressIn(tx: WriteTx, at: JobProgress): Promise<void> {
    if (stopping.signal.aborted) throw stopping.signal.reason;
    const { isOurs, paused } = await saveProgress(tx, {
      name,
      jobRunId,
      now: instant(clock),
      ...at,
    });
    if (!isOurs) {
      stop('taken over');
      throw stopping.signal.reason;
    }
    // The transaction still commits its work; only the next step is not taken.
    if (paused) stop('paused');
    const sinceEntryMs = performance.now() - progressEntryAtMs;
    if (job.isQuiet === true || sinceEntryMs < PROGRESS_ENTRY_EVERY_MS) return;
    progressEntryAtMs = performance.now();
    await appendEntries(tx, [jobEntry(deps, name, 'progress')]);
  }
  async function progress(at: JobProgress): Promise<void> {
    await graph.write((tx) => progressIn(tx, at));
    deps.wake();
    if (stopping.signal.aborted) throw stopping.signal.reason;
  }

  let failure: unknown = null;
  try {
    const { signal } = stopping;
    const work = job.run(deps, {
      checkpoint: begun.checkpoint,
      isAsked: isAsked || begun.isAsked,
      signal,
      progress,
      progressIn,
    });
    await Promise.race([work, rejectWhenAbandoned(signal, work)]);
  } catch (error) {
    failure = error;
  } finally {
    clearTimeout(limit);
    outer.removeEventListener('abort', onCancel);
  }
  let end: JobRunEnd = failure === null ? 'done' : 'failed';
  if (stopping.signal.aborted) end = (stopping.signal.reason as JobRunStopped).reason;
  if (end === 'failed' && isOutage(failure)) throw failure;
  // From here on, late saves of an abandoned job are refused.
  stopping.abort(new JobRunStopped('taken over'));
  await recordEnd(deps, job, { jobRunId, end, failure });
  return end;
}

/** Records that a job run failed whose tries ended the processes that made them. */
export async function failLostJobRun<Deps extends JobDeps>(
  deps: Deps,
  job: Job<Deps>,
  jobRunId: string,
): Promise<void> {
  const failure = new Error('The process of the Workers ended while this job was at work, twice.');
  await recordEnd(deps, job, { jobRunId, end: 'failed', failure });
}

/** Records the end, and reports it unless a quiet job ended with the same error as before. */
async function recordEnd<Deps extends JobDeps>(
  deps: Deps,
  { name, isQuiet, timeLimitSeconds = JOB_TIME_LIMIT_SECONDS }: Job<Deps>,
  ended: { readonly jobRunId: string; readonly end: JobRunEnd; readonly failure: unknown },
): Promise<void> {
  const { jobRunId, end, failure } = ended;
  const error = errorOf(end, failure, timeLimitSeconds);
  const isReported = await deps.graph.write(async (tx) => {
    const recorded = await endJobRun(tx, { name, jobRunId, error });
    if (recorded === null) return true;
    // Quiet jobs run every few seconds: report an error only when it changes.
    if (isQuiet === true && recorded.errorBefore === error) return false;
    await appendEntries(tx, [jobEntry(deps, name, end)]);
    return true;
  });
  if (end === 'failed' && isReported)
    deps.log.error('A job failed', { operation: name, error: failure });
  deps.wake();
}

function errorOf(end: JobRunEnd, failure: unknown, seconds: number): string | null {
  if (end === 'over its time') {
    const next = 'the next run continues at its checkpoint';
    return `It took longer than ${seconds} s and was stopped; ${next}.`;
  }
  if (end !== 'failed') return null;
  const message = failure instanceof Error ? failure.message : String(failure);
  return firstChars(String(scrub(message)), ERROR_CHARS_MAX);
}

/** Rejects when `work` has not ended ABANDON_AFTER_MS after the signal. */
const rejectWhenAbandoned = (signal: AbortSignal, work: Promise<void>): Promise<never> =>
  new Promise<never>((_resolve, reject) => {
    const abandonLater = () => {
      const timer = setTimeout(() => reject(signal.reason as Error), ABANDON_AFTER_MS);
      void work.catch(() => {}).then(() => clearTimeout(timer));
    };
    if (signal.aborted) abandonLater();
    else signal.addEventListener('abort', abandonLater, { once: true });
  });
