import type { ProcessStep } from './process.ts';

type PlannedStep = Pick<ProcessStep, 'id'> & {
  readonly execution: Pick<ProcessStep['execution'], 'mode'>;
};

/**
 * The order in which steps start (decisions.md, Processes): each stage starts when the one before has ended. A sequential step is a stage
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
