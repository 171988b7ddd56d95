import { setTimeout } from 'node:timers/promises';
import { backoffMs } from '../../src/common/backoff.ts';
import { instant } from '../../src/common/clock.ts';
import type { Json } from '../../src/common/json.ts';
import { NO_USAGE, type RunError, ToolFault } from '../../src/common/tool-fault.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import { endStep, type StepEnd } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepStatus } from '../../src/runs/steps/step-run.ts';
import type { StepAnswer } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure, lostFailure, stepFailure } from '../failure.ts';
import type { AttemptEnd } from './attempt.ts';
import { placeOf, type StepJob } from './step-job.ts';

/** Records the output, in one transaction with its usage and entry. @throws where another attempt has taken over */
export async function endCompleted(
  deps: RunContext,
  job: StepJob,
  attempt: number,
  { output, usage, truncated }: AttemptEnd,
  how: 'called' | 'cached',
): Promise<StepAnswer> {
  const { run, stepId, index } = job.call;
  const stored = await deps.payloads.store(
    run,
    `${stepId}/${index ?? ''}/output/${attempt}`,
    output,
  );
  const recorded = await record(
    deps,
    job,
    attempt,
    {
      status: 'completed',
      output: stored.text,
      outputBlob: stored.blob,
      outputBytes: stored.bytes,
      outputTruncated: truncated,
      error: null,
      usage,
      cached: how === 'cached',
      cacheKey: how === 'cached' ? null : job.cacheKey,
    },
    { output: entryValue(output, stored.bytes), willRetry: false },
  );
  if (!recorded) throw lostFailure();
  return completed(job, output, stored.bytes);
}

export function completed({ call }: StepJob, output: Json, bytes: number): StepAnswer {
  const isSmall = bytes <= call.inlineBytesMax;
  return { status: 'completed', output: isSmall ? { inline: output } : { ref: true, bytes } };
}

/** Records the failure, and says to Temporal whether and when another attempt follows. Never returns. */
export async function endFailed(
  deps: RunContext,
  job: StepJob,
  attempt: number,
  fault: ToolFault,
  more: 'by policy' | 'no more' = 'by policy',
): Promise<never> {
  const { retry, call } = job;
  const willRetry =
    more === 'by policy' &&
    fault.retryable &&
    !retry.nonRetryable.includes(fault.code) &&
    attempt < retry.maximumAttempts;
  const error: RunError = {
    code: fault.code,
    message: fault.message,
    stepId: call.stepId,
    details: fault.details,
  };
  const recorded = await record(
    deps,
    job,
    attempt,
    {
      ...NO_OUTPUT,
      status: willRetry ? 'pending' : statusOf(fault),
      error,
      usage: fault.usage ?? NO_USAGE,
    },
    { output: { value: null }, willRetry },
  );
  if (!recorded) throw lostFailure();
  const delayMs = fault.retryAfterMs ?? backoffMs(retry.backoff, attempt);
  throw stepFailure(
    error,
    willRetry
      ? { retryInMs: Math.min(Math.max(delayMs, RETRY_AFTER_MS_MIN), RETRY_AFTER_MS_MAX) }
      : 'final',
  );
}

// Temporal takes a pause of 0 for the end of all attempts.
const RETRY_AFTER_MS_MIN = 10;
// A server may ask for a pause, but not for a day.
const RETRY_AFTER_MS_MAX = 10 * 60 * 1_000;

/** The worker goes away in good order: another one takes over what can be repeated. */
export async function endShutDown(deps: RunContext, job: StepJob, attempt: number): Promise<never> {
  const fault = job.tool.mutating
    ? new ToolFault(
        'TOOL_FAILED',
        'The worker was stopped while the Tool was called: outcome unknown.',
        { retryable: true },
      )
    : new ToolFault('TOOL_FAILED', 'The worker was stopped while the Tool was called.', {
        retryable: true,
      });
  return endFailed(deps, job, attempt, fault);
}

const NO_OUTPUT = {
  output: null,
  outputBlob: null,
  outputBytes: 0,
  outputTruncated: false,
  cached: false,
  cacheKey: null,
} as const;

function statusOf({ code }: ToolFault): StepStatus {
  if (code === 'STEP_TIMEOUT') return 'timed_out';
  return code === 'CANCELLED' ? 'cancelled' : 'failed';
}

type Ending = Omit<StepEnd, 'key' | 'attempt' | 'now' | 'entry' | 'settle'>;
type EndFacts = { output: ReturnType<typeof entryValue>; willRetry: boolean };

async function record(
  deps: RunContext,
  job: StepJob,
  attempt: number,
  ending: Ending,
  facts: EndFacts,
): Promise<boolean> {
  const { call, tool, key } = job;
  const now = instant(deps.clock);
  const entry = runEntry(deps, call.run, 'step.ended', {
    ...placeOf(job, attempt),
    ...facts,
    name: tool.name,
    type: tool.operation.type,
    targetId: tool.id,
    status: ending.status === 'pending' ? 'failed' : ending.status,
    outputTruncated: ending.outputTruncated,
    error: ending.error,
    usage: ending.usage,
    cached: ending.cached,
    speaks: job.speaks,
    childRunId: null,
    call: {
      targetId: tool.id,
      serviceId: tool.serviceId,
      processId: call.run.processId,
      workerId: job.workerId,
      startedAt: job.startedAt,
    },
  });
  const settles = call.run.budgeted && tool.operation.type === 'llm_call';
  const end: StepEnd = {
    ...ending,
    key,
    attempt,
    now,
    entry,
    settle: settles ? { rootRunId: call.run.rootRunId } : null,
  };
  const recorded = await insist(() => deps.graph.write((tx) => endStep(tx, end)));
  deps.wake();
  return recorded;
}

// The Tool was called and its answer is here and nowhere else: worth waiting for Neo4j a little longer than its driver does.
const WRITE_TRIES = 4;

async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!isInfrastructure(error) || tries === WRITE_TRIES) throw error;
      await setTimeout(1_000);
    }
  }
}
