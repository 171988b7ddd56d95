import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** `gone`: Temporal has no such workflow, or no longer. */
export type WorkflowState = 'open' | 'gone' | 'completed' | 'failed' | 'cancelled' | 'terminated';

/** @throws Error where Temporal does not answer */
export async function workflowStateOf(client: Client, workflowId: string): Promise<WorkflowState> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return STATES.get(status.name) ?? 'open';
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
