import { loadOutputs } from '../../src/runs/run/payloads.service.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import { findStepRecords } from '../../src/runs/steps/step-run.cypher.ts';
import { listOf, resultsFile, resultsName } from '../../src/runs/steps/step-run.ts';
import type { ResultsCall } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { toStepFailure } from '../failure.ts';

/**
 * Writes the results of a forEach to a file, as one JSON list in the order of the items. A repeat
 * writes the same.
 */
export function createStoreResults(deps: RunContext): (call: ResultsCall) => Promise<ValueOrRef> {
  return async ({ run, stepId }) => {
    try {
      const known = await deps.snapshots.get(run.snapshotHash);
      const step = known.findStep(run.processId, stepId);
      if (step === null) throw new Error(`The Process has no step ${stepId}.`);
      const records = await deps.graph.read((tx) => findStepRecords(tx, run.runId, [stepId]));
      // A forEach over an empty list has a record of the step itself.
      const found = records.filter(({ index }) => index !== null);
      const list = listOf(step, await loadOutputs(deps.payloads, found));
      const bytes = new TextEncoder().encode(JSON.stringify(list));
      await deps.payloads.storeFile(run, resultsName(step), bytes);
      return { inline: resultsFile(run, step, found.length) };
    } catch (error) {
      throw toStepFailure(deps, error, stepId, `storeResults ${run.runId}`);
    }
  };
}
