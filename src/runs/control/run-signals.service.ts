import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { RunSignals } from '../run/ports.ts';

/** The port of the runs' mutations to their workflows. */
export function createRunSignals(client: Client): RunSignals {
  // A missing workflow has ended, or will start later and then read the record.
  const tell = async (send: () => Promise<unknown>): Promise<void> => {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  const handle = (workflowId: string) => client.workflow.getHandle(workflowId);
  /** @returns the workflow's answer in a list; null where it refuses, or is not there */
  const update = async (workflowId: string, name: string, change: unknown) => {
    try {
      return [await handle(workflowId).executeUpdate<unknown, [unknown]>(name, { args: [change] })];
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError)
        return null;
      throw error;
    }
  };
  return {
    cancel: (workflowId) => tell(() => handle(workflowId).cancel()),
    pause: (workflowId) => tell(() => handle(workflowId).signal('pauseRun')),
    resume: (workflowId) => tell(() => handle(workflowId).signal('resumeRun')),
    budgetRaised: (workflowId) => tell(() => handle(workflowId).signal('budgetRaised')),
    async setConcurrency(workflowId, change) {
      const answer = await update(workflowId, 'setStepConcurrency', change);
      // Workflows of older versions do not number their changes.
      return answer === null ? null : Number(answer[0] ?? 1);
    },
    decide: async (workflowId, decision) =>
      (await update(workflowId, 'resolveStep', decision)) !== null,
  };
}
