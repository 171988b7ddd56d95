import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/**
 * `gone`: Temporal has no such workflow, or no longer. `stuck`: it is open, but its task fails
 * again and again, or ends the process of each Worker that takes it.
 */
export type WorkflowState =
  | 'open'
  | 'stuck'
  | 'gone'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'terminated';

/**
 * Tries of one workflow task after which it is stuck. Temporal waits longer from try to try, so
 * this takes some ten minutes: Workers that are exchanged for those of another version need less.
 */
const TASK_TRIES_MAX = 11;

/**
 * A workflow whose own build is gone may wait for it so long: an older build can't always go on
 * with what a newer one began.
 */
const MOVED_MS_MAX = 24 * 60 * 60 * 1_000;

/** @throws Error where Temporal does not answer */
export async function workflowStateOf(
  client: Client,
  workflowId: string,
  taskTriesMax = TASK_TRIES_MAX,
): Promise<WorkflowState> {
  try {
    const { status, raw } = await client.workflow.getHandle(workflowId).describe();
    const state = STATES.get(status.name) ?? 'open';
    const { pendingWorkflowTask: task, workflowExecutionInfo: info } = raw;
    const isTriedOut = state === 'open' && Number(task?.attempt ?? 0) >= taskTriesMax;
    const sinceMs = Number(task?.originalScheduledTime?.seconds ?? 0) * 1_000;
    const isMoved = info?.versioningInfo?.versioningOverride != null;
    if (isMoved && Date.now() < sinceMs + MOVED_MS_MAX) return state;
    return isTriedOut ? 'stuck' : state;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'gone';
    throw error;
  }
}

// A workflow that continued as new, or is paused, is open.
const STATES: ReadonlyMap<string, WorkflowState> = new Map([
  ['COMPLETED', 'completed'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'cancelled'],
  ['CANCELED', 'cancelled'],
  ['TERMINATED', 'terminated'],
  ['TIMED_OUT', 'failed'],
]);
