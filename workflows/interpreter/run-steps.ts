import type { RunError } from '../../src/common/tool-fault.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { offersTools } from '../../src/runs/agent/agent-step.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import { failedValue, failurePolicy, stepKey } from '../../src/runs/steps/step-run.ts';
import { ask } from './ask.ts';
import { callProcess } from './call-process.ts';
import { callTool } from './call-tool.ts';
import { evaluate } from './evaluate.ts';
import { RunFailed, readFailure, runError, StepFailed } from './failures.ts';
import { runAgent } from './run-agent.ts';
import { findItems, limitsFailures, runItems } from './run-items.ts';
import { runPages } from './run-pages.ts';
import { note, type RunState, refused, type StepInstance, shareOf, sourceOf } from './run-state.ts';

interface Skip {
  readonly reason: string;
  /**
   * Set where a failure caused the skip. Then the skip of a step with a required output fails the
   * run.
   */
  readonly error: RunError | null;
}

/**
 * The interpreter of one step: dependencies and condition, one call or one per item, and the
 * failure policy.
 * @returns a function that runs a step by its id and resolves when the step has ended
 */
export function createSteps(runState: RunState): (stepId: string) => Promise<void> {
  const { definition, values, control, run } = runState;
  const byId = new Map(definition.steps.map((step) => [step.id, step]));
  const parallel = definition.steps.filter(({ execution }) => execution.mode === 'parallel').length;
  const stepsBeside = ({ execution }: ProcessStep) =>
    execution.mode === 'parallel' ? parallel : 1;

  return async function runStep(stepId) {
    const step = byId.get(stepId);
    // The step ended in an earlier workflow execution, or a retry keeps it.
    if (step === undefined || values.stepState(stepId) !== null) return;
    try {
      const skip = isUnconditional(step) ? null : await findSkip(step);
      if (skip === null) {
        const value = await runCalls(step);
        values.endStep(stepId, { status: 'completed', value, error: null });
      } else {
        await skipStep(step, skip);
      }
      control.progressed();
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      settleFailure(step, error.error);
    }
  };

  /**
   * `fail` ends the run; `continue` and `fallback` give the variable a value, and the run goes on.
   */
  function settleFailure(step: ProcessStep, error: RunError): void {
    const policy = failurePolicy(step);
    if (policy === 'fail') throw new RunFailed(error);
    // A fallback is a value, so dependent steps can run.
    const status = policy === 'fallback' ? 'completed' : 'failed';
    // Of a list of which too many failed, the record has the items that ended.
    const value: ValueOrRef = limitsFailures(step)
      ? { ref: true, bytes: 0 }
      : { inline: failedValue(step) };
    values.endStep(step.id, { status, value, error });
  }

  async function findSkip(step: ProcessStep): Promise<Skip | null> {
    for (const id of step.dependsOn) {
      const before = values.stepState(id);
      if (before?.status === 'failed') {
        const { code = 'TOOL_FAILED', message = '' } = before.error ?? {};
        const why = `its dependency ${id} failed: ${message}`;
        const error = runError(code, `Step ${step.id} could not run, because ${why}`, step.id);
        return { reason: `Skipped, because ${why}`, error };
      }
      if (before?.status === 'skipped' && byId.get(id)?.output.required === true)
        return { reason: `Skipped, because its dependency ${id} was skipped.`, error: null };
    }
    const { condition } = step.execution;
    if (condition === null || condition === undefined) return null;
    const verdict = await evaluate(runState, step, 'condition', condition);
    const value = verdict.kind === 'value' ? verdict.value : 'a list';
    if (value === true) return null;
    if (value === false || value === null)
      return { reason: 'Skipped, because its condition is false.', error: null };
    const message = `The condition of step ${step.id} gave neither true nor false.`;
    throw await refused(runState, step, null, runError('CONDITION_FAILED', message, step.id));
  }

  async function skipStep(step: ProcessStep, { reason, error }: Skip): Promise<void> {
    await note(runState, { kind: 'skipped', stepId: step.id, reason, error });
    values.endStep(step.id, { status: 'skipped', value: { inline: null }, error });
    // A skip by a condition is no failure. A skip because of a failure is one where the output is
    // required.
    if (error !== null && step.output.required) throw new RunFailed(error);
  }

  function runCalls(step: ProcessStep): Promise<ValueOrRef> {
    const { forEach, interactionMode, pages } = step.execution;
    if (forEach !== null && forEach !== undefined) return runForEach(step, forEach);
    if (pages != null) {
      const share = shareOf(stepsBeside(step));
      return runPages(runState, step, pages, (page) => {
        const instance = { ...page, share };
        return call(instance, sourceOf(values, instance));
      });
    }
    const instance: StepInstance = {
      step,
      index: null,
      item: null,
      share: shareOf(stepsBeside(step)),
    };
    return interactionMode === 'manual'
      ? runInstance(instance)
      : call(instance, sourceOf(values, instance));
  }

  async function runForEach(step: ProcessStep, forEach: string): Promise<ValueOrRef> {
    const items = await findItems(runState, step, forEach);
    const list =
      items.count === 0
        ? await noteEmpty(step)
        : await runItems(control, step, items, stepsBeside(step), runInstance);
    return step.output.asFile === true ? storeResults(step) : list;
  }

  async function noteEmpty({ id: stepId }: ProcessStep): Promise<ValueOrRef> {
    await note(runState, { kind: 'empty', stepId });
    return { inline: [] };
  }

  async function storeResults({ id: stepId }: ProcessStep): Promise<ValueOrRef> {
    try {
      return await runState.activities.storeResults({ run, stepId });
    } catch (error) {
      const { error: reason } = readFailure(error, stepId);
      throw new StepFailed(reason);
    }
  }

  /**
   * Runs an item or a manual step. Its end is kept on its own, for a continue-as-new before the
   * step ends.
   */
  async function runInstance(instance: StepInstance): Promise<ValueOrRef> {
    const { step, index } = instance;
    const known = values.instanceState(step.id, index);
    if (known !== null) {
      if ('error' in known) throw new StepFailed(known.error);
      return known.value;
    }
    const key = stepKey(run.runId, step.id, index);
    try {
      const asked =
        step.execution.interactionMode === 'manual'
          ? await ask(runState, instance, key)
          : { source: sourceOf(values, instance) };
      const value = 'value' in asked ? asked.value : await call(instance, asked.source);
      values.endInstance(step.id, index, { value });
      // Not earlier: where the call is left to the next workflow execution, that one needs the
      // decision.
      control.closeWait(key);
      control.progressed();
      return value;
    } catch (error) {
      if (error instanceof StepFailed) values.endInstance(step.id, index, { error: error.error });
      throw error;
    }
  }

  function call(instance: StepInstance, source: ReturnType<typeof sourceOf>): Promise<ValueOrRef> {
    const { calls } = instance.step;
    if (!('toolId' in calls)) return callProcess(runState, instance, calls.processId, source);
    return offersTools(instance.step)
      ? runAgent(runState, instance, calls.toolId, source)
      : callTool(runState, instance, calls.toolId, source);
  }
}

function isUnconditional({ dependsOn, execution }: ProcessStep): boolean {
  const { condition } = execution;
  return dependsOn.length === 0 && (condition === null || condition === undefined);
}
