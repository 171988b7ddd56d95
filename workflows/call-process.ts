import {
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  sleep,
} from '@temporalio/workflow';
import type { Held, InputSource, ParentCall } from '../activities/contract.ts';
import { backoffMs } from '../src/common/backoff.ts';
import { jsonBytes } from '../src/common/json.ts';
import type { RunError } from '../src/runs/fault.ts';
import { processesQueue } from '../src/runs/run.ts';
import { errorAtCaller } from '../src/runs/run-error.ts';
import { isWorthRetrying, retryOf } from '../src/runs/step-run.ts';
import { CALL_BYTES } from './call-tool.ts';
import type { ExecuteProcess, ExecuteProcessInput } from './execute-process-input.ts';
import { Drained, readFailure, runError } from './failures.ts';
import { refused, type Story } from './story.ts';
import type { Unit } from './unit.ts';

/** One call of a Process: a run of its own as a child workflow, each attempt another one (S4-EXEC-12). */
export async function callProcess(
  story: Story,
  unit: Unit,
  processId: string,
  inputs: InputSource,
): Promise<Held> {
  const { run, control, window } = story;
  const { step, index } = unit;
  if (run.depth + 1 > run.depthMax) {
    const message = `Step ${step.id} would call a Process at depth ${run.depth + 1}; the limit of this chain of runs is ${run.depthMax}.`;
    const details = { runPath: [...run.runPath] };
    throw await refused(story, step, index, runError('RECURSION_LIMIT', message, step.id, details));
  }
  const retry = retryOf(step, 'mutating');
  for (let attempt = 1; ; attempt++) {
    const childRunId = story.newId();
    const parent: ParentCall = {
      run,
      stepId: step.id,
      index,
      attempt,
      willRetry: attempt < retry.maximumAttempts ? 'if it fails' : 'no',
    };
    await control.gate();
    const leave = await window.enter(jsonBytes(inputs) + CALL_BYTES);
    try {
      if (control.drained) throw new Drained();
      return await startChild(story, { ...parent, inputs }, unit, processId, childRunId);
    } catch (error) {
      if (error instanceof Drained) throw error;
      const reason = childFailure(error, childRunId, step.id);
      if (attempt >= retry.maximumAttempts || !isWorthRetrying(reason.code, retry)) {
        throw await refused(story, step, index, reason);
      }
    } finally {
      leave();
    }
    await sleep(backoffMs(retry.backoff, attempt));
  }
}

async function startChild(
  { run, definition, continueAfterEvents }: Story,
  parent: NonNullable<ExecuteProcessInput['parent']>,
  { step }: Unit,
  processId: string,
  childRunId: string,
): Promise<Held> {
  const input: ExecuteProcessInput = {
    run: {
      ...run,
      runId: childRunId,
      runPath: [...run.runPath, childRunId],
      depth: run.depth + 1,
      processId,
      // Nothing bounds a sub-process but what its step says: it may wait for a person for days.
      timeoutSeconds: step.execution.timeout ?? null,
    },
    begun: null,
    parent,
    carried: null,
    continueAfterEvents,
  };
  const output = await executeChild<ExecuteProcess>('executeProcess', {
    workflowId: childRunId,
    taskQueue: processesQueue(run.queuePrefix),
    args: [input],
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    staticSummary: `${step.id} of ${definition.name}`,
  });
  return output ?? { inline: null };
}

function childFailure(error: unknown, childRunId: string, stepId: string): RunError {
  const wasCancelledAlone =
    error instanceof ChildWorkflowFailure &&
    isCancellation(error.cause) &&
    !CancellationScope.current().consideredCancelled;
  const reason = wasCancelledAlone
    ? runError('CANCELLED', 'The sub-process was cancelled.', null)
    : readFailure(error, stepId).error;
  return errorAtCaller(reason, childRunId, stepId);
}
