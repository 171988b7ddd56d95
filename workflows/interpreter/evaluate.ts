import type { Json } from '../../src/common/json.ts';
import { fitsInBytes } from '../../src/common/json-size.ts';
import { INLINE_PAYLOAD_BYTES_MAX } from '../../src/common/limits.ts';
import { evaluateCondition } from '../../src/expressions/condition.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import type { Evaluated } from './contract.ts';
import { ContinueAsNewRequested, readFailure, runError } from './failures.ts';
import { type RunState, refused } from './run-state.ts';

/**
 * Evaluates a step's condition or forEach: in the workflow where all its variables are inline, else
 * by an activity that reads the record. A value too large for history is returned as the name of a
 * blob.
 * @throws StepFailed CONDITION_FAILED, recorded
 */
export async function evaluate(
  runState: RunState,
  step: ProcessStep,
  what: 'condition' | 'forEach',
  source: string,
): Promise<Evaluated> {
  const { values, control, activities, run } = runState;
  const scope = values.scopeOf(source);
  if (scope !== null) {
    let value: Json;
    try {
      value = evaluateCondition(source, scope);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The ${what} of step ${step.id} can't be evaluated: ${reason}`;
      throw await refused(runState, step, null, runError('CONDITION_FAILED', message, step.id));
    }
    // A large list is evaluated by the activity, so that its items are references.
    if (fitsInBytes(value, INLINE_PAYLOAD_BYTES_MAX)) return { kind: 'value', value };
  }
  try {
    await control.gate();
    return await activities.evaluateExpression({
      run,
      stepId: step.id,
      what,
      inlineBytesMax: INLINE_PAYLOAD_BYTES_MAX,
    });
  } catch (error) {
    if (error instanceof ContinueAsNewRequested) throw error;
    throw await refused(runState, step, null, readFailure(error, step.id).error);
  }
}
