import { STEP_EXECUTIONS_PER_TREE_MAX } from '../../src/common/limits.ts';
import type { ProcessStep, StepPages } from '../../src/processes/process.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import { readPageAnswer } from '../../src/runs/steps/page.ts';
import { runError } from './failures.ts';
import { type RunState, refused, type StepInstance } from './run-state.ts';

/**
 * Calls a Tool page after page. `{item}` is the cursor that the page before gave. The items stay in
 * the record, so neither history nor memory grow with them.
 */
export async function runPages(
  runState: RunState,
  step: ProcessStep,
  pages: StepPages,
  runPage: (instance: Pick<StepInstance, 'step' | 'index' | 'item'>) => Promise<ValueOrRef>,
): Promise<ValueOrRef> {
  const { values, control, notes, run } = runState;
  const { first = null, maxPages } = pages;
  // The tree counts the step itself already.
  const { fits, stepsMax = STEP_EXECUTIONS_PER_TREE_MAX } =
    maxPages === 1
      ? { fits: true }
      : await notes.reserveItems({ run, stepId: step.id, items: maxPages - 1 });
  const refuse = async (code: 'BUDGET_EXCEEDED' | 'OUTPUT_INVALID', message: string) =>
    await refused(runState, step, null, runError(code, message, step.id));
  if (!fits) {
    const message =
      `One run may execute ${stepsMax} steps over its whole tree; ${maxPages} pages of step ` +
      `${step.id} do not fit.`;
    throw await refuse('BUDGET_EXCEEDED', message);
  }
  for (;;) {
    const {
      count,
      next: cursor,
      bytes,
    } = values.endedPages(step.id) ?? { count: 0, next: first, bytes: 2 };
    if (count > 0 && cursor === null) return { ref: true, bytes };
    if (count >= maxPages) {
      const message = `Step ${step.id} has more than ${maxPages} pages (maxPages).`;
      throw await refuse('BUDGET_EXCEEDED', message);
    }
    const page = readPageAnswer(await runPage({ step, index: count, item: { value: cursor } }));
    if (JSON.stringify(page.next) === JSON.stringify(cursor) && cursor !== null) {
      const message = `Page ${count} of step ${step.id} names itself as the next page.`;
      throw await refuse('OUTPUT_INVALID', message);
    }
    values.endPage(step.id, {
      count: count + 1,
      next: page.next,
      bytes: bytes + page.bytes,
    });
    control.progressed();
  }
}
