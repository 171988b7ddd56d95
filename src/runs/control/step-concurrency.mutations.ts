import { instant } from '../../common/clock.ts';
import { FOR_EACH_CONCURRENCY_MAX } from '../../common/limits.ts';
import { notFound, problem, Refusal, refuse, refuseState } from '../../common/refusal.ts';
import type { Viewer } from '../../users/user.ts';
import { findStep, toolSource } from '../agent/find-step.ts';
import { getRun } from '../run/get-run.service.ts';
import type { RunDeps } from '../run/ports.ts';
import { findSnapshot } from '../run/run.cypher.ts';
import { isOpen, type ProcessRun } from '../run/run.ts';
import { recordConcurrency } from './step-concurrency.cypher.ts';

/**
 * Changes how many items of a forEach step run at once, for this run alone. More begin at once;
 * where there are fewer now, the items under way end first. It holds until the run ends, also for
 * a step that has not begun, and ProcessRun.stepConcurrency tells it.
 * @throws Refusal NOT_FOUND; INVALID for a number below 1 or above FOR_EACH_CONCURRENCY_MAX, and
 * for a step without a forEach; STATE where the run has not begun, or has ended
 */
export async function setStepConcurrency(
  deps: RunDeps,
  viewer: Viewer,
  input: { readonly runId: string; readonly stepId: string; readonly maxConcurrency: number },
): Promise<ProcessRun> {
  const { runId, stepId, maxConcurrency } = input;
  const run = await getRun(deps, viewer, runId, ['runId']);
  const snapshot = await deps.graph.read((tx) => findSnapshot(tx, run.snapshotHash));
  const step = snapshot === null ? null : findStep(toolSource(snapshot), run.processId, stepId);
  if (step === null) throw new Refusal([notFound('step', ['stepId'])]);
  const isInRange = maxConcurrency >= 1 && maxConcurrency <= FOR_EACH_CONCURRENCY_MAX;
  refuse([
    ...(step.execution.forEach == null
      ? [problem('INVALID', ['stepId'], `Step ${stepId} has no forEach.`)]
      : []),
    ...(isInRange
      ? []
      : [problem('INVALID', ['maxConcurrency'], `From 1 to ${FOR_EACH_CONCURRENCY_MAX}.`)]),
  ]);
  if (!isOpen(run.status)) refuseState(['runId'], `This run is ${run.status} already.`);
  const change = await deps.signals.setConcurrency(run.workflowId, { stepId, maxConcurrency });
  if (change === null) refuseState(['runId'], 'This run has not begun, or has just ended.');
  const now = instant(deps.clock);
  const { userId: ownerId } = viewer;
  await deps.graph.write((tx) =>
    recordConcurrency(tx, { runId, ownerId, stepId, maxConcurrency, change, now }),
  );
  return getRun(deps, viewer, runId, ['runId']);
}
