import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { TemporalClient } from './client.ts';

/** Deletes workflows with their histories. A running workflow is terminated first. */
export interface Histories {
  /**
   * Deletes all executions whose workflow id begins with one of these ids. Executions that started
   * in the last second may be missed, because Temporal lists them a moment later.
   * @returns how many executions
   */
  deleteAll(ids: readonly string[]): Promise<number>;
}

/** Ids per query; Temporal limits the length of a query. */
const IDS_PER_QUERY = 20;
const NOT_FOUND = 5;

export function createHistories({ client }: Pick<TemporalClient, 'client'>): Histories {
  return {
    async deleteAll(ids) {
      let deleted = 0;
      for (let from = 0; from < ids.length; from += IDS_PER_QUERY)
        deleted += await deletePage(client, ids.slice(from, from + IDS_PER_QUERY));
      return deleted;
    },
  };
}

async function deletePage(client: Client, ids: readonly string[]): Promise<number> {
  const query = ids.map((id) => `WorkflowId STARTS_WITH '${id.replaceAll("'", '')}'`).join(' OR ');
  const found: { workflowId: string; runId: string }[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query }))
    found.push({ workflowId, runId });
  const { namespace } = client.workflow.options;
  for (const workflowExecution of found)
    await client.workflowService
      .deleteWorkflowExecution({ namespace, workflowExecution })
      .catch((error: unknown) => {
        if (!isGrpcServiceError(error) || error.code !== NOT_FOUND) throw error;
      });
  return found.length;
}
