import { isJsonObject, type Json } from '../common/json.ts';
import type { Page, PageArgs } from '../common/page.ts';
import { completeAlternative } from '../conversations/alternative.cypher.ts';
import type { MemoryTask } from '../memory/task.ts';
import { entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import {
  Float,
  type Params,
  type ReadTx,
  type Row,
  type WriteTx,
} from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import type { RunError, Usage } from './fault.ts';
import { OPEN_RUN_STATUSES, type ProcessRun, type RunHead, type RunStatus } from './run.ts';
import type { RunSnapshot } from './snapshot.ts';
import { toUsage } from './step-run.cypher.ts';

export function toProcessRun(row: Row): ProcessRun {
  const text = (key: string) => (typeof row[key] === 'string' ? (row[key] as string) : null);
  const number = (key: string) => (typeof row[key] === 'number' ? (row[key] as number) : null);
  const context = parse(text('context'));
  const bounded = row['budgeted'] === true;
  return {
    id: text('id') ?? '',
    ownerId: text('ownerId') ?? '',
    workspace: text('workspace') ?? '',
    processId: text('processId') ?? '',
    processName: text('processName') ?? '',
    processVersion: number('processVersion') ?? 0,
    snapshotHash: text('snapshotHash') ?? '',
    status: (text('status') ?? 'pending') as RunStatus,
    rootRunId: text('rootRunId') ?? '',
    runPath: Array.isArray(row['runPath']) ? (row['runPath'] as string[]) : [],
    depth: number('depth') ?? 0,
    parentRunId: text('parentRunId'),
    parentStepId: text('parentStepId'),
    parentIndex: number('parentIndex'),
    retryOfId: text('retryOfId'),
    conversationId: text('conversationId'),
    context: isJsonObject(context) ? context : null,
    contextBlob: text('contextBlob'),
    output: text('output'),
    outputBlob: text('outputBlob'),
    outputTruncated: row['outputTruncated'] === true,
    error: parse(text('error')) as unknown as RunError | null,
    usage: toUsage(row),
    budget: bounded
      ? {
          tokens: number('budgetTokens'),
          costUsd: number('budgetCostUsd'),
          tokensUsed: number('tokensUsed') ?? 0,
          costUsdUsed: number('costUsed') ?? 0,
        }
      : null,
    timeoutSeconds: number('timeoutSeconds'),
    queuePrefix: text('queuePrefix') ?? '',
    traceparent: text('traceparent'),
    temporalRunId: text('temporalRunId'),
    cancelReason: text('cancelReason'),
    createdAt: text('createdAt') ?? '',
    startedAt: text('startedAt'),
    completedAt: text('completedAt'),
  };
}

function parse(text: string | null): Json {
  return text === null ? null : (JSON.parse(text) as Json);
}

/** A run to be written, with the values as they are stored. */
export interface NewRun {
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
  /** JSON text, or null where it lies in the blob. */
  readonly context: string | null;
  readonly depthMax: number;
  readonly budget: { readonly tokens: number | null; readonly costUsd: number | null } | null;
  /** Whether the system's questions are put to the Tool of the owner's memorySettings; absent: they are not. */
  readonly asksOwnersModel?: boolean;
}

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

const FIND_SNAPSHOT = /* cypher */ `
  // findSnapshot
  MATCH (s:RunSnapshot {hash: $hash}) RETURN s.body AS body
`;

export async function findSnapshot(tx: ReadTx, hash: string): Promise<RunSnapshot | null> {
  const [row] = await tx.run(FIND_SNAPSHOT, { hash });
  return typeof row?.['body'] === 'string' ? (JSON.parse(row['body']) as RunSnapshot) : null;
}

const FIND_ANY = /* cypher */ `
  // findRunById
  MATCH (run:ProcessRun {id: $runId}) RETURN run {.*} AS run
`;

/** For the machinery that serves every owner (starter, activities); requests use findRuns. */
export async function findRunById(tx: ReadTx, runId: string): Promise<ProcessRun | null> {
  const [row] = await tx.run(FIND_ANY, { runId });
  return row === undefined ? null : toProcessRun(row['run'] as Row);
}

const FIND_ANY_OF = /* cypher */ `
  // findRunsById
  MATCH (run:ProcessRun) WHERE run.id IN $runIds RETURN run {.*} AS run
`;

/** findRunById of several, in the order asked for; what is missing is left out. */
export async function findRunsById(tx: ReadTx, runIds: readonly string[]): Promise<ProcessRun[]> {
  const rows = await tx.run(FIND_ANY_OF, { runIds });
  const runs = rows.map((row) => toProcessRun(row['run'] as Row));
  return runs.toSorted((a, b) => runIds.indexOf(a.id) - runIds.indexOf(b.id));
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
  mark: { runId: string; temporalRunId: string; now: string; entry: OutboxEntry },
): Promise<RunStatus | null> {
  const [entry] = entryParams([mark.entry]);
  const [row] = await tx.run(MARK_STARTED, { ...mark, entry });
  return row === undefined ? null : (row['was'] as RunStatus);
}

/** What has to be known before a sub-run may begin. Locks the root, so that the tree's counts hold against racing siblings. */
const LOCK_TREE = /* cypher */ `
  // lockRunTree
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  WITH root
  MATCH (parent:ProcessRun {id: $parentRunId})
  OPTIONAL MATCH (known:ProcessRun {id: $runId})
  OPTIONAL MATCH (process:Process {id: $processId})-[:OWNED_BY]->(processOwner:User)
  OPTIONAL MATCH (ancestor:ProcessRun) WHERE ancestor.id IN $runPath AND ancestor.status = 'paused'
  RETURN root.runsInTree AS runs, root.stepsInTree AS steps, parent.status AS parentStatus, known {.*} AS known,
    process IS NOT NULL AND (processOwner.id = $ownerId OR process.shared) AS visible, process.enabled AS enabled,
    count(ancestor) > 0 AS paused
`;
export interface TreeState {
  readonly runs: number;
  readonly steps: number;
  readonly parentStatus: RunStatus;
  readonly known: ProcessRun | null;
  readonly visible: boolean;
  readonly enabled: boolean;
  readonly paused: boolean;
}

export async function lockRunTree(
  tx: WriteTx,
  lock: {
    rootRunId: string;
    parentRunId: string;
    runId: string;
    processId: string;
    ownerId: string;
    runPath: readonly string[];
    now: string;
  },
): Promise<TreeState | null> {
  const [row] = await tx.run(LOCK_TREE, lock);
  if (row === undefined) return null;
  return {
    runs: Number(row['runs']),
    steps: Number(row['steps']),
    parentStatus: row['parentStatus'] as RunStatus,
    known: row['known'] === null ? null : toProcessRun(row['known'] as Row),
    visible: row['visible'] === true,
    enabled: row['enabled'] === true,
    paused: row['paused'] === true,
  };
}

const INSERT_CHILD = /* cypher */ `
  // insertChildRun
  MATCH (root:ProcessRun {id: $run.rootRunId}), (parent:ProcessRun {id: $run.parentRunId}), (owner:User {id: $run.ownerId})
  SET root.runsInTree = root.runsInTree + 1, root.stepsInTree = root.stepsInTree + $steps
  CREATE (run:ProcessRun:Resource)
  SET run = $run, run.status = 'running', run.createdAt = datetime($now), run.startedAt = datetime($now),
    run.temporalRunId = $temporalRunId
  CREATE (run)-[:OWNED_BY {createdAt: datetime($now)}]->(owner)
  CREATE (run)-[:CHILD_RUN_OF]->(parent)
  WITH run, parent
  OPTIONAL MATCH (process:Process {id: run.processId})
  FOREACH (p IN CASE WHEN process IS NULL THEN [] ELSE [process] END | CREATE (run)-[:RUN_OF]->(p))
  MERGE (s:StepRun {key: $parentKey})
  ON CREATE SET s.runId = parent.id, s.rootRunId = run.rootRunId, s.ownerId = run.ownerId, s.stepId = run.parentStepId,
    s.index = run.parentIndex
  MERGE (parent)-[:HAS_STEP]->(s)
  SET s.status = 'running', s.attempt = $attempt, s.startedAt = coalesce(s.startedAt, datetime($now)), s.childRunId = run.id,
    s.inputs = run.context, s.inputsBlob = run.contextBlob, s.error = null
  WITH run
  UNWIND $entries AS entry
  CREATE (o:OutboxEntry:PendingEntry) SET o = entry, o.at = datetime(entry.at)
`;

/** Writes a sub-run, takes its runs and steps from the tree's limits, and marks the calling step as running. */
export async function insertChildRun(
  tx: WriteTx,
  insert: {
    run: NewRun;
    steps: number;
    parentKey: string;
    attempt: number;
    temporalRunId: string;
    now: string;
    entries: readonly OutboxEntry[];
  },
): Promise<void> {
  await tx.run(INSERT_CHILD, {
    ...insert,
    run: runParams(insert.run),
    entries: entryParams(insert.entries),
  });
}

const SUM_UP = /* cypher */ `
  // sumUpRun
  MATCH (run:ProcessRun {id: $runId})
  OPTIONAL MATCH (run)-[:HAS_STEP]->(s:StepRun)
  RETURN run {.*} AS run, sum(s.inputTokens) AS inputTokens, sum(s.outputTokens) AS outputTokens,
    CASE WHEN count(s.costUsd) = 0 THEN null ELSE sum(s.costUsd) END AS costUsd, sum(s.llmCalls) AS llmCalls,
    sum(s.toolCalls) AS toolCalls, collect(DISTINCT s.stepId) AS stepIds,
    collect(CASE WHEN s.stepId IN $wanted THEN s {.runId, .stepId, .index, .status, .output, .outputBlob, .outputBytes} END) AS records,
    head([(run)<-[:DONE_BY]-(task:MemoryTask)-[:TASK_OF]->(c:Conversation) | task {.*, conversationId: c.id}]) AS task
`;

/**
 * A run at its end: its record, what its steps cost together, which of them were reached, the records `wanted`, and what it
 * was started for where that was a task of memory.
 */
export async function sumUpRun(
  tx: ReadTx,
  runId: string,
  wanted: readonly string[],
): Promise<{
  run: ProcessRun;
  usage: Usage;
  stepIds: string[];
  records: Row[];
  task: MemoryTask | null;
} | null> {
  const [row] = await tx.run(SUM_UP, { runId, wanted });
  if (row === undefined) return null;
  return {
    run: toProcessRun(row['run'] as Row),
    usage: toUsage(row),
    stepIds: row['stepIds'] as string[],
    records: row['records'] as Row[],
    task: row['task'] as MemoryTask | null,
  };
}

const END_RUN = /* cypher */ `
  // endRun
  MATCH (run:ProcessRun {id: $runId})
  SET run.lockedAt = $now
  WITH run WHERE run.status IN $open
  SET run += $props, run.completedAt = datetime($now), run.startedAt = coalesce(run.startedAt, datetime($now)),
    run.costUsd = $costUsd
  REMOVE run:PendingStart
  FOREACH (stepId IN $unreached |
    CREATE (run)-[:HAS_STEP]->(:StepRun {key: run.id + '/' + stepId, runId: run.id, rootRunId: run.rootRunId, ownerId: run.ownerId,
      stepId: stepId, status: $unreachedStatus, attempt: 0, completedAt: datetime($now)}))
  WITH run
  CALL (run) {
    MATCH (run)-[:HAS_STEP]->(s:StepRun) WHERE s.status IN ['pending', 'running', 'waiting']
    SET s.status = 'cancelled', s.completedAt = datetime($now)
  }
  CALL (run) {
    MATCH (run)-[:HAS_APPROVAL]->(a:OpenApproval) REMOVE a:OpenApproval SET a.closedAt = datetime($now)
  }
  UNWIND $entries AS entry
  CREATE (o:OutboxEntry:PendingEntry) SET o = entry, o.at = datetime(entry.at)
  RETURN DISTINCT run.id AS id
`;

// The calling step of a sub-run ends in the same commit as the sub-run: no reader ever sees one without the other.
const END_CALLING_STEP = /* cypher */ `
  // endCallingStep
  MATCH (s:StepRun {key: $key}) WHERE s.childRunId = $runId
  SET s += $props, s.completedAt = CASE WHEN $props.status = 'pending' THEN null ELSE datetime($now) END,
    s.inputTokens = coalesce(s.inputTokens, 0) + $usage.inputTokens, s.outputTokens = coalesce(s.outputTokens, 0) + $usage.outputTokens,
    s.costUsd = CASE WHEN $costUsd IS NULL THEN s.costUsd ELSE coalesce(s.costUsd, 0.0) + $costUsd END,
    s.llmCalls = coalesce(s.llmCalls, 0) + $usage.llmCalls, s.toolCalls = coalesce(s.toolCalls, 0) + $usage.toolCalls
`;

export interface RunEnd {
  readonly runId: string;
  readonly status: RunStatus;
  readonly output: string | null;
  readonly outputBlob: string | null;
  readonly outputBytes: number;
  readonly outputTruncated: boolean;
  readonly error: RunError | null;
  readonly usage: Usage;
  /** Steps of the definition that nothing is recorded of; they get a record that says so. */
  readonly unreached: readonly string[];
  readonly unreachedStatus: 'skipped' | 'cancelled';
  readonly now: string;
  readonly entries: readonly OutboxEntry[];
  /** For a root run of a conversation: what it answered, written in the same commit. */
  readonly answer: {
    readonly output: string | null;
    readonly entry: (at: {
      readonly turnId: string;
      readonly alternativeId: string;
    }) => OutboxEntry;
  } | null;
  readonly callingStep: { readonly key: string; readonly props: Params } | null;
}

/** Records the end of a run and of all that still was open in it; false where it had ended already (nothing is written). */
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
  if (end.answer !== null) {
    await completeAlternative(tx, { ...end.answer, runId, status: end.status, now });
  }
  if (callingStep !== null) {
    await tx.run(END_CALLING_STEP, {
      ...callingStep,
      runId,
      now,
      costUsd,
      usage: { inputTokens, outputTokens, llmCalls, toolCalls },
    });
  }
  return true;
}

const RESERVE_ITEMS = /* cypher */ `
  // reserveItems
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  WITH root
  MATCH (run:ProcessRun {id: $runId})
  WITH root, run, $stepId IN coalesce(run.itemsReservedFor, []) AS again
  WITH root, run, again, again OR root.stepsInTree + $items <= $stepsMax AS fits
  FOREACH (_ IN CASE WHEN fits AND NOT again THEN [1] ELSE [] END |
    SET root.stepsInTree = root.stepsInTree + $items, run.itemsReservedFor = coalesce(run.itemsReservedFor, []) + $stepId)
  RETURN fits
`;

/** Takes a forEach's items from the tree's limit of steps; the same step again takes nothing more. */
export async function reserveItems(
  tx: WriteTx,
  reserve: { run: RunHead; stepId: string; items: number; stepsMax: number; now: string },
): Promise<boolean> {
  const { run, ...rest } = reserve;
  const [row] = await tx.run(RESERVE_ITEMS, {
    ...rest,
    runId: run.runId,
    rootRunId: run.rootRunId,
  });
  return row?.['fits'] === true;
}

const FIND = /* cypher */ `
  // findRuns
  MATCH (run:ProcessRun) WHERE run.id IN $ids AND run.ownerId = $viewerId
  RETURN run {.*} AS run
`;

/** Batched for the request's loader; order and gaps are the loader's business. */
export async function findRuns(
  tx: ReadTx,
  viewerId: string,
  ids: readonly string[],
): Promise<ProcessRun[]> {
  const rows = await tx.run(FIND, { ids, viewerId });
  return rows.map((row) => toProcessRun(row['run'] as Row));
}

const CHILDREN = /* cypher */ `
  // listChildRuns
  MATCH (run:ProcessRun) WHERE run.parentRunId IN $ids AND run.ownerId = $viewerId
  RETURN run {.*} AS run ORDER BY run.id
`;

export async function listChildRuns(
  tx: ReadTx,
  viewerId: string,
  parentIds: readonly string[],
): Promise<ProcessRun[]> {
  const rows = await tx.run(CHILDREN, { ids: parentIds, viewerId });
  return rows.map((row) => toProcessRun(row['run'] as Row));
}

const RUNS = listing({
  name: 'listRuns',
  match: `MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(ownerId, id)
    WHERE run.ownerId = $viewerId AND ($processId IS NULL OR run.processId = $processId)
      AND ($conversationId IS NULL OR run.conversationId = $conversationId)
      AND ($statuses IS NULL OR run.status IN $statuses) AND ($all OR run.depth = 0)`,
  within: ['run.ownerId'],
  order: [{ cypher: 'run.id', type: 'text', order: 'descending' }],
  item: 'run {.*}',
});

export interface RunFilter {
  readonly processId?: string | null | undefined;
  readonly conversationId?: string | null | undefined;
  readonly status?: readonly RunStatus[] | null | undefined;
  /** Without it only root runs are listed, unless a Process is named. */
  readonly depth?: 'all' | 'roots';
}

/** The viewer's runs, newest first (ids rise with time). */
export async function listRuns(
  tx: ReadTx,
  viewerId: string,
  filter: RunFilter,
  page: PageArgs,
): Promise<Page<ProcessRun>> {
  const params = {
    viewerId,
    processId: filter.processId ?? null,
    conversationId: filter.conversationId ?? null,
    statuses: filter.status ?? null,
    all: (filter.depth ?? 'all') === 'all',
  };
  return listPage(tx, RUNS, page, params, toProcessRun);
}

const OPEN_IN_TREE = /* cypher */ `
  // listOpenRunsBelow
  MATCH (run:ProcessRun {rootRunId: $rootRunId}) WHERE $runId IN run.runPath AND run.status IN $open
  RETURN run {.*} AS run
`;

/** A run and the sub-runs under it that are not over. */
export async function listOpenRunsBelow(tx: ReadTx, run: ProcessRun): Promise<ProcessRun[]> {
  const rows = await tx.run(OPEN_IN_TREE, {
    rootRunId: run.rootRunId,
    runId: run.id,
    open: OPEN_RUN_STATUSES,
  });
  return rows.map((row) => toProcessRun(row['run'] as Row));
}

const REQUEST_CANCEL = /* cypher */ `
  // requestCancel
  MATCH (run:ProcessRun {id: $runId})
  SET run.lockedAt = $now
  SET run.cancelReason = coalesce(run.cancelReason, $reason)
  RETURN run.status AS status
`;

/** Notes why, and answers the status under the run's lock: a pending run can be ended on the spot. */
export async function requestCancel(
  tx: WriteTx,
  request: { runId: string; reason: string | null; now: string },
): Promise<RunStatus | null> {
  const [row] = await tx.run(REQUEST_CANCEL, request);
  return row === undefined ? null : (row['status'] as RunStatus);
}
