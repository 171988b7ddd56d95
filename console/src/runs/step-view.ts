import type { DefinedStepFragment, RunStateFragment, StepStatus } from '../generated/documents.ts';

export type StepRun = RunStateFragment['steps'][number];

/** A step of the definition with its executions in one run. */
export interface StepView {
  readonly id: string;
  readonly defined: DefinedStepFragment | null;
  /** One per item of a forEach; one otherwise; none before the step starts. */
  readonly runs: readonly StepRun[];
  readonly status: StepStatus | null;
}

/** States of many items, the one that says most first. */
const WEIGHT: readonly StepStatus[] = [
  'FAILED',
  'TIMED_OUT',
  'WAITING',
  'RUNNING',
  'CANCELLED',
  'PENDING',
  'COMPLETED',
  'SKIPPED',
];

/** Steps in the order of the definition; steps of a deleted Process in the order they ran. */
export function stepViews(
  defined: readonly DefinedStepFragment[],
  runs: readonly StepRun[],
): StepView[] {
  const byStep = Map.groupBy(runs, ({ stepId }) => stepId);
  const ids = new Set([...defined.map(({ id }) => id), ...byStep.keys()]);
  const definedById = new Map(defined.map((step) => [step.id, step]));
  return [...ids].map((id) => {
    const own = (byStep.get(id) ?? []).toSorted(
      (left, right) => (left.index ?? 0) - (right.index ?? 0),
    );
    return { id, defined: definedById.get(id) ?? null, runs: own, status: statusOf(own) };
  });
}

const LOST: ReadonlySet<StepStatus> = new Set(['FAILED', 'TIMED_OUT', 'CANCELLED']);

/**
 * The number of items of a forEach that failed or were cancelled, while others completed; 0 where
 * nothing can be kept, so that a retry begins the step anew.
 */
export function lostItems({ defined, runs }: Pick<StepView, 'defined' | 'runs'>): number {
  if (defined?.execution.forEach == null) return 0;
  if (!runs.some(({ status }) => status === 'COMPLETED')) return 0;
  return runs.filter(({ status }) => LOST.has(status)).length;
}

function statusOf(runs: readonly StepRun[]): StepStatus | null {
  const found = new Set(runs.map(({ status }) => status));
  return WEIGHT.find((status) => found.has(status)) ?? null;
}

/** The part of a step that gives its place in the order of execution. */
export interface OrderedStep {
  readonly id: string;
  readonly execution: Pick<DefinedStepFragment['execution'], 'mode'>;
}

/** Step ids by stage: a sequential step alone, neighbouring parallel steps together. */
export function stagesOf(steps: readonly OrderedStep[]): string[][] {
  const stages: string[][] = [];
  let isParallel = false;
  for (const { id, execution } of steps) {
    const joins = execution.mode === 'PARALLEL' && isParallel;
    if (joins) stages.at(-1)?.push(id);
    else stages.push([id]);
    isParallel = execution.mode === 'PARALLEL';
  }
  return stages;
}

const REFERENCE = /\bstep\.([A-Za-z_]\w*)/g;

/**
 * Ids of the steps that a step takes values from, or waits for by name.
 * @param writers ids of steps by the variable that they write
 */
export function needsOf(
  step: DefinedStepFragment,
  writers: ReadonlyMap<string, string>,
): Set<string> {
  const text = [
    JSON.stringify(step.inputs),
    step.execution.condition ?? '',
    step.execution.forEach ?? '',
  ].join(' ');
  const needs = new Set(step.dependsOn);
  for (const [, variable = ''] of text.matchAll(REFERENCE)) {
    const writer = writers.get(variable);
    if (writer !== undefined) needs.add(writer);
  }
  needs.delete(step.id);
  return needs;
}
