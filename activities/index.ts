import { createBeginRun } from './begin-run.ts';
import type { RunActivities, RunNotes } from './contract.ts';
import { type ActivityDeps, createSnapshotCache, type RunContext } from './deps.ts';
import { createEvaluateExpression } from './evaluate-expression.ts';
import { createExecuteStep } from './execute-step.ts';
import { createFinishRun } from './finish-run.ts';
import { createNotes } from './notes.ts';

export type { ActivityDeps } from './deps.ts';

/** Every activity of a run; a worker registers all of them and serves the queues it is told to. */
export function createActivities(given: ActivityDeps): RunActivities & RunNotes {
  const deps: RunContext = { ...given, snapshots: createSnapshotCache(given.graph) };
  return {
    executeStep: createExecuteStep(deps),
    beginRun: createBeginRun(deps),
    finishRun: createFinishRun(deps),
    evaluateExpression: createEvaluateExpression(deps),
    ...createNotes(deps),
  };
}
