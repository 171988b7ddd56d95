import { z } from 'zod';
import { JsonMap, JsonValue, jsonText, numberOrNull, textOrNull } from '../../common/stored.ts';
import type { ReadTx, Row } from '../../platform/neo4j/graph.ts';
import { isRow, parseRow } from '../../platform/neo4j/row.ts';
import { readAll, readOne } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { RunError as StoredError, UsageRow } from '../run/stored.ts';
import { inOrder, STEP_STATUSES, type StepRun } from './step-run.ts';

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
const StepOutputRow = z.object({ ...Output, isKeptItem: z.boolean().nullish() });

/** The status and output of a step, without its inputs and usage. */
export type StepOutput = Pick<
  StepRun,
  'stepId' | 'index' | 'status' | 'output' | 'outputBlob' | 'outputBytes'
> & {
  /** A retry keeps this item; the step runs its others. */
  readonly isKeptItem?: boolean | null | undefined;
};

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
export const toStepOutput = (row: unknown) => parseRow(StepOutputRow, row, 'StepRun');

/** @throws DamagedRow */
export const toUsage = (row: unknown) => parseRow(UsageRow, row, 'Usage');

const CACHED = cypher`
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
export const findCachedStep = (
  tx: ReadTx,
  find: { cacheKey: string; ownerId: string; since: string; ahead: string },
) => readOne(tx, CACHED, find, (row) => toStepRun(row['record']));

const RECORDS = cypher`
  // findStepRecords
  MATCH (run:ProcessRun {id: $runId})-[:HAS_STEP_RUN]->(s:StepRun)
  WHERE $stepIds IS NULL OR s.stepId IN $stepIds
  RETURN s {.stepId, .index, .status, .output, .outputBlob, .outputBytes, .isKeptItem} AS record
`;

const CANCELLED = cypher`
  // findCancelledSteps
  MATCH (run:ProcessRun {id: $runId})-[:HAS_STEP_RUN]->(s:StepRun)
  WHERE run.ownerId = $ownerId AND s.stepId IN $stepIds AND s.status = 'cancelled'
  RETURN s {.*} AS record
`;

/** The records of these steps of a run, and of their items, that were cancelled. */
export async function findCancelledSteps(
  tx: ReadTx,
  { ownerId, runId }: { readonly ownerId: string; readonly runId: string },
  stepIds: readonly string[],
): Promise<StepRun[]> {
  const rows = await tx.run(CANCELLED, { runId, ownerId, stepIds }, areWhole);
  return rows.map((row) => toStepRun(row['record']));
}

/** The recorded outputs of some steps of a run. @param stepIds null = all steps */
export const findStepRecords = (tx: ReadTx, runId: string, stepIds: readonly string[] | null) =>
  readAll(tx, RECORDS, { runId, stepIds }, (row) => toStepOutput(row['record']));

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

const STEPS = cypher`
  // listStepRuns
  MATCH (run:ProcessRun)-[:HAS_STEP_RUN]->(s:StepRun)
  WHERE run.id IN $runIds AND run.ownerId = $ownerId
  RETURN s {.*} AS record ORDER BY s.runId, s.startedAt, s.stepId, s.index
`;

/**
 * All StepRuns of some runs of one owner: by run and start time, then those that never started, by
 * their ids as people count. The request's loader batches the calls.
 */
export async function listStepRuns(
  tx: ReadTx,
  ownerId: string,
  runIds: readonly string[],
): Promise<StepRun[]> {
  const rows = await tx.run(STEPS, { runIds, ownerId }, areWhole);
  const steps = rows.map((row) => toStepRun(row['record']));
  return inOrder(steps);
}

const FIND_STEPS = cypher`
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
