import {
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { backoffMs } from '../../src/common/backoff.ts';
import { jsonBytes } from '../../src/common/json.ts';
import type { RunError } from '../../src/common/tool-fault.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { errorAtCaller } from '../../src/runs/end/run-error.ts';
import { processesQueue, type ValueOrRef, workflowIdOf } from '../../src/runs/run/run.ts';
import { childAttributesOf } from '../../src/runs/start/run-attributes.ts';
import { isWorthRetrying, retryOf } from '../../src/runs/steps/step-run.ts';
import type { ExecuteProcess, ExecuteProcessInput } from '../execute-process.contract.ts';
import { CALL_BYTES } from './call-tool.ts';
import type { InputSource, ParentCall } from './contract.ts';
import { ContinueAsNewRequested, readFailure, runError } from './failures.ts';
import { type RunState, refused, type StepInstance } from './run-state.ts';

/** Whether items of the step's forEach become sub-runs: it calls a Process, or offers one. */
export function callsProcessPerItem({ calls, execution, tools }: ProcessStep): boolean {
  if (execution.forEach == null) return false;
  return 'processId' in calls || (tools ?? []).some((tool) => 'processId' in tool);
}

/** Calls a Process as a sub-run in a child workflow. Each attempt is a new sub-run (S4-EXEC-12). */
export async function callProcess(
  runState: RunState,
  instance: StepInstance,
  processId: string,
  inputs: InputSource,
): Promise<ValueOrRef> {
  const { run, control, window } = runState;
  const { step, index } = instance;
  if (run.depth + 1 > run.depthMax) {
    const message =
      `Step ${step.id} would call a Process at depth ${run.depth + 1}; the limit of this chain ` +
      `of runs is ${run.depthMax}.`;
    const details = { runPath: [...run.runPath] };
    throw await refused(
      runState,
      step,
      index,
      runError('RECURSION_LIMIT', message, step.id, details),
    );
  }
  const retry = retryOf(step, 'mutating');
  for (let attempt = 1; ; attempt++) {
    const childRunId = runState.newId();
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
      if (control.continueAsNewRequested) throw new ContinueAsNewRequested();
      return await startChild(runState, { ...parent, inputs }, instance, processId, childRunId);
    } catch (error) {
      if (error instanceof ContinueAsNewRequested) throw error;
      const reason = childFailure(error, childRunId, step.id);
      if (attempt >= retry.maximumAttempts || !isWorthRetrying(reason.code, retry))
        throw await refused(runState, step, index, reason);
    } finally {
      leave();
    }
    await sleep(backoffMs(retry.backoff, attempt));
  }
}

async function startChild(
  { run, definition, continueAfterEvents, indexesChildren }: RunState,
  parent: NonNullable<ExecuteProcessInput['parent']>,
  { step, index }: StepInstance,
  processId: string,
  childRunId: string,
): Promise<ValueOrRef> {
  const input: ExecuteProcessInput = {
    run: {
      ...run,
      runId: childRunId,
      runPath: [...run.runPath, childRunId],
      depth: run.depth + 1,
      processId,
      // No default timeout: a sub-process may wait for a person for days.
      timeoutSeconds: step.execution.timeout ?? null,
    },
    begun: null,
    parent,
    carried: null,
    continueAfterEvents,
    finishesLocally: true,
  };
  const attributes = childAttributesOf(workflowInfo().typedSearchAttributes.getAll(), processId);
  const output = await executeChild<ExecuteProcess>('executeProcess', {
    workflowId: workflowIdOf(childRunId, indexesChildren ? index : null),
    taskQueue: processesQueue(run.queuePrefix),
    args: [input],
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    staticSummary: `${index === null ? step.id : `${step.id} [${index}]`} of ${definition.name}`,
    memo: { parentRunId: run.runId, stepId: step.id, index },
    ...(attributes.length === 0 ? {} : { typedSearchAttributes: attributes }),
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
