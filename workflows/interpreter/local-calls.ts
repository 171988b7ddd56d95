import {
  ActivityFailure,
  CancellationScope,
  CancelledFailure,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ProcessStep } from '../../src/processes/process.ts';
import type { RunActivities, StepAnswer, StepCall } from './contract.ts';

/**
 * A cancel or a pause reaches the workflow between two of its tasks, and local activities do not
 * end a task. With the limit of the time of each, this bounds the wait to 2 s.
 */
const CALLS_IN_A_ROW_MAX = 4;

const TRY_LATER: StepAnswer = { status: 'elsewhere', inMs: 1_000 };

/**
 * Calls that the workflow makes itself, in a local activity of the Worker that has its task: those
 * that change nothing and are known to be quick. Temporal then has no task of its own for the step
 * (docs/decisions/0123).
 */
export interface LocalCalls {
  /** Null where the call has to go to the queue of its type. Decides at once. */
  next(instance: Instance, toolId: string): LocalCall | null;
}

/** What a StepInstance tells of its call. */
interface Instance {
  readonly step: Pick<ProcessStep, 'execution'>;
  readonly index: number | null;
  readonly call?: unknown;
}

/** Null where the call was not made, or has to be made again: now it has to go to the queue. */
export type LocalCall = (call: StepCall) => Promise<StepAnswer | null>;

/** @param toolIds Tools that may be called so */
export function createLocalCalls(toolIds: readonly string[]): LocalCalls {
  const { executeStep } = proxyLocalActivities<Pick<RunActivities, 'executeStep'>>({
    startToCloseTimeout: '1m',
    // The queue makes the others.
    retry: { maximumAttempts: 1 },
  });
  let inARow = 0;
  // Tools that are not quick, or whose Workers are busy: this workflow does not try them again.
  const declined = new Set<string>();

  const callLocally = async (toolId: string, call: StepCall): Promise<StepAnswer | null> => {
    // The SDK cannot cancel a local activity in the task that resolves it.
    const answer = await CancellationScope.nonCancellable(() => executeStep(call)).catch(readLost);
    if (CancellationScope.current().consideredCancelled)
      throw new CancelledFailure('The run was cancelled during the call.');
    if (answer.status !== 'elsewhere') return answer;
    if (answer.inMs > 0) await sleep(answer.inMs);
    else declined.add(toolId);
    // The call that follows ends the task.
    inARow = 0;
    return null;
  };

  return {
    next({ step, index, call }, toolId) {
      const isPlain = index === null && call === undefined && step.execution.mode !== 'parallel';
      const mayTry = isPlain && toolIds.includes(toolId) && !declined.has(toolId);
      if (mayTry && inARow < CALLS_IN_A_ROW_MAX) {
        inARow += 1;
        return (given) => callLocally(toolId, given);
      }
      inARow = 0;
      return null;
    },
  };
}

/** @throws the failure where the step has recorded it */
function readLost(error: unknown): StepAnswer {
  if (error instanceof ActivityFailure && error.cause instanceof TimeoutFailure) return TRY_LATER;
  throw error;
}
