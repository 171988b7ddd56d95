import { isJsonObject } from '../../common/json.ts';
import type { RunError } from '../../common/tool-fault.ts';

/**
 * The failure of a sub-run as its parent's (docs/decisions/0019): the same code and message, `stepId` the calling step,
 * `details.chain` the run ids down to where it happened and `details.origin` that place.
 */
export function errorAtCaller(error: RunError, childRunId: string, stepId: string): RunError {
  const details = isJsonObject(error.details) ? error.details : {};
  const chain = Array.isArray(details['chain']) ? details['chain'] : [];
  const origin = details['origin'] ?? { runId: childRunId, stepId: error.stepId };
  return { ...error, stepId, details: { ...details, chain: [childRunId, ...chain], origin } };
}
