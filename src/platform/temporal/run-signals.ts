import { type Client, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { RunSignals } from '../../runs/run/run.mutations.ts';

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
  const handle = (runId: string) => client.workflow.getHandle(runId);
  return {
    cancel: (runId) => tell(() => handle(runId).cancel()),
    pause: (runId) => tell(() => handle(runId).signal('pauseRun')),
    resume: (runId) => tell(() => handle(runId).signal('resumeRun')),
    budgetRaised: (runId) => tell(() => handle(runId).signal('budgetRaised')),
    async decide(runId, decision) {
      try {
        await handle(runId).executeUpdate('resolveStep', { args: [decision] });
        return true;
      } catch (error) {
        if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError)
          return false;
        throw error;
      }
    },
  };
}
