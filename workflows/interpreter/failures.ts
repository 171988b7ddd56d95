import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  TemporalFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import { RUN_ERROR_CODES, type RunError, type RunErrorCode } from '../../src/common/tool-fault.ts';
import { wellFormedJson } from '../../src/common/well-formed.ts';

/** A step has failed. Its `onFailure` decides whether the run fails too. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly error: RunError;
  constructor(error: RunError) {
    super(error.message);
    this.error = error;
  }
}

/** The run ends as failed with this error. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
  readonly error: RunError;
  constructor(error: RunError) {
    super(error.message);
    this.error = error;
  }
}

/** Not a failure: this workflow execution starts no more work, because it continues as new. */
export class ContinueAsNewRequested extends Error {
  override readonly name = 'Drained';
}

/** Messages quote conditions, notes of decisions and answers, so they are made well formed here. */
export function runError(
  code: RunErrorCode,
  message: string,
  stepId: string | null,
  details: RunError['details'] = null,
): RunError {
  return { code, message: message.toWellFormed(), stepId, details: wellFormedJson(details) };
}

/**
 * The failure of an activity or child workflow as a RunError. `recorded`: the StepRun has it
 * already. Rethrows a cancel.
 */
export function readFailure(
  failure: unknown,
  stepId: string,
): { error: RunError; recorded: boolean } {
  if (isCancellation(failure)) throw failure;
  const cause =
    failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure
      ? failure.cause
      : failure;
  if (cause instanceof ApplicationFailure && isRunErrorCode(cause.type)) {
    const [details] = (cause.details ?? []) as [RunError | undefined];
    return { error: details ?? runError(cause.type, cause.message, stepId), recorded: true };
  }
  if (cause instanceof TimeoutFailure) {
    const message =
      'The worker was lost while the Tool was called: outcome unknown. Check the target ' +
      'before running it again.';
    return { error: runError('TOOL_FAILED', message, stepId), recorded: false };
  }
  if (cause instanceof TerminatedFailure) {
    const message = 'The workflow of the sub-process was terminated in Temporal.';
    return { error: runError('INTERNAL', message, stepId), recorded: false };
  }
  if (cause instanceof TemporalFailure)
    return {
      error: runError(
        'INTERNAL',
        'The step could not be run because of an internal fault. The log of the Workers has ' +
          'its cause.',
        stepId,
      ),
      recorded: false,
    };
  throw failure;
}

const isRunErrorCode = (type: string | null | undefined): type is RunErrorCode =>
  (RUN_ERROR_CODES as readonly (string | null | undefined)[]).includes(type);
