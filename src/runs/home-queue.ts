import type { ToolTypes } from '../../activities/contract.ts';
import type { OperationType } from '../catalog/operation.ts';
import { queueOf } from '../workers/worker.ts';
import { processesQueue } from './run.ts';
import type { ProcessSnapshot } from './snapshot.ts';

/** Pools of these types host workflows beside their steps (docs/decisions/0008): what somebody waits for, word by word. */
export const HOSTING_TYPES: readonly OperationType[] = ['llm_call'];

/** The news that a model is asked is held back for so long: its first word would wait behind it. */
const SPEAKS_SOON_MS = 100;

/** Wakes the relay for news that a model's first word follows; that wakes it too, and brings both. */
export function wakeSoon(relay: { wake(): void }): void {
  setTimeout(() => relay.wake(), SPEAKS_SOON_MS).unref();
}

/**
 * The queue on which a root run's workflow lives. One that begins by asking a model lives where models are asked, so that its first step
 * comes back with its first task; all others on the queue of Processes.
 */
export function homeQueue(
  queuePrefix: string,
  { steps: [first] }: ProcessSnapshot,
  toolTypes: ToolTypes,
): string {
  const type =
    first !== undefined && 'toolId' in first.calls ? toolTypes[first.calls.toolId] : undefined;
  return type !== undefined && HOSTING_TYPES.includes(type)
    ? queueOf(queuePrefix, type)
    : processesQueue(queuePrefix);
}
