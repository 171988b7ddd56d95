import { CancellationScope } from '@temporalio/workflow';
import { type Json, jsonBytes } from '../../src/common/json.ts';
import {
  FOR_EACH_CONCURRENCY_DEFAULT,
  FOR_EACH_ITEMS_MAX,
  STEP_EXECUTIONS_PER_TREE_MAX,
} from '../../src/common/limits.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import { failedValue, failurePolicy } from '../../src/runs/steps/step-run.ts';
import type { ItemSource } from './contract.ts';
import { evaluate } from './evaluate.ts';
import { ContinueAsNewRequested, runError, StepFailed } from './failures.ts';
import { type RunState, refused, type StepInstance, shareOf } from './run-state.ts';

/** A larger list is a reference to the record, to keep the workflow's memory and history small. */
const LIST_BYTES_MAX = 1024 * 1024;

export interface Items {
  readonly count: number;
  at(index: number): ItemSource;
}

/** The list of a forEach. Its items count as steps of the run tree. @throws StepFailed, recorded */
export async function findItems(
  runState: RunState,
  step: ProcessStep,
  forEach: string,
): Promise<Items> {
  const found = await evaluate(runState, step, 'forEach', forEach);
  // The variable of a skipped step is null, which counts as an empty list.
  const list = found.kind === 'value' ? (found.value ?? []) : null;
  if (list !== null && !Array.isArray(list)) {
    const message = `The forEach of step ${step.id} gave ${kindOf(list)}, not a list.`;
    throw await refused(runState, step, null, runError('CONDITION_FAILED', message, step.id));
  }
  const count = found.kind === 'list' ? found.count : (list?.length ?? 0);
  const tooMany = await findExcess(runState, step, count);
  if (tooMany !== null) {
    throw await refused(runState, step, null, runError('BUDGET_EXCEEDED', tooMany, step.id));
  }
  return {
    count,
    at: (index) =>
      found.kind === 'list' ? { blob: found.blob } : { value: list?.[index] ?? null },
  };
}

function kindOf(value: Json): string {
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

async function findExcess(
  { notes, run }: RunState,
  step: ProcessStep,
  count: number,
): Promise<string | null> {
  if (count > FOR_EACH_ITEMS_MAX) {
    return `The forEach of step ${step.id} has ${count} items; the limit is ${FOR_EACH_ITEMS_MAX}.`;
  }
  // The tree counts the step itself already, so only the further items are reserved.
  if (count <= 1) return null;
  const { fits } = await notes.reserveItems({ run, stepId: step.id, items: count - 1 });
  if (fits) return null;
  return (
    `One run may execute ${STEP_EXECUTIONS_PER_TREE_MAX} steps over its whole tree; ${count} ` +
    `items of step ${step.id} do not fit.`
  );
}

/**
 * Runs the items of a forEach, up to `maxConcurrency` at once. The results are in the order of the
 * items.
 */
export async function runItems(
  step: ProcessStep,
  items: Items,
  stepsBeside: number,
  runInstance: (instance: StepInstance) => Promise<ValueOrRef>,
): Promise<ValueOrRef> {
  const share = shareOf(items.count * stepsBeside);
  const lanes = Math.min(
    items.count,
    step.execution.maxConcurrency ?? FOR_EACH_CONCURRENCY_DEFAULT,
  );
  const results: ValueOrRef[] = [];
  const scope = new CancellationScope();
  let next = 0;
  let failure: unknown = null;

  async function lane(): Promise<void> {
    while (next < items.count && failure === null) {
      const index = next++;
      try {
        results[index] = await runInstance({ step, index, item: items.at(index), share });
      } catch (error) {
        if (error instanceof StepFailed && failurePolicy(step) !== 'fail') {
          results[index] = { inline: failedValue(step) };
          continue;
        }
        // A continue-as-new request lets running items end; a failure cancels them.
        if (failure === null && !(error instanceof ContinueAsNewRequested)) scope.cancel();
        failure ??= error;
      }
    }
  }

  await scope.run(() => Promise.all(Array.from({ length: lanes }, lane)));
  if (failure !== null) throw failure;
  return joinItems(results);
}

function joinItems(results: readonly ValueOrRef[]): ValueOrRef {
  const list: Json[] = [];
  let bytes = 2;
  for (const held of results) {
    if ('inline' in held) list.push(held.inline);
    bytes += 1 + ('inline' in held ? jsonBytes(held.inline) : held.bytes);
  }
  const isInline = list.length === results.length && bytes <= LIST_BYTES_MAX;
  return isInline ? { inline: list } : { ref: true, bytes };
}
