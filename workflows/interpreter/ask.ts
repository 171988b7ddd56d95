import type { InputSource, ValueOrRef } from './contract.ts';
import { ContinueAsNewRequested, runError, StepFailed } from './failures.ts';
import { note, type RunState, type StepInstance, sourceOf } from './run-state.ts';

/**
 * Requests the approval of a manual step once and waits for the decision; only the run's timeout
 * ends the wait (S4-EXEC-11).
 * @returns the inputs of the call, or the value that substitutes its output
 * @throws StepFailed REJECTED
 */
export async function ask(
  runState: RunState,
  instance: StepInstance,
  key: string,
): Promise<{ source: InputSource } | { value: ValueOrRef }> {
  const { control } = runState;
  const { step, index } = instance;
  const source = sourceOf(runState.values, instance);
  const wait = control.waitOf(key, runState.newId);
  if (!wait.asked) {
    await control.gate();
    const { approvalId } = wait;
    await note(runState, { kind: 'waiting', stepId: step.id, index, approvalId, inputs: source });
    wait.asked = true;
  }
  await control.until(() => wait.decision !== null);
  const { decision } = wait;
  if (decision === null) throw new ContinueAsNewRequested();
  switch (decision.decision) {
    case 'reject': {
      const reason = decision.note === null ? '.' : `: ${decision.note}`;
      const message = `Step ${step.id} was rejected${reason}`;
      throw new StepFailed(
        runError('REJECTED', message, step.id, { decidedBy: decision.decidedBy }),
      );
    }
    case 'substitute':
      return { value: { inline: decision.output } };
    case 'approve':
      return {
        source: decision.inputs === null ? source : { kind: 'bound', inputs: decision.inputs },
      };
  }
}
