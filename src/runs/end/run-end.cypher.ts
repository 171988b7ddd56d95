import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { JsonMap } from '../../common/stored.ts';
import type { RunError, Usage } from '../../common/tool-fault.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { Float, type Params, type ReadTx, type WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textListOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { RunTask } from '../run/ports.ts';
import { areWholeRuns, toProcessRun } from '../run/run.cypher.ts';
import { OPEN_RUN_STATUSES, type ProcessRun, RUN_STATUSES, type RunStatus } from '../run/run.ts';
import { toUsage } from '../steps/step-run.cypher.ts';

const SUM_UP = cypher`
  // sumUpRun
  MATCH (run:ProcessRun {id: $runId})
  OPTIONAL MATCH (run)-[:HAS_STEP_RUN]->(s:StepRun)
  RETURN run {.*} AS run, sum(s.inputTokens) AS inputTokens, sum(s.outputTokens) AS outputTokens,
    CASE WHEN count(s.costUsd) = 0 THEN null ELSE sum(s.costUsd) END AS costUsd,
    sum(s.llmCalls) AS llmCalls, sum(s.toolCalls) AS toolCalls,
    collect(DISTINCT s.stepId) AS stepIds,
    collect(CASE WHEN s.stepId IN $wanted THEN
      s {.runId, .stepId, .index, .status, .output, .outputBlob, .outputBytes,
        .outputTruncated} END) AS records,
    head([(run)<-[:DONE_BY]-(task:MemoryTask)-[:TASK_OF]->(c:Conversation)
      | task {.*, conversationId: c.id}]) AS task
`;

const Records = z.array(JsonMap);
const Task = JsonMap.nullable();

/**
 * The facts that finishRun needs: the run, the total usage of its steps, the ids of steps that have
 * a record, the records of the steps `wanted`, and the memory task that the run was started for
 * (null for any other run).
 */
export async function sumUpRun(
  tx: ReadTx,
  runId: string,
  wanted: readonly string[],
): Promise<{
  run: ProcessRun;
  usage: Usage;
  stepIds: string[];
  records: JsonObject[];
  task: RunTask | null;
} | null> {
  const [row] = await tx.run(SUM_UP, { runId, wanted }, areWholeRuns);
  if (row === undefined) return null;
  return {
    run: toProcessRun(row['run']),
    usage: toUsage(row),
    stepIds: textListOf(row, 'stepIds', `ProcessRun ${runId}`),
    records: parseRow(Records, row['records'], `ProcessRun ${runId}, its steps`),
    task: parseRow(Task, row['task'], `ProcessRun ${runId}, its task`),
  };
}

const END_RUN = cypher`
  // endRun
  MATCH (run:ProcessRun {id: $runId})
  SET run.lockedAt = $now
  WITH run WHERE run.status IN $open
  SET run += $props, run.completedAt = datetime($now),
    run.startedAt = coalesce(run.startedAt, datetime($now)), run.costUsd = $costUsd
  REMOVE run:PendingStart
  WITH run
  CALL (run) {
    UNWIND $unreached AS stepId
    CREATE (run)-[:HAS_STEP_RUN]->(:StepRun {key: run.id + '/' + stepId, runId: run.id,
      rootRunId: run.rootRunId, ownerId: run.ownerId, stepId: stepId,
      status: $unreachedStatus, attempt: 0, completedAt: datetime($now)})
  }
  CALL (run) {
    MATCH (run)-[:HAS_STEP_RUN]->(s:StepRun) WHERE s.status IN ['pending', 'running', 'waiting']
    SET s.status = 'cancelled', s.completedAt = datetime($now)
  }
  CALL (run) {
    MATCH (run)-[:HAS_APPROVAL]->(a:OpenApproval) REMOVE a:OpenApproval
      SET a.closedAt = datetime($now)
  }
  ${CREATE_ENTRIES}
  RETURN DISTINCT run.id AS id
`;

// The calling step of a sub-run ends in the same commit as the sub-run: no reader ever sees one
// without the other.
const END_CALLING_STEP = cypher`
  // endCallingStep
  MATCH (s:StepRun {key: $key}) WHERE s.childRunId = $runId
  SET s += $props,
    s.completedAt = CASE WHEN $props.status = 'pending' THEN null ELSE datetime($now) END,
    s.inputTokens = coalesce(s.inputTokens, 0) + $usage.inputTokens,
    s.outputTokens = coalesce(s.outputTokens, 0) + $usage.outputTokens,
    s.costUsd = CASE WHEN $costUsd IS NULL THEN s.costUsd
      ELSE coalesce(s.costUsd, 0.0) + $costUsd END,
    s.llmCalls = coalesce(s.llmCalls, 0) + $usage.llmCalls,
    s.toolCalls = coalesce(s.toolCalls, 0) + $usage.toolCalls
`;

/** The end of a run, with its values as they are stored. */
export interface RunEnd {
  readonly runId: string;
  readonly status: RunStatus;
  readonly output: string | null;
  readonly outputBlob: string | null;
  readonly outputBytes: number;
  readonly outputTruncated: boolean;
  readonly error: RunError | null;
  readonly usage: Usage;
  /** Ids of the steps that have no record; each gets one with `unreachedStatus`. */
  readonly unreached: readonly string[];
  readonly unreachedStatus: 'skipped' | 'cancelled';
  readonly now: string;
  readonly entries: readonly OutboxEntry[];
  readonly callingStep: { readonly key: string; readonly props: Params } | null;
}

/**
 * Records the end of a run, its open steps and its open approvals. Only `endRunIn` calls this.
 * @returns false where the run had ended before; nothing is written
 */
export async function endRun(tx: WriteTx, end: RunEnd): Promise<boolean> {
  const { usage, callingStep, entries, now, runId } = end;
  const { inputTokens, outputTokens, llmCalls, toolCalls } = usage;
  const costUsd = usage.costUsd === null ? null : new Float(usage.costUsd);
  const rows = await tx.run(END_RUN, {
    runId,
    now,
    open: OPEN_RUN_STATUSES,
    costUsd,
    props: {
      status: end.status,
      output: end.output,
      outputBlob: end.outputBlob,
      outputBytes: end.outputBytes,
      outputTruncated: end.outputTruncated,
      error: end.error === null ? null : JSON.stringify(end.error),
      waitsForBudget: null,
      inputTokens,
      outputTokens,
      llmCalls,
      toolCalls,
    },
    unreached: end.unreached,
    unreachedStatus: end.unreachedStatus,
    entries: entryParams(entries),
  });
  if (rows.length === 0) return false;
  if (callingStep !== null)
    await tx.run(END_CALLING_STEP, {
      ...callingStep,
      runId,
      now,
      costUsd,
      usage: { inputTokens, outputTokens, llmCalls, toolCalls },
    });
  return true;
}

const REQUEST_CANCEL = cypher`
  // requestCancel
  MATCH (run:ProcessRun {id: $runId})
  SET run.lockedAt = $now
  SET run.cancelReason = coalesce(run.cancelReason, $reason)
  RETURN run.status AS status
`;

const Status = z.object({ status: z.enum(RUN_STATUSES) });

/**
 * Records the reason of a cancel.
 * @returns the status under the run's lock: the caller may end a pending run itself
 */
export async function requestCancel(
  tx: WriteTx,
  request: { runId: string; reason: string | null; now: string },
): Promise<RunStatus | null> {
  const [row] = await tx.run(REQUEST_CANCEL, request);
  return row === undefined ? null : parseRow(Status, row, `ProcessRun ${request.runId}`).status;
}
