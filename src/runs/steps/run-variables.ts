import type { JsonObject } from '../../common/json.ts';
import type { ProcessSnapshot } from '../run/snapshot.ts';
import { type FileOwner, type StepRecord, type StepStatus, variableOf } from './step-run.ts';

const ENDED: readonly StepStatus[] = ['completed', 'failed', 'skipped', 'cancelled', 'timed_out'];

/** The variables of the steps that have ended, for later steps and for the outputTemplate. */
export function variablesOf(
  definition: ProcessSnapshot,
  records: readonly StepRecord[],
  run: FileOwner,
): JsonObject {
  const ended = definition.steps.filter(({ id }) => {
    const stepRecords = records.filter(({ stepId }) => stepId === id);
    return stepRecords.length > 0 && stepRecords.every(({ status }) => ENDED.includes(status));
  });
  return Object.fromEntries(
    ended.map((step) => [step.output.variable, variableOf(step, records, run)]),
  );
}
