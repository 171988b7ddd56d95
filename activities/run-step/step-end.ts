import { backoffMs } from '../../src/common/backoff.ts';
import type { Json } from '../../src/common/json.ts';
import { NO_USAGE, type RunError, ToolFault } from '../../src/common/tool-fault.ts';
import type { AttemptEnd } from '../../src/runs/attempts/attempt.cypher.ts';
import { entryValue } from '../../src/runs/events/run-entry.ts';
import { type PageAnswer, pageIn } from '../../src/runs/steps/page.ts';
import type { StepStatus } from '../../src/runs/steps/step-run.ts';
import type { StepAnswer } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { stepFailure } from '../failure.ts';
import { toValueOrRef } from '../value-or-ref.ts';
import type { AttemptRecord } from './attempt-record.ts';
import { roundAnswer } from './round-job.ts';
import type { StepJob, ToolResult } from './step-job.ts';

/**
 * Records the output with its usage and entry, in one transaction.
 * @throws INFRASTRUCTURE where another attempt has taken the step over
 */
export async function endCompleted(
  deps: RunContext,
  job: StepJob,
  record: AttemptRecord,
  { output, usage, truncated }: ToolResult,
  source: 'called' | 'cached',
): Promise<StepAnswer> {
  const { run, stepId, index } = job.call;
  const name = `${stepId}/${index ?? ''}/output/${record.attempt}`;
  const stored = await deps.payloads.store(run, name, output);
  const end: AttemptEnd = {
    status: 'completed',
    output: stored.text,
    outputBlob: stored.blob,
    outputBytes: stored.bytes,
    outputTruncated: truncated,
    error: null,
    usage,
    cached: source === 'cached',
    // A cached output is not cached again, or it would never get too old.
    cacheKey: source === 'cached' ? null : (job.cache?.cacheKey ?? null),
  };
  await record.end(end, entryValue(output, stored.bytes));
  return completedAnswer(job, output, stored.bytes);
}

/** The recorded output of a step for the workflow. */
export function completedAnswer(
  { call, round, step }: StepJob,
  output: Json,
  bytes: number,
): StepAnswer {
  const { inlineBytesMax } = call;
  const { pages } = step.execution;
  const page = pages == null ? null : pageIn(pages, output);
  if (page !== null && typeof page !== 'string') {
    const answer: PageAnswer = { next: page.next, bytes };
    return { status: 'completed', output: { inline: { ...answer } } };
  }
  return {
    status: 'completed',
    output:
      round === null
        ? toValueOrRef(output, bytes, inlineBytesMax)
        : roundAnswer(round, output, inlineBytesMax),
  };
}

/**
 * Records the failure, and reports to Temporal whether and when another attempt follows.
 * @param cause `shutdown`: the worker shuts down during the call, so another worker repeats the
 * step where its policy allows
 * @throws always: the recorded failure, or INFRASTRUCTURE where another attempt has taken the step
 * over
 */
export async function endFailed(
  deps: RunContext,
  job: StepJob,
  record: AttemptRecord,
  cause: unknown,
): Promise<never> {
  const { retry, call } = job;
  const { attempt } = record;
  const fault = cause === 'shutdown' ? shutdownFault(job) : toFault(deps, cause, job);
  const willRetry =
    fault.retryable && !retry.nonRetryable.includes(fault.code) && attempt < retry.maximumAttempts;
  const error: RunError = {
    code: fault.code,
    message: fault.message,
    stepId: call.stepId,
    details: fault.details,
  };
  const end: AttemptEnd = {
    status: willRetry ? 'pending' : statusOf(fault),
    output: null,
    outputBlob: null,
    outputBytes: 0,
    outputTruncated: false,
    error,
    usage: fault.usage ?? NO_USAGE,
    cached: false,
    cacheKey: null,
  };
  await record.end(end, { value: null });
  if (!willRetry) throw stepFailure(error, 'final');
  const delayMs = fault.retryAfterMs ?? backoffMs(retry.backoff, attempt);
  const retryInMs = Math.min(Math.max(delayMs, RETRY_AFTER_MS_MIN), RETRY_AFTER_MS_MAX);
  throw stepFailure(error, { retryInMs });
}

// Temporal makes no further attempt where the delay is 0.
const RETRY_AFTER_MS_MIN = 10;
// Longest delay that a server's Retry-After may ask for.
const RETRY_AFTER_MS_MAX = 10 * 60 * 1_000;

function toFault(deps: RunContext, cause: unknown, { key, tool }: StepJob): ToolFault {
  if (cause instanceof ToolFault) return cause;
  deps.onDefect(cause, `executeStep ${key}`);
  return new ToolFault(
    'INTERNAL',
    `${tool.name} could not be called because of an internal fault. The log of the Workers ` +
      'has its cause.',
  );
}

function shutdownFault({ tool }: StepJob): ToolFault {
  const stopped = 'The worker was stopped while the Tool was called';
  const message = tool.mutating ? `${stopped}: outcome unknown.` : `${stopped}.`;
  return new ToolFault('TOOL_FAILED', message, { retryable: true });
}

function statusOf({ code }: ToolFault): StepStatus {
  if (code === 'STEP_TIMEOUT') return 'timed_out';
  return code === 'CANCELLED' ? 'cancelled' : 'failed';
}
