import { openStepRecords } from '../src/runs/attempts/step-records.service.ts';
import type { RunActivities, RunNotes } from '../workflows/interpreter/contract.ts';
import { type ActivityDeps, createSnapshotCache, type RunContext } from './deps.ts';
import { finite } from './failure.ts';
import { createBeginRun } from './run/begin-run.ts';
import { createFinishRun } from './run/finish-run.ts';
import { createNotes } from './run/notes.ts';
import { createStoreResults } from './run/store-results.ts';
import { createCircuits } from './run-step/circuits.ts';
import { createEvaluateExpression } from './run-step/evaluate-expression.ts';
import { createExecuteStep } from './run-step/execute-step.ts';
import { QuickTools } from './run-step/quick-tools.ts';

export type { ActivityDeps } from './deps.ts';

/**
 * All activities of runs. Each worker registers all of them; its options say which task queues it
 * serves.
 */
export function createActivities(given: ActivityDeps): RunActivities & RunNotes {
  const deps: RunContext = {
    ...given,
    snapshots: createSnapshotCache(given.snapshots),
    circuits: createCircuits(given.clock),
    quickTools: new QuickTools(given.localCallLimits),
    steps: openStepRecords(given.graph, given.onGroup),
  };
  return {
    executeStep: createExecuteStep(deps),
    beginRun: createBeginRun(deps),
    finishRun: createFinishRun(deps),
    evaluateExpression: createEvaluateExpression(deps),
    storeResults: createStoreResults(deps),
    ...finite(deps, createNotes(deps)),
  };
}
