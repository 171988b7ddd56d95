import { type Clock, instant } from '../../common/clock.ts';
import type { NewId } from '../../common/id.ts';
import { jsonBytes } from '../../common/json.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { entryValue, startedEntry } from '../events/run-entry.ts';
import type { ProcessRun, RunStatus } from '../run/run.ts';
import { markRunsStarted, type RunStart } from './start.cypher.ts';

/**
 * The only way in which a root run becomes running: sets its status, start time and workflow, and
 * writes `run.started`. A repeat changes nothing. The run starter calls this after it has started
 * the workflow. Where the workflow is faster, or the starter was killed, finishRun calls it, or the
 * first claim of a step writes `startOf`, so that `run.started` comes before `step.started` and
 * `run.ended`.
 * @param temporalRunId null where it is not known
 * @returns the status before; null where the run is gone
 */
export async function recordStart(
  tx: WriteTx,
  deps: { readonly clock: Clock; readonly newId: NewId },
  run: ProcessRun,
  temporalRunId: string | null,
): Promise<RunStatus | null> {
  const was = await markRunsStarted(tx, [startOf(deps, run, temporalRunId)]);
  return was.get(run.id) ?? null;
}

/** The start of a root run that is pending. */
export function startOf(
  deps: { readonly clock: Clock; readonly newId: NewId },
  run: ProcessRun,
  temporalRunId: string | null,
): RunStart {
  const { context } = run;
  const value = context === null ? { bytes: 0 } : entryValue(context, jsonBytes(context));
  const process = { id: run.processId, name: run.processName, version: run.processVersion };
  const entry = startedEntry(deps, { ...run, runId: run.id }, process, value, null);
  return { runId: run.id, temporalRunId, now: instant(deps.clock), entry };
}
