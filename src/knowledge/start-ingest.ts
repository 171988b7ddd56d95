import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { IngestTurnInput } from '../../workflows/ingest-turn.ts';
import { processesQueue } from '../runs/run.ts';

export function ingestWorkflowId(alternativeId: string): string {
  return `ingest-${alternativeId}`;
}

/** Starts the workflow that makes an alternative's Episode; its id is the alternative's, so a second start changes nothing. */
export async function startIngest(
  { temporal, queuePrefix }: { readonly temporal: Client; readonly queuePrefix: string },
  alternativeId: string,
): Promise<void> {
  const input: IngestTurnInput = { alternativeId, queuePrefix };
  try {
    await temporal.workflow.start('ingestTurn', {
      workflowId: ingestWorkflowId(alternativeId),
      taskQueue: processesQueue(queuePrefix),
      args: [input],
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: `Episode of alternative ${alternativeId}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
