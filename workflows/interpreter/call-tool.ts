import { ActivityCancellationType } from '@temporalio/workflow';
import { entryOf } from '../../src/common/entry-of.ts';
import { jsonBytes } from '../../src/common/json.ts';
import { STEP_LOST_SECONDS, STEP_TIMEOUT_SECONDS_DEFAULT } from '../../src/common/limits.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import { askForMemory } from './ask.ts';
import type { InputSource, StepAnswer } from './contract.ts';
import { memoryWaitKey } from './control.ts';
import { ContinueAsNewRequested, readFailure, runError, StepFailed } from './failures.ts';
import { type RunState, refused, type StepInstance } from './run-state.ts';

// The activity stops at the step's timeout. This is the time to record that, also while Neo4j is
// away.
const RECORDING_SECONDS = 90;
/**
 * Maximum attempts that are lost with their worker or with Neo4j, beside the attempts of the step's
 * retry policy.
 */
const RECOVERIES_MAX = 50;
/** Bytes of a call in history beside its inputs. */
export const CALL_BYTES = 1024;

// An ordinary step runs in this one async function, because every promise in the sandbox costs a
// stack trace.

/**
 * Calls a Tool: in the workflow's own Worker where it may be, else by one activity on the task
 * queue of the Tool's operation type. Waits while the
 * budget does not hold it, and for the runner's agreement where a Process of another user would use
 * the runner's memory.
 */
export async function callTool(
  runState: RunState,
  instance: StepInstance,
  toolId: string,
  inputs: InputSource,
): Promise<ValueOrRef> {
  const { run, toolTypes, control, window, activities, localCalls } = runState;
  const { step, index, share } = instance;
  const type = entryOf(toolTypes, toolId);
  if (type === undefined) {
    const message = `The Tool of step ${step.id} was deleted or is not shared with you.`;
    throw await refused(runState, step, index, runError('TARGET_DISABLED', message, step.id));
  }
  const options = {
    taskQueue: `${run.queuePrefix}${type}`,
    startToCloseTimeout:
      ((instance.call?.timeoutSeconds ?? step.execution.timeout ?? STEP_TIMEOUT_SECONDS_DEFAULT) +
        RECORDING_SECONDS) *
      1_000,
    heartbeatTimeout: STEP_LOST_SECONDS * 1_000,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // The StepRun counts the attempts of the step's retry policy. This policy repeats lost attempts
    // too.
    retry: {
      initialInterval: 1_000,
      backoffCoefficient: 2,
      maximumInterval: 10_000,
      maximumAttempts: (step.execution.retry?.maximumAttempts ?? 3) + RECOVERIES_MAX,
    },
    summary: index === null ? step.id : `${step.id} [${index}]`,
  };
  const bytes = jsonBytes(inputs) + CALL_BYTES;
  const memoryKey = memoryWaitKey(stepKey(run.runId, step.id, index));
  let source = inputs;
  // An earlier workflow execution may have asked for the memory.
  let memory = control.findWait(memoryKey)?.memory ?? null;
  for (;;) {
    if (memory !== null) {
      const asked = await askForMemory(runState, instance, memoryKey, { source, memory });
      if ('value' in asked) return asked.value;
      source = asked.source;
    }
    const raises = control.raises;
    const gate = control.gate();
    if (gate !== null) await gate;
    const leave = window.tryEnter(bytes) ?? (await window.enter(bytes));
    let answer: StepAnswer;
    try {
      if (control.continueAsNewRequested) throw new ContinueAsNewRequested();
      const call = { run, stepId: step.id, index, inputs: source, inlineBytesMax: share };
      const callLocally = localCalls.next(instance, toolId);
      const local = callLocally === null ? null : await callLocally(call);
      answer =
        local ??
        (await activities.executeStep.executeWithOptions(options, [{ ...call, ...instance.call }]));
    } catch (error) {
      if (error instanceof ContinueAsNewRequested) throw error;
      const { error: reason, recorded } = readFailure(error, step.id);
      throw recorded ? new StepFailed(reason) : await refused(runState, step, index, reason);
    } finally {
      leave();
    }
    if (memory !== null) control.closeWait(memoryKey);
    if (answer.status === 'completed') return answer.output;
    if (answer.status === 'asks') {
      ({ memory } = answer);
      continue;
    }
    if (answer.status === 'elsewhere') continue;
    memory = null;
    const { budgetVersion } = answer;
    const { waiting } = await runState.notes.waitForBudget({
      run,
      stepId: step.id,
      index,
      budgetVersion,
    });
    // `waiting` is false where the budget was raised meanwhile: then the call is tried again at
    // once.
    if (waiting) await control.until(() => control.raises > raises);
  }
}
