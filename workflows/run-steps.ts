import type { ActivityInterfaceFor } from '@temporalio/workflow';
import {
  ActivityCancellationType,
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  sleep,
} from '@temporalio/workflow';
import type {
  Evaluated,
  Held,
  InputSource,
  ItemSource,
  ParentCall,
  RunActivities,
  RunNotes,
  StepNote,
  ToolTypes,
} from '../activities/contract.ts';
import { createIdSource } from '../src/common/id.ts';
import { type Json, type JsonObject, jsonBytes } from '../src/common/json.ts';
import {
  FOR_EACH_CONCURRENCY_DEFAULT,
  FOR_EACH_ITEMS_MAX,
  INLINE_PAYLOAD_BYTES_MAX,
  STEP_EXECUTIONS_PER_TREE_MAX,
  STEP_LOST_SECONDS,
  STEP_TIMEOUT_SECONDS_DEFAULT,
} from '../src/common/limits.ts';
import { evaluateCondition } from '../src/processes/condition.ts';
import type { ProcessStep } from '../src/processes/process.ts';
import type { RunError } from '../src/runs/fault.ts';
import { processesQueue, type RunHead } from '../src/runs/run.ts';
import { errorAtCaller } from '../src/runs/run-error.ts';
import type { ProcessSnapshot } from '../src/runs/snapshot.ts';
import {
  backoffMs,
  failedValue,
  failurePolicy,
  isWorthRetrying,
  retryOf,
  stepKey,
} from '../src/runs/step-run.ts';
import type { Control } from './control.ts';
import type { ExecuteProcessInput, executeProcess } from './execute-process.ts';
import { Drained, RunFailed, readFailure, runError, StepFailed } from './failures.ts';
import type { Values } from './values.ts';
import { createWindow } from './window.ts';

export interface StepsInput {
  readonly run: RunHead;
  readonly begun: { readonly definition: ProcessSnapshot; readonly toolTypes: ToolTypes };
  readonly values: Values;
  readonly control: Control;
  readonly activities: ActivityInterfaceFor<RunActivities>;
  readonly notes: RunNotes;
  readonly continueAfterEvents: number | null;
}

// All outputs (and all inputs) of one stage together, in history: far below its 50 MB, whatever the number of calls.
const STAGE_BYTES_MAX = 8 * 1024 * 1024;
const SHARE_BYTES_MIN = 1024;
/** Beyond this a list stands in a blob instead of the workflow's memory and history. */
const LIST_BYTES_MAX = 1024 * 1024;
// The activity stops itself at the step's timeout and has to record that, also when Neo4j is slow to come back.
const RECORDING_SECONDS = 90;
/** Attempts that were lost with their worker or with Neo4j, beside those the step's own policy counts. */
const RECOVERIES_MAX = 50;

/** A place in a step: the step itself (index null), or one of its items. */
interface Unit {
  readonly step: ProcessStep;
  readonly index: number | null;
  readonly item: ItemSource | null;
  /** An input or output above this goes by reference. */
  readonly share: number;
}
type Items = { readonly count: number; at(index: number): ItemSource };

/** How the steps of a run are run: skips, conditions, items, people, calls, failures. */
export function createSteps({
  run,
  begun,
  values,
  control,
  activities,
  notes,
  continueAfterEvents,
}: StepsInput) {
  const { definition, toolTypes } = begun;
  const byId = new Map(definition.steps.map((step) => [step.id, step]));
  const window = createWindow();
  const newId = createIdSource({ nowMs: () => Date.now(), random: Math.random });
  const parallel = definition.steps.filter(({ execution }) => execution.mode === 'parallel').length;
  const shareOf = (units: number) =>
    Math.min(
      INLINE_PAYLOAD_BYTES_MAX,
      Math.max(SHARE_BYTES_MIN, Math.floor(STAGE_BYTES_MAX / Math.max(1, units))),
    );

  const note = (one: StepNote) => notes.recordSteps({ run, notes: [one] });

  return { run: runStep };

  async function runStep(stepId: string): Promise<void> {
    const step = byId.get(stepId);
    if (step === undefined || values.stepState(stepId) !== null) return;
    try {
      const skip = await findSkip(step);
      if (skip !== null) {
        await skipStep(step, skip);
        return;
      }
      const value = await runUnits(step);
      values.endStep(stepId, { status: 'completed', value, error: null });
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      settleFailure(step, error.error);
    }
  }

  /** FAIL ends the run; CONTINUE and FALLBACK give the variable a value and go on. */
  function settleFailure(step: ProcessStep, error: RunError): void {
    const policy = failurePolicy(step);
    if (policy === 'fail') throw new RunFailed(error);
    // What falls back has a value, so steps that depend on it can run.
    const status = policy === 'fallback' ? 'completed' : 'failed';
    values.endStep(step.id, { status, value: { inline: failedValue(step) }, error });
  }

  async function findSkip(
    step: ProcessStep,
  ): Promise<{ reason: string; error: RunError | null } | null> {
    for (const id of step.dependsOn) {
      const before = values.stepState(id);
      if (before?.status === 'failed') {
        const why = `its dependency ${id} failed: ${before.error?.message ?? ''}`;
        const { code = 'TOOL_FAILED' } = before.error ?? {};
        return {
          reason: `Skipped, because ${why}`,
          error: runError(code, `Step ${step.id} could not run, because ${why}`, step.id),
        };
      }
      if (before?.status === 'skipped' && byId.get(id)?.output.required === true) {
        return { reason: `Skipped, because its dependency ${id} was skipped.`, error: null };
      }
    }
    const { condition } = step.execution;
    if (condition === null || condition === undefined) return null;
    const verdict = await evaluate(step, 'condition', condition);
    if (verdict.kind === 'value' && verdict.value === true) return null;
    if (verdict.kind === 'value' && (verdict.value === false || verdict.value === null)) {
      return { reason: 'Skipped, because its condition is false.', error: null };
    }
    throw await refused(
      step,
      null,
      runError(
        'CONDITION_FAILED',
        `The condition of step ${step.id} gave neither true nor false.`,
        step.id,
      ),
    );
  }

  async function skipStep(
    step: ProcessStep,
    { reason, error }: { reason: string; error: RunError | null },
  ): Promise<void> {
    await note({ kind: 'skipped', stepId: step.id, reason, error });
    values.endStep(step.id, { status: 'skipped', value: { inline: null }, error });
    // Skipped by its condition is as good as done; skipped because of a failure is a failure where an output is required.
    if (error !== null && step.output.required) throw new RunFailed(error);
  }

  async function evaluate(
    step: ProcessStep,
    what: 'condition' | 'forEach',
    source: string,
  ): Promise<Evaluated> {
    const scope = values.scopeOf(source);
    const failed = (message: string) =>
      runError(
        'CONDITION_FAILED',
        `The ${what} of step ${step.id} can't be evaluated: ${message}`,
        step.id,
      );
    if (scope !== null) {
      let value: Json;
      try {
        value = evaluateCondition(source, scope);
      } catch (error) {
        throw await refused(
          step,
          null,
          failed(error instanceof Error ? error.message : String(error)),
        );
      }
      // A large list goes the way of references, so that its items can.
      if (jsonBytes(value) <= INLINE_PAYLOAD_BYTES_MAX) return { kind: 'value', value };
    }
    try {
      await control.ready();
      return await activities.evaluateExpression({
        run,
        stepId: step.id,
        what,
        inlineBytesMax: INLINE_PAYLOAD_BYTES_MAX,
      });
    } catch (error) {
      if (error instanceof Drained) throw error;
      throw await refused(step, null, readFailure(error, step.id).error);
    }
  }

  /** Records a failure that no activity of the step has recorded. */
  async function refused(
    step: ProcessStep,
    index: number | null,
    error: RunError,
  ): Promise<StepFailed> {
    await note({ kind: 'failed', stepId: step.id, index, error });
    return new StepFailed(error);
  }

  async function runUnits(step: ProcessStep): Promise<Held> {
    const { forEach } = step.execution;
    if (forEach === null || forEach === undefined) {
      return runUnit({
        step,
        index: null,
        item: null,
        share: shareOf(step.execution.mode === 'parallel' ? parallel : 1),
      });
    }
    const items = await itemsOf(step, forEach);
    if (items.count === 0) {
      await note({ kind: 'empty', stepId: step.id });
      return { inline: [] };
    }
    return runItems(step, items);
  }

  async function itemsOf(step: ProcessStep, forEach: string): Promise<Items> {
    const found = await evaluate(step, 'forEach', forEach);
    const list =
      found.kind === 'value' && found.value === null
        ? []
        : found.kind === 'value'
          ? found.value
          : null;
    if (list !== null && !Array.isArray(list)) {
      throw await refused(
        step,
        null,
        runError('CONDITION_FAILED', `The forEach of step ${step.id} gave no list.`, step.id),
      );
    }
    const count = found.kind === 'list' ? found.count : (list?.length ?? 0);
    if (count > FOR_EACH_ITEMS_MAX) {
      const message = `The forEach of step ${step.id} has ${count} items; the limit is ${FOR_EACH_ITEMS_MAX}.`;
      throw await refused(step, null, runError('BUDGET_EXCEEDED', message, step.id));
    }
    // The step itself is one of the tree's steps already; its further items are taken from the limit here.
    if (count > 1 && !(await notes.reserveItems({ run, stepId: step.id, items: count - 1 })).fits) {
      const message = `One run may execute ${STEP_EXECUTIONS_PER_TREE_MAX} steps over its whole tree; ${count} items of step ${step.id} do not fit.`;
      throw await refused(step, null, runError('BUDGET_EXCEEDED', message, step.id));
    }
    return {
      count,
      at: (index) =>
        found.kind === 'list' ? { blob: found.blob } : { value: list?.[index] ?? null },
    };
  }

  /** A window of items at once; results in item order, whatever the order they end in. */
  async function runItems(step: ProcessStep, items: Items): Promise<Held> {
    const share = shareOf(items.count * (step.execution.mode === 'parallel' ? parallel : 1));
    const lanes = Math.min(
      items.count,
      step.execution.maxConcurrency ?? FOR_EACH_CONCURRENCY_DEFAULT,
    );
    const results: Held[] = [];
    const scope = new CancellationScope();
    let next = 0;
    let failure: unknown = null;
    await scope.run(() =>
      Promise.all(
        Array.from({ length: lanes }, async () => {
          while (next < items.count && failure === null) {
            const index = next++;
            try {
              results[index] = await runItem({ step, index, item: items.at(index), share });
            } catch (error) {
              // Draining lets what runs come to its end; a failure stops it.
              if (failure === null && !(error instanceof Drained)) scope.cancel();
              failure ??= error;
            }
          }
        }),
      ),
    );
    if (failure !== null) throw failure;
    return joinItems(results);
  }

  async function runItem(unit: Unit): Promise<Held> {
    try {
      return await runUnit(unit);
    } catch (error) {
      if (!(error instanceof StepFailed) || failurePolicy(unit.step) === 'fail') throw error;
      return { inline: failedValue(unit.step) };
    }
  }

  function joinItems(results: readonly Held[]): Held {
    const list: Json[] = [];
    let bytes = 2;
    let isInline = true;
    for (const held of results) {
      if ('inline' in held) {
        list.push(held.inline);
        bytes += jsonBytes(held.inline) + 1;
      } else {
        isInline = false;
        bytes += held.bytes + 1;
      }
    }
    return isInline && bytes <= LIST_BYTES_MAX ? { inline: list } : { ref: true, bytes };
  }

  /** One call with what comes before it (a person's word) and what is kept of it for the next generation. */
  async function runUnit(unit: Unit): Promise<Held> {
    const key = stepKey(run.runId, unit.step.id, unit.index);
    const known = values.unitState(unit.step.id, unit.index);
    if (known !== null) {
      if ('error' in known) throw new StepFailed(known.error);
      return known.value;
    }
    try {
      const asked = await ask(unit, key);
      const value = 'value' in asked ? asked.value : await call(unit, asked.source);
      values.endUnit(unit.step.id, unit.index, { value });
      // Not before: the next generation has to find the decision, if the call is left to it.
      control.closeWait(key);
      return value;
    } catch (error) {
      if (error instanceof StepFailed)
        values.endUnit(unit.step.id, unit.index, { error: error.error });
      throw error;
    }
  }

  /** For a manual step: waits for a person's decision, for as long as the run may take. */
  async function ask(unit: Unit, key: string): Promise<{ source: InputSource } | { value: Held }> {
    const source = sourceOf(unit);
    const { step, index } = unit;
    if (step.execution.interactionMode !== 'manual') return { source };
    const wait = control.waitOf(key, newId);
    if (!wait.asked) {
      await control.ready();
      await note({
        kind: 'waiting',
        stepId: step.id,
        index,
        approvalId: wait.approvalId,
        inputs: source,
      });
      wait.asked = true;
    }
    await control.until(() => wait.decision !== null);
    const { decision } = wait;
    if (decision === null) throw new Drained();
    if (decision.decision === 'reject') {
      const message = `Step ${step.id} was rejected${decision.note === null ? '.' : `: ${decision.note}`}`;
      throw new StepFailed(
        runError('REJECTED', message, step.id, { decidedBy: decision.decidedBy }),
      );
    }
    if (decision.decision === 'substitute') return { value: { inline: decision.output } };
    return {
      source: decision.inputs === null ? source : { kind: 'bound', inputs: decision.inputs },
    };
  }

  function sourceOf({ step, index, item, share }: Unit): InputSource {
    if (item !== null && !('value' in item)) return { kind: 'recorded', item };
    const bound: JsonObject | null = values.bind(
      step,
      item === null || index === null ? null : { value: item.value, index },
    );
    return bound !== null && jsonBytes(bound) <= share
      ? { kind: 'bound', inputs: bound }
      : { kind: 'recorded', item };
  }

  function call(unit: Unit, source: InputSource): Promise<Held> {
    return 'toolId' in unit.step.calls
      ? callTool(unit, unit.step.calls.toolId, source)
      : callProcess(unit, unit.step.calls.processId, source);
  }

  /** A place in the window, for one call. */
  async function inWindow<T>(source: InputSource, work: () => Promise<T>): Promise<T> {
    await control.ready();
    const leave = await window.enter(jsonBytes(source) + SHARE_BYTES_MIN);
    try {
      if (control.drained) throw new Drained();
      return await work();
    } finally {
      leave();
    }
  }

  async function callTool(
    { step, index, share }: Unit,
    toolId: string,
    inputs: InputSource,
  ): Promise<Held> {
    const type = toolTypes[toolId];
    const timeoutSeconds = step.execution.timeout ?? STEP_TIMEOUT_SECONDS_DEFAULT;
    if (type === undefined) {
      const message = `The Tool of step ${step.id} was deleted or is not shared with you.`;
      throw await refused(step, index, runError('TARGET_DISABLED', message, step.id));
    }
    for (;;) {
      const raises = control.raises;
      try {
        const answer = await inWindow(inputs, () =>
          activities.executeStep.executeWithOptions(
            {
              taskQueue: `${run.queuePrefix}${type}`,
              startToCloseTimeout: (timeoutSeconds + RECORDING_SECONDS) * 1_000,
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
            },
            [{ run, stepId: step.id, index, inputs, inlineBytesMax: share }],
          ),
        );
        if (answer.status === 'completed') return answer.output;
        await waitForBudget(step, index, answer.budgetVersion, raises);
      } catch (error) {
        if (error instanceof Drained) throw error;
        const { error: reason, recorded } = readFailure(error, step.id);
        throw recorded ? new StepFailed(reason) : await refused(step, index, reason);
      }
    }
  }

  async function waitForBudget(
    step: ProcessStep,
    index: number | null,
    budgetVersion: number,
    raises: number,
  ): Promise<void> {
    const { waiting } = await notes.waitForBudget({ run, stepId: step.id, index, budgetVersion });
    // Raised between the refusal and the record: there is nothing to wait for.
    if (waiting) await control.until(() => control.raises > raises);
  }

  async function callProcess(unit: Unit, processId: string, inputs: InputSource): Promise<Held> {
    const { step, index } = unit;
    if (run.depth + 1 > run.depthMax) {
      const message = `Step ${step.id} would call a Process at depth ${run.depth + 1}; the limit of this chain of runs is ${run.depthMax}.`;
      throw await refused(
        step,
        index,
        runError('RECURSION_LIMIT', message, step.id, { runPath: [...run.runPath] }),
      );
    }
    const retry = retryOf(step, 'mutating');
    for (let attempt = 1; ; attempt++) {
      const childRunId = newId();
      try {
        return await inWindow(inputs, () =>
          startChild(unit, processId, inputs, childRunId, attempt, retry.maximumAttempts),
        );
      } catch (error) {
        if (error instanceof Drained) throw error;
        const reason = readChildFailure(error, childRunId, step.id);
        if (attempt < retry.maximumAttempts && isWorthRetrying(reason.code, retry)) {
          await sleep(backoffMs(retry, attempt));
          continue;
        }
        throw await refused(step, index, reason);
      }
    }
  }

  async function startChild(
    unit: Unit,
    processId: string,
    inputs: InputSource,
    childRunId: string,
    attempt: number,
    attemptsMax: number,
  ): Promise<Held> {
    const { step, index } = unit;
    const parent: ParentCall = {
      run,
      stepId: step.id,
      index,
      attempt,
      willRetry: attempt < attemptsMax ? 'if it fails' : 'no',
    };
    const input: ExecuteProcessInput = {
      run: {
        ...run,
        runId: childRunId,
        runPath: [...run.runPath, childRunId],
        depth: run.depth + 1,
        processId,
        timeoutSeconds: step.execution.timeout ?? null,
      },
      begun: null,
      parent: { ...parent, inputs },
      carried: null,
      continueAfterEvents,
    };
    const output = await executeChild<typeof executeProcess>('executeProcess', {
      workflowId: childRunId,
      taskQueue: processesQueue(run.queuePrefix),
      args: [input],
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      staticSummary: `${step.id} of ${definition.name}`,
    });
    return output ?? { inline: null };
  }

  function readChildFailure(error: unknown, childRunId: string, stepId: string): RunError {
    const cancelledAlone =
      error instanceof ChildWorkflowFailure &&
      isCancellation(error.cause) &&
      !CancellationScope.current().consideredCancelled;
    if (cancelledAlone)
      return errorAtCaller(
        runError('CANCELLED', 'The sub-process was cancelled.', null),
        childRunId,
        stepId,
      );
    return errorAtCaller(readFailure(error, stepId).error, childRunId, stepId);
  }
}
