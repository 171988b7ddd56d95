import { type StepRun, type StepView, stagesOf } from './step-view.ts';

/** A time in which a step did not work. */
export interface Wait {
  readonly fromMs: number;
  /** Null: it still waits. */
  readonly toMs: number | null;
  readonly label: string;
}

/** An attempt of a step, as the call graph has it. */
export interface Attempt {
  readonly requestId: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/** Start of the ids of the attempts of one execution of a step. */
export function attemptPrefix(
  runId: string,
  { stepId, index }: Pick<StepRun, 'stepId' | 'index'>,
): string {
  return `${runId}/${stepId}/${index == null ? '' : `${index}/`}`;
}

/** The attempts of one execution of a step, in their order. */
export function attemptsOf<One extends Attempt>(
  attempts: readonly One[],
  runId: string,
  run: Pick<StepRun, 'stepId' | 'index'>,
): One[] {
  const prefix = attemptPrefix(runId, run);
  return attempts.filter(
    ({ requestId }) => requestId.startsWith(prefix) && /^\d+$/.test(requestId.slice(prefix.length)),
  );
}

/**
 * The moment at which the steps before each step had ended, by step id. A step of which one is
 * still open has none.
 */
export function readyTimes(views: readonly StepView[], startMs: number): Map<string, number> {
  const ready = new Map<string, number>();
  const byId = new Map(views.map((view) => [view.id, view]));
  const defined = views.flatMap((view) => (view.defined === null ? [] : [view.defined]));
  let atMs: number | null = startMs;
  for (const stage of stagesOf(defined)) {
    for (const id of stage) if (atMs !== null) ready.set(id, atMs);
    for (const id of stage) {
      const runs = byId.get(id)?.runs ?? [];
      for (const { completedAt } of runs)
        atMs =
          atMs === null || completedAt == null ? null : Math.max(atMs, Date.parse(completedAt));
      if (runs.length === 0) atMs = null;
    }
  }
  return ready;
}

/**
 * The waits of one execution: before its first attempt, for a decision of a person or for its turn,
 * and between attempts.
 */
export function waitsOf(
  run: Pick<StepRun, 'status' | 'startedAt' | 'completedAt'>,
  isManual: boolean,
  readyMs: number | undefined,
  attempts: readonly Attempt[],
): Wait[] {
  const begun = [...attempts.map(({ startedAt }) => startedAt), run.startedAt]
    .flatMap((at) => (at == null ? [] : [Date.parse(at)]))
    .toSorted((left, right) => left - right)[0];
  // A step that was never begun and has ended waited until then.
  const endMs = begun ?? (run.completedAt == null ? null : Date.parse(run.completedAt));
  const isWaiting = run.status === 'WAITING';
  const label =
    isManual || isWaiting
      ? 'Waits for a decision of a person'
      : 'Waits for its turn: a Worker, the budget, or other items';
  const first =
    readyMs === undefined || run.status === 'SKIPPED'
      ? []
      : [{ fromMs: readyMs, toMs: endMs, label }];
  const pauses = attempts.slice(1).flatMap(({ startedAt }, at) => {
    const before = attempts[at]?.completedAt;
    if (before == null || startedAt == null) return [];
    const label = `Pause before attempt ${at + 2}`;
    return [{ fromMs: Date.parse(before), toMs: Date.parse(startedAt), label }];
  });
  return [...first, ...pauses];
}
