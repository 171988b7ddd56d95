import type { Client } from '@temporalio/client';

export interface OpenWorkflow {
  readonly workflowId: string;
  readonly type: string;
}

/**
 * Lists open workflows of these types on a task queue, also those that Temporal started for a
 * Schedule. Workflows that started in the last second may be missing.
 */
export async function* openWorkflows(
  client: Client,
  {
    taskQueue,
    types,
    before,
  }: {
    readonly taskQueue: string;
    readonly types: readonly string[];
    /** Only those that started before this time. */
    readonly before: string;
  },
): AsyncGenerator<OpenWorkflow> {
  const text = (value: string) => `'${value.replaceAll("'", '')}'`;
  const query = [
    "ExecutionStatus = 'Running'",
    `TaskQueue = ${text(taskQueue)}`,
    `WorkflowType IN (${types.map(text).join(', ')})`,
    `StartTime < ${text(before)}`,
  ].join(' AND ');
  for await (const { workflowId, type } of client.workflow.list({ query }))
    yield { workflowId, type };
}
