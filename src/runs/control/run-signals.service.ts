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
  /** @returns false where the workflow refuses, or is not there */
  const update = async (workflowId: string, name: string, change: unknown): Promise<boolean> => {
    try {
      await handle(workflowId).executeUpdate(name, { args: [change] });
      return true;
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError)
        return false;
      throw error;
    }
  };
  return {
    cancel: (workflowId) => tell(() => handle(workflowId).cancel()),
    pause: (workflowId) => tell(() => handle(workflowId).signal('pauseRun')),
    resume: (workflowId) => tell(() => handle(workflowId).signal('resumeRun')),
    budgetRaised: (workflowId) => tell(() => handle(workflowId).signal('budgetRaised')),
    setConcurrency: (workflowId, change) => update(workflowId, 'setStepConcurrency', change),
    decide: (workflowId, decision) => update(workflowId, 'resolveStep', decision),
  };
}
