import { createHash } from 'node:crypto';
import { instant } from '../../common/clock.ts';
import { canonicalJson, type Json, type JsonObject } from '../../common/json.ts';
import { notFound, problem, Refusal, refuse } from '../../common/refusal.ts';
import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import { type BaseDeps, SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';
import { runEntry, type StepDecision } from '../events/run-entry.ts';
import {
  checkContext,
  checkPrices,
  checkStart,
  type StartProcessRun,
} from '../start/run-checks.ts';
import { claimIdempotencyKey, insertRootRun } from '../start/start.cypher.ts';
import type { Payloads } from './payloads.service.ts';
import { findRuns } from './run.cypher.ts';
import type { ProcessRun } from './run.ts';
import type { RunObserver } from './run-observer.service.ts';
import {
  findProcessClosure,
  findToolSnapshots,
  type ProcessClosure,
  takeSnapshot,
} from './snapshot.cypher.ts';
import { type RunSnapshot, speakThrough } from './snapshot.ts';

/** The port to running workflows; a run whose workflow is over or not there yet is no fault. */
export interface RunSignals {
  cancel(runId: string): Promise<void>;
  pause(runId: string): Promise<void>;
  resume(runId: string): Promise<void>;
  budgetRaised(runId: string): Promise<void>;
  /** Answers false where the run's workflow refused it: the step does not wait (any more). */
  decide(runId: string, decision: StepWord): Promise<boolean>;
}
export interface StepWord {
  readonly stepId: string;
  readonly index: number | null;
  readonly decision: StepDecision;
  readonly inputs: JsonObject | null;
  readonly output: Json;
  readonly note: string | null;
  readonly decidedBy: string;
}

export interface RunDeps extends BaseDeps {
  readonly graph: Graph;
  wake(): void;
  /** A hint that the run is committed: the starter of this process takes it at once. Absent: the relay brings it. */
  startSoon?(runId: string): void;
  readonly payloads: Payloads;
  readonly signals: RunSignals;
  readonly runObserver: RunObserver;
  /** Set apart by tests and installations that share a Temporal namespace. */
  readonly queuePrefix: string;
  /** The call (src/calls) of the mutation that is at work; absent where none is. */
  readonly callId?: string;
  /** Where the request stands in its trace (W3C traceparent); absent or null = nowhere. */
  traceparent?(): string | null;
}

/**
 * Accepts a run: writes it with the snapshot of everything it can reach, its idempotency record and its entry in one
 * transaction, and returns (S4-EXEC-13). The relay starts it at once.
 * @param model llmToolId as of startRunIn
 * @throws Refusal NOT_FOUND, DISABLED (S4-PROC-08), REQUIRED and UNKNOWN_VARIABLE in `context` (S4-EXEC-05), INVALID, CONFLICT
 */
export async function startProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  input: StartProcessRun,
  model: { readonly llmToolId?: string | null } = {},
): Promise<ProcessRun> {
  refuse(checkStart(input));
  const runId = deps.newId();
  const id = await deps.graph.write(async (tx) => {
    const { idempotencyKey: key, ...rest } = input;
    const claim = { operation: 'startProcessRun', key, input: rest, resultId: runId };
    const known = await knownResult(deps, tx, viewer, claim);
    if (known !== null) return known;
    await startRunIn(deps, tx, viewer, { runId, input, answersId: null, ...model });
    return runId;
  });
  deps.wake();
  deps.startSoon?.(id);
  return getRun(deps, viewer, id);
}

/**
 * startProcessRun inside a transaction of the caller, who calls `wake` and `startSoon` after the commit.
 * @param answersId the alternative of the conversation that the run answers; null: what is on screen
 * @param llmToolId the Tool of the viewer's memorySettings that the system's questions are put to, by a retry too; null, or one
 * that is gone: the system's own; absent where the run has nothing to do with them
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
  },
): Promise<void> {
  const closure = await findProcessClosure(tx, viewer, start.input.processId);
  if (closure === null) throw new Refusal([notFound('Process', ['processId'])]);
  await insertRun(deps, tx, viewer, { ...start, reach: closure, retryOfId: null });
}

/** The snapshot with the system's questions put to the viewer's LLM Tool; as it is where there is none. */
async function snapshotThrough(
  tx: WriteTx,
  viewer: Viewer,
  closure: ProcessClosure,
  llmToolId: string | null,
): Promise<RunSnapshot> {
  const [snapshot, [tool]] = await Promise.all([
    takeSnapshot(tx, viewer, closure),
    llmToolId === null ? [] : findToolSnapshots(tx, viewer, [llmToolId]),
  ]);
  return tool === undefined ? snapshot : speakThrough(snapshot, tool, SYSTEM_USER_ID);
}

/** What an equal request under the same key made before, by its id; null where this is the first one. @throws Refusal CONFLICT */
export async function knownResult(
  deps: BaseDeps,
  tx: WriteTx,
  viewer: Viewer,
  claim: {
    readonly operation: string;
    readonly key: string | null | undefined;
    readonly input: object;
    readonly resultId: string;
  },
): Promise<string | null> {
  const { operation, key, input, resultId } = claim;
  if (key === null || key === undefined) return null;
  const inputHash = hashOf(input);
  const first = await claimIdempotencyKey(tx, {
    ownerId: viewer.userId,
    operation,
    key,
    inputHash,
    resultId,
    now: instant(deps.clock),
  });
  if (first.resultId === resultId) return null;
  if (first.inputHash === inputHash) return first.resultId;
  throw new Refusal([
    problem('CONFLICT', ['idempotencyKey'], 'This idempotency key was used with another input.'),
  ]);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

interface Insert {
  readonly runId: string;
  readonly reach: ProcessClosure;
  readonly input: StartProcessRun;
  readonly answersId: string | null;
  readonly retryOfId: string | null;
  /** As of startRunIn. */
  readonly llmToolId?: string | null;
}

/** Writes a run with its snapshot and its entry, in a transaction of the caller. @throws Refusal as startProcessRun */
export async function insertRun(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  { runId, reach: closure, input, answersId, retryOfId, llmToolId }: Insert,
): Promise<void> {
  const { processId, budget } = input;
  const conversationId = input.conversationId ?? null;
  const definition = closure.processes[processId];
  if (definition === undefined) throw new Error('The reach misses its own Process.');
  const at = { alternativeId: answersId, wanted: definition.initialContext };
  // Two independent reads.
  const [supplied, snapshot] = await Promise.all([
    conversationId === null ? {} : deps.runObserver.supply(tx, viewer, { ...at, conversationId }),
    snapshotThrough(tx, viewer, closure, llmToolId ?? null),
  ]);
  const context = { ...supplied, ...input.context };
  refuse([
    ...(closure.isEnabled
      ? []
      : [problem('DISABLED', ['processId'], `The Process ${definition.name} is disabled.`)]),
    ...checkContext(definition.initialContext, context),
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
      budget: bounds,
    },
    snapshot: snapshotText,
    steps: definition.steps.length,
    now,
    entry: runEntry(deps, { ...place, runPath: [runId], conversationId }, 'run.requested', {
      ...head,
      retryOfId,
      callId: deps.callId ?? null,
      scopes: [...viewer.roles],
    }),
  });
  if (!inserted) throw new Refusal([notFound('Process', ['processId'])]);
}

/** The viewer's own run. @throws Refusal NOT_FOUND */
export async function getRun(
  deps: Pick<RunDeps, 'graph'>,
  viewer: Viewer,
  id: string,
  path: readonly string[] = ['id'],
): Promise<ProcessRun> {
  const [run] = await deps.graph.read((tx) => findRuns(tx, viewer.userId, [id]));
  if (run === undefined) throw new Refusal([notFound('run', path)]);
  return run;
}

export function refuseState(path: readonly string[], message: string): never {
  throw new Refusal([problem('STATE', path, message)]);
}
