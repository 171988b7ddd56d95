import type { JsonObject } from '../../common/json.ts';
import type { ProcessSnapshot } from '../run/snapshot.ts';
import { type StepRecord, type StepStatus, variableOf } from './step-run.ts';

const OVER: readonly StepStatus[] = ['completed', 'failed', 'skipped', 'cancelled', 'timed_out'];

/** The variables of a run as far as its steps have ended: what the steps after them and the template see. */
export function variablesOf(
  definition: ProcessSnapshot,
  records: readonly StepRecord[],
): JsonObject {
  const ended = definition.steps.filter(({ id }) => {
    const own = records.filter(({ stepId }) => stepId === id);
    return own.length > 0 && own.every(({ status }) => OVER.includes(status));
  });
  return Object.fromEntries(ended.map((step) => [step.output.variable, variableOf(step, records)]));
}
