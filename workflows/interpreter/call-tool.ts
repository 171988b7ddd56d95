import { ActivityCancellationType } from '@temporalio/workflow';
import { jsonBytes } from '../../src/common/json.ts';
import { STEP_LOST_SECONDS, STEP_TIMEOUT_SECONDS_DEFAULT } from '../../src/common/limits.ts';
import type { InputSource, ValueOrRef } from './contract.ts';
import { ContinueAsNewRequested, readFailure, runError, StepFailed } from './failures.ts';
import type { StepInstance } from './run-state.ts';
import { type RunState, refused } from './run-state.ts';

// The activity stops itself at the step's timeout and has to record that, also when Neo4j is slow to come back.
const RECORDING_SECONDS = 90;
/** Attempts that were lost with their worker or with Neo4j, beside those the step's own policy counts. */
const RECOVERIES_MAX = 50;
/** What a call weighs beside its inputs. */
export const CALL_BYTES = 1024;

// One async function and no more on the way of an ordinary step: in the sandbox every promise costs a stack trace.

/** One call of a Tool: one activity on the queue of the Tool's type, waiting for budget where it has to. */
export async function callTool(
  runState: RunState,
  instance: StepInstance,
  toolId: string,
  inputs: InputSource,
): Promise<ValueOrRef> {
  const { run, toolTypes, control, window, activities } = runState;
  const { step, index, share } = instance;
  const type = toolTypes[toolId];
  if (type === undefined) {
    const message = `The Tool of step ${step.id} was deleted or is not shared with you.`;
    throw await refused(runState, step, index, runError('TARGET_DISABLED', message, step.id));
  }
  const options = {
    taskQueue: `${run.queuePrefix}${type}`,
    startToCloseTimeout:
      ((step.execution.timeout ?? STEP_TIMEOUT_SECONDS_DEFAULT) + RECORDING_SECONDS) * 1_000,
    heartbeatTimeout: STEP_LOST_SECONDS * 1_000,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // How often the step itself may be tried is counted in its record; this only brings lost attempts back.
    retry: {
      initialInterval: 1_000,
      backoffCoefficient: 2,
      maximumInterval: 10_000,
      maximumAttempts: (step.execution.retry?.maximumAttempts ?? 3) + RECOVERIES_MAX,
    },
    summary: index === null ? step.id : `${step.id} [${index}]`,
  };
  const bytes = jsonBytes(inputs) + CALL_BYTES;
  for (;;) {
    const raises = control.raises;
    const gate = control.gate();
    if (gate !== null) await gate;
    const leave = window.tryEnter(bytes) ?? (await window.enter(bytes));
    let budgetVersion: number;
    try {
      if (control.continueAsNewRequested) throw new ContinueAsNewRequested();
      const answer = await activities.executeStep.executeWithOptions(options, [
        { run, stepId: step.id, index, inputs, inlineBytesMax: share },
      ]);
      if (answer.status === 'completed') return answer.output;
      budgetVersion = answer.budgetVersion;
    } catch (error) {
      if (error instanceof ContinueAsNewRequested) throw error;
      const { error: reason, recorded } = readFailure(error, step.id);
      throw recorded ? new StepFailed(reason) : await refused(runState, step, index, reason);
    } finally {
      leave();
    }
    const { waiting } = await runState.notes.waitForBudget({
      run,
      stepId: step.id,
      index,
      budgetVersion,
    });
    // Raised between the refusal and the record: there is nothing to wait for.
    if (waiting) await control.until(() => control.raises > raises);
  }
}
