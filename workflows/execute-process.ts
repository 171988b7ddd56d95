import {
  ActivityCancellationType,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  ContinueAsNew,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  log,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import { createIdSource } from '../src/common/id.ts';
import { INLINE_PAYLOAD_BYTES_MAX, STEP_LOST_SECONDS } from '../src/common/limits.ts';
import { planStages } from '../src/processes/definition/plan.ts';
import {
  type ConcurrencyChange,
  processesQueue,
  type RunHead,
  type StepResolution,
  type ValueOrRef,
} from '../src/runs/run/run.ts';
import type { RootRun } from '../src/runs/start/root-run.ts';
import { stepKey } from '../src/runs/steps/step-run.ts';
import type { Carried, ExecuteProcessInput } from './execute-process.contract.ts';
import { type CarriedAgents, createAgents } from './interpreter/agents.ts';
import { memoryOf } from './interpreter/ask.ts';
import { callsProcessPerItem } from './interpreter/call-process.ts';
import type { FinishCall, ParentCall, RunActivities, RunNotes } from './interpreter/contract.ts';
import { type Control, createControl } from './interpreter/control.ts';
import { ContinueAsNewRequested, RunFailed, runError, StepFailed } from './interpreter/failures.ts';
import { createLocalCalls } from './interpreter/local-calls.ts';
import type { RunState } from './interpreter/run-state.ts';
import { createSteps } from './interpreter/run-steps.ts';
import { createValues } from './interpreter/values.ts';
import { createWindow } from './interpreter/window.ts';

/** An approval's decision; refused where the step does not wait (S4-EXEC-11). */
export const resolveStep = defineUpdate<void, [StepResolution]>('resolveStep');
/**
 * Changes how many items of a forEach step run at once. Returns the number of the change within the
 * run, for the record.
 */
export const setStepConcurrency = defineUpdate<number, [ConcurrencyChange]>('setStepConcurrency');
export const pauseRun = defineSignal('pauseRun');
export const resumeRun = defineSignal('resumeRun');
export const budgetRaised = defineSignal('budgetRaised');

const RETRY_FOR_EVER = {
  initialInterval: '500ms',
  backoffCoefficient: 2,
  maximumInterval: '10s',
} as const;

/**
 * The workflow of every run: interprets its stored Process. The workflow ends as the run:
 * completed, failed or cancelled.
 */
export async function executeProcess(
  input: RootRun | ExecuteProcessInput,
): Promise<ValueOrRef | null> {
  const { run, parent, carried } = input;
  const onProcesses = { taskQueue: processesQueue(run.queuePrefix), retry: RETRY_FOR_EVER };
  const activities = proxyActivities<RunActivities>({
    ...onProcesses,
    startToCloseTimeout: '2m',
    heartbeatTimeout: STEP_LOST_SECONDS * 1_000,
    // A cancel waits for the activity's record, so that finishRun finds everything that was
    // started.
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
  const finishing =
    input.finishesLocally === true
      ? proxyLocalActivities<Pick<RunActivities, 'finishRun'>>({
          startToCloseTimeout: '2m',
          retry: RETRY_FOR_EVER,
        })
      : activities;
  const notes = uncancelled(
    proxyLocalActivities<RunNotes>({ startToCloseTimeout: '20s', retry: RETRY_FOR_EVER }),
  );
  const control = createControl(carried?.control ?? null, input.continueAfterEvents);
  listen(control, notes, run);

  const main = new CancellationScope();
  const clock = startClock(main, deadlineOf(input));
  let outcome: FinishCall['outcome'];
  try {
    const begun = input.begun ?? (await main.run(() => begin(activities, control, run, parent)));
    const { definition, toolTypes, context, localTools } = begun;
    const values = createValues(definition, context, carried?.values ?? null);
    const runState: RunState = {
      // The smallest limit from the root run down applies; this run's own limit is in its
      // definition.
      run: { ...run, depthMax: Math.min(run.depthMax, definition.maxRecursionDepth) },
      definition,
      toolTypes,
      values,
      control,
      window: createWindow(),
      newId: createIdSource({ nowMs: () => Date.now(), random: Math.random }),
      activities,
      notes,
      localCalls: createLocalCalls(localTools ?? []),
      continueAfterEvents: input.continueAfterEvents,
      // Asked once and kept: a history of an older version has no marker, and gives false here.
      indexesChildren: definition.steps.some(callsProcessPerItem) && patched('index-in-child-id'),
      agents: createAgents(carried?.agents ?? null),
    };
    const continueAtStage = await main.run(() => runStages(runState, carried?.stage ?? 0));
    if (continueAtStage !== null) {
      await condition(allHandlersFinished);
      clock.stop();
      const next: Carried = {
        stage: continueAtStage,
        values: values.carry(),
        control: control.carry(),
        deadlineMs: clock.deadlineMs,
        ...carriedAgents(runState.agents.carry()),
      };
      await continueAsNew<typeof executeProcess>({ ...input, begun, carried: next });
    }
    outcome = { status: 'completed' };
  } catch (error) {
    if (error instanceof BeginRefused) throw error.failure;
    outcome = outcomeOf(error, clock.expired, parent);
  }
  clock.stop();
  return CancellationScope.nonCancellable(async () => {
    const finished = await finishing.finishRun({
      run,
      parent,
      outcome,
      inlineBytesMax: INLINE_PAYLOAD_BYTES_MAX,
    });
    await condition(allHandlersFinished);
    if (finished.error === null) return finished.output;
    if (finished.status === 'cancelled')
      throw new CancelledFailure(finished.error.message, [finished.error]);
    throw ApplicationFailure.create({
      type: finished.error.code,
      message: finished.error.message,
      details: [finished.error],
      nonRetryable: true,
    });
  });
}

/** Runs without tools carry nothing more than before. */
function carriedAgents(agents: CarriedAgents | null): Pick<Carried, 'agents'> {
  return agents === null ? {} : { agents };
}

/**
 * Notes that a cancel of the run does not cancel, so that every event is recorded. Also, SDK 1.23
 * fails a workflow task as nondeterministic where it cancels a local activity in the task that
 * resolves it.
 */
function uncancelled(notes: RunNotes): RunNotes {
  const kept = CancellationScope.nonCancellable.bind(CancellationScope);
  return {
    recordSteps: (call) => kept(() => notes.recordSteps(call)),
    reserveItems: (call) => kept(() => notes.reserveItems(call)),
    beginAgent: (call) => kept(() => notes.beginAgent(call)),
    endAgent: (call) => kept(() => notes.endAgent(call)),
    waitForBudget: (call) => kept(() => notes.waitForBudget(call)),
  };
}

/**
 * A sub-run was refused before it had a record. Its calling step records the refusal, so finishRun
 * is not called.
 */
class BeginRefused extends Error {
  readonly failure: unknown;
  constructor(failure: unknown) {
    super('The run could not begin.');
    this.failure = failure;
  }
}

async function begin(
  activities: Pick<RunActivities, 'beginRun'>,
  control: Control,
  run: RunHead,
  parent: ExecuteProcessInput['parent'],
) {
  if (parent === null)
    throw ApplicationFailure.nonRetryable('A root run starts with its definition.');
  const { inputs, ...caller } = parent;
  try {
    const begun = await activities.beginRun({
      run,
      parent: caller,
      inputs,
      inlineBytesMax: INLINE_PAYLOAD_BYTES_MAX,
    });
    if (begun.paused) control.pause();
    return begun;
  } catch (error) {
    if (isCancellation(error)) throw error;
    throw new BeginRefused(
      error instanceof Error && error.cause instanceof ApplicationFailure ? error.cause : error,
    );
  }
}

/**
 * Runs the stages from `from` on.
 * @returns the stage to continue as new from; null where all are done
 */
async function runStages(runState: RunState, from: number): Promise<number | null> {
  const stages = planStages(runState.definition.steps);
  const runStep = createSteps(runState);
  for (let at = from; at < stages.length; at++) {
    const stage = stages[at] ?? [];
    const [only = ''] = stage;
    try {
      // A single step needs no cancellation scope, because no step runs beside it.
      if (stage.length === 1) await runStep(only);
      else await runStage(stage, runStep);
    } catch (error) {
      if (error instanceof ContinueAsNewRequested) return at;
      throw error;
    }
  }
  return null;
}

/**
 * Runs the steps of one stage concurrently. The first failure cancels the others. Returns when all
 * have ended.
 */
async function runStage(
  stage: readonly string[],
  runStep: (stepId: string) => Promise<void>,
): Promise<void> {
  let failure: unknown = null;
  const scope = new CancellationScope();
  await scope.run(() =>
    Promise.all(
      stage.map((stepId) =>
        runStep(stepId).catch((error: unknown) => {
          // A continue-as-new request lets running steps end. A failure takes precedence over it.
          if (failure !== null && !(failure instanceof ContinueAsNewRequested)) return;
          if (!(error instanceof ContinueAsNewRequested)) scope.cancel();
          failure = error;
        }),
      ),
    ),
  );
  if (failure !== null) throw failure;
}

function listen(control: Control, notes: RunNotes, run: RunHead): void {
  setHandler(pauseRun, control.pause);
  setHandler(resumeRun, control.resume);
  setHandler(budgetRaised, control.budgetWasRaised);
  setHandler(setStepConcurrency, control.setConcurrency);
  setHandler(
    resolveStep,
    async (decision) => {
      const wait = control.findAsked(stepKey(run.runId, decision.stepId, decision.index));
      if (wait === null) return;
      wait.taken = true;
      // The decision is recorded before the step goes on, also while the run is being cancelled.
      try {
        await notes.recordSteps({
          run,
          notes: [{ kind: 'decided', approvalId: wait.approvalId, ...decision, ...memoryOf(wait) }],
        });
      } catch (error) {
        // The update is refused, and the step can be decided again.
        wait.taken = false;
        throw error;
      }
      wait.decision = decision;
    },
    {
      validator: ({ stepId, index }) => {
        const wait = control.findAsked(stepKey(run.runId, stepId, index));
        if (wait?.asked !== true || wait.taken) {
          throw ApplicationFailure.nonRetryable(
            `Step ${stepId} does not wait for a decision.`,
            'STATE',
          );
        }
      },
    },
  );
}

interface RunClock {
  readonly expired: boolean;
  readonly deadlineMs: number | null;
  stop(): void;
}

/**
 * The timer of a run's timeout. Temporal's own workflow timeout would end the workflow without a
 * record.
 */
function startClock(main: CancellationScope, deadlineMs: number | null): RunClock {
  let expired = false;
  const scope = new CancellationScope({ cancellable: true, parent: undefined });
  if (deadlineMs !== null) {
    void scope
      .run(() => sleep(Math.max(1, deadlineMs - Date.now())))
      .then(
        () => {
          expired = true;
          main.cancel();
        },
        () => {},
      );
  }
  return {
    get expired() {
      return expired;
    },
    deadlineMs,
    stop: () => scope.cancel(),
  };
}

function deadlineOf({ run, carried }: ExecuteProcessInput): number | null {
  if (carried !== null) return carried.deadlineMs;
  return run.timeoutSeconds === null ? null : Date.now() + run.timeoutSeconds * 1_000;
}

function outcomeOf(
  error: unknown,
  expired: boolean,
  parent: ParentCall | null,
): FinishCall['outcome'] {
  if (error instanceof RunFailed || error instanceof StepFailed)
    return { status: 'failed', error: error.error };
  if (error instanceof ContinueAsNew) throw error;
  if (!isCancellation(error)) {
    // A fault of ours. Thrown on, it would repeat the workflow task for ever, or leave the run
    // open.
    log.error('A run ends by a defect', { error });
    const message =
      'The run was stopped because of an internal fault. The log of the Workers has its cause.';
    return { status: 'failed', error: runError('INTERNAL', message, null) };
  }
  if (!expired)
    return { status: 'cancelled', error: runError('CANCELLED', 'The run was cancelled.', null) };
  // The timeout of a sub-run is the timeout of its calling step.
  return parent === null
    ? {
        status: 'timed_out',
        error: runError(
          'RUN_TIMEOUT',
          'The run took longer than its timeout and was stopped.',
          null,
        ),
      }
    : {
        status: 'timed_out',
        error: runError(
          'STEP_TIMEOUT',
          'The sub-process took longer than the timeout of its step.',
          null,
        ),
      };
}
