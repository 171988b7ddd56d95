import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { RunError } from '../src/common/tool-fault.ts';
import type { RunContext } from './deps.ts';

/** The type of a failure that says nothing about the step: the record decides, on the next attempt. */
export const INFRASTRUCTURE = 'INFRASTRUCTURE';
const DEFECT = 'DEFECT';

export type Finality = 'final' | { readonly retryInMs: number };

/** A recorded failure as Temporal carries it: `type` is the run's error code, the details are the RunError. Never holds a secret. */
export function stepFailure(error: RunError, finality: Finality): Error {
  if (error.code === 'CANCELLED' && Context.current().cancellationSignal.aborted)
    return new CancelledFailure(error.message);
  return ApplicationFailure.create({
    type: error.code,
    message: error.message,
    details: [error],
    nonRetryable: finality === 'final',
    ...(finality === 'final' ? {} : { nextRetryDelay: finality.retryInMs }),
  });
}

/** Another attempt took the step over; that one's result counts, and asking again gives it. */
export function lostFailure(): Error {
  return ApplicationFailure.create({
    type: INFRASTRUCTURE,
    message: 'Another attempt of this step took over.',
    nextRetryDelay: 1_000,
  });
}

function infrastructureFailure(): Error {
  return ApplicationFailure.create({
    type: INFRASTRUCTURE,
    message: 'The database could not be reached.',
  });
}

const TRANSIENT =
  /^(ServiceUnavailable|SessionExpired|Neo\.TransientError\..*|Neo\.ClientError\.Cluster\..*|Neo\.DatabaseError\..*)$/;

/** Whether the error came from Neo4j being away or overloaded: nothing the step did, and nothing a person can put right in it. */
export function isInfrastructure(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'Neo4jError' &&
    'code' in error &&
    TRANSIENT.test(String(error.code))
  );
}

/**
 * What leaves an activity that did not end in a recorded failure. Neo4j away: another attempt goes on where the record says
 * and costs the step nothing. Anything else is a defect: told to the log, its message kept from the history.
 */
export function toFailure(
  deps: Pick<RunContext, 'onDefect'>,
  error: unknown,
  where: string,
  defects: 'are final' | 'are tried again' = 'are final',
): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (isInfrastructure(error)) return infrastructureFailure();
  deps.onDefect(error, where);
  return ApplicationFailure.create({
    type: DEFECT,
    message: 'An internal fault; it is in the log of the worker.',
    nonRetryable: defects === 'are final',
  });
}
