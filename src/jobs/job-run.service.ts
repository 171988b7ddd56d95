import { instant } from '../common/clock.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import { isOutage } from '../platform/neo4j/graph.ts';
import { scrub } from '../platform/telemetry/scrub.ts';
import type { JobDeps } from './deps.ts';
import { beginTurn, endTurn, saveProgress } from './job.cypher.ts';
import {
  JOB_TIME_LIMIT_SECONDS,
  type JobProgress,
  JobRunStopped,
  jobEntry,
  type StopReason,
} from './job.ts';
import type { Job } from './job-definition.service.ts';

/** How a turn ended; `failed` has its message in the record. */
export type JobRunEnd = 'done' | 'failed' | StopReason;

// A job that does not look at its signal is left behind: what it saves later is refused, because the turn is no longer its.
const LET_GO_MS = 5_000;
const TELL_EVERY_MS = 1_000;
const ERROR_CHARS_MAX = 1_000;

/**
 * One turn of a job: from its checkpoint, within its time, until it is done or told to stop. Its end is on record before
 * this answers. @throws when Neo4j is away or overwhelmed; then the turn is to be repeated, and goes on at its checkpoint
 */
export async function performJobRun<Deps extends JobDeps>(
  deps: Deps,
  job: Job<Deps>,
  { turnId, signal: outer }: { readonly turnId: string; readonly signal: AbortSignal },
): Promise<JobRunEnd> {
  const { graph, clock, log } = deps;
  const { name, timeLimitSeconds = JOB_TIME_LIMIT_SECONDS } = job;
  const begun = await graph.write((tx) => beginTurn(tx, { name, turnId, now: instant(clock) }));
  if (begun === null) return 'paused';

  const stopping = new AbortController();
  const stop = (reason: StopReason) => stopping.abort(new JobRunStopped(reason));
  const onCancel = () => stop('cancelled');
  if (outer.aborted) onCancel();
  else outer.addEventListener('abort', onCancel, { once: true });
  const limit = setTimeout(() => stop('over its time'), timeLimitSeconds * 1_000);

  let toldAtMs = clock.nowMs();
  async function progressIn(tx: WriteTx, at: JobProgress): Promise<void> {
    if (stopping.signal.aborted) throw stopping.signal.reason;
    const now = instant(clock);
    const { isOurs, paused } = await saveProgress(tx, { name, turnId, now, ...at });
    if (!isOurs) {
      stop('taken over');
      throw stopping.signal.reason;
    }
    // What was done is saved; the next step is not taken.
    if (paused) stop('paused');
    if (job.isQuiet === true || clock.nowMs() - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = clock.nowMs();
    await appendEntries(tx, [jobEntry(deps, name, 'progress')]);
  }
  async function progress(at: JobProgress): Promise<void> {
    await graph.write((tx) => progressIn(tx, at));
    deps.wake();
    if (stopping.signal.aborted) throw stopping.signal.reason;
  }

  let end: JobRunEnd = 'done';
  let failure: unknown = null;
  try {
    const { signal } = stopping;
    const work = job.run(deps, { checkpoint: begun.checkpoint, signal, progress, progressIn });
    await Promise.race([work, letGo(signal, work)]);
  } catch (error) {
    failure = error;
  } finally {
    clearTimeout(limit);
    outer.removeEventListener('abort', onCancel);
  }
  if (stopping.signal.aborted) end = (stopping.signal.reason as JobRunStopped).reason;
  else if (failure !== null) end = 'failed';
  if (end === 'failed' && isOutage(failure)) throw failure;
  // Late saves of a job that was left behind are refused from here on.
  stopping.abort(new JobRunStopped('taken over'));
  const error = errorOf(end, failure, timeLimitSeconds);
  const isNews = await graph.write(async (tx) => {
    const ended = await endTurn(tx, { name, turnId, error });
    if (ended === null) return true;
    // What is tried every few seconds says once what is wrong, not each time.
    if (job.isQuiet === true && ended.errorBefore === error) return false;
    await appendEntries(tx, [jobEntry(deps, name, end)]);
    return true;
  });
  if (end === 'failed' && isNews) log.error('A job failed', { operation: name, error: failure });
  deps.wake();
  return end;
}

function errorOf(end: JobRunEnd, failure: unknown, seconds: number): string | null {
  if (end === 'over its time')
    return `It took longer than ${seconds} s and was stopped; the next turn goes on from its checkpoint.`;
  if (end !== 'failed') return null;
  const message = failure instanceof Error ? failure.message : String(failure);
  return String(scrub(message)).slice(0, ERROR_CHARS_MAX);
}

/** Rejects when `work` has not ended some time after the signal. */
function letGo(signal: AbortSignal, work: Promise<void>): Promise<never> {
  return new Promise<never>((_resolve, reject) => {
    const leave = () => {
      const timer = setTimeout(() => reject(signal.reason as Error), LET_GO_MS);
      void work.catch(() => {}).then(() => clearTimeout(timer));
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
