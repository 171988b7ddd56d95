import { instant } from '../../common/clock.ts';
import { entryOf } from '../../common/entry-of.ts';
import { type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { INLINE_PAYLOAD_BYTES_MAX } from '../../common/limits.ts';
import {
  notFound,
  type Problem,
  problem,
  Refusal,
  refuse,
  refuseState,
} from '../../common/refusal.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import { Float } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import { readPart } from '../agent/agent-step.ts';
import { findStep, toolSource } from '../agent/find-step.ts';
import { endRunIn } from '../end/end-run.mutations.ts';
import { requestCancel, sumUpRun } from '../end/run-end.cypher.ts';
import { cancelledError } from '../end/run-error.ts';
import { runEntry } from '../events/run-entry.ts';
import { findAskedKey } from '../memory/agreement.cypher.ts';
import { settleAsks } from '../memory/agreement.mutations.ts';
import { getRun } from '../run/get-run.service.ts';
import type { RunDeps } from '../run/ports.ts';
import { findRuns, findSnapshot } from '../run/run.cypher.ts';
import { isOpen, type ProcessRun, type StepDecision } from '../run/run.ts';
import { listOpenRunsBelow } from '../run/run-tree.cypher.ts';
import { checkBudget, type StartProcessRun } from '../start/run-checks.ts';
import { findStepRun, raiseBudget, setRunsPaused } from '../steps/note.cypher.ts';
import { stepKey } from '../steps/step-run.ts';

/**
 * Cancels a run and the sub-runs below it. A pending run ends in this call; any other ends when its
 * steps have stopped, within 2 s.
 * @throws Refusal NOT_FOUND, STATE where the run has ended
 */
export async function cancelProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  { id, reason }: { readonly id: string; readonly reason?: string | null | undefined },
): Promise<ProcessRun> {
  const run = await getRun(deps, viewer, id);
  if (!isOpen(run.status)) refuseState(['id'], `This run is ${run.status} already.`);
  const now = instant(deps.clock);
  const ended = await writeAndWake(deps, async (tx) => {
    const status = await requestCancel(tx, { runId: id, reason: reason ?? null, now });
    if (status !== 'pending') return false;
    const { usage, startedAt, origin } = run;
    const summary = await sumUpRun(tx, id, []);
    return endRunIn(deps, tx, {
      run: { ...run, runId: id },
      outcome: { status: 'cancelled', error: cancelledError(reason ?? null) },
      output: null,
      usage,
      startedAt,
      unreached: [],
      task: summary?.task ?? null,
      origin,
    });
  });
  if (!ended) await deps.signals.cancel(run.workflowId);
  return getRun(deps, viewer, id);
}

/**
 * Pauses a run and the sub-runs below it: they start no further steps until resumed. Running steps
 * go on to their end.
 * @throws Refusal NOT_FOUND, STATE where the run can't be paused
 */
export function pauseProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<ProcessRun> {
  return setPaused(deps, viewer, id, 'paused');
}

/**
 * Resumes a paused run and the sub-runs below it.
 * @throws Refusal NOT_FOUND, STATE where the run is not paused
 */
export function resumeProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<ProcessRun> {
  return setPaused(deps, viewer, id, 'running');
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
    const runs = below.filter((open) => ids.includes(open.id));
    const entries = runs.map((open) =>
      runEntry(deps, { ...open, runId: open.id }, 'run.waiting', { status: to, error: null }),
    );
    await appendEntries(tx, entries);
    return runs;
  });
  if (changed.length === 0)
    refuseState(
      ['id'],
      `This run is ${run.status} and can't be ${to === 'paused' ? 'paused' : 'resumed'}.`,
    );
  deps.wake();
  await Promise.all(
    changed.map(({ workflowId }) =>
      to === 'paused' ? deps.signals.pause(workflowId) : deps.signals.resume(workflowId),
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
  /**
   * Approves later calls of the same target in this run too. The approval of a step that asks for
   * the memory holds longer anyway.
   */
  readonly allowForRun?: boolean | null | undefined;
}

/**
 * Decides a waiting step, at any depth of a run (S4-EXEC-11). Changed inputs have to fit the Tool's
 * inputSchema, a substitute its outputSchema. Where the step asks for the memory, the decision
 * holds for the other steps that ask for the same (docs/decisions/0093).
 * @throws Refusal NOT_FOUND, STATE, REQUIRED, INVALID, SCHEMA_VIOLATION, TOO_LARGE
 */
export async function resolveStep(
  deps: RunDeps,
  viewer: Viewer,
  input: ResolveStep,
): Promise<ProcessRun> {
  const { runId, stepId, decision } = input;
  const index = input.index ?? null;
  const run = await getRun(deps, viewer, runId, ['runId']);
  const asked = { ownerId: viewer.userId, stepKey: stepKey(runId, stepId, index) };
  const { step, snapshot, memoryKey } = await deps.graph.read(async (tx) => ({
    step: await findStepRun(tx, viewer.userId, { runId, stepId, index }),
    snapshot: await findSnapshot(tx, run.snapshotHash),
    memoryKey: await findAskedKey(tx, asked),
  }));
  const defined = snapshot === null ? null : findStep(toolSource(snapshot), run.processId, stepId);
  if (defined === null) throw new Refusal([notFound('step', ['stepId'])]);
  const tool =
    'toolId' in defined.calls ? entryOf(snapshot?.tools ?? {}, defined.calls.toolId) : undefined;
  refuse([
    ...checkDecision(input, tool?.inputSchema ?? null, tool?.outputSchema ?? null),
    ...(memoryKey === null ? checkAllow(input) : []),
  ]);
  if (step?.status !== 'waiting' || !isOpen(run.status))
    refuseState(['stepId'], `Step ${stepId} does not wait for a decision.`);
  const accepted = await deps.signals.decide(run.workflowId, {
    stepId,
    index,
    decision,
    inputs: decision === 'approve' ? (input.inputs ?? null) : null,
    output: decision === 'substitute' ? (input.output ?? null) : null,
    note: input.note ?? null,
    decidedBy: viewer.userId,
    ...(input.allowForRun === true ? { allowForRun: true } : {}),
  });
  if (!accepted) refuseState(['stepId'], `Step ${stepId} was decided already.`);
  if (memoryKey !== null && decision !== 'substitute') {
    const rootRunId = decision === 'reject' ? run.rootRunId : null;
    await settleAsks(deps, viewer, {
      key: memoryKey,
      decision,
      rootRunId,
      note: input.note ?? null,
    });
  }
  return getRun(deps, viewer, runId, ['runId']);
}

function checkAllow({ stepId, decision, allowForRun }: ResolveStep): Problem[] {
  if (allowForRun !== true) return [];
  if (decision === 'approve' && readPart(stepId) !== null) return [];
  const message = "Only the approval of a model's call of a tool holds for the rest of the run.";
  return [problem('INVALID', ['allowForRun'], message)];
}

function checkDecision(
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

/**
 * Sets the budget of the whole run tree; a limit that is absent from `budget` stays as it is. Runs
 * that wait for budget go on.
 * @throws Refusal NOT_FOUND, STATE, INVALID
 */
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
  const freed = await writeAndWake(deps, async (tx) => {
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
    return runs;
  });
  await Promise.all(freed.map(({ workflowId }) => deps.signals.budgetRaised(workflowId)));
  return getRun(deps, viewer, runId, ['runId']);
}
