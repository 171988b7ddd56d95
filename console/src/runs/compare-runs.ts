import type { RunQuery } from '../generated/documents.ts';

type Run = NonNullable<RunQuery['processRun']>;
type StepRun = Run['steps'][number];

export type Difference = 'status' | 'inputs' | 'output' | 'attempts';

/** One step, or one item of a loop, in two runs. */
export interface StepPair {
  readonly stepId: string;
  readonly index: number | null;
  /** Null where a run did not come to the step. */
  readonly left: StepRun | null;
  readonly right: StepRun | null;
  readonly differences: readonly Difference[];
}

/** The steps of both runs in the order of the first, then those of the second only. */
export function pairSteps(left: readonly StepRun[], right: readonly StepRun[]): StepPair[] {
  const keyOf = ({ stepId, index }: StepRun) => `${stepId} ${index ?? ''}`;
  const others = new Map(right.map((step) => [keyOf(step), step]));
  const known = new Set(left.map(keyOf));
  return [
    ...left.map((step) => pairOf(step, others.get(keyOf(step)) ?? null)),
    ...right.filter((step) => !known.has(keyOf(step))).map((step) => pairOf(null, step)),
  ];
}

function pairOf(left: StepRun | null, right: StepRun | null): StepPair {
  const some = left ?? right;
  return {
    stepId: some?.stepId ?? '',
    index: some?.index ?? null,
    left,
    right,
    differences: left === null || right === null ? ['status'] : differencesOf(left, right),
  };
}

function differencesOf(left: StepRun, right: StepRun): Difference[] {
  const found: Difference[] = [];
  if (left.status !== right.status) found.push('status');
  if (!isSame(left.inputs, right.inputs)) found.push('inputs');
  if (!isSame(left.output, right.output)) found.push('output');
  if (left.attempt !== right.attempt) found.push('attempts');
  return found;
}

/** Whether two JSON values are the same; the order of keys does not matter. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left ?? null)) === JSON.stringify(sorted(right ?? null));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Time in ms from start to end; null while the step runs or never started. */
export function tookMs(step: {
  readonly startedAt?: string | null;
  readonly completedAt?: string | null;
}): number | null {
  if (step.startedAt == null || step.completedAt == null) return null;
  return Date.parse(step.completedAt) - Date.parse(step.startedAt);
}
