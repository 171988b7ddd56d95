import { z } from 'zod';
import { entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { Float, type Params, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { type ProcessRun, RUN_STATUSES, type RunStatus } from '../run/run.ts';
import { originParams, type RunOrigin, type RunWork } from '../run/run-origin.ts';

// The statements of a run's start, in this order: insert it, list it while it is pending, mark it
// as running.

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

const INSERT_ROOT = cypher`
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

const LIST_PENDING_STARTS = cypher`
  CYPHER replan=skip
  // listPendingStarts
  MATCH (run:PendingStart) USING INDEX run:PendingStart(id) WHERE run.id > $afterId
  RETURN run.id AS id ORDER BY run.id LIMIT $limit
`;

/** Ids of the runs of every owner that are not started yet, oldest first. */
export const listPendingStarts = async (
  tx: ReadTx,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
) => textsOf(await tx.run(LIST_PENDING_STARTS, { afterId, limit }), 'id', 'ProcessRun');

// The lock comes first: a run may be cancelled at the same time.
const MARK_STARTED = cypher`
  // markRunsStarted
  UNWIND $starts AS start
  MATCH (run:ProcessRun {id: start.runId})
  SET run.lockedAt = start.now, run.temporalRunId = coalesce(run.temporalRunId, start.temporalRunId)
  REMOVE run:PendingStart
  WITH run, start WHERE run.status = 'pending'
  SET run.status = 'running', run.startedAt = datetime(start.now)
  WITH run, $entries[start.entry] AS entry
  CREATE (o:OutboxEntry:PendingEntry) SET o = entry, o.at = datetime(entry.at)
  RETURN run.id AS id
`;

const FIND_STATUSES = cypher`
  // findRunStatuses
  MATCH (run:ProcessRun) WHERE run.id IN $runIds
  RETURN run.id AS id, run.status AS was
`;

const StatusBefore = z.object({ id: z.string(), was: z.enum(RUN_STATUSES) });

/** The start of a run, with its entry. `recordStart` makes it. */
export interface RunStart {
  readonly runId: string;
  /** Null where it is not known. */
  readonly temporalRunId: string | null;
  readonly now: string;
  readonly entry: OutboxEntry;
}

/**
 * Marks pending runs as running and writes their entries. A run in any other status keeps it.
 * @returns the status before, by run; a run that is gone is left out
 */
export async function markRunsStarted(
  tx: WriteTx,
  starts: readonly RunStart[],
): Promise<ReadonlyMap<string, RunStatus>> {
  const rows = await tx.run(MARK_STARTED, {
    starts: starts.map(({ runId, temporalRunId, now }, entry) => ({
      runId,
      temporalRunId,
      now,
      entry,
    })),
    entries: entryParams(starts.map(({ entry }) => entry)),
  });
  const was = new Map<string, RunStatus>(
    textsOf(rows, 'id', 'ProcessRun').map((id) => [id, 'pending']),
  );
  const others = starts.map(({ runId }) => runId).filter((runId) => !was.has(runId));
  if (others.length === 0) return was;
  for (const row of await tx.run(FIND_STATUSES, { runIds: others })) {
    const run = parseRow(StatusBefore, row, 'ProcessRun');
    was.set(run.id, run.was);
  }
  return was;
}
