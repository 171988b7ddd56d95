import { entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { Float, type Params, type WriteTx } from '../platform/neo4j/graph.ts';
import type { RunOrigin } from './ready-run.ts';
import type { ProcessRun, RunStatus } from './run.ts';

/** A run to be written, with the values as they are stored. */
export interface NewRun {
  readonly run: RunOrigin &
    Pick<
      ProcessRun,
      'parentRunId' | 'parentStepId' | 'parentIndex' | 'retryOfId' | 'contextBlob' | 'createdAt'
    >;
  /** JSON text, or null where it lies in the blob. */
  readonly context: string | null;
  readonly depthMax: number;
  readonly budget: { readonly tokens: number | null; readonly costUsd: number | null } | null;
  /** Whether the system's questions are put to the Tool of the owner's memorySettings; absent: they are not. */
  readonly asksOwnersModel?: boolean;
}

/** A new run as the properties of its node. */
export function runParams({ run, context, depthMax, budget, asksOwnersModel }: NewRun): Params {
  const { createdAt: _at, runPath, ...fields } = run;
  return {
    ...fields,
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
  SET run = $run, run.status = 'pending', run.createdAt = datetime($now), run.runsInTree = 1, run.stepsInTree = $steps,
    run.tokensUsed = 0, run.costUsed = 0.0, run.tokensReserved = 0, run.costReserved = 0.0, run.budgetVersion = 0
  CREATE (run)-[:OWNED_BY {createdAt: datetime($now)}]->(owner)
  CREATE (run)-[:RUN_OF]->(process)
  CREATE (o:OutboxEntry:PendingEntry)
  SET o = $entry, o.at = datetime($now)
  RETURN run.id AS id
`;

/** Writes a root run with its snapshot and its entry; false where the Process is gone by now. One statement. */
export async function insertRootRun(
  tx: WriteTx,
  insert: { run: NewRun; snapshot: string; steps: number; now: string; entry: OutboxEntry },
): Promise<boolean> {
  const [entry] = entryParams([insert.entry]);
  const rows = await tx.run(INSERT_ROOT, { ...insert, run: runParams(insert.run), entry });
  return rows.length > 0;
}

const CLAIM_KEY = /* cypher */ `
  // claimIdempotencyKey
  MERGE (record:IdempotencyRecord {key: $key})
  ON CREATE SET record.inputHash = $inputHash, record.resultId = $resultId, record.createdAt = datetime($now)
  SET record.lockedAt = $now
  RETURN record.inputHash AS inputHash, record.resultId AS resultId
`;

/** Unique on (owner, operation, key): answers the first caller's result and hash of input, which may be ours. */
export async function claimIdempotencyKey(
  tx: WriteTx,
  claim: {
    ownerId: string;
    operation: string;
    key: string;
    inputHash: string;
    resultId: string;
    now: string;
  },
): Promise<{ inputHash: string; resultId: string }> {
  const { ownerId, operation, key, ...rest } = claim;
  const [row] = await tx.run(CLAIM_KEY, { ...rest, key: `${ownerId}/${operation}/${key}` });
  return { inputHash: String(row?.['inputHash']), resultId: String(row?.['resultId']) };
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

/** Answers the status before. A run cancelled in the meantime stays so. */
export async function markRunStarted(
  tx: WriteTx,
  mark: { runId: string; temporalRunId: string | null; now: string; entry: OutboxEntry },
): Promise<RunStatus | null> {
  const [entry] = entryParams([mark.entry]);
  const [row] = await tx.run(MARK_STARTED, { ...mark, entry });
  return row === undefined ? null : (row['was'] as RunStatus);
}
