import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { instant } from '../../src/common/clock.ts';
import { NO_USAGE, type RunError, ToolFault } from '../../src/common/tool-fault.ts';
import { whileBeating } from '../../src/platform/temporal/beating.ts';
import { notePause } from '../../src/runs/steps/note.cypher.ts';
import { pageIn } from '../../src/runs/steps/page.ts';
import { findCachedStep } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepRun } from '../../src/runs/steps/step-run.ts';
import type { StepAnswer, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure, stepFailure, toFailure } from '../failure.ts';
import { type Attempt, Elsewhere, openAttempt } from './attempt.ts';
import { callTool } from './call-tool.ts';
import { consentOf } from './memory-consent.ts';
import { prepareRound } from './round-job.ts';
import { claimAttempt } from './step-claim.ts';
import { endCompleted, endFailed } from './step-end.ts';
import { prepareJob, type StepJob, type ToolResult } from './step-job.ts';

/**
 * One attempt of one step (S4-EXEC-01): prepare, claim, gate, call with its stream, end. The end is
 * one write that records the output or the error, the usage and the entry. A repeat of an ended
 * step returns the record.
 *
 * A workflow may make an attempt itself, in a local activity. Where that is not possible or has
 * failed for now, the answer is `elsewhere`, and the step goes to the queue.
 */
export function createExecuteStep(deps: RunContext): (call: StepCall) => Promise<StepAnswer> {
  // Temporal answers a heartbeat with the cancel, and a cancel has to reach the Tool within 2 s.
  return async (call) => {
    const attempt = openAttempt(deps.slots, deps.quickTools);
    const work = async (trust: () => void) => {
      try {
        return await executeStep(deps, call, attempt, trust);
      } catch (error) {
        if (error instanceof Elsewhere) throw error;
        throw toFailure(deps, error, `executeStep ${call.stepId} of ${call.run.runId}`);
      } finally {
        attempt.close();
      }
    };
    if (attempt.isLocal) return work(() => {}).catch(elsewhere);
    // Closed here too: work that is left behind does not end.
    return whileBeating(work).finally(attempt.close);
  };
}

/** @throws the failure where it is final */
function elsewhere(error: unknown): StepAnswer {
  if (error instanceof Elsewhere) return { status: 'elsewhere', inMs: 0 };
  if (!(error instanceof ApplicationFailure) || error.nonRetryable === true) throw error;
  const { nextRetryDelay } = error;
  return { status: 'elsewhere', inMs: typeof nextRetryDelay === 'number' ? nextRetryDelay : 0 };
}

async function executeStep(
  deps: RunContext,
  call: StepCall,
  attempt: Attempt,
  trust: () => void,
): Promise<StepAnswer> {
  const round = await prepareRound(deps, call);
  const prepared = await prepareJob(deps, call, round, attempt);
  // Before the cache is read too: an equal call of the owner's own Process may have filled it.
  const consent = await consentOf(deps, prepared);
  if (consent.kind === 'unasked') return { status: 'asks', memory: consent.memory };
  const job = consent.kind === 'refused' ? { ...prepared, invalid: consent.fault } : prepared;
  const { cache } = job;
  const cached = cache === null ? null : await deps.graph.read((tx) => findCachedStep(tx, cache));
  // A pause is no attempt, so it comes before the claim.
  const pause = cached === null ? await pauseBefore(deps, job) : null;

  const claim = await claimAttempt(deps, job, attempt, trust);
  if (claim.kind === 'answered') return claim.answer;
  let result: ToolResult;
  try {
    const fault = claim.fault ?? pause;
    if (fault !== null) throw fault;
    result =
      cached === null ? await callTool(deps, job, claim, attempt) : await reuse(deps, cached);
    checkPage(job, result);
  } catch (error) {
    if (isInfrastructure(error) || error instanceof Elsewhere) throw error;
    return endFailed(deps, job, claim.record, attempt.wasShutDown() ? 'shutdown' : error);
  }
  return endCompleted(deps, job, claim.record, result, cached === null ? 'called' : 'cached');
}

/** @throws ToolFault OUTPUT_INVALID where the output of a step with pages is no page */
function checkPage({ step, tool }: StepJob, { output, usage }: ToolResult): void {
  const { pages } = step.execution;
  const page = pages == null ? null : pageIn(pages, output);
  if (typeof page === 'string')
    throw new ToolFault('OUTPUT_INVALID', `The output of ${tool.name}: ${page}`, { usage });
}

/** The output of an equal call. */
async function reuse(
  { payloads }: RunContext,
  { output, outputBlob: blob, outputTruncated: truncated }: StepRun,
): Promise<ToolResult> {
  const loaded = await payloads.load({ text: JSON.stringify(output), blob });
  return { output: loaded, usage: NO_USAGE, truncated };
}

/** Pauses beyond this time since the step was due count as attempts, so that the step ends. */
const PAUSED_MS_MAX = 5 * 60_000;

/**
 * The pause of calls to the Tool's target, which fails this attempt; null where there is none.
 * @throws TARGET_UNHEALTHY, repeated after the pause, where the pause is no attempt
 */
async function pauseBefore(deps: RunContext, job: StepJob): Promise<ToolFault | null> {
  const pause = deps.circuits.pauseOf(job);
  if (pause === null || job.invalid !== null) return pause;
  if (Date.now() - activityInfo().scheduledTimestampMs > PAUSED_MS_MAX) return pause;
  const { run, stepId, index } = job.call;
  const { code, message, details, retryAfterMs } = pause;
  const error: RunError = { code, message, stepId, details };
  const now = instant(deps.clock);
  const isNoted = await deps.graph.write((tx) => notePause(tx, { run, stepId, index, error, now }));
  if (isNoted) throw stepFailure(error, { retryInMs: retryAfterMs ?? 1_000 });
  return pause;
}
