import { activityInfo } from '@temporalio/activity';
import { instant } from '../../src/common/clock.ts';
import type { Problem } from '../../src/common/refusal.ts';
import { type RunError, ToolFault } from '../../src/common/tool-fault.ts';
import { parallelGroupOf } from '../../src/runs/agent/parallel-group.ts';
import { entryValue, runEntry, startedEntry } from '../../src/runs/events/run-entry.ts';
import { isOpen } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import { fitContext } from '../../src/runs/start/run-checks.ts';
import {
  insertChildRun,
  lockRunTree,
  type TreeState,
} from '../../src/runs/start/sub-run.cypher.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import type { Settings } from '../../src/settings/settings.ts';
import type { BeginCall, Begun } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { stepFailure, toFailure } from '../failure.ts';
import { bindStep } from '../run-step/bind-step.ts';
import { problemDetails, problemText } from '../run-step/step-job.ts';
import { toValueOrRef } from '../value-or-ref.ts';

/**
 * Begins a sub-run: writes its record, counts it in the tree's limits under the root's lock and
 * marks the calling step. Returns the definition and the initial context to the workflow.
 * @throws BUDGET_EXCEEDED, TARGET_DISABLED, INPUT_INVALID as final failures; the workflow records
 * them at the calling step.
 */
export function createBeginRun(deps: RunContext): (call: BeginCall) => Promise<Begun> {
  return async (call) => {
    try {
      return await begin(deps, call);
    } catch (error) {
      throw toFailure(deps, error, `beginRun ${call.run.runId}`);
    }
  };
}

async function begin(
  deps: RunContext,
  { run, parent, inputs, inlineBytesMax }: BeginCall,
): Promise<Begun> {
  const known = await deps.snapshots.get(run.snapshotHash);
  const definition = known.findProcess(run.processId);
  if (definition === null) {
    const message = 'The Process this step calls was deleted or is not shared with you.';
    throw stepFailure(
      { code: 'TARGET_DISABLED', message, stepId: parent.stepId, details: null },
      'final',
    );
  }
  const calling = known.findStep(parent.run.processId, parent.stepId);
  if (calling === null) throw new Error(`No step ${parent.stepId} calls this run.`);
  const bound = await bindStep(deps, parent.run, calling, parent.index, inputs).catch(
    (error: unknown) => {
      if (!(error instanceof ToolFault)) throw error;
      const { code, message, details } = error;
      throw stepFailure({ code, message, stepId: parent.stepId, details }, 'final');
    },
  );
  const given = Object.entries(bound).filter(([name]) => definition.initialContext.includes(name));
  const { context, problems } = fitContext(definition, Object.fromEntries(given));
  const stored = await deps.payloads.store(run, 'context', context);

  const limits = await deps.settings.current();
  const paused = await deps.graph.write(async (tx) => {
    const now = instant(deps.clock);
    const tree = await lockRunTree(tx, {
      rootRunId: run.rootRunId,
      parentRunId: parent.run.runId,
      runId: run.runId,
      processId: run.processId,
      ownerId: run.ownerId,
      runPath: run.runPath,
      now,
    });
    if (tree === null) throw new Error('The parent run is gone.');
    // The activity is repeated: the run exists and is counted.
    if (tree.known !== null) return tree.paused;
    const error = refusalOf(tree, definition, problems, limits, parent.stepId);
    if (error !== null) throw stepFailure(error, 'final');
    const place = { stepId: parent.stepId, index: parent.index, attempt: parent.attempt };
    const value = entryValue(context, stored.bytes);
    const caller = parent.run;
    const parallelGroupId = parallelGroupOf(known.stages(caller.processId), caller.runId, place);
    await insertChildRun(tx, {
      run: {
        run: {
          id: run.runId,
          ownerId: run.ownerId,
          workspace: run.workspace,
          processId: definition.id,
          processName: definition.name,
          processVersion: definition.version,
          snapshotHash: run.snapshotHash,
          rootRunId: run.rootRunId,
          runPath: run.runPath,
          depth: run.depth,
          parentRunId: parent.run.runId,
          parentStepId: parent.stepId,
          parentIndex: parent.index,
          retryOfId: null,
          conversationId: run.conversationId,
          contextBlob: stored.blob,
          timeoutSeconds: run.timeoutSeconds,
          queuePrefix: run.queuePrefix,
          // Temporal adds a child workflow to its parent's trace.
          traceparent: null,
          createdAt: now,
        },
        context: stored.text,
        depthMax: run.depthMax,
        budget: null,
      },
      steps: definition.steps.length,
      parentKey: stepKey(parent.run.runId, parent.stepId, parent.index),
      attempt: parent.attempt,
      workflowId: activityInfo().workflowExecution?.workflowId ?? run.runId,
      temporalRunId: activityInfo().workflowExecution?.runId ?? '',
      now,
      entries: [
        runEntry(deps, parent.run, 'step.started', {
          ...place,
          name: definition.name,
          type: 'process',
          targetId: definition.id,
          inputs: value,
          speaks: false,
          dependsOn: calling.dependsOn,
          parallelGroupId,
        }),
        startedEntry(deps, run, definition, value, {
          ...place,
          runId: parent.run.runId,
          parallelGroupId,
        }),
      ],
    });
    return tree.paused;
  });
  deps.wake();
  return {
    definition,
    toolTypes: known.toolTypes(definition.id),
    localTools: known.localTools(definition.id),
    context: toValueOrRef(context, stored.bytes, inlineBytesMax),
    paused,
  };
}

function refusalOf(
  tree: TreeState,
  definition: ProcessSnapshot,
  problems: readonly Problem[],
  { runsPerRunMax, stepsPerRunMax }: Pick<Settings, 'runsPerRunMax' | 'stepsPerRunMax'>,
  stepId: string,
): RunError | null {
  const error = (code: RunError['code'], message: string): RunError => ({
    code,
    message,
    stepId,
    details: null,
  });
  if (!isOpen(tree.parentStatus)) return error('CANCELLED', 'The run is over.');
  if (!tree.visible)
    return error(
      'TARGET_DISABLED',
      `The Process ${definition.name} was deleted or is not shared with you any more.`,
    );
  if (!tree.enabled) return error('TARGET_DISABLED', `The Process ${definition.name} is disabled.`);
  if (problems.length > 0) {
    const message =
      `The inputs of step ${stepId} do not fit ${definition.name}: ` + problemText(problems);
    return { ...error('INPUT_INVALID', message), details: problemDetails(problems) };
  }
  if (tree.runs + 1 > runsPerRunMax)
    return error(
      'BUDGET_EXCEEDED',
      `One run may start ${runsPerRunMax} runs over its whole tree, itself included.`,
    );
  if (tree.steps + definition.steps.length > stepsPerRunMax)
    return error(
      'BUDGET_EXCEEDED',
      `One run may execute ${stepsPerRunMax} steps over its whole tree.`,
    );
  return null;
}
