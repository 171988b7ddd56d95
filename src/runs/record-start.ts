import { type Clock, instant } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import { jsonBytes } from '../common/json.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { ProcessRun, RunStatus } from './run.ts';
import { entryValue, startedEntry } from './run-entry.ts';
import { markRunStarted } from './run-start.cypher.ts';

type Started = Pick<
  ProcessRun,
  | 'id'
  | 'rootRunId'
  | 'runPath'
  | 'ownerId'
  | 'workspace'
  | 'conversationId'
  | 'depth'
  | 'processId'
  | 'processName'
  | 'processVersion'
  | 'context'
>;

/**
 * Marks a root run as running and tells so, unless that was done before. Answers the status it had; null where it is gone.
 * @param temporalRunId null where it is not known
 */
export function recordStart(
  deps: { readonly graph: Graph; readonly clock: Clock; readonly newId: NewId },
  run: Started,
  temporalRunId: string | null,
): Promise<RunStatus | null> {
  const { context } = run;
  const value = context === null ? { bytes: 0 } : entryValue(context, jsonBytes(context));
  const process = { id: run.processId, name: run.processName, version: run.processVersion };
  const entry = startedEntry(deps, { ...run, runId: run.id }, process, value, null);
  const now = instant(deps.clock);
  return deps.graph.write((tx) => markRunStarted(tx, { runId: run.id, temporalRunId, now, entry }));
}
