import { activityInfo } from '@temporalio/activity';
import { instant } from '../../src/common/clock.ts';
import { NO_USAGE, type RunError, ToolFault } from '../../src/common/tool-fault.ts';
import { whileBeating } from '../../src/platform/temporal/beating.ts';
import { notePause } from '../../src/runs/steps/note.cypher.ts';
import { findCachedStep } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepAnswer, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure, stepFailure, toFailure } from '../failure.ts';
import { type Attempt, callTool, openAttempt, type ToolResult } from './call-tool.ts';
import { openGate } from './gate.ts';
import { consentOf } from './memory-consent.ts';
import { type ClaimedAttempt, claimAttempt } from './step-claim.ts';
import { endCompleted, endFailed } from './step-end.ts';
import { prepareJob, type StepJob } from './step-job.ts';
import { openStepStream } from './step-stream.ts';

/**
 * One attempt of one step (S4-EXEC-01): prepare, claim, gate, call with its stream, end. The end is
 * one transaction that records the output or the error, the usage and the entry. A repeat of an
 * ended step returns the record.
 */
export function createExecuteStep(deps: RunContext): (call: StepCall) => Promise<StepAnswer> {
  // Temporal answers a heartbeat with the cancel, and a cancel has to reach the Tool within 2 s.
  return async (call) => {
    const attempt = openAttempt(deps.slots);
    const work = async (trust: () => void) => {
      try {
        return await executeStep(deps, call, attempt, trust);
      } catch (error) {
        throw toFailure(deps, error, `executeStep ${call.stepId} of ${call.run.runId}`);
      } finally {
        attempt.close();
      }
    };
    // Closed here too: work that is left behind does not end.
    return whileBeating(work).finally(attempt.close);
  };
}

async function executeStep(
  deps: RunContext,
  call: StepCall,
  attempt: Attempt,
  trust: () => void,
): Promise<StepAnswer> {
  const prepared = await prepareJob(deps, call);
  // Before the cache is read too: an equal call of the owner's own Process may have filled it.
  const consent = await consentOf(deps, prepared);
  if (consent.kind === 'unasked') return { status: 'asks', memory: consent.memory };
  const workerId = attempt.takeSlot(prepared.tool.operation.type);
  const refused = consent.kind === 'refused' ? consent.fault : null;
  const job: StepJob = { ...prepared, workerId, invalid: refused ?? prepared.invalid };

  // A pause is no attempt, so it is looked for before the claim.
  const pause = await findPause(deps, job);
  // The StepRun counts the attempts that it knows of, also those that are lost.
  const claim = await claimAttempt(deps, job, trust);
  if (claim.kind === 'answered') return claim.answer;

  const { cache } = job;
  let result: ToolResult;
  let source: 'called' | 'cached' = 'called';
  try {
    if (claim.fault !== null) throw claim.fault;
    const cached = cache === null ? null : await deps.graph.read((tx) => findCachedStep(tx, cache));
    if (cached !== null) {
      const stored = { text: JSON.stringify(cached.output), blob: cached.outputBlob };
      const output = await deps.payloads.load(stored);
      result = { output, usage: NO_USAGE, truncated: cached.outputTruncated };
      source = 'cached';
    } else {
      if (pause !== null) throw pause;
      result = await callThroughGate(deps, job, claim, attempt);
    }
  } catch (error) {
    if (isInfrastructure(error)) throw error;
    return endFailed(deps, job, claim.record, attempt.wasShutDown() ? 'shutdown' : error);
  }
  return endCompleted(deps, job, claim.record, result, source);
}

/** Pauses beyond this time since the step was due count as attempts, so that the step ends. */
const PAUSED_MS_MAX = 5 * 60_000;

/**
 * The pause of calls to the Tool's target; null where there is none, and where an equal call's
 * output may be reused.
 * @throws TARGET_UNHEALTHY, repeated after the pause, where the pause is no attempt
 */
async function findPause(deps: RunContext, job: StepJob): Promise<ToolFault | null> {
  const pause = pauseOf(deps, job);
  if (pause === null || job.invalid !== null) return pause;
  const { cache } = job;
  if (cache !== null && (await deps.graph.read((tx) => findCachedStep(tx, cache))) !== null)
    return pause;
  if (Date.now() - activityInfo().scheduledTimestampMs > PAUSED_MS_MAX) return pause;
  const { run, stepId, index } = job.call;
  const error = toRunError(pause, stepId);
  const now = instant(deps.clock);
  const isNoted = await deps.graph.write((tx) => notePause(tx, { run, stepId, index, error, now }));
  if (isNoted) throw stepFailure(error, { retryInMs: pause.retryAfterMs ?? 1_000 });
  return pause;
}

function pauseOf(deps: RunContext, job: StepJob): ToolFault | null {
  try {
    deps.circuits.check(job);
    return null;
  } catch (error) {
    if (error instanceof ToolFault) return error;
    throw error;
  }
}

function toRunError({ code, message, details }: ToolFault, stepId: string): RunError {
  return { code, message, stepId, details };
}

async function callThroughGate(
  deps: RunContext,
  job: StepJob,
  claim: ClaimedAttempt,
  attempt: Attempt,
): Promise<ToolResult> {
  try {
    const target = await openGate(deps, job, claim.tool);
    const stream = openStepStream(deps, job, claim.record);
    // The text has to be in the log before the end of the step is.
    const result = await callTool(deps, job, target, stream, attempt).finally(stream.close);
    deps.circuits.ended(job, null);
    return result;
  } catch (error) {
    if (!isInfrastructure(error)) deps.circuits.ended(job, error);
    throw error;
  }
}
