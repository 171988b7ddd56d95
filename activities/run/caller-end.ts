import { fitToBudget } from '../../src/common/token-budget.ts';
import type { Usage } from '../../src/common/tool-fault.ts';
import { errorAtCaller } from '../../src/runs/end/run-error.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import type { StoredPayload } from '../../src/runs/run/payloads.service.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import type { FinishCall, ParentCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';

/** The end of a run, with its output as text. */
export interface RunResult {
  readonly outcome: FinishCall['outcome'];
  readonly output: string | null;
  readonly truncated: boolean;
}

/**
 * The end of the calling step of a sub-run: the output, cut to that step's token budget, and the
 * entry `step.ended`.
 */
export async function callerEnd(
  deps: RunContext,
  run: RunHead,
  parent: ParentCall,
  definition: ProcessSnapshot,
  { outcome, output, truncated }: RunResult,
  stored: StoredPayload | null,
  usage: Usage,
) {
  const known = await deps.snapshots.get(parent.run.snapshotHash);
  const calling = known.findStep(parent.run.processId, parent.stepId);
  const fitted = fitToBudget(output, calling?.output.tokenBudget);
  const value = fitted.truncated
    ? await deps.payloads.store(run, 'output-for-caller', fitted.output)
    : stored;
  const error =
    outcome.status === 'completed' ? null : errorAtCaller(outcome.error, run.runId, parent.stepId);
  const willRetry = error !== null && parent.willRetry === 'if it fails';
  return {
    output: typeof fitted.output === 'string' ? fitted.output : null,
    stored: value,
    key: stepKey(parent.run.runId, parent.stepId, parent.index),
    props: {
      status: willRetry ? 'pending' : outcome.status,
      output: value?.text ?? null,
      outputBlob: value?.blob ?? null,
      outputBytes: value?.bytes ?? 0,
      outputTruncated: truncated || fitted.truncated,
      error: error === null ? null : JSON.stringify(error),
    },
    entry: runEntry(deps, parent.run, 'step.ended', {
      stepId: parent.stepId,
      index: parent.index,
      attempt: parent.attempt,
      name: definition.name,
      type: 'process',
      targetId: definition.id,
      status: outcome.status,
      output: value === null ? { value: null } : entryValue(fitted.output, value.bytes),
      outputTruncated: truncated || fitted.truncated,
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
