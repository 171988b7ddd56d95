import { entryOf } from '../../common/entry-of.ts';
import { notFound, Refusal, refuseState } from '../../common/refusal.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { Viewer } from '../../users/user.ts';
import { isForeign } from '../memory/memory-demand.ts';
import { getRun } from '../run/get-run.service.ts';
import type { RunDeps } from '../run/ports.ts';
import type { ProcessRun } from '../run/run.ts';
import { findProcessClosure } from '../run/snapshot.cypher.ts';
import type { ProcessSnapshot } from '../run/snapshot.ts';
import { insertRun } from '../start/start.mutations.ts';
import { findStepRecords } from '../steps/step-run.cypher.ts';
import type { StepStatus } from '../steps/step-run.ts';
import { copySteps, findOwnersModel } from './retry.cypher.ts';
import { endedRun, mayKeep } from './retry.mutations.ts';

/**
 * Starts a run of one step alone, with the values of an ended run: its context, and the outputs of
 * the steps before. The step is called as it is defined now, in the run's Process or in another one
 * of the viewer's with a step of this id, such as a draft of it. The new run's output is that of
 * the step. It writes to no conversation.
 * @throws Refusal NOT_FOUND; STATE where the run is open, retention took its context, or the
 * Process of another user may not read the memory that the old run read; else as startProcessRun
 */
export async function tryStep(
  deps: RunDeps,
  viewer: Viewer,
  {
    runId,
    stepId,
    processId: otherId,
  }: {
    readonly runId: string;
    readonly stepId: string;
    readonly processId?: string | null | undefined;
  },
): Promise<ProcessRun> {
  const { old, given } = await endedRun(deps, viewer, runId);
  const processId = otherId ?? old.processId;
  const newRunId = deps.newId();
  await writeAndWake(deps, async (tx) => {
    const closure = await findProcessClosure(tx, viewer, processId);
    const definition = entryOf(closure?.processes ?? {}, processId);
    // The Process of another user gets nothing that a run of another one recorded.
    const isOthers =
      processId !== old.processId && isForeign(definition?.ownerId ?? '', viewer.userId);
    if (closure === null || definition === undefined || isOthers)
      throw new Refusal([notFound('Process', [otherId == null ? 'runId' : 'processId'])]);
    if (!definition.steps.some(({ id }) => id === stepId))
      throw new Refusal([notFound('step', ['stepId'])]);
    if (!(await mayKeep(tx, viewer, closure, old)))
      refuseState(
        ['runId'],
        'Its Process has to ask you again for your memory; start a run of it first.',
      );
    const records = await findStepRecords(tx, old.id, null);
    const open = new Set(records.filter(({ status }) => !HAS_VALUE.has(status)).map(stepOf));
    const known = new Set(records.map(stepOf).filter((id) => !open.has(id)));
    const alone = stepAlone(definition, stepId, known);
    const model = await findOwnersModel(tx, old.id);
    await insertRun(deps, tx, viewer, {
      runId: newRunId,
      closure: { ...closure, processes: { ...closure.processes, [processId]: alone } },
      input: { ...given, processId, conversationId: null },
      answersId: null,
      retryOfId: old.id,
      ...(model === null ? {} : { llmToolId: model.toolId }),
    });
    const stepIds = alone.steps.slice(0, -1).map(({ id }) => id);
    await copySteps(tx, { from: old.id, to: newRunId, stepIds });
  });
  deps.startSoon?.(newRunId);
  return getRun(deps, viewer, newRunId);
}

/** A step that was skipped is skipped again, by its condition. */
const HAS_VALUE: ReadonlySet<string> = new Set<StepStatus>(['completed', 'skipped']);
const stepOf = (record: { readonly stepId: string }) => record.stepId;

/** The step after those of the steps before it that are `known`. */
function stepAlone(
  definition: ProcessSnapshot,
  stepId: string,
  known: ReadonlySet<string>,
): ProcessSnapshot {
  const place = definition.steps.findIndex(({ id }) => id === stepId);
  const before = definition.steps.slice(0, place).filter(({ id }) => known.has(id));
  const ids = new Set(before.map(({ id }) => id));
  const tried = definition.steps.slice(place, place + 1).map((step) => ({
    ...step,
    dependsOn: step.dependsOn.filter((id) => ids.has(id)),
  }));
  const [variable = ''] = tried.map(({ output }) => output.variable);
  return { ...definition, steps: [...before, ...tried], outputTemplate: `{{json ${variable}}}` };
}
