import { z } from 'zod';
import { JsonMap, JsonValue, jsonText, numberOrNull, textOrNull } from '../../common/stored.ts';
import type { RunError, Usage } from '../../common/tool-fault.ts';
import { entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import {
  Float,
  type Params,
  type ReadTx,
  type Row,
  type WriteTx,
} from '../../platform/neo4j/graph.ts';
import { intOf, isRow, parseRow } from '../../platform/neo4j/row.ts';
import { RunError as StoredError, UsageRow } from '../run/stored.ts';
import { STEP_STATUSES, type StepRun, type StepStatus } from './step-run.ts';

const Output = {
  stepId: z.string(),
  index: numberOrNull,
  status: z.enum(STEP_STATUSES),
  output: jsonText(JsonValue).nullable().default(null),
  outputBlob: textOrNull,
  /** Absent until the step has an output. */
  outputBytes: z
    .number()
    .nullable()
    .default(null)
    .transform((bytes) => bytes ?? 0),
};
const StepOutputRow = z.object(Output);

/** The status and output of a step, without its inputs and usage. */
export type StepOutput = Pick<
  StepRun,
  'stepId' | 'index' | 'status' | 'output' | 'outputBlob' | 'outputBytes'
>;

const StepRunRow = z.object({
  ...Output,
  runId: z.string(),
  attempt: z.int(),
  inputs: jsonText(JsonMap).nullable().default(null),
  inputsBlob: textOrNull,
  outputTruncated: z.boolean().default(false),
  error: jsonText(StoredError).nullable().default(null),
  workerId: textOrNull,
  childRunId: textOrNull,
  cached: z.boolean().default(false),
  note: textOrNull,
  startedAt: textOrNull,
  completedAt: textOrNull,
  ...UsageRow.shape,
});

/** One row as a StepRun; `output` only where it is inline. @throws DamagedRow */
export function toStepRun(row: unknown): StepRun {
  const { inputTokens, outputTokens, costUsd, llmCalls, toolCalls, ...step } = parseRow(
    StepRunRow,
    row,
    'StepRun',
  );
  return { ...step, usage: { inputTokens, outputTokens, costUsd, llmCalls, toolCalls } };
}

/** @throws DamagedRow */
export function toStepOutput(row: unknown): StepOutput {
  return parseRow(StepOutputRow, row, 'StepRun');
}

/** @throws DamagedRow */
export function toUsage(row: unknown): Usage {
  return parseRow(UsageRow, row, 'Usage');
}

// Only the attempt that holds the claim may end the step. A worker that was taken for lost and
// comes back writes nothing.
const END = /* cypher */ `
  // endStep
  MATCH (s:StepRun {key: $key})
  SET s.lockedAt = $now
  WITH s WHERE s.status = 'running' AND s.attempt = $attempt
  SET s += $props, s.completedAt = CASE WHEN $final THEN datetime($now) ELSE null END,
    s.inputTokens = coalesce(s.inputTokens, 0) + $usage.inputTokens,
    s.outputTokens = coalesce(s.outputTokens, 0) + $usage.outputTokens,
    s.costUsd = CASE WHEN $costUsd IS NULL THEN s.costUsd
      ELSE coalesce(s.costUsd, 0.0) + $costUsd END,
    s.llmCalls = coalesce(s.llmCalls, 0) + $usage.llmCalls,
    s.toolCalls = coalesce(s.toolCalls, 0) + $usage.toolCalls
  CREATE (o:OutboxEntry:PendingEntry)
  SET o = $entry, o.at = datetime($now)
  WITH s
  OPTIONAL MATCH (worker:Worker {id: s.workerId})
  FOREACH (w IN CASE WHEN worker IS NULL THEN [] ELSE [worker] END |
    SET w.status = 'idle', w.currentJobId = null, w.updatedAt = datetime($now),
      w.processedCount = w.processedCount + 1,
      w.errorCount = w.errorCount + CASE WHEN $props.status = 'completed' THEN 0 ELSE 1 END)
  WITH s, worker
  OPTIONAL MATCH (worker)-[at:PROCESSES|EXECUTES {jobId: $key}]->()
  DELETE at
  RETURN DISTINCT s.key AS key
`;

// Replaces the reservation of a call by its real cost. The lock of the root orders concurrent
// writes of the budget.
const SETTLE = /* cypher */ `
  // settleBudget
  MATCH (s:StepRun {key: $key})
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  SET root.tokensReserved = coalesce(root.tokensReserved, 0) - coalesce(s.tokensReserved, 0),
    root.costReserved = coalesce(root.costReserved, 0.0) - coalesce(s.costReserved, 0.0),
    root.tokensUsed = coalesce(root.tokensUsed, 0) + $tokens,
    root.costUsed = coalesce(root.costUsed, 0.0) + $cost,
    s.tokensReserved = null, s.costReserved = null
`;

/** The end of an attempt, with its values as they are stored. */
export interface StepEnd {
  readonly key: string;
  readonly attempt: number;
  readonly status: StepStatus;
  readonly output: string | null;
  readonly outputBlob: string | null;
  readonly outputBytes: number;
  readonly outputTruncated: boolean;
  readonly error: RunError | null;
  readonly usage: Usage;
  readonly cached: boolean;
  readonly cacheKey: string | null;
  readonly now: string;
  readonly entry: OutboxEntry;
  /** The root run whose budget holds the call's reservation; null where there is none. */
  readonly settle: { readonly rootRunId: string } | null;
}

/**
 * Records the end of an attempt. False where the attempt no longer holds the claim: nothing is
 * written.
 */
export async function endStep(tx: WriteTx, end: StepEnd): Promise<boolean> {
  const { key, attempt, status, usage, now, entry, settle } = end;
  const [params] = entryParams([entry]);
  const final = status !== 'pending' && status !== 'waiting';
  const rows = await tx.run(END, {
    key,
    attempt,
    final,
    now,
    usage: usageParams(usage),
    costUsd: usage.costUsd === null ? null : new Float(usage.costUsd),
    props: {
      status,
      output: end.output,
      outputBlob: end.outputBlob,
      outputBytes: end.outputBytes,
      outputTruncated: end.outputTruncated,
      error: end.error === null ? null : JSON.stringify(end.error),
      cached: end.cached,
      cacheKey: end.cacheKey,
    },
    entry: params,
  });
  if (rows.length === 0) return false;
  if (settle !== null) {
    const tokens = usage.inputTokens + usage.outputTokens;
    await tx.run(SETTLE, {
      key,
      rootRunId: settle.rootRunId,
      now,
      tokens,
      cost: new Float(usage.costUsd ?? 0),
    });
  }
  return true;
}

/** Usage without its cost: the cost has to be passed as a Float. */
export function usageParams({ inputTokens, outputTokens, llmCalls, toolCalls }: Usage): Params {
  return { inputTokens, outputTokens, llmCalls, toolCalls };
}

// A reservation that a lost worker left counts as spent, because the provider's bill for that call
// is unknown.
const RESERVE = /* cypher */ `
  // reserveBudget
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  WITH root
  MATCH (s:StepRun {key: $key})
  WITH root, s, coalesce(s.tokensReserved, 0) AS lostTokens,
    coalesce(s.costReserved, 0.0) AS lostCost
  SET root.tokensUsed = coalesce(root.tokensUsed, 0) + lostTokens,
    root.costUsed = coalesce(root.costUsed, 0.0) + lostCost,
    root.tokensReserved = coalesce(root.tokensReserved, 0) - lostTokens,
    root.costReserved = coalesce(root.costReserved, 0.0) - lostCost
  WITH root, s,
    (root.budgetTokens IS NULL
      OR root.tokensUsed + root.tokensReserved + $tokens <= root.budgetTokens)
    AND (root.budgetCostUsd IS NULL
      OR root.costUsed + root.costReserved + $cost <= root.budgetCostUsd) AS fits
  FOREACH (_ IN CASE WHEN fits THEN [1] ELSE [] END |
    SET root.tokensReserved = root.tokensReserved + $tokens,
      root.costReserved = root.costReserved + $cost,
      s.tokensReserved = $tokens, s.costReserved = $cost)
  RETURN fits, coalesce(root.budgetVersion, 0) AS budgetVersion
`;

/**
 * Reserves the estimated cost of a call from the tree's budget.
 * @param reserve `cost` in US dollars
 */
export async function reserveBudget(
  tx: WriteTx,
  reserve: { key: string; rootRunId: string; tokens: number; cost: number; now: string },
): Promise<{ fits: boolean; budgetVersion: number }> {
  const [row] = await tx.run(RESERVE, { ...reserve, cost: new Float(reserve.cost) });
  if (row === undefined) return { fits: false, budgetVersion: 0 };
  return { fits: row['fits'] === true, budgetVersion: intOf(row, 'budgetVersion', 'ProcessRun') };
}

const CACHED = /* cypher */ `
  // findCachedStep
  MATCH (s:StepRun {cacheKey: $cacheKey})
  WHERE s.ownerId = $ownerId AND s.status = 'completed' AND s.completedAt >= datetime($since)
    AND s.completedAt <= datetime($ahead)
  RETURN s {.*} AS record ORDER BY s.completedAt DESC LIMIT 1
`;

/**
 * The latest equal call of the same owner that completed at or after `since`, for `cacheSeconds`.
 * One beyond `ahead` was recorded by a wrong clock, so its age is unknown.
 */
export async function findCachedStep(
  tx: ReadTx,
  find: { cacheKey: string; ownerId: string; since: string; ahead: string },
): Promise<StepRun | null> {
  const [row] = await tx.run(CACHED, find);
  return row === undefined ? null : toStepRun(row['record']);
}

const RECORDS = /* cypher */ `
  // findStepRecords
  MATCH (run:ProcessRun {id: $runId})-[:HAS_STEP_RUN]->(s:StepRun)
  WHERE $stepIds IS NULL OR s.stepId IN $stepIds
  RETURN s {.stepId, .index, .status, .output, .outputBlob, .outputBytes} AS record
`;

/** The recorded outputs of some steps of a run. @param stepIds null = all steps */
export async function findStepRecords(
  tx: ReadTx,
  runId: string,
  stepIds: readonly string[] | null,
): Promise<StepOutput[]> {
  const rows = await tx.run(RECORDS, { runId, stepIds });
  return rows.map((row) => toStepOutput(row['record']));
}

/**
 * False where a row shows only a part of the commit that ended its step. ReadTx.run then reads
 * again.
 */
export function areWhole(rows: readonly Row[]): boolean {
  return rows.every(({ record }) => {
    if (!isRow(record)) return true;
    const { status, completedAt, output, outputBlob, error } = record;
    if (status === 'completed') return completedAt != null && (output ?? outputBlob) != null;
    return status !== 'failed' || (completedAt != null && error != null);
  });
}

const STEPS = /* cypher */ `
  // listStepRuns
  MATCH (run:ProcessRun)-[:HAS_STEP_RUN]->(s:StepRun)
  WHERE run.id IN $runIds AND run.ownerId = $ownerId
  RETURN s {.*} AS record ORDER BY s.runId, s.startedAt, s.stepId, s.index
`;

/**
 * All StepRuns of some runs of one owner, ordered by run and start time. The request's loader
 * batches the calls.
 */
export async function listStepRuns(
  tx: ReadTx,
  ownerId: string,
  runIds: readonly string[],
): Promise<StepRun[]> {
  const rows = await tx.run(STEPS, { runIds, ownerId }, areWhole);
  return rows.map((row) => toStepRun(row['record']));
}

const FIND_STEPS = /* cypher */ `
  // findStepRuns
  MATCH (s:StepRun) WHERE s.key IN $keys
  MATCH (run:ProcessRun)-[:HAS_STEP_RUN]->(s) WHERE run.ownerId = $ownerId
  RETURN s {.*} AS record
`;

/** StepRuns of the owner's runs by their keys (stepKey); others are left out. */
export async function findStepRuns(
  tx: ReadTx,
  ownerId: string,
  keys: readonly string[],
): Promise<StepRun[]> {
  const rows = await tx.run(FIND_STEPS, { keys, ownerId }, areWhole);
  return rows.map((row) => toStepRun(row['record']));
}
