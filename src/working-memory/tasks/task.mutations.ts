import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import { notFound, problem, Refusal } from '../../common/refusal.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { findSystemProcess } from '../../processes/bundle/bundle.cypher.ts';
import { findProcesses } from '../../processes/process.cypher.ts';
import { type RunDeps, startRunIn } from '../../runs/run/run.mutations.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import type { Viewer } from '../../users/user.ts';
import type { CompressionTask } from '../summaries/compression.ts';
import { findKeeper, findNewestTask, insertTask, type Keeper } from './task.cypher.ts';
import {
  type IntrospectionTask,
  restsUntilMs,
  TASK_PROCESSES,
  TASK_SECONDS,
  type TaskKind,
} from './task.ts';

export interface TaskDeps extends RunDeps {
  readonly settings: SettingsSource;
}

/** A task that is to be started, with all that its Process may ask for. */
export interface PlannedTask {
  readonly details:
    | ({ readonly kind: 'compression' } & CompressionTask)
    | ({ readonly kind: 'introspection' } & IntrospectionTask);
  readonly context: JsonObject;
}

/**
 * Starts what `plan` says, in the background and as the conversation's owner, unless one of its kind is at work there or rests
 * after a failure. @returns the run; null where none was started
 */
export async function startTaskOnce(
  deps: TaskDeps,
  { conversationId, kind }: { readonly conversationId: string; readonly kind: TaskKind },
  plan: (tx: ReadTx, keeper: Keeper) => Promise<PlannedTask | null>,
): Promise<string | null> {
  // Most of the time there is nothing to do, and whoever talks need not wait for us to see that.
  if ((await deps.graph.read(planOnce)) === null) return null;
  const runId = await deps.graph
    .write(async (tx) => {
      await lockResources(tx, [conversationId]);
      const planned = await planOnce(tx);
      if (planned === null) return null;
      const { keeper, task } = planned;
      return startTaskIn(deps, tx, keeper.viewer, { ...task, conversationId, processId: null });
    })
    .catch((error: unknown) => {
      // The Process is disabled, or an admin made it ask for what there is not; the sweep asks again.
      if (error instanceof Refusal) return null;
      throw error;
    });
  if (runId !== null) deps.wake();
  return runId;

  async function planOnce(tx: ReadTx) {
    const keeper = await findKeeper(tx, conversationId);
    if (keeper === null) return null;
    const newest = await findNewestTask(tx, { conversationId, kind });
    if (newest !== null && (newest.isOpen || restsUntilMs(newest) > deps.clock.nowMs()))
      return null;
    const task = await plan(tx, keeper);
    return task === null ? null : { keeper, task };
  }
}

/**
 * A run of the task's Process with the task beside it, in a transaction of the caller, who holds the conversation and wakes the
 * relay. @throws Refusal STATE at `conversationId` while one is at work; NOT_FOUND at `processId`; what startProcessRun refuses
 */
export async function startTaskIn(
  deps: TaskDeps,
  tx: WriteTx,
  viewer: Viewer,
  start: PlannedTask & { readonly conversationId: string; readonly processId: string | null },
): Promise<string> {
  const { conversationId, details, context } = start;
  const { kind } = details;
  const keeper = await findKeeper(tx, conversationId);
  if (keeper === null) throw new Refusal([notFound('conversation', ['conversationId'])]);
  const newest = await findNewestTask(tx, { conversationId, kind });
  if (newest?.isOpen === true) {
    const message = `A run is at work on the ${kind} of this conversation already.`;
    throw new Refusal([problem('STATE', ['conversationId'], message)]);
  }
  const process = await findTaskProcess(tx, viewer, kind, start.processId);
  const runId = deps.newId();
  await startRunIn(deps, tx, viewer, {
    runId,
    answersId: null,
    llmToolId: keeper.llmToolId,
    input: {
      processId: process.id,
      conversationId,
      timeout: TASK_SECONDS[kind],
      context: Object.fromEntries(
        Object.entries(context).filter(([name]) => process.initialContext.includes(name)),
      ),
    },
  });
  await insertTask(tx, {
    task: { id: deps.newId(), conversationId, ...details },
    runId,
    attempt: newest === null || newest.status === 'completed' ? 0 : newest.attempt + 1,
    now: instant(deps.clock),
  });
  return runId;
}

async function findTaskProcess(
  tx: WriteTx,
  viewer: Viewer,
  kind: TaskKind,
  processId: string | null,
) {
  const id = processId ?? (await findSystemProcess(tx, viewer, TASK_PROCESSES[kind]));
  const [process] = id === null ? [] : await findProcesses(tx, viewer, [id]);
  if (process === undefined) throw new Refusal([notFound('Process', ['processId'])]);
  return process;
}
