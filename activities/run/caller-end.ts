import { fitToBudget } from '../../src/common/token-budget.ts';
import type { CallingStepEnd, RunEnding } from '../../src/runs/end/end-run.mutations.ts';
import { errorAtCaller } from '../../src/runs/end/run-error.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import type { StoredPayload } from '../../src/runs/run/payloads.service.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import type { ParentCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';

/** The output of a sub-run as its calling step gets it. */
export interface CallerEnd extends CallingStepEnd {
  readonly output: string | null;
  readonly stored: StoredPayload | null;
}

/**
 * The end of the calling step of a sub-run: the output, cut to that step's token budget, and the
 * entry `step.ended`.
 * @param name of the sub-run's Process
 */
export async function callerEnd(
  deps: RunContext,
  parent: ParentCall,
  name: string,
  { run, outcome, output, usage }: RunEnding,
): Promise<CallerEnd> {
  const known = await deps.snapshots.get(parent.run.snapshotHash);
  const calling = known.findStep(parent.run.processId, parent.stepId);
  const fitted = fitToBudget(output?.text ?? null, calling?.output.tokenBudget);
  const stored = fitted.truncated
    ? await deps.payloads.store(run, 'output-for-caller', fitted.output)
    : (output?.stored ?? null);
  const error =
    outcome.status === 'completed' ? null : errorAtCaller(outcome.error, run.runId, parent.stepId);
  const willRetry = error !== null && parent.willRetry === 'if it fails';
  const outputTruncated = fitted.truncated || output?.truncated === true;
  return {
    output: typeof fitted.output === 'string' ? fitted.output : null,
    stored,
    step: {
      key: stepKey(parent.run.runId, parent.stepId, parent.index),
      props: {
        status: willRetry ? 'pending' : outcome.status,
        output: stored?.text ?? null,
        outputBlob: stored?.blob ?? null,
        outputBytes: stored?.bytes ?? 0,
        outputTruncated,
        error: error === null ? null : JSON.stringify(error),
      },
    },
    entry: runEntry(deps, parent.run, 'step.ended', {
      stepId: parent.stepId,
      index: parent.index,
      attempt: parent.attempt,
      name,
      type: 'process',
      targetId: run.processId,
      status: outcome.status,
      output: stored === null ? { value: null } : entryValue(fitted.output, stored.bytes),
      outputTruncated,
      error,
      usage,
      cached: false,
      willRetry,
      speaks: false,
      childRunId: run.runId,
      call: null,
    }),
  };
}
