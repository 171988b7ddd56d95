import { z } from 'zod';
import { entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { Float, type Params, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { toProcessRun, toRunSnapshot } from '../run/run.cypher.ts';
import { type ProcessRun, RUN_STATUSES, type RunStatus } from '../run/run.ts';
import { originParams, type RunOrigin, type RunWork } from '../run/run-origin.ts';
import type { RunSnapshot } from '../run/snapshot.ts';

// The statements of a run's start, in this order: insert it, find it to start it, mark it as
// running.

/** A run to insert, with its values as they are stored. */
export interface NewRun {
  /** The fields that never change after the insert. */
  readonly run: Pick<
    ProcessRun,
    | 'id'
    | 'ownerId'
    | 'workspace'
    | 'processId'
    | 'processName'
    | 'processVersion'
    | 'snapshotHash'
    | 'rootRunId'
    | 'runPath'
    | 'depth'
    | 'parentRunId'
    | 'parentStepId'
    | 'parentIndex'
    | 'retryOfId'
    | 'conversationId'
    | 'contextBlob'
    | 'timeoutSeconds'
    | 'queuePrefix'
    | 'traceparent'
    | 'createdAt'
  >;
  /** JSON text; null where it is in the blob store. */
  readonly context: string | null;
  readonly depthMax: number;
  readonly budget: { readonly tokens: number | null; readonly costUsd: number | null } | null;
  /** The system's own LLM steps call the Tool of the owner's memory settings; default false. */
  readonly asksOwnersModel?: boolean;
  /** Absent for a user's run, and for a sub-run: its insert copies the origin of the caller. */
  readonly workFor?: RunWork | null;
  /** Default: `system` with `workFor`, else `user`. */
  readonly origin?: RunOrigin | undefined;
}

/** The properties of a new run's node. */
export function runParams(insert: NewRun): Params {
  const { run, context, depthMax, budget, asksOwnersModel } = insert;
  const { createdAt: _at, runPath, ...fields } = run;
  return {
    ...fields,
    ...originParams(insert.workFor, insert.origin),
    runPath: [...runPath],
    context,
    depthMax,
    asksOwnersModel: asksOwnersModel === true ? true : null,
    budgeted: budget !== null,
    budgetTokens: budget?.tokens ?? null,
    budgetCostUsd:
      budget?.costUsd === null || budget?.costUsd === undefined ? null : new Float(budget.costUsd),
  };
}

const INSERT_ROOT = /* cypher */ `
  // insertRootRun
  MATCH (owner:User {id: $run.ownerId}), (process:Process {id: $run.processId})
  MERGE (snapshot:RunSnapshot {hash: $run.snapshotHash})
  ON CREATE SET snapshot.body = $snapshot, snapshot.createdAt = datetime($now)
  CREATE (run:ProcessRun:Resource:PendingStart)
  SET run = $run, run.status = 'pending', run.createdAt = datetime($now),
    run.runsInTree = 1, run.stepsInTree = $steps, run.tokensUsed = 0, run.costUsed = 0.0,
    run.tokensReserved = 0, run.costReserved = 0.0, run.budgetVersion = 0
  CREATE (run)-[:OWNED_BY {createdAt: datetime($now)}]->(owner)
  CREATE (run)-[:RUN_OF]->(process)
  CREATE (o:OutboxEntry:PendingEntry)
  SET o = $entry, o.at = datetime($now)
  RETURN run.id AS id
`;

/**
 * Writes a root run with its snapshot and its entry, in one statement. False where the Process was
 * deleted meanwhile.
 */
export async function insertRootRun(
  tx: WriteTx,
  insert: { run: NewRun; snapshot: string; steps: number; now: string; entry: OutboxEntry },
): Promise<boolean> {
  const [entry] = entryParams([insert.entry]);
  const rows = await tx.run(INSERT_ROOT, { ...insert, run: runParams(insert.run), entry });
  return rows.length > 0;
}

const LIST_PENDING_STARTS = /* cypher */ `
  CYPHER replan=skip
  // listPendingStarts
  MATCH (run:PendingStart) USING INDEX run:PendingStart(id) WHERE run.id > $afterId
  RETURN run.id AS id ORDER BY run.id LIMIT $limit
`;

/** Ids of the runs of every owner that are not started yet, oldest first. */
export async function listPendingStarts(
  tx: ReadTx,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tx.run(LIST_PENDING_STARTS, { afterId, limit });
  return textsOf(rows, 'id', 'ProcessRun');
}

const FIND_TO_START = /* cypher */ `
  // findRunToStart
  MATCH (run:ProcessRun {id: $runId})
  OPTIONAL MATCH (snapshot:RunSnapshot {hash: run.snapshotHash})
  RETURN run {.*} AS run, CASE WHEN run.status = 'pending' THEN snapshot.body END AS snapshot
`;

/** A run, and its snapshot while the run is pending. Both null where the run is gone. */
export async function findRunToStart(
  tx: ReadTx,
  runId: string,
): Promise<{ readonly run: ProcessRun | null; readonly snapshot: RunSnapshot | null }> {
  const [row] = await tx.run(FIND_TO_START, { runId });
  if (row === undefined) return { run: null, snapshot: null };
  const run = toProcessRun(row['run']);
  const body = row['snapshot'] ?? null;
  return { run, snapshot: body === null ? null : toRunSnapshot(run.snapshotHash, body) };
}

const MARK_STARTED = /* cypher */ `
  // markRunStarted
  MATCH (run:ProcessRun {id: $runId})
  SET run.lockedAt = $now
  WITH run, run.status AS was
  SET run.temporalRunId = coalesce(run.temporalRunId, $temporalRunId)
  REMOVE run:PendingStart
  FOREACH (_ IN CASE WHEN was = 'pending' THEN [1] ELSE [] END |
    SET run.status = 'running', run.startedAt = datetime($now)
    CREATE (o:OutboxEntry:PendingEntry) SET o = $entry, o.at = datetime($now))
  RETURN was
`;

const StatusBefore = z.object({ was: z.enum(RUN_STATUSES) });

/**
 * Marks a pending run as running and writes its entry. A run in any other status keeps it. Only
 * `recordStart` calls this.
 * @returns the status before; null where the run is gone
 */
export async function markRunStarted(
  tx: WriteTx,
  mark: { runId: string; temporalRunId: string | null; now: string; entry: OutboxEntry },
): Promise<RunStatus | null> {
  const [entry] = entryParams([mark.entry]);
  const [row] = await tx.run(MARK_STARTED, { ...mark, entry });
  return row === undefined ? null : parseRow(StatusBefore, row, `ProcessRun ${mark.runId}`).was;
}
