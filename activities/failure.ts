import { activityInfo, Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { DEFECT, type RunError, ToolFault } from '../src/common/tool-fault.ts';
import { wellFormedJson } from '../src/common/well-formed.ts';
import { BlobStoreAway } from '../src/platform/blobs/blob-outage.ts';
import { isNeo4jAway, isTimedOut } from '../src/platform/neo4j/graph.ts';
import type { RunContext } from './deps.ts';

/** Type of a failure that does not concern the step: the next attempt goes on from the record. */
export const INFRASTRUCTURE = 'INFRASTRUCTURE';

export type Finality = 'final' | { readonly retryInMs: number };

/**
 * A recorded failure for Temporal: `type` is the error code, the details are the RunError. Contains
 * no secret.
 */
export function stepFailure(given: RunError, finality: Finality): Error {
  const error = wellFormedError(given);
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

/** Half characters would end the Worker that reports them. */
function wellFormedError(error: RunError): RunError {
  return {
    ...error,
    message: error.message.toWellFormed(),
    details: wellFormedJson(error.details),
  };
}

/** Another attempt took the step over. The retry of this activity returns that attempt's result. */
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
    message: 'The database or the blob store could not be reached.',
  });
}

/**
 * Tries of an activity whose transaction the database ends for its time: some 20 minutes. A busy
 * database answers one of them in time; work that can never end in time is given up.
 */
export const TIMED_OUT_TRIES_MAX = 20;

const TRANSIENT =
  /^(ServiceUnavailable|SessionExpired|Neo\.TransientError\..*|Neo\.ClientError\.Cluster\..*|Neo\.DatabaseError\..*)$/;

/**
 * Whether Neo4j or the blob store is away or overloaded: no fault of the step, and a repeat may
 * succeed. Asked within an activity.
 */
export function isInfrastructure(error: unknown): boolean {
  if (isNeo4jAway(error) || error instanceof BlobStoreAway) return true;
  if (isTimedOut(error)) return activityInfo().attempt < TIMED_OUT_TRIES_MAX;
  return (
    error instanceof Error &&
    error.name === 'Neo4jError' &&
    'code' in error &&
    TRANSIENT.test(String(error.code))
  );
}

/** Tries of an activity that is repeated after a defect; some seconds with Temporal's backoff. */
export const DEFECT_TRIES_MAX = 4;

/** Whether no further try of this activity follows a defect. */
export function isLastTry(): boolean {
  return activityInfo().attempt >= DEFECT_TRIES_MAX;
}

/**
 * Lets activities that record end for good by a defect, after DEFECT_TRIES_MAX tries. They are
 * repeated for ever while Neo4j is away.
 */
export function finite<A extends object>(deps: Pick<RunContext, 'onDefect'>, activities: A): A {
  const wrapped = Object.entries(activities).map(([name, activity]) => [
    name,
    async (call: { readonly run?: { readonly runId: string } }) => {
      try {
        return await activity(call);
      } catch (error) {
        const where = [name, call?.run?.runId ?? JSON.stringify(call)].join(' ');
        throw toFailure(deps, error, where, isLastTry() ? 'are final' : 'are tried again');
      }
    },
  ]);
  return Object.fromEntries(wrapped) as A;
}

/**
 * The error that an activity throws to Temporal where it has recorded no failure. Neo4j away,
 * or the renderer full: INFRASTRUCTURE, and another attempt goes on from the record. Any other
 * error is a defect: it is logged, and its message stays out of the history.
 */
export function toFailure(
  deps: Pick<RunContext, 'onDefect'>,
  error: unknown,
  where: string,
  defects: 'are final' | 'are tried again' = 'are final',
): unknown {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (isInfrastructure(error)) return infrastructureFailure();
  if (error instanceof ToolFault && error.retryable)
    return ApplicationFailure.create({
      type: INFRASTRUCTURE,
      message: error.message.toWellFormed(),
    });
  deps.onDefect(error, where);
  return ApplicationFailure.create({
    type: DEFECT,
    message: 'An internal fault; it is in the log of the worker.',
    nonRetryable: defects === 'are final',
  });
}

/** As `toFailure`, of an activity of a step: a fault that no repeat mends fails the step. */
export function toStepFailure(
  deps: Pick<RunContext, 'onDefect'>,
  error: unknown,
  stepId: string,
  where: string,
): unknown {
  if (!(error instanceof ToolFault) || error.retryable) return toFailure(deps, error, where);
  const { code, message, details } = error;
  return stepFailure({ code, message, stepId, details }, 'final');
}
