import type { RunError } from '../../common/tool-fault.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { textsOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { type agreementParams, MERGE_AGREEMENT } from '../memory/agreement.cypher.ts';
import { agreementKey, type MemoryDemand } from '../memory/memory-question.ts';
import { OPEN_RUN_STATUSES, type RunHead, type StepDecision } from '../run/run.ts';
import { toStepRun } from './step-run.cypher.ts';
import { type StepRun, stepKey } from './step-run.ts';

// Records of a run between its steps. Each statement checks the step's status before it writes, so
// that a repeated local activity or a replayed decision writes once.

/** Binds `s`: the locked record of a step. A step without one gets it. */
export const LOCKED_STEP = /* cypher */ `
  MERGE (s:StepRun {key: $key})
  ON CREATE SET s.runId = $runId, s.rootRunId = $rootRunId, s.ownerId = $ownerId,
    s.stepId = $stepId, s.index = $index, s.status = 'pending', s.attempt = 0
  SET s.lockedAt = $now
`;

/**
 * Sets an active run to waiting while a step or the budget waits, else to running. Other statuses
 * stay.
 */
const SET_STATUS = /* cypher */ `
  CALL (run) {
    WITH run WHERE run.status IN ['running', 'waiting']
    SET run.status = CASE WHEN run.waitsForBudget = true
      OR EXISTS { (run)-[:HAS_STEP_RUN]->(:StepRun {status: 'waiting'}) }
      THEN 'waiting' ELSE 'running' END
  }
`;

const END_UNCALLED = cypher`
  // endUncalledStep
  MATCH (run:ProcessRun {id: $runId})
  ${LOCKED_STEP}
  WITH run, s WHERE s.status IN ['pending', 'running']
  SET s.status = $status, s.note = $reason, s.error = $error, s.output = $output,
    s.completedAt = datetime($now)
  MERGE (run)-[:HAS_STEP_RUN]->(s)
  CREATE (o:OutboxEntry:PendingEntry) SET o = $entry, o.at = datetime($now)
`;

const NOTE_PAUSE = cypher`
  // notePause
  MATCH (run:ProcessRun {id: $runId}) WHERE run.status IN $open
  ${LOCKED_STEP}
  WITH run, s WHERE s.status = 'pending'
  SET s.error = $error
  MERGE (run)-[:HAS_STEP_RUN]->(s)
  RETURN s.key AS key
`;

/**
 * Shows on a step that it waits because calls to its target pause. It is no attempt.
 * @returns false where the step is at work or has ended, or its run is over
 */
export async function notePause(
  tx: WriteTx,
  pause: {
    readonly run: RunHead;
    readonly stepId: string;
    readonly index: number | null;
    readonly error: RunError;
    readonly now: string;
  },
): Promise<boolean> {
  const { run, stepId, index, error, now } = pause;
  const { runId, rootRunId, ownerId } = run;
  const rows = await tx.run(NOTE_PAUSE, {
    ...{ runId, rootRunId, ownerId, stepId, index, now },
    key: stepKey(runId, stepId, index),
    error: JSON.stringify(error),
    open: OPEN_RUN_STATUSES,
  });
  return rows.length > 0;
}

/**
 * Records the end of a step that called nothing: skipped, refused before its start, or a forEach
 * over an empty list.
 */
export async function endUncalledStep(
  tx: WriteTx,
  end: {
    run: RunHead;
    stepId: string;
    index: number | null;
    status: 'skipped' | 'failed' | 'completed';
    reason: string | null;
    error: RunError | null;
    output: string | null;
    now: string;
    entry: OutboxEntry;
  },
): Promise<void> {
  const { run, entry, error, ...rest } = end;
  const [params] = entryParams([entry]);
  await tx.run(END_UNCALLED, {
    ...rest,
    ...ids(run),
    key: stepKey(run.runId, rest.stepId, rest.index),
    error: error === null ? null : JSON.stringify(error),
    entry: params,
  });
}

const ASK = cypher`
  // insertApproval
  MATCH (run:ProcessRun {id: $runId})-[:OWNED_BY]->(owner:User)
  ${LOCKED_STEP}
  WITH run, owner, s WHERE (s.status = 'pending' AND s.decision IS NULL)
    OR ($memoryKey IS NOT NULL AND s.status IN ['pending', 'running']
      AND NOT EXISTS { MATCH (:Approval {id: $approvalId}) })
  SET s.status = 'waiting', s.decision = null, s.inputs = $inputs, s.inputsBlob = $inputsBlob,
    s.approvalId = $approvalId
  MERGE (run)-[:HAS_STEP_RUN]->(s)
  WITH run, owner, s,
    CASE WHEN run.timeoutSeconds IS NULL THEN null
      ELSE coalesce(run.startedAt, run.createdAt)
        + duration({milliseconds: toInteger(run.timeoutSeconds * 1000)}) END AS runEnds,
    CASE WHEN $timeoutMs IS NULL THEN null
      ELSE datetime($now) + duration({milliseconds: toInteger($timeoutMs)}) END AS waitEnds
  CREATE (a:Approval:OpenApproval:Resource {id: $approvalId, runId: $runId, rootRunId: $rootRunId,
    runPath: run.runPath, ownerId: $ownerId, stepId: $stepId, index: $index, toolId: $toolId,
    memory: $memory, memoryKey: $memoryKey,
    requestedAt: datetime($now), expiresAt: CASE
      WHEN runEnds IS NULL OR waitEnds < runEnds THEN waitEnds ELSE runEnds END})
  CREATE (a)-[:OWNED_BY {createdAt: datetime($now)}]->(owner)
  CREATE (run)-[:HAS_APPROVAL]->(a)
  CREATE (a)-[:ABOUT]->(s)
  WITH run
  ${SET_STATUS}
  WITH run
  ${CREATE_ENTRIES}
`;

/**
 * Marks a step as waiting for a decision and writes its approval (S4-EXEC-11). A step that asks for
 * the memory may have been decided, or have lost an attempt, before.
 */
export async function insertApproval(
  tx: WriteTx,
  ask: {
    run: RunHead;
    stepId: string;
    index: number | null;
    approvalId: string;
    toolId: string | null;
    /** Time until the wait counts as rejected; null: only the run's timeout ends it. */
    timeoutMs: number | null;
    inputs: string | null;
    inputsBlob: string | null;
    /** Set where the step asks for the runner's memory instead of for its call. */
    memory: MemoryDemand | null;
    now: string;
    entries: readonly OutboxEntry[];
  },
): Promise<void> {
  const { run, entries, memory, ...rest } = ask;
  await tx.run(ASK, {
    ...rest,
    ...ids(run),
    key: stepKey(run.runId, rest.stepId, rest.index),
    memory: memory === null ? null : JSON.stringify(memory),
    memoryKey: memory === null ? null : agreementKey(run.ownerId, memory),
    entries: entryParams(entries),
  });
}

const DECIDE = cypher`
  // recordDecision
  MATCH (run:ProcessRun {id: $runId})-[:HAS_STEP_RUN]->(s:StepRun {key: $key})
  SET s.lockedAt = $now
  WITH run, s WHERE s.status = 'waiting' AND s.decision IS NULL
  SET s += $props, s.decidedAt = datetime($now),
    s.completedAt = CASE WHEN $props.status = 'pending' THEN null ELSE datetime($now) END
  WITH run, s
  CALL (s) {
    MATCH (a:OpenApproval {id: s.approvalId})
    REMOVE a:OpenApproval
    SET a.decision = $props.decision, a.decidedBy = $props.decidedBy, a.decidedAt = datetime($now),
      a.note = $props.decisionNote
  }
  WITH run
  ${SET_STATUS}
  WITH run
  CALL (run) {
    UNWIND $agreements AS agreement
    MATCH (owner:User {id: agreement.ownerId}), (process:Process {id: agreement.processId})
    ${MERGE_AGREEMENT}
  }
  WITH run
  ${CREATE_ENTRIES}
`;

/**
 * Records a decision with its author and time, once. `substitute` and `reject` also end the step.
 */
export async function recordDecision(
  tx: WriteTx,
  decide: {
    run: RunHead;
    stepId: string;
    index: number | null;
    decision: StepDecision;
    decidedBy: string;
    note: string | null;
    status: 'pending' | 'failed' | 'completed';
    output: string | null;
    outputBytes: number;
    error: RunError | null;
    /** The agreement to use the memory that an approval gives; null: none. */
    agreement: ReturnType<typeof agreementParams> | null;
    now: string;
    entries: readonly OutboxEntry[];
  },
): Promise<void> {
  const {
    run,
    stepId,
    index,
    now,
    entries,
    decision,
    decidedBy,
    note,
    status,
    output,
    outputBytes,
    error,
    agreement,
  } = decide;
  await tx.run(DECIDE, {
    ...ids(run),
    key: stepKey(run.runId, stepId, index),
    now,
    entries: entryParams(entries),
    agreements: agreement === null ? [] : [agreement],
    props: {
      status,
      decision,
      decidedBy,
      decisionNote: note,
      output,
      outputBytes,
      error: error === null ? null : JSON.stringify(error),
    },
  });
}

const WAIT_FOR_BUDGET = cypher`
  // waitForBudget
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  WITH root WHERE coalesce(root.budgetVersion, 0) = $budgetVersion
  MATCH (run:ProcessRun {id: $runId})
  WHERE run.status IN ['running', 'waiting', 'paused']
  SET run.waitsForBudget = true, run.error = $error
  WITH run
  ${SET_STATUS}
  CREATE (o:OutboxEntry:PendingEntry) SET o = $entry, o.at = datetime($now)
  RETURN run.id AS id
`;

/**
 * Marks the run as waiting for more budget. False where the budget is no longer `budgetVersion`:
 * nothing is written.
 */
export async function waitForBudget(
  tx: WriteTx,
  wait: { run: RunHead; budgetVersion: number; error: RunError; now: string; entry: OutboxEntry },
): Promise<boolean> {
  const { run, entry, error, ...rest } = wait;
  const [params] = entryParams([entry]);
  const rows = await tx.run(WAIT_FOR_BUDGET, {
    ...rest,
    ...ids(run),
    error: JSON.stringify(error),
    entry: params,
  });
  return rows.length > 0;
}

const RAISE = cypher`
  // raiseBudget
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  SET root.budgetTokens = $tokens, root.budgetCostUsd = $costUsd,
    root.budgetVersion = coalesce(root.budgetVersion, 0) + 1
  WITH root
  MATCH (run:ProcessRun {rootRunId: $rootRunId}) WHERE run.waitsForBudget = true
  SET run.waitsForBudget = null, run.error = null
  WITH run
  ${SET_STATUS}
  RETURN run.id AS id
`;

/**
 * Sets the tree's budget and ends the waiting of its runs.
 * @returns their ids; the caller signals these workflows after the commit
 */
export const raiseBudget = async (
  tx: WriteTx,
  raise: { rootRunId: string; tokens: number | null; costUsd: unknown; now: string },
) => textsOf(await tx.run(RAISE, raise), 'id', 'ProcessRun');

const SET_PAUSED = cypher`
  // setRunsPaused
  MATCH (run:ProcessRun) WHERE run.id IN $ids
  SET run.lockedAt = $now
  WITH run WHERE run.status IN CASE $to WHEN 'paused' THEN ['running', 'waiting']
    ELSE ['paused'] END
  SET run.status = CASE $to WHEN 'paused' THEN 'paused' ELSE 'running' END
  WITH run
  ${SET_STATUS}
  RETURN run.id AS id, run.status AS status
`;

/** Pauses or resumes the runs whose status allows it. @returns the ids of these runs */
export const setRunsPaused = async (
  tx: WriteTx,
  set: { ids: readonly string[]; to: 'paused' | 'running'; now: string },
) => textsOf(await tx.run(SET_PAUSED, set), 'id', 'ProcessRun');

const WAITING_STEP = cypher`
  // findWaitingStep
  MATCH (run:ProcessRun {id: $runId})-[:HAS_STEP_RUN]->(s:StepRun {key: $key})
    WHERE run.ownerId = $viewerId
  RETURN s {.*} AS step
`;

/** A StepRun of the viewer's run, or null. */
export async function findStepRun(
  tx: ReadTx,
  viewerId: string,
  find: { runId: string; stepId: string; index: number | null },
): Promise<StepRun | null> {
  const key = stepKey(find.runId, find.stepId, find.index);
  const [row] = await tx.run(WAITING_STEP, { viewerId, runId: find.runId, key });
  return row === undefined ? null : toStepRun(row['step']);
}

function ids(run: RunHead) {
  return { runId: run.runId, rootRunId: run.rootRunId, ownerId: run.ownerId };
}
