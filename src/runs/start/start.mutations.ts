import { createHash } from 'node:crypto';
import { instant } from '../../common/clock.ts';
import { entryOf } from '../../common/entry-of.ts';
import { canonicalJson } from '../../common/json.ts';
import { notFound, problem, Refusal, refuse } from '../../common/refusal.ts';
import { once } from '../../idempotency/idempotency.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';
import { runEntry } from '../events/run-entry.ts';
import { getRun } from '../run/get-run.service.ts';
import type { RunDeps } from '../run/ports.ts';
import type { ProcessRun } from '../run/run.ts';
import type { RunOrigin, RunWork } from '../run/run-origin.ts';
import {
  findProcessClosure,
  findToolSnapshots,
  type ProcessClosure,
  takeSnapshot,
} from '../run/snapshot.cypher.ts';
import { type RunSnapshot, replaceLlmTools } from '../run/snapshot.ts';
import { checkPrices, checkStart, fitContext, type StartProcessRun } from './run-checks.ts';
import { insertRootRun } from './start.cypher.ts';

/**
 * Requests a run and returns (S4-EXEC-13). One transaction writes the run, the snapshot of its
 * process closure, its idempotency record and the entry `run.requested`. The run starter starts the
 * workflow after the commit.
 * @param more `llmToolId` and `workFor` as of startRunIn
 * @throws Refusal NOT_FOUND, DISABLED (S4-PROC-08), REQUIRED, UNKNOWN_VARIABLE and
 * SCHEMA_VIOLATION in `context` (S4-EXEC-05), INVALID, CONFLICT
 */
export async function startProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  input: StartProcessRun,
  more: { readonly llmToolId?: string | null; readonly workFor?: RunWork } = {},
): Promise<ProcessRun> {
  refuse(checkStart(input));
  const runId = deps.newId();
  const request = { operation: 'startProcessRun', input, resultId: runId };
  const id = await once(deps, viewer, request, async (tx) => {
    await startRunIn(deps, tx, viewer, { runId, input, answersId: null, ...more });
    return runId;
  });
  return getRun(deps, viewer, id);
}

/**
 * startProcessRun inside a transaction of the caller. The caller calls `wake` and `startSoon` after
 * the commit.
 * - `answersId`: the alternative of the conversation that the run answers; null: the end of the
 *   active path.
 * - `llmToolId`: the Tool of the viewer's memory settings that replaces the system's LLM Tools in
 *   this run and its retries. Null, or the id of a deleted Tool: the system's own Tools. Absent:
 *   the run does not use memory settings.
 * - `workFor`: the thing that a background run of the product works for. Absent: a user asked for
 *   the run.
 */
export async function startRunIn(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  start: {
    readonly runId: string;
    readonly input: StartProcessRun;
    readonly answersId: string | null;
    readonly llmToolId?: string | null;
    readonly workFor?: RunWork | null;
  },
): Promise<void> {
  const closure = await findProcessClosure(tx, viewer, start.input.processId);
  if (closure === null) throw new Refusal([notFound('Process', ['processId'])]);
  await insertRun(deps, tx, viewer, { ...start, closure, retryOfId: null });
}

/** The snapshot; with `llmToolId`, that Tool of the viewer replaces the system's LLM Tools. */
async function takeSnapshotWith(
  tx: WriteTx,
  viewer: Viewer,
  closure: ProcessClosure,
  llmToolId: string | null,
): Promise<RunSnapshot> {
  const [snapshot, [tool]] = await Promise.all([
    takeSnapshot(tx, viewer, closure),
    llmToolId === null ? [] : findToolSnapshots(tx, viewer, [llmToolId]),
  ]);
  return tool === undefined ? snapshot : replaceLlmTools(snapshot, tool, SYSTEM_USER_ID);
}

interface Insert {
  readonly runId: string;
  readonly closure: ProcessClosure;
  readonly input: StartProcessRun;
  readonly answersId: string | null;
  readonly retryOfId: string | null;
  /** As in startRunIn. */
  readonly llmToolId?: string | null;
  readonly workFor?: RunWork | null;
  /** As in NewRun. */
  readonly origin?: RunOrigin;
}

/**
 * Writes a root run with its snapshot and its entry, in a transaction of the caller: checks first,
 * all problems at once.
 * @throws Refusal as startProcessRun
 */
export async function insertRun(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  { runId, closure, input, answersId, retryOfId, llmToolId, workFor, origin }: Insert,
): Promise<void> {
  const { processId, budget } = input;
  const conversationId = input.conversationId ?? null;
  const definition = entryOf(closure.processes, processId);
  if (definition === undefined) throw new Error('The closure lacks its own Process.');
  const at = { alternativeId: answersId, wanted: definition.initialContext };
  // Independent reads.
  const [supplied, snapshot, answers] = await Promise.all([
    conversationId === null ? {} : deps.runObserver.supply(tx, viewer, { ...at, conversationId }),
    takeSnapshotWith(tx, viewer, closure, llmToolId ?? null),
    answersId === null ? null : deps.runObserver.findMessage(tx, viewer, answersId),
  ]);
  const { context, problems } = fitContext(definition, { ...supplied, ...input.context });
  refuse([
    ...(closure.isEnabled
      ? []
      : [problem('DISABLED', ['processId'], `The Process ${definition.name} is disabled.`)]),
    ...problems,
    ...checkPrices(snapshot, budget),
    ...(supplied === null ? [notFound('Conversation', ['conversationId'])] : []),
  ]);
  const now = instant(deps.clock);
  const place = { workspace: viewer.workspace, ownerId: viewer.userId, rootRunId: runId, runId };
  const stored = await deps.payloads.store(place, 'context', context);
  const snapshotText = canonicalJson(snapshot);
  const head = { processId, processName: definition.name, processVersion: definition.version };
  const run = {
    ...place,
    id: runId,
    ...head,
    snapshotHash: createHash('sha256').update(snapshotText).digest('hex'),
    runPath: [runId],
    depth: 0,
    parentRunId: null,
    parentStepId: null,
    parentIndex: null,
    retryOfId,
    conversationId,
    contextBlob: stored.blob,
    timeoutSeconds: input.timeout ?? null,
    queuePrefix: deps.queuePrefix,
    traceparent: deps.traceparent?.() ?? null,
    createdAt: now,
  };
  const bounds =
    budget === null || budget === undefined
      ? null
      : { tokens: budget.tokens ?? null, costUsd: budget.costUsd ?? null };
  const inserted = await insertRootRun(tx, {
    run: {
      run,
      context: stored.text,
      depthMax: definition.maxRecursionDepth,
      asksOwnersModel: llmToolId !== undefined,
      workFor: workFor ?? null,
      origin,
      budget: bounds,
    },
    snapshot: snapshotText,
    steps: definition.steps.length,
    now,
    entry: runEntry(deps, { ...place, runPath: [runId], conversationId }, 'run.requested', {
      ...head,
      steps: definition.steps.length,
      retryOfId,
      callId: deps.callId ?? null,
      scopes: [...viewer.roles],
      answers,
    }),
  });
  if (!inserted) throw new Refusal([notFound('Process', ['processId'])]);
}
