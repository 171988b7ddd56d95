import { NO_USAGE } from '../../src/common/tool-fault.ts';
import { findCachedStep } from '../../src/runs/steps/step-run.cypher.ts';
import type { StepAnswer, StepCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure, toFailure } from '../failure.ts';
import { type Attempt, callTool, openAttempt, type ToolResult } from './call-tool.ts';
import { openGate } from './gate.ts';
import { claimAttempt } from './step-claim.ts';
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
      const target = await openGate(deps, job, claim.tool);
      const stream = openStepStream(deps, job, claim.attempt);
      // The text has to be in the log before the end of the step is.
      result = await callTool(deps.drivers, job, target, stream, attempt).finally(stream.close);
    }
  } catch (error) {
    if (isInfrastructure(error)) throw error;
    return endFailed(deps, job, claim.attempt, attempt.wasShutDown() ? 'shutdown' : error);
  }
  return endCompleted(deps, job, claim.attempt, result, source);
}
