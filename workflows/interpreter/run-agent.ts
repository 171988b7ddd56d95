import { CancellationScope } from '@temporalio/workflow';
import { STEP_EXECUTIONS_PER_TREE_MAX } from '../../src/common/limits.ts';
import { lastByNumber, type PlannedCall, planCalls } from '../../src/runs/agent/agent-loop.ts';
import { callStep, limitsOf, roundStep } from '../../src/runs/agent/agent-step.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import type { AgentState } from './agents.ts';
import { ask } from './ask.ts';
import { callProcess } from './call-process.ts';
import { callTool } from './call-tool.ts';
import { type InputSource, type RoundAnswer, readRoundAnswer } from './contract.ts';
import { ContinueAsNewRequested, runError, StepFailed } from './failures.ts';
import { type RunState, refused, type StepInstance } from './run-state.ts';

/** Step executions that are reserved at once in the limit of the run tree. */
const RESERVED_AT_ONCE = 20;

/**
 * Runs a step that offers tools: asks the model, makes the calls that it requests, and asks again
 * until it answers (docs/decisions/0065). Each round and each call is an activity with a StepRun
 * of its own, so a crash repeats none that has ended.
 * @returns the answer
 * @throws StepFailed, recorded
 */
export async function runAgent(
  runState: RunState,
  instance: StepInstance,
  toolId: string,
  source: InputSource,
): Promise<ValueOrRef> {
  const { run, agents, control } = runState;
  const { step, index } = instance;
  const key = stepKey(run.runId, step.id, index);
  const state = agents.of(key);
  const limits = limitsOf(step);
  if (!state.isBegun) await begin(runState, instance, state, source);
  for (;;) {
    if (state.calls === null) {
      state.last ??= lastByNumber(state.round, limits);
      await reserve(runState, instance, state, 1);
      const answer = await askModel(runState, instance, state, toolId);
      control.progressed();
      if (answer.answer !== null) {
        await runState.notes.endAgent({ run, stepId: step.id, index, round: state.round });
        agents.close(key);
        return answer.answer;
      }
      const planned = planCalls(state, answer.calls, limits);
      await reserve(runState, instance, state, planned.calls.length);
      await noteRefusals(runState, instance, planned.calls);
      const { calls, made, seen, last } = planned;
      const { ended = [] } = state;
      for (const call of calls) if (ended.includes(call.stepId)) call.isDone = true;
      Object.assign(state, { calls, made, seen, last: state.last ?? last });
    }
    await makeCalls(runState, instance, state, state.calls ?? []);
    state.calls = null;
    state.round++;
  }
}

async function begin(
  runState: RunState,
  { step, index }: StepInstance,
  state: AgentState,
  inputs: InputSource,
): Promise<void> {
  const { run, notes, control } = runState;
  const gate = control.gate();
  if (gate !== null) await gate;
  const {
    fits,
    stepsMax = STEP_EXECUTIONS_PER_TREE_MAX,
    kept,
  } = await notes.beginAgent({
    run,
    stepId: step.id,
    index,
    inputs,
    items: RESERVED_AT_ONCE,
  });
  if (!fits) {
    const message =
      `One run may execute ${stepsMax} steps over its whole tree; the ` +
      `rounds of step ${step.id} do not fit.`;
    throw await refused(runState, step, index, runError('BUDGET_EXCEEDED', message, step.id));
  }
  const { timeout } = step.execution;
  state.isBegun = true;
  if (kept) {
    const { rounds, made, seen, ended } = kept;
    Object.assign(state, { round: rounds + 1, made, seen, ended });
  }
  state.reserved = RESERVED_AT_ONCE;
  state.deadlineMs =
    timeout === null || timeout === undefined ? null : Date.now() + timeout * 1_000;
}

/**
 * Counts executions in the limit of the run tree. Where they do not fit, this round is the last.
 */
async function reserve(
  { run, notes }: RunState,
  { step, index }: StepInstance,
  state: AgentState,
  executions: number,
): Promise<void> {
  state.used += executions;
  if (state.used <= state.reserved) return;
  const items = Math.max(RESERVED_AT_ONCE, state.used - state.reserved);
  // The id makes the reservation idempotent: one per step, item and amount before it.
  const stepId = `${step.id}~${index ?? ''}~${state.reserved}`;
  const { fits } = await notes.reserveItems({ run, stepId, items });
  state.reserved += items;
  if (!fits) state.last ??= 'The limit of steps of this run is reached.';
}

async function askModel(
  runState: RunState,
  instance: StepInstance,
  state: AgentState,
  toolId: string,
): Promise<RoundAnswer> {
  const { step, index } = instance;
  try {
    const timeoutSeconds = secondsLeft(instance, state);
    const round: StepInstance = {
      ...instance,
      step: roundStep(step, state.round),
      call: {
        ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
        ...(state.last === null ? {} : { last: state.last }),
      },
    };
    // The round reads its inputs and the earlier rounds from the record.
    const output = await callTool(runState, round, toolId, { kind: 'recorded', item: null });
    return readRoundAnswer(output);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    throw await refused(runState, step, index, { ...error.error, stepId: step.id });
  }
}

/** @throws StepFailed STEP_TIMEOUT where the step's timeout is over */
function secondsLeft({ step }: StepInstance, { deadlineMs }: AgentState): number | null {
  if (deadlineMs === null) return null;
  const seconds = (deadlineMs - Date.now()) / 1_000;
  if (seconds > 0) return seconds;
  const message =
    `The step took longer than its timeout of ${step.execution.timeout} s over all rounds and ` +
    'was stopped.';
  throw new StepFailed(runError('STEP_TIMEOUT', message, step.id));
}

/** Records the calls that are not made, each with the reason that the model reads. */
async function noteRefusals(
  { run, notes }: RunState,
  { index }: StepInstance,
  calls: readonly PlannedCall[],
): Promise<void> {
  const refusals = calls.flatMap(({ stepId, refusal }) =>
    refusal === null ? [] : [{ stepId, refusal }],
  );
  if (refusals.length === 0) return;
  await notes.recordSteps({
    run,
    notes: refusals.map(({ stepId, refusal }) => ({
      kind: 'failed' as const,
      stepId,
      index,
      error: runError('INPUT_INVALID', refusal, stepId),
    })),
  });
}

/** Makes the calls of a round, all at once. A failed call is a result that the model reads. */
async function makeCalls(
  runState: RunState,
  instance: StepInstance,
  state: AgentState,
  calls: readonly PlannedCall[],
): Promise<void> {
  const scope = new CancellationScope();
  let failure: unknown = null;
  let waitedMs = 0;

  async function make(call: PlannedCall): Promise<void> {
    let askedMs = 0;
    const onWaited = (ms: number) => {
      askedMs += ms;
      waitedMs = Math.max(waitedMs, askedMs);
    };
    try {
      const waited = await makeCall(runState, instance, state, call, onWaited);
      waitedMs = Math.max(waitedMs, waited + askedMs);
    } catch (error) {
      if (!(error instanceof StepFailed)) {
        // A continue-as-new request lets running calls end. A cancel stops them.
        if (failure === null && !(error instanceof ContinueAsNewRequested)) scope.cancel();
        failure ??= error;
        return;
      }
    }
    call.isDone = true;
    runState.control.progressed();
  }

  await scope.run(() => Promise.all(calls.filter(({ isDone }) => !isDone).map(make)));
  // The step's timeout does not run while a person decides.
  if (state.deadlineMs !== null) state.deadlineMs += waitedMs;
  if (failure !== null) throw failure;
}

/**
 * @param onWaited gets the ms that the call waited for an agreement to use the memory
 * @returns ms that the call waited for a decision on itself
 */
async function makeCall(
  runState: RunState,
  instance: StepInstance,
  state: AgentState,
  call: PlannedCall,
  onWaited: (ms: number) => void,
): Promise<number> {
  const { run, agents, control } = runState;
  const { step, index } = instance;
  const { target, inputs, permission, name } = call;
  if (target === null) return 0;
  const part = { round: state.round, call: { index: call.index, name } };
  const called: StepInstance = {
    step: callStep(step, part, target),
    index,
    item: null,
    // The workflow needs no result: the next round reads it from the record.
    share: 0,
    onWaited,
  };
  const given: InputSource =
    inputs === null ? { kind: 'recorded', item: null } : { kind: 'bound', inputs };
  const targetId = 'toolId' in target ? target.toolId : target.processId;
  if (permission !== 'ask' || agents.allowed.has(targetId)) {
    await makeAllowedCall(runState, called, state, given);
    return 0;
  }
  const startMs = Date.now();
  const key = stepKey(run.runId, called.step.id, index);
  const timeoutSeconds = limitsOf(step).approvalTimeout ?? null;
  try {
    const asked = await ask(runState, called, key, { source: given, timeoutSeconds });
    const waitedMs = Date.now() - startMs;
    if (control.findWait(key)?.decision?.allowForRun === true) agents.allowed.add(targetId);
    if ('source' in asked) await makeAllowedCall(runState, called, state, asked.source);
    control.closeWait(key);
    return waitedMs;
  } catch (error) {
    if (error instanceof StepFailed) control.closeWait(key);
    throw error;
  }
}

async function makeAllowedCall(
  runState: RunState,
  called: StepInstance,
  state: AgentState,
  inputs: InputSource,
): Promise<void> {
  const { step, index } = called;
  let timeoutSeconds: number | null;
  try {
    timeoutSeconds = secondsLeft(called, state);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    throw await refused(runState, step, index, error.error);
  }
  const { calls } = step;
  const limited = timeoutSeconds === null ? called : withTimeout(called, timeoutSeconds);
  if ('toolId' in calls) await callTool(runState, limited, calls.toolId, inputs);
  else await callProcess(runState, limited, calls.processId, inputs);
}

function withTimeout(instance: StepInstance, seconds: number): StepInstance {
  const { step } = instance;
  return {
    ...instance,
    step: { ...step, execution: { ...step.execution, timeout: seconds } },
    call: { timeoutSeconds: seconds },
  };
}
