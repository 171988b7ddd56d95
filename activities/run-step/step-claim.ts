import { activityInfo } from '@temporalio/activity';
import { instant } from '../../src/common/clock.ts';
import { appendEntries } from '../../src/outbox/entry.cypher.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import { recordStart } from '../../src/runs/start/record-start.service.ts';
import {
  type ClaimedStep,
  claimStep,
  occupyWorker,
} from '../../src/runs/steps/step-claim.cypher.ts';
import { reserveBudget } from '../../src/runs/steps/step-run.cypher.ts';
import type { RunContext } from '../deps.ts';
import { stepFailure } from '../failure.ts';
import { estimateCall } from './budget.ts';
import { placeOf, type StepJob } from './step-job.ts';

/** Rolls the claim back: the call does not fit the budget as of `version`. */
class Unaffordable extends Error {
  readonly version: number;
  constructor(version: number) {
    super('The budget does not hold this call.');
    this.version = version;
  }
}

/** Claims the next attempt of the step and, for an LLM under a budget, reserves its estimated cost; one transaction. */
export async function claimAttempt(
  deps: RunContext,
  job: StepJob,
): Promise<ClaimedStep | { unaffordable: number }> {
  const { call, key, tool, inputs, retry, workerId } = job;
  const { run, stepId, index } = call;
  const stored = await deps.payloads.store(run, `${stepId}/${index ?? ''}/inputs`, inputs);
  const now = instant(deps.clock);
  const reserves = run.budgeted && tool.operation.type === 'llm_call' && job.invalid === null;
  try {
    const claim = await deps.graph.write(async (tx) => {
      const claimed = await claimStep(tx, {
        runId: run.runId,
        rootRunId: run.rootRunId,
        ownerId: run.ownerId,
        key,
        stepId,
        index,
        toolId: tool.id,
        workerId,
        attemptsMax: retry.maximumAttempts,
        inputs: stored.text,
        inputsBlob: stored.blob,
        now,
      });
      if (claimed === null || !claimed.claimed) return claimed;
      if (reserves) {
        const estimate = estimateCall(tool, inputs, job.step.output.tokenBudget ?? null);
        const { fits, budgetVersion } = await reserveBudget(tx, {
          key,
          rootRunId: run.rootRunId,
          ...estimate,
          now,
        });
        if (!fits) throw new Unaffordable(budgetVersion);
      }
      // This claim is faster than the starter, or the starter was killed.
      const pending = claimed.runPending ? await findRunById(tx, run.runId) : null;
      if (pending !== null) {
        const temporalRunId = activityInfo().workflowExecution?.runId ?? null;
        await recordStart(tx, deps, pending, temporalRunId);
      }
      const entry = runEntry(deps, run, 'step.started', {
        ...placeOf(job, claimed.attempt),
        name: tool.name,
        type: tool.operation.type,
        targetId: tool.id,
        inputs: entryValue(inputs, stored.bytes),
        speaks: job.speaks,
        dependsOn: job.step.dependsOn,
      });
      const occupied = { key, processId: run.processId, stepId, toolId: tool.id, now };
      await Promise.all([
        appendEntries(tx, [entry]),
        workerId === null ? undefined : occupyWorker(tx, { ...occupied, workerId }),
      ]);
      return claimed;
    });
    if (claim === null)
      throw stepFailure(
        { code: 'CANCELLED', message: 'The run is gone.', stepId, details: null },
        'final',
      );
    if (!claim.claimed) return claim;
    deps.wake();
    return claim;
  } catch (error) {
    if (error instanceof Unaffordable) return { unaffordable: error.version };
    throw error;
  }
}
