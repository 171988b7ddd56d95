import { NO_USAGE } from '../../src/common/tool-fault.ts';
import { findCachedStep } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepAnswer, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure, toFailure } from '../failure.ts';
import { type Attempt, callTool, openAttempt, type ToolResult } from './call-tool.ts';
import { openGate } from './gate.ts';
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
  return async (call) => {
    const attempt = openAttempt(deps.slots);
    try {
      return await executeStep(deps, call, attempt);
    } catch (error) {
      throw toFailure(deps, error, `executeStep ${call.stepId} of ${call.run.runId}`);
    } finally {
      attempt.close();
    }
  };
}

async function executeStep(
  deps: RunContext,
  call: StepCall,
  attempt: Attempt,
): Promise<StepAnswer> {
  const prepared = await prepareJob(deps, call);
  const workerId = attempt.takeSlot(prepared.tool.operation.type);
  const job: StepJob = { ...prepared, workerId };

  const claim = await claimAttempt(deps, job);
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
      deps.circuits.check(job);
      result = await callThroughGate(deps, job, claim, attempt);
    }
  } catch (error) {
    if (isInfrastructure(error)) throw error;
    return endFailed(deps, job, claim.attempt, attempt.wasShutDown() ? 'shutdown' : error);
  }
  return endCompleted(deps, job, claim.attempt, result, source);
}

async function callThroughGate(
  deps: RunContext,
  job: StepJob,
  claim: ClaimedAttempt,
  attempt: Attempt,
): Promise<ToolResult> {
  try {
    const target = await openGate(deps, job, claim.tool);
    const stream = openStepStream(deps, job, claim.attempt);
    // The text has to be in the log before the end of the step is.
    const result = await callTool(deps, job, target, stream, attempt).finally(stream.close);
    deps.circuits.ended(job, null);
    return result;
  } catch (error) {
    if (!isInfrastructure(error)) deps.circuits.ended(job, error);
    throw error;
  }
}
