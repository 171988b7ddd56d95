import { STEP_EXECUTIONS_PER_TREE_MAX } from '../../common/limits.ts';
import type { ProcessDefinition, ProcessStep } from '../process.ts';

type PlannedStep = Pick<ProcessStep, 'id'> & {
  readonly execution: Pick<ProcessStep['execution'], 'mode'>;
};

/**
 * The order in which steps start (docs/decisions/0019): each stage starts when the one before has ended. A sequential step is a stage
 * of its own; neighbouring parallel steps are one stage and run at once.
 */
export function planStages(steps: readonly PlannedStep[]): string[][] {
  const stages: string[][] = [];
  let before: PlannedStep['execution']['mode'] | null = null;
  for (const { id, execution } of steps) {
    const group =
      execution.mode === 'parallel' && before === 'parallel' ? stages.at(-1) : undefined;
    if (group === undefined) stages.push([id]);
    else group.push(id);
    before = execution.mode;
  }
  return stages;
}

type PlannedProcess = Pick<ProcessDefinition, 'steps' | 'maxRecursionDepth'>;

export interface ProcessPlan {
  /** Step ids by stage. */
  readonly stages: readonly (readonly string[])[];
  /** How deep runs nest below the root: 0 where no Process is called. */
  readonly maxDepth: number;
  /** Step executions of the whole tree, at most what a tree may have; a forEach counts as one item, a condition as true. */
  readonly estimatedSteps: number;
  /** Everything reachable, in order of appearance. */
  readonly toolIds: readonly string[];
}

/**
 * What would run. Calls beyond the smallest maxRecursionDepth on their way are left out, as they would be refused.
 * @param called the Processes reachable from it, by id; those not in it count as steps without a run below
 */
export function planProcess(
  process: PlannedProcess,
  called: ReadonlyMap<string, PlannedProcess>,
): ProcessPlan {
  const toolIds = new Set<string>();
  // A Process that calls itself twice has 2^depth runs, but only so many different ones.
  const known = new Map<string, Extent>();

  function extentOf(id: string | null, at: PlannedProcess, depth: number, limit: number): Extent {
    const depthMax = Math.min(limit, at.maxRecursionDepth);
    const key = `${id} ${depth} ${depthMax}`;
    const done = known.get(key);
    if (done !== undefined) return done;
    let steps = 0;
    let deepest = depth;
    for (const { calls } of at.steps) {
      steps += 1;
      if ('toolId' in calls) {
        toolIds.add(calls.toolId);
        continue;
      }
      const next = called.get(calls.processId);
      if (next === undefined || depth + 1 > depthMax) continue;
      const below = extentOf(calls.processId, next, depth + 1, depthMax);
      steps = Math.min(steps + below.steps, STEP_EXECUTIONS_PER_TREE_MAX);
      deepest = Math.max(deepest, below.deepest);
    }
    const extent = { steps, deepest };
    known.set(key, extent);
    return extent;
  }

  const { steps, deepest } = extentOf(null, process, 0, Number.POSITIVE_INFINITY);
  return {
    stages: planStages(process.steps),
    maxDepth: deepest,
    estimatedSteps: steps,
    toolIds: [...toolIds],
  };
}

interface Extent {
  readonly steps: number;
  readonly deepest: number;
}
