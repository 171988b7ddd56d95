import { CancellationScope, patched } from '@temporalio/workflow';
import { type Json, jsonBytes } from '../../src/common/json.ts';
import {
  FOR_EACH_CONCURRENCY_DEFAULT,
  FOR_EACH_ITEMS_MAX,
  STEP_EXECUTIONS_PER_TREE_MAX,
} from '../../src/common/limits.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import { failedValue, failurePolicy } from '../../src/runs/steps/step-run.ts';
import type { Evaluated, ItemSource } from './contract.ts';
import type { Control } from './control.ts';
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
  let found = await evaluate(runState, step, 'forEach', forEach);
  // The variable of a skipped step is null, which counts as an empty list.
  const list = found.kind === 'value' ? (found.value ?? []) : null;
  if (list !== null && !Array.isArray(list)) {
    const message = `The forEach of step ${step.id} gave ${kindOf(list)}, not a list.`;
    throw await refused(runState, step, null, runError('CONDITION_FAILED', message, step.id));
  }
  const count = found.kind === 'list' ? found.count : (list?.length ?? 0);
  let tooMany = await findExcess(runState, step, count);
  if (tooMany === null && isUnkept(found)) {
    // The limit was raised between the count and the reservation. Older versions refused here.
    if (patched('raised-limit')) found = await evaluate(runState, step, 'forEach', forEach);
    if (isUnkept(found))
      tooMany = `${countOf(step, count)}; the limit was lower when they were counted.`;
  }
  if (tooMany !== null)
    throw await refused(runState, step, null, runError('BUDGET_EXCEEDED', tooMany, step.id));
  const { blob, values } =
    found.kind === 'list'
      ? { blob: found.blob, values: null }
      : { blob: null, values: Array.isArray(found.value) ? found.value : [] };
  return {
    count,
    at: (index) => (blob === null ? { value: values[index] ?? null } : { blob }),
  };
}

const countOf = ({ id }: ProcessStep, count: number): string =>
  `The forEach of step ${id} has ${count} items`;

/** A list that is longer than the limit when it is read is counted, and not kept. */
const isUnkept = (found: Evaluated): boolean => found.kind === 'list' && found.blob === '';

function kindOf(value: Json): string {
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

async function findExcess(
  { notes, run }: RunState,
  step: ProcessStep,
  count: number,
): Promise<string | null> {
  const tooMany = (itemsMax: number) => `${countOf(step, count)}; the limit is ${itemsMax}.`;
  // Older versions had no setting for the limit.
  if (count > FOR_EACH_ITEMS_MAX && !patched('items-by-setting'))
    return tooMany(FOR_EACH_ITEMS_MAX);
  // The tree counts the step itself already, so only the further items are reserved.
  if (count <= 1) return null;
  const {
    fits,
    itemsMax = FOR_EACH_ITEMS_MAX,
    stepsMax = STEP_EXECUTIONS_PER_TREE_MAX,
  } = await notes.reserveItems({ run, stepId: step.id, items: count - 1 });
  if (fits) return null;
  if (count > itemsMax) return tooMany(itemsMax);
  return (
    `One run may execute ${stepsMax} steps over its whole tree; ${count} ` +
    `items of step ${step.id} do not fit.`
  );
}

/**
 * Runs the items of a forEach, up to `maxConcurrency` at once, which may change meanwhile. The
 * results are in the order of the items.
 */
export async function runItems(
  control: Control,
  step: ProcessStep,
  items: Items,
  stepsBeside: number,
  runInstance: (instance: StepInstance) => Promise<ValueOrRef>,
): Promise<ValueOrRef> {
  const share = shareOf(items.count * stepsBeside);
  const defined = step.execution.maxConcurrency ?? FOR_EACH_CONCURRENCY_DEFAULT;
  const lanesMax = () => control.concurrencyOf(step.id) ?? defined;
  const list = createList();
  const mayFail = tolerance(step, items.count);
  const scope = new CancellationScope();
  let next = 0;
  let failed = 0;
  let failure: unknown = null;
  let lanes = 0;
  const ended = Promise.withResolvers<void>();

  async function lane(): Promise<void> {
    while (next < items.count && failure === null && lanes <= lanesMax()) {
      const index = next++;
      try {
        list.set(index, await runInstance({ step, index, item: items.at(index), share }));
      } catch (error) {
        if (error instanceof StepFailed && ++failed <= mayFail) {
          list.set(index, { inline: failedValue(step) });
          continue;
        }
        // A continue-as-new request lets running items end; a failure cancels them.
        if (failure === null && !(error instanceof ContinueAsNewRequested)) scope.cancel();
        failure ??=
          error instanceof StepFailed && mayFail > 0
            ? tooManyFailed(step, error, { failed, mayFail, count: items.count })
            : error;
      }
    }
    // Counted at once, so that of two lanes only one closes where one is too many.
    lanes--;
    if (lanes === 0) ended.resolve();
  }

  /** Opens lanes up to the number that may be open and has items. */
  function widen(): void {
    while (lanes < lanesMax() && next < items.count && failure === null) {
      lanes++;
      void scope.run(lane);
    }
  }

  const stopListening = control.onConcurrency(widen);
  widen();
  await ended.promise;
  stopListening();
  if (failure !== null) throw failure;
  return list.joined();
}

/** Whether a step says how many of its items may fail. */
export function limitsFailures({ execution }: ProcessStep): boolean {
  return execution.failedItemsMax != null || execution.failedShareMax != null;
}

/** Number of items that may fail before the step does. */
function tolerance(step: ProcessStep, count: number): number {
  const { failedItemsMax, failedShareMax } = step.execution;
  if (!limitsFailures(step)) return failurePolicy(step) === 'fail' ? 0 : Number.POSITIVE_INFINITY;
  return Math.min(failedItemsMax ?? count, Math.floor((failedShareMax ?? 1) * count));
}

function tooManyFailed(
  step: ProcessStep,
  { error }: StepFailed,
  { failed, mayFail, count }: { failed: number; mayFail: number; count: number },
): StepFailed {
  const message =
    `${failed} of the ${count} items of step ${step.id} failed, and ${mayFail} may. ` +
    `The last one: ${error.message}`;
  return new StepFailed(runError(error.code, message, step.id, error.details));
}

/** The results in the order of the items: their values while they are few, else a reference. */
function createList() {
  let values: Json[] | null = [];
  let bytes = 2;
  return {
    set(index: number, held: ValueOrRef) {
      bytes += 1 + ('inline' in held ? jsonBytes(held.inline) : held.bytes);
      if (bytes > LIST_BYTES_MAX || !('inline' in held)) values = null;
      else if (values !== null) values[index] = held.inline;
    },
    joined: (): ValueOrRef => (values === null ? { ref: true, bytes } : { inline: values }),
  };
}
