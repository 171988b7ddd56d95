import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import { processesQueue } from '../../runs/run/run.ts';
import type { EnrichEntityInput, IngestTurnInput } from '../workflow-inputs.ts';

export function ingestWorkflowId(alternativeId: string): string {
  return `ingest-${alternativeId}`;
}

/** The alternative of a workflow `ingestTurn`, the first of it or a later one. */
export function alternativeOf(workflowId: string): string {
  return workflowId.slice('ingest-'.length, 'ingest-'.length + UUID_CHARS);
}

const UUID_CHARS = 36;

export interface StartsOn {
  readonly temporal: Client;
  readonly queuePrefix: string;
}

/**
 * Starts the workflow that writes an alternative's Episode. Idempotent by the workflow id.
 * @param again id of the entry that begins the ingest anew; absent for the first time
 */
export function startIngest(on: StartsOn, alternativeId: string, again?: string): Promise<void> {
  const input: IngestTurnInput = { alternativeId, queuePrefix: on.queuePrefix };
  const first = ingestWorkflowId(alternativeId);
  const workflowId = again === undefined ? first : `${first}-${again}`;
  return startOnce(on, 'ingestTurn', workflowId, input, `Episode of alternative ${alternativeId}`);
}

/** Starts the workflow that writes the result of an enrichment run; one per run. */
export function startEnrichment(
  on: StartsOn,
  { entityUuid, runId }: { readonly entityUuid: string; readonly runId: string },
): Promise<void> {
  const input: EnrichEntityInput = { entityUuid, runId, queuePrefix: on.queuePrefix };
  return startOnce(on, 'enrichEntity', `enrich-${runId}`, input, `Enriches ${entityUuid}`);
}

async function startOnce(
  { temporal, queuePrefix }: StartsOn,
  workflow: 'ingestTurn' | 'enrichEntity',
  workflowId: string,
  input: IngestTurnInput | EnrichEntityInput,
  staticSummary: string,
): Promise<void> {
  try {
    await temporal.workflow.start(workflow, {
      workflowId,
      taskQueue: processesQueue(queuePrefix),
      args: [input],
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
