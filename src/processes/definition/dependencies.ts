import { type Problem, problem } from '../../common/refusal.ts';
import type { ProcessStep } from '../process.ts';

/**
 * S4-STEP-06…08: a step depends on steps of earlier stages only. All problems at once, one path per dependency: a later step is
 * FORWARD_DEPENDENCY, and CYCLE too where it closes one; a step that runs at the same time is PARALLEL_DEPENDENCY.
 * @param stageOf the stage of each step, by its place
 */
export function checkDependencies(
  steps: readonly ProcessStep[],
  stageOf: readonly number[],
): Problem[] {
  const problems: Problem[] = [];
  const places = new Map(steps.map(({ id }, place) => [id, place]));
  const circleOf = findCircles(steps, places);
  for (const [place, { id: self, dependsOn }] of steps.entries()) {
    for (const [index, id] of dependsOn.entries()) {
      const target = places.get(id);
      const add = (
        code: 'NOT_FOUND' | 'INVALID' | 'CYCLE' | 'FORWARD_DEPENDENCY' | 'PARALLEL_DEPENDENCY',
        message: string,
      ) => problems.push(problem(code, ['steps', place, 'dependsOn', index], message));
      if (dependsOn.indexOf(id) < index) add('INVALID', `"${id}" is named twice.`);
      else if (target === undefined) add('NOT_FOUND', `There is no step "${id}" in this Process.`);
      else if (target === place) add('CYCLE', "A step can't wait for itself.");
      else {
        if (target > place) {
          add('FORWARD_DEPENDENCY', `"${id}" comes later; steps depend on earlier ones only.`);
          if (circleOf[target] === circleOf[place])
            add('CYCLE', `"${self}" and "${id}" wait for each other.`);
        }
        if (stageOf[target] === stageOf[place]) {
          add(
            'PARALLEL_DEPENDENCY',
            `"${id}" runs at the same time as this step, so it can't be waited for.`,
          );
        }
      }
    }
  }
  return problems;
}

/** A number for each step, equal for two steps exactly where each waits for the other in the end (Kosaraju). */
function findCircles(steps: readonly ProcessStep[], places: ReadonlyMap<string, number>): number[] {
  const waitsFor = steps.map(({ dependsOn }) => dependsOn.flatMap((id) => places.get(id) ?? []));
  const waitedBy: number[][] = steps.map(() => []);
  for (const [place, targets] of waitsFor.entries()) {
    for (const target of targets) waitedBy[target]?.push(place);
  }
  // Recursion is as deep as there are steps, which checkDefinition has limited.
  const seen = new Set<number>();
  const finished: number[] = [];
  const finish = (place: number): void => {
    if (seen.has(place)) return;
    seen.add(place);
    for (const target of waitsFor[place] ?? []) finish(target);
    finished.push(place);
  };
  for (const place of steps.keys()) finish(place);

  const circleOf: number[] = [];
  const mark = (place: number, circle: number): void => {
    if (circleOf[place] !== undefined) return;
    circleOf[place] = circle;
    for (const by of waitedBy[place] ?? []) mark(by, circle);
  };
  for (const place of finished.reverse()) mark(place, place);
  return circleOf;
}
