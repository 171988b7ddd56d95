import { isJsonObject } from '../../common/json.ts';
import type { RunError } from '../../common/tool-fault.ts';

export type RunOutcome =
  | { readonly status: 'completed' }
  | { readonly status: 'failed' | 'cancelled' | 'timed_out'; readonly error: RunError };

export function cancelledError(reason: string | null): RunError {
  const message = reason ? `The run was cancelled: ${reason}` : 'The run was cancelled.';
  return { code: 'CANCELLED', message, stepId: null, details: null };
}

/**
 * The error of a sub-run as an error of its parent (docs/decisions/0019), with the same code and
 * message. `stepId` is the calling step, `details.chain` the run ids down to the failed run,
 * `details.origin` the failed run and step.
 */
export function errorAtCaller(error: RunError, childRunId: string, stepId: string): RunError {
  const details = isJsonObject(error.details) ? error.details : {};
  const chain = Array.isArray(details['chain']) ? details['chain'] : [];
  const origin = details['origin'] ?? { runId: childRunId, stepId: error.stepId };
  return { ...error, stepId, details: { ...details, chain: [childRunId, ...chain], origin } };
}
