import { createHash } from 'node:crypto';
import { validateJson } from '../catalog/json-schema.ts';
import { instant } from '../common/clock.ts';
import { canonicalJson, type Json, type JsonObject, jsonBytes } from '../common/json.ts';
import { BODY_BYTES_MAX, INLINE_PAYLOAD_BYTES_MAX } from '../common/limits.ts';
import { notFound, type Problem, problem, Refusal, refuse } from '../common/refusal.ts';
import { answerEntry } from '../conversations/conversation-entry.ts';
import { conversationVariables } from '../memory/working-memory.cypher.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import { Float, type Graph, type WriteTx } from '../platform/neo4j/graph.ts';
import { loadSnapshot } from '../processes/snapshot.cypher.ts';
import type { BaseDeps, Viewer } from '../users/viewer.ts';
import type { RunError } from './fault.ts';
import { findStepRun, raiseBudget, setRunsPaused } from './note.cypher.ts';
import type { Payloads } from './payload.ts';
import { copySteps } from './retry.cypher.ts';
import {
  claimIdempotencyKey,
  endRun,
  findRuns,
  findSnapshot,
  insertRootRun,
  isProcessEnabled,
  listOpenRunsBelow,
  requestCancel,
} from './run.cypher.ts';
import { isOpen, type ProcessRun } from './run.ts';
import { runEntry, type StepDecision } from './run-entry.ts';
import type { RunSnapshot } from './snapshot.ts';

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
  readonly payloads: Payloads;
  readonly signals: RunSignals;
  /** Set apart by tests and installations that share a Temporal namespace. */
  readonly queuePrefix: string;
}

export interface StartProcessRun {
  readonly processId: string;
  readonly context: JsonObject;
  readonly conversationId?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  /** Seconds; absent = none. */
  readonly timeout?: number | null | undefined;
  readonly budget?:
    | { readonly tokens?: number | null | undefined; readonly costUsd?: number | null | undefined }
    | null
    | undefined;
}

const RUN_SECONDS_MAX = 366 * 24 * 60 * 60;
const IDEMPOTENCY_KEY_CHARS_MAX = 200;

/**
 * Accepts a run: writes it with the snapshot of everything it can reach, its idempotency record and its entry in one
 * transaction, and returns (S4-EXEC-13). The relay starts it at once.
 * @throws Refusal NOT_FOUND, DISABLED (S4-PROC-08), REQUIRED and UNKNOWN_VARIABLE in `context` (S4-EXEC-05), INVALID, CONFLICT
 */
export async function startProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  input: StartProcessRun,
): Promise<ProcessRun> {
  refuse(checkStart(input));
  const runId = deps.newId();
  const id = await deps.graph.write(async (tx) => {
    const { idempotencyKey: key, ...rest } = input;
    const claim = { operation: 'startProcessRun', key, input: rest, resultId: runId };
    const known = await knownResult(deps, tx, viewer, claim);
    if (known !== null) return known;
    await startRunIn(deps, tx, viewer, { runId, input, answersId: null });
    return runId;
  });
  deps.wake();
  return getRun(deps, viewer, id);
}

/**
 * startProcessRun inside a transaction of the caller, who wakes the relay.
 * @param answersId the alternative of the conversation that the run answers; null: what is on screen
 */
export async function startRunIn(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  start: {
    readonly runId: string;
    readonly input: StartProcessRun;
    readonly answersId: string | null;
  },
): Promise<void> {
  const snapshot = await loadSnapshot(tx, viewer, start.input.processId);
  if (snapshot === null) throw new Refusal([notFound('Process', ['processId'])]);
  await insertRun(deps, tx, viewer, { ...start, snapshot, retryOfId: null });
}

function checkStart({ timeout, budget, idempotencyKey, context }: StartProcessRun): Problem[] {
  const problems: Problem[] = [];
  if (timeout !== null && timeout !== undefined && !(timeout > 0 && timeout <= RUN_SECONDS_MAX)) {
    problems.push(
      problem(
        'INVALID',
        ['timeout'],
        'The timeout is a number of seconds above 0, a year at most.',
      ),
    );
  }
  problems.push(
    ...checkBudget(budget),
    ...checkIdempotencyKey(idempotencyKey),
    ...checkContextSize(context),
  );
  return problems;
}

export function checkContextSize(context: JsonObject): Problem[] {
  if (jsonBytes(context) <= BODY_BYTES_MAX) return [];
  return [problem('TOO_LARGE', ['context'], 'The context is larger than 1 MiB.')];
}

export function checkIdempotencyKey(key: string | null | undefined): Problem[] {
  if (key === null || key === undefined) return [];
  if (key.length > 0 && key.length <= IDEMPOTENCY_KEY_CHARS_MAX) return [];
  return [
    problem(
      'INVALID',
      ['idempotencyKey'],
      `An idempotency key has 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} characters.`,
    ),
  ];
}

function checkBudget(budget: StartProcessRun['budget']): Problem[] {
  if (budget === null || budget === undefined) return [];
  const { tokens, costUsd } = budget;
  const problems: Problem[] = [];
  if (tokens !== null && tokens !== undefined && !(Number.isSafeInteger(tokens) && tokens > 0)) {
    problems.push(
      problem('INVALID', ['budget', 'tokens'], 'A budget of tokens is a whole number above 0.'),
    );
  }
  if (costUsd !== null && costUsd !== undefined && !(Number.isFinite(costUsd) && costUsd > 0)) {
    problems.push(
      problem('INVALID', ['budget', 'costUsd'], 'A budget of money is a number above 0.'),
    );
  }
  return problems;
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
  readonly snapshot: RunSnapshot;
  readonly input: StartProcessRun;
  readonly answersId: string | null;
  readonly retryOfId: string | null;
}

async function insertRun(
  deps: RunDeps,
  tx: WriteTx,
  viewer: Viewer,
  { runId, snapshot, input, answersId, retryOfId }: Insert,
): Promise<void> {
  const { processId, budget } = input;
  const conversationId = input.conversationId ?? null;
  const definition = snapshot.processes[processId];
  if (definition === undefined) throw new Error('The snapshot misses its own Process.');
  const at = { alternativeId: answersId, wanted: definition.initialContext };
  const supplied =
    conversationId === null
      ? {}
      : await conversationVariables(tx, viewer.userId, { ...at, conversationId });
  const context = { ...supplied, ...input.context };
  const enabled = await isProcessEnabled(tx, processId);
  refuse([
    ...(enabled
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
  const inserted = await insertRootRun(tx, {
    run: {
      run: {
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
        createdAt: now,
      },
      context: stored.text,
      depthMax: definition.maxRecursionDepth,
      budget:
        budget === null || budget === undefined
          ? null
          : { tokens: budget.tokens ?? null, costUsd: budget.costUsd ?? null },
    },
    snapshot: snapshotText,
    steps: definition.steps.length,
    now,
    entry: runEntry(deps, { ...place, runPath: [runId], conversationId }, 'run.requested', {
      ...head,
      retryOfId,
    }),
  });
  if (!inserted) throw new Refusal([notFound('Process', ['processId'])]);
}

/** Every required variable is there, and nothing else is (S4-EXEC-05). */
function checkContext(required: readonly string[], context: JsonObject): Problem[] {
  const missing = required
    .filter((name) => !Object.hasOwn(context, name))
    .map((name) =>
      problem('REQUIRED', ['context', name], `The Process needs ${name} in its context.`),
    );
  const unknown = Object.keys(context)
    .filter((name) => !required.includes(name))
    .map((name) => problem('UNKNOWN_VARIABLE', ['context', name], `The Process takes no ${name}.`));
  return [...missing, ...unknown];
}

/** A budget of money can't be kept where somebody's price is unknown. */
function checkPrices(snapshot: RunSnapshot, budget: StartProcessRun['budget']): Problem[] {
  if (budget?.costUsd === null || budget?.costUsd === undefined) return [];
  return Object.values(snapshot.tools)
    .filter(
      ({ operation, connectionParams }) =>
        operation.type === 'llm_call' && connectionParams['pricing'] === undefined,
    )
    .map(({ name }) =>
      problem(
        'INVALID',
        ['budget', 'costUsd'],
        `The Tool ${name} has no pricing in its connectionParams, so its cost can't be bounded.`,
      ),
    );
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

function refuseState(path: readonly string[], message: string): never {
  throw new Refusal([problem('STATE', path, message)]);
}

/** Ends a run and everything under it: at once where it had not started, else as soon as its steps let go (below 2 s). */
export async function cancelProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  { id, reason }: { readonly id: string; readonly reason?: string | null | undefined },
): Promise<ProcessRun> {
  const run = await getRun(deps, viewer, id);
  if (!isOpen(run.status)) refuseState(['id'], `This run is ${run.status} already.`);
  const now = instant(deps.clock);
  const ended = await deps.graph.write(async (tx) => {
    const status = await requestCancel(tx, { runId: id, reason: reason ?? null, now });
    if (status !== 'pending') return false;
    const message = reason ? `The run was cancelled: ${reason}` : 'The run was cancelled.';
    const error: RunError = { code: 'CANCELLED', message, stepId: null, details: null };
    const { usage } = run;
    const entry = runEntry(deps, { ...run, runId: id }, 'run.ended', {
      processId: run.processId,
      status: 'cancelled',
      output: { value: null },
      outputTruncated: false,
      error,
      usage,
    });
    return endRun(tx, {
      runId: id,
      status: 'cancelled',
      output: null,
      outputBlob: null,
      outputBytes: 0,
      outputTruncated: false,
      error,
      usage,
      unreached: [],
      unreachedStatus: 'cancelled',
      now,
      entries: [entry],
      answer:
        run.conversationId === null || run.depth > 0
          ? null
          : { output: null, entry: answerEntry(deps, run, run.conversationId, 'cancelled') },
      callingStep: null,
    });
  });
  deps.wake();
  if (!ended) await deps.signals.cancel(id);
  return getRun(deps, viewer, id);
}

/** Starts no further steps until resumed, in the whole tree under the run; what runs goes on to its end. */
export function pauseProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<ProcessRun> {
  return setPaused(deps, viewer, input.id, 'paused');
}

export function resumeProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<ProcessRun> {
  return setPaused(deps, viewer, input.id, 'running');
}

async function setPaused(
  deps: RunDeps,
  viewer: Viewer,
  id: string,
  to: 'paused' | 'running',
): Promise<ProcessRun> {
  const run = await getRun(deps, viewer, id);
  const now = instant(deps.clock);
  const changed = await deps.graph.write(async (tx) => {
    const below = await listOpenRunsBelow(tx, run);
    const ids = await setRunsPaused(tx, { ids: below.map((open) => open.id), to, now });
    if (!ids.includes(id)) return [];
    const entries = below
      .filter((open) => ids.includes(open.id))
      .map((open) =>
        runEntry(deps, { ...open, runId: open.id }, 'run.waiting', { status: to, error: null }),
      );
    await appendEntries(tx, entries);
    return ids;
  });
  if (changed.length === 0)
    refuseState(
      ['id'],
      `This run is ${run.status} and can't be ${to === 'paused' ? 'paused' : 'resumed'}.`,
    );
  deps.wake();
  await Promise.all(
    changed.map((runId) =>
      to === 'paused' ? deps.signals.pause(runId) : deps.signals.resume(runId),
    ),
  );
  return getRun(deps, viewer, id);
}

export interface ResolveStep {
  readonly runId: string;
  readonly stepId: string;
  readonly index?: number | null | undefined;
  readonly decision: StepDecision;
  readonly inputs?: JsonObject | null | undefined;
  readonly output?: Json | undefined;
  readonly note?: string | null | undefined;
}

/**
 * A person's word on a step that waits, at any depth (S4-EXEC-11). Changed inputs have to fit the Tool, a substitute its
 * outputSchema. @throws Refusal NOT_FOUND, STATE, REQUIRED, INVALID, SCHEMA_VIOLATION, TOO_LARGE
 */
export async function resolveStep(
  deps: RunDeps,
  viewer: Viewer,
  input: ResolveStep,
): Promise<ProcessRun> {
  const { runId, stepId, decision } = input;
  const index = input.index ?? null;
  const run = await getRun(deps, viewer, runId, ['runId']);
  const { step, snapshot } = await deps.graph.read(async (tx) => ({
    step: await findStepRun(tx, viewer.userId, { runId, stepId, index }),
    snapshot: await findSnapshot(tx, run.snapshotHash),
  }));
  const defined = snapshot?.processes[run.processId]?.steps.find(({ id }) => id === stepId);
  if (defined === undefined) throw new Refusal([notFound('step', ['stepId'])]);
  const tool = 'toolId' in defined.calls ? snapshot?.tools[defined.calls.toolId] : undefined;
  refuse(checkWord(input, tool?.inputSchema ?? null, tool?.outputSchema ?? null));
  if (step?.status !== 'waiting' || !isOpen(run.status))
    refuseState(['stepId'], `Step ${stepId} does not wait for a decision.`);
  const accepted = await deps.signals.decide(runId, {
    stepId,
    index,
    decision,
    inputs: decision === 'approve' ? (input.inputs ?? null) : null,
    output: decision === 'substitute' ? (input.output ?? null) : null,
    note: input.note ?? null,
    decidedBy: viewer.userId,
  });
  if (!accepted) refuseState(['stepId'], `Step ${stepId} was decided already.`);
  return getRun(deps, viewer, runId, ['runId']);
}

function checkWord(
  input: ResolveStep,
  inputSchema: JsonObject | null,
  outputSchema: JsonObject | null,
): Problem[] {
  const { decision, inputs, output, note } = input;
  const problems: Problem[] = [];
  const tooLarge = (name: string) =>
    problem('TOO_LARGE', [name], `${name} may have ${INLINE_PAYLOAD_BYTES_MAX} bytes here.`);
  if (inputs !== null && inputs !== undefined) {
    if (decision !== 'approve')
      problems.push(problem('INVALID', ['inputs'], 'Only an approval may change the inputs.'));
    else if (jsonBytes(inputs) > INLINE_PAYLOAD_BYTES_MAX) problems.push(tooLarge('inputs'));
    else if (inputSchema !== null)
      problems.push(...validateJson(inputSchema, inputs, ['inputs']).problems);
  }
  if (decision === 'substitute') {
    if (output === undefined)
      problems.push(problem('REQUIRED', ['output'], 'A substitute needs an output.'));
    else if (jsonBytes(output) > INLINE_PAYLOAD_BYTES_MAX) problems.push(tooLarge('output'));
    else if (outputSchema !== null)
      problems.push(...validateJson(outputSchema, output, ['output']).problems);
  } else if (output !== undefined && output !== null) {
    problems.push(problem('INVALID', ['output'], 'Only a substitute brings an output.'));
  }
  if (note !== null && note !== undefined && note.length > 2_000) problems.push(tooLarge('note'));
  return problems;
}

/** Sets the budget of the whole tree anew; runs that waited for it go on. @throws Refusal NOT_FOUND, STATE, INVALID */
export async function raiseRunBudget(
  deps: RunDeps,
  viewer: Viewer,
  {
    runId,
    budget,
  }: { readonly runId: string; readonly budget: NonNullable<StartProcessRun['budget']> },
): Promise<ProcessRun> {
  const run = await getRun(deps, viewer, runId, ['runId']);
  refuse(checkBudget(budget));
  if (!isOpen(run.status)) refuseState(['runId'], `This run is ${run.status} already.`);
  const root =
    run.id === run.rootRunId ? run : await getRun(deps, viewer, run.rootRunId, ['runId']);
  if (root.budget === null)
    refuseState(['runId'], 'This run was started without a budget, so nothing bounds it.');
  const tokens = budget.tokens === undefined ? root.budget.tokens : budget.tokens;
  const costUsd = budget.costUsd === undefined ? root.budget.costUsd : budget.costUsd;
  const freed = await deps.graph.write(async (tx) => {
    const ids = await raiseBudget(tx, {
      rootRunId: root.id,
      tokens,
      costUsd: costUsd === null ? null : new Float(costUsd),
      now: instant(deps.clock),
    });
    const runs = await findRuns(tx, viewer.userId, ids);
    await appendEntries(
      tx,
      runs.map((one) =>
        runEntry(deps, { ...one, runId: one.id }, 'run.waiting', {
          status: 'running',
          error: null,
        }),
      ),
    );
    return ids;
  });
  deps.wake();
  await Promise.all(freed.map((id) => deps.signals.budgetRaised(id)));
  return getRun(deps, viewer, runId, ['runId']);
}

/**
 * Runs a finished run's Process once more, as it is now, keeping what was completed before `fromStepId` (absent: before the
 * first step that did not complete). @throws Refusal NOT_FOUND, STATE, and what startProcessRun refuses
 */
export async function retryProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  {
    runId,
    fromStepId,
  }: { readonly runId: string; readonly fromStepId?: string | null | undefined },
): Promise<ProcessRun> {
  const old = await getRun(deps, viewer, runId, ['runId']);
  if (isOpen(old.status))
    refuseState(['runId'], `This run is ${old.status}; cancel it or let it end first.`);
  const context =
    old.context ?? (old.contextBlob === null ? {} : await deps.payloads.loadBlob(old.contextBlob));
  const newRunId = deps.newId();
  await deps.graph.write(async (tx) => {
    const snapshot = await loadSnapshot(tx, viewer, old.processId);
    const definition = snapshot?.processes[old.processId];
    if (snapshot === null || definition === undefined)
      throw new Refusal([notFound('Process', ['runId'])]);
    const { steps } = definition;
    const from =
      fromStepId === null || fromStepId === undefined
        ? steps.length
        : steps.findIndex(({ id }) => id === fromStepId);
    if (from < 0) throw new Refusal([notFound('step', ['fromStepId'])]);
    const { timeoutSeconds: timeout, conversationId } = old;
    const budget =
      old.budget === null ? null : { tokens: old.budget.tokens, costUsd: old.budget.costUsd };
    const input = {
      processId: old.processId,
      context: context as JsonObject,
      conversationId,
      timeout,
      budget,
    };
    await insertRun(deps, tx, viewer, {
      runId: newRunId,
      snapshot,
      input,
      answersId: null,
      retryOfId: old.id,
    });
    await copySteps(tx, {
      from: old.id,
      to: newRunId,
      stepIds: steps.slice(0, from).map(({ id }) => id),
    });
  });
  deps.wake();
  return getRun(deps, viewer, newRunId);
}
