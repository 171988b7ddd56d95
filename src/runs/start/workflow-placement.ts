import { entryOf } from '../../common/entry-of.ts';
import type { OperationType } from '../../operations/operation.ts';
import { processesQueue, queueOf } from '../run/run.ts';
import type { ProcessSnapshot, ToolTypes } from '../run/snapshot.ts';

/** Operation types whose Worker pools host workflows beside their steps (docs/decisions/0008). */
export const HOSTING_TYPES: readonly OperationType[] = ['llm_call'];

/**
 * The task queue that a root run's workflow starts on. Runs whose first step is an LLM call use the
 * llm_call queue, so Temporal can dispatch that step eagerly. All other runs use the queue of
 * Processes. A workflow keeps its queue until it ends.
 * @param hostingTypes empty = every workflow uses the queue of Processes
 */
export function placementOf(
  queuePrefix: string,
  { steps: [first] }: ProcessSnapshot,
  toolTypes: ToolTypes,
  hostingTypes: readonly OperationType[] = HOSTING_TYPES,
): string {
  const type =
    first !== undefined && 'toolId' in first.calls
      ? entryOf(toolTypes, first.calls.toolId)
      : undefined;
  const isHosted = type !== undefined && hostingTypes.includes(type);
  return isHosted ? queueOf(queuePrefix, type) : processesQueue(queuePrefix);
}
