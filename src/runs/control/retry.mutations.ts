import { entryOf } from '../../common/entry-of.ts';
import { canonicalJson, type JsonObject } from '../../common/json.ts';
import { notFound, Refusal, refuseState } from '../../common/refusal.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import type { ProcessStep } from '../../processes/process.ts';
import type { Viewer } from '../../users/user.ts';
import { offersTools } from '../agent/agent-step.ts';
import { findAgreementKeys } from '../memory/agreement.cypher.ts';
import { demandOf } from '../memory/agreement.mutations.ts';
import { isForeign, memoryUsesOf } from '../memory/memory-demand.ts';
import { agreementKey } from '../memory/memory-question.ts';
import { getRun } from '../run/get-run.service.ts';
import { loadOutputs } from '../run/payloads.service.ts';
import type { RunDeps } from '../run/ports.ts';
import { findSnapshot } from '../run/run.cypher.ts';
import { isOpen, type ProcessRun } from '../run/run.ts';
import { listReservedItems } from '../run/run-tree.cypher.ts';
import { findProcessClosure, type ProcessClosure, takeSnapshot } from '../run/snapshot.cypher.ts';
import type { ProcessSnapshot } from '../run/snapshot.ts';
import type { StartProcessRun } from '../start/run-checks.ts';
import { insertRun } from '../start/start.mutations.ts';
import { pageIn } from '../steps/page.ts';
import { findStepRecords } from '../steps/step-run.cypher.ts';
import { copyItems, copyRounds, copySteps, findOwnersModel } from './retry.cypher.ts';

/**
 * Starts a new run of a finished run's Process, in its present version. The new run keeps the steps
 * that completed before `fromStepId` (absent: before the first step that did not complete). A step
 * that offers tools begins anew; with `keepRounds` it goes on after its finished rounds and calls,
 * and asks for none of them again. With `keepItems` the first step that runs again keeps its
 * completed items, as long as it is defined as before. Where the
 * old run answered in a conversation, the new run writes another alternative of the same turn,
 * active at once (S4-ALT-03).
 * @throws Refusal NOT_FOUND; STATE where the run is open, retention took its context, or its
 * conversation is archived; else as
 * startProcessRun
 */
export async function retryProcessRun(
  deps: RunDeps,
  viewer: Viewer,
  {
    runId,
    fromStepId,
    keepRounds,
    keepItems,
  }: {
    readonly runId: string;
    readonly fromStepId?: string | null | undefined;
    readonly keepRounds?: boolean | null | undefined;
    readonly keepItems?: boolean | null | undefined;
  },
): Promise<ProcessRun> {
  const { old, given } = await endedRun(deps, viewer, runId);
  const newRunId = deps.newId();
  await writeAndWake(deps, async (tx) => {
    const retry = await deps.runObserver.beginRetry(tx, viewer, old);
    const closure = await findProcessClosure(tx, viewer, old.processId);
    const definition = entryOf(closure?.processes ?? {}, old.processId);
    if (closure === null || definition === undefined)
      throw new Refusal([notFound('Process', ['runId'])]);
    // Runs of memory use the LLM Tool of the owner's present memory settings (docs/decisions/0021).
    const model = await findOwnersModel(tx, old.id);
    const { steps } = definition;
    const from =
      fromStepId === null || fromStepId === undefined
        ? steps.length
        : steps.findIndex(({ id }) => id === fromStepId);
    if (from < 0) throw new Refusal([notFound('step', ['fromStepId'])]);
    const { processId, conversationId } = old;
    const input = { ...given, processId, conversationId };
    const retryOfId = old.id;
    const insert = {
      runId: newRunId,
      closure,
      input,
      answersId: retry.answersId,
      retryOfId,
      workFor: old.workFor,
      origin: old.origin,
    };
    const settings = model === null ? {} : { llmToolId: model.toolId };
    await insertRun(deps, tx, viewer, { ...insert, ...settings });
    const keeps = await mayKeep(tx, viewer, closure, old);
    const before = keeps ? steps.slice(0, from) : [];
    const part = await partOf(deps, tx, old, before);
    const stepIds = before.slice(0, part ?? before.length).map(({ id }) => id);
    await copySteps(tx, { from: old.id, to: newRunId, stepIds });
    const agents =
      keepRounds === true && keeps ? steps.filter(offersTools).map(({ id }) => id) : [];
    if (keepItems === true && keeps) await keepItemsOf(tx, old, { definition, newRunId, from });
    await copyRounds(tx, { from: old.id, to: newRunId, stepIds: agents });
    await retry.started({ runId: newRunId, processId });
  });
  deps.startSoon?.(newRunId);
  return getRun(deps, viewer, newRunId);
}

/**
 * A run that has ended, with the context and limits that it was started with.
 * @throws Refusal NOT_FOUND; STATE where it is open, or retention took its context
 */
export async function endedRun(
  deps: RunDeps,
  viewer: Viewer,
  runId: string,
): Promise<{
  readonly old: ProcessRun;
  readonly given: Pick<StartProcessRun, 'context' | 'timeout' | 'budget'>;
}> {
  const old = await getRun(deps, viewer, runId, ['runId']);
  if (isOpen(old.status))
    refuseState(['runId'], `This run is ${old.status}; cancel it or let it end first.`);
  if (old.inputsForgotten)
    refuseState(['runId'], 'Its context was deleted by retention; start a new run.');
  const { budget, context, contextBlob: blob, timeoutSeconds: timeout } = old;
  const limits = budget && { tokens: budget.tokens, costUsd: budget.costUsd };
  const kept = blob === null ? (context ?? {}) : await deps.payloads.loadBlob(blob);
  return { old, given: { context: kept as JsonObject, timeout, budget: limits } };
}

/**
 * The place of the first step of which the old run has some items or pages and not all; null where
 * there is none. All records of such a step may be completed: the run ended between two of them.
 */
async function partOf(
  { payloads }: RunDeps,
  tx: ReadTx,
  old: ProcessRun,
  steps: readonly ProcessStep[],
): Promise<number | null> {
  if (!steps.some(({ execution: { pages, forEach } }) => pages != null || forEach != null))
    return null;
  const lists = new Map(
    (await listReservedItems(tx, old.id)).map(({ stepId, ...list }) => [stepId, list]),
  );
  const paged = steps.filter(({ execution }) => execution.pages != null).map(({ id }) => id);
  const records = paged.length === 0 ? [] : await findStepRecords(tx, old.id, paged);
  for (const [place, { id, execution }] of steps.entries()) {
    const { pages, forEach } = execution;
    const list = lists.get(id);
    if (forEach != null && list !== undefined && list.records > 0 && list.records < list.items)
      return place;
    if (pages == null) continue;
    const last = records
      .filter(({ stepId }) => stepId === id)
      .toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0))
      .at(-1);
    if (last === undefined || last.index === null) continue;
    const [loaded] = await loadOutputs(payloads, [last]);
    const page = pageIn(pages, loaded?.output ?? null);
    if (typeof page === 'string' || page.next !== null) return place;
  }
  return null;
}

/** Copies the completed items of the first step that runs again. */
async function keepItemsOf(
  tx: WriteTx,
  old: ProcessRun,
  { definition, newRunId, from }: { definition: ProcessSnapshot; newRunId: string; from: number },
): Promise<void> {
  const kept = new Set((await findStepRecords(tx, newRunId, null)).map(({ stepId }) => stepId));
  const first = definition.steps.find(({ id }, place) => place >= from || !kept.has(id));
  if (first?.execution.forEach == null) return;
  const before = await findSnapshot(tx, old.snapshotHash);
  const same = entryOf(before?.processes ?? {}, old.processId)?.steps.find(
    ({ id }) => id === first.id,
  );
  if (same === undefined || canonicalJson(callOf(same)) !== canonicalJson(callOf(first))) return;
  await copyItems(tx, { from: old.id, to: newRunId, stepId: first.id });
}

/** What decides the items of a step and their values. */
const callOf = ({ calls, inputs, execution }: ProcessStep): JsonObject =>
  ({ calls, inputs, forEach: execution.forEach ?? null }) as unknown as JsonObject;

/**
 * Whether the new run may get outputs of the old one. A Process of another user whose run used the
 * memory keeps them only where the runner agrees to it as it is now: a later version gets nothing
 * that an earlier one was allowed to read (docs/decisions/0093).
 */
export async function mayKeep(
  tx: ReadTx,
  viewer: Viewer,
  closure: ProcessClosure,
  old: ProcessRun,
): Promise<boolean> {
  const { rootProcessId: processId, processes } = closure;
  const runnerId = viewer.userId;
  if (!isForeign(entryOf(processes, processId)?.ownerId ?? runnerId, runnerId)) return true;
  const before = await findSnapshot(tx, old.snapshotHash);
  const uses = before === null ? null : memoryUsesOf(before, processId);
  if (uses !== null && !uses.reads && !uses.writes) return true;
  const demand = demandOf(await takeSnapshot(tx, viewer, closure), { processId, runnerId });
  if (demand === null) return false;
  const key = agreementKey(runnerId, demand);
  return (await findAgreementKeys(tx, [key])).has(key);
}
