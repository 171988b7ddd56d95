import { didYouMean } from '../../common/did-you-mean.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import type { ProcessStep } from '../process.ts';

/**
 * Checks that a step depends on steps of earlier stages only (S4-STEP-06…08). Returns all problems
 * at once, with one path per dependency.
 * A later step is FORWARD_DEPENDENCY, and CYCLE too if it closes one. A step of the same stage is
 * PARALLEL_DEPENDENCY.
 * @param stageOf the stage of each step, by the step's index
 */
export function checkDependencies(
  steps: readonly ProcessStep[],
  stageOf: readonly number[],
): Problem[] {
  const problems: Problem[] = [];
  const stepIndexes = new Map(steps.map(({ id }, stepIndex) => [id, stepIndex]));
  const cycleOf = findCycles(steps, stepIndexes);
  for (const [stepIndex, { id: self, dependsOn }] of steps.entries()) {
    for (const [index, id] of dependsOn.entries()) {
      const target = stepIndexes.get(id);
      const add = (
        code: 'NOT_FOUND' | 'INVALID' | 'CYCLE' | 'FORWARD_DEPENDENCY' | 'PARALLEL_DEPENDENCY',
        message: string,
      ) => problems.push(problem(code, ['steps', stepIndex, 'dependsOn', index], message));
      if (dependsOn.indexOf(id) < index) add('INVALID', `"${id}" is named twice.`);
      else if (target === undefined)
        add(
          'NOT_FOUND',
          `There is no step "${id}" in this Process.${didYouMean(id, stepIndexes.keys())}`,
        );
      else if (target === stepIndex) add('CYCLE', "A step can't wait for itself.");
      else {
        if (target > stepIndex) {
          add('FORWARD_DEPENDENCY', `"${id}" comes later; steps depend on earlier ones only.`);
          if (cycleOf[target] === cycleOf[stepIndex])
            add('CYCLE', `"${self}" and "${id}" wait for each other.`);
        }
        if (stageOf[target] === stageOf[stepIndex])
          add(
            'PARALLEL_DEPENDENCY',
            `"${id}" runs at the same time as this step, so it can't be waited for.`,
          );
      }
    }
  }
  return problems;
}

/**
 * Numbers the strongly connected components of the steps (Kosaraju). Two steps have the same number
 * exactly if each depends on the other.
 */
function findCycles(
  steps: readonly ProcessStep[],
  stepIndexes: ReadonlyMap<string, number>,
): number[] {
  const waitsFor = steps.map(({ dependsOn }) =>
    dependsOn.flatMap((id) => stepIndexes.get(id) ?? []),
  );
  const waitedBy: number[][] = steps.map(() => []);
  for (const [stepIndex, targets] of waitsFor.entries()) {
    for (const target of targets) waitedBy[target]?.push(stepIndex);
  }
  // The recursion is at most as deep as the number of steps, which checkDefinition limits.
  const seen = new Set<number>();
  const finished: number[] = [];
  const finish = (stepIndex: number): void => {
    if (seen.has(stepIndex)) return;
    seen.add(stepIndex);
    for (const target of waitsFor[stepIndex] ?? []) finish(target);
    finished.push(stepIndex);
  };
  for (const stepIndex of steps.keys()) finish(stepIndex);

  const cycleOf: number[] = [];
  const mark = (stepIndex: number, cycle: number): void => {
    if (cycleOf[stepIndex] !== undefined) return;
    cycleOf[stepIndex] = cycle;
    for (const by of waitedBy[stepIndex] ?? []) mark(by, cycle);
  };
  for (const stepIndex of finished.reverse()) mark(stepIndex, stepIndex);
  return cycleOf;
}
