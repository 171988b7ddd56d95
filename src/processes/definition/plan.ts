import { STEP_EXECUTIONS_PER_TREE_MAX } from '../../common/limits.ts';
import type { ProcessDefinition, ProcessStep } from '../process.ts';

type PlannedStep = Pick<ProcessStep, 'id'> & {
  readonly execution: Pick<ProcessStep['execution'], 'mode'>;
};

/**
 * The order in which steps start (docs/decisions/0019). A stage starts when the previous stage has
 * ended. A sequential step is a stage by itself; adjacent parallel steps are one stage and run at
 * the same time.
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
  /** Maximum nesting of runs below the root; 0 if no Process is called. */
  readonly maxDepth: number;
  /**
   * Estimated step executions of the whole tree, at most STEP_EXECUTIONS_PER_TREE_MAX. A forEach
   * counts as one item, a condition as true.
   */
  readonly estimatedSteps: number;
  /** Ids of all reachable Tools, in order of appearance. */
  readonly toolIds: readonly string[];
}

/**
 * Plans a run. Omits calls below the smallest maxRecursionDepth on their path, because the engine
 * refuses them.
 * @param called the reachable Processes by id; an absent one counts as a step without a run below
 * it
 */
export function planProcess(
  process: PlannedProcess,
  called: ReadonlyMap<string, PlannedProcess>,
): ProcessPlan {
  const toolIds = new Set<string>();
  // A Process that calls itself twice has 2^depth runs, but few different ones, so extents are
  // cached.
  const known = new Map<string, Extent>();

  function extentOf(id: string | null, at: PlannedProcess, depth: number, limit: number): Extent {
    const depthMax = Math.min(limit, at.maxRecursionDepth);
    const key = `${id} ${depth} ${depthMax}`;
    const done = known.get(key);
    if (done !== undefined) return done;
    let steps = 0;
    let deepest = depth;
    // A model may call the tools that its step offers any number of times, or never, so they
    // count for the depth and not as steps.
    const visit = (target: ProcessStep['calls'], counts: 'as steps' | 'not as steps') => {
      if ('toolId' in target) {
        toolIds.add(target.toolId);
        return;
      }
      const next = called.get(target.processId);
      if (next === undefined || depth + 1 > depthMax) return;
      const below = extentOf(target.processId, next, depth + 1, depthMax);
      if (counts === 'as steps')
        steps = Math.min(steps + below.steps, STEP_EXECUTIONS_PER_TREE_MAX);
      deepest = Math.max(deepest, below.deepest);
    };
    for (const { calls, tools } of at.steps) {
      steps += 1;
      visit(calls, 'as steps');
      for (const tool of tools ?? []) visit(tool, 'not as steps');
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
