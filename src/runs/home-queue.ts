import type { ToolTypes } from '../../activities/contract.ts';
import type { OperationType } from '../catalog/operation.ts';
import { processesQueue, queueOf } from './run.ts';
import type { ProcessSnapshot } from './snapshot.ts';

/** Pools of these types host workflows beside their steps (docs/decisions/0008): what somebody waits for, word by word. */
export const HOSTING_TYPES: readonly OperationType[] = ['llm_call'];

/**
 * News that a model's first word follows (of a run, of the message it answers) waits so many ms at most: the word brings it, and does
 * not wait behind it.
 */
export const SPEAKS_SOON_MS = 100;

/** Where a root run's workflow lives, and how it begins. */
export interface Home {
  readonly taskQueue: string;
  /** Its first step asks a model. */
  readonly speaksFirst: boolean;
  /** It does so at once and alone: nothing is recorded of the run before that step is claimed. */
  readonly claimsFirst: boolean;
}

/**
 * A root run that begins by asking a model lives where models are asked, so that its first step comes back with its first task; all
 * others on the queue of Processes.
 */
export function homeOf(
  queuePrefix: string,
  { steps: [first, ...others] }: ProcessSnapshot,
  toolTypes: ToolTypes,
): Home {
  const type =
    first !== undefined && 'toolId' in first.calls ? toolTypes[first.calls.toolId] : undefined;
  if (first === undefined || type === undefined || !HOSTING_TYPES.includes(type))
    return { taskQueue: processesQueue(queuePrefix), speaksFirst: false, claimsFirst: false };
  const { mode, condition, forEach, interactionMode } = first.execution;
  const claimsFirst =
    (mode === 'sequential' || others.length === 0) &&
    (condition ?? forEach ?? null) === null &&
    interactionMode === 'auto';
  return { taskQueue: queueOf(queuePrefix, type), speaksFirst: true, claimsFirst };
}
