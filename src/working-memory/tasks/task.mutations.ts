import { recordRefusal, startBackgroundRunIn } from '../../background/background.mutations.ts';
import { findWork } from '../../background/work.cypher.ts';
import { pauses, WORK_KINDS } from '../../background/work.ts';
import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import { found, notFound, Refusal, refuseState } from '../../common/refusal.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { findSystemProcess } from '../../processes/bundle/bundle.cypher.ts';
import { findProcesses } from '../../processes/process.cypher.ts';
import type { RunDeps } from '../../runs/run/ports.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import type { Viewer } from '../../users/user.ts';
import {
  type ConversationOwner,
  findConversationOwner,
  hasOpenTask,
  insertTask,
} from './task.cypher.ts';
import {
  type CompressionTask,
  type IntrospectionTask,
  TASK_PROCESSES,
  type TaskKind,
  taskItem,
} from './task.ts';

export interface TaskDeps extends RunDeps {
  readonly settings: SettingsSource;
}

/** A task to be started, with all variables that its Process may name. */
export interface PlannedTask {
  readonly details:
    | ({ readonly kind: 'compression' } & CompressionTask)
    | ({ readonly kind: 'introspection' } & IntrospectionTask);
  readonly context: JsonObject;
}

/**
 * Starts the task that `plan` returns, as the conversation's owner. Starts none if a task of this
 * kind is open, or a failed one waits for its retry.
 * @returns the id of the run; null if none was started
 */
export async function startTaskOnce(
  deps: TaskDeps,
  { conversationId, kind }: { readonly conversationId: string; readonly kind: TaskKind },
  plan: (tx: ReadTx, owner: ConversationOwner) => Promise<PlannedTask | null>,
): Promise<string | null> {
  const { backgroundTokensPerDay: tokensPerDay } = await deps.settings.current();
  // Usually nothing is due. The read without a lock keeps the conversation's writers from waiting.
  if ((await deps.graph.read(planOnce)) === null) return null;
  const runId = await deps.graph
    .write(async (tx) => {
      await lockResources(tx, [conversationId]);
      const planned = await planOnce(tx);
      if (planned === null) return null;
      const { owner, task } = planned;
      const start = { ...task, conversationId, processId: null };
      return tryStartTaskIn(deps, tx, owner.viewer, { ...start, tokensPerDay });
    })
    .catch(async (error: unknown) => {
      // The Process is gone, disabled, or needs a missing variable. It is tried again later.
      if (!(error instanceof Refusal)) throw error;
      const owner = await deps.graph.read((tx) => findConversationOwner(tx, conversationId));
      if (owner === null) return null;
      await recordRefusal(deps, taskItem(owner.viewer.userId, conversationId, kind), error);
      return null;
    });
  if (runId !== null) deps.wake();
  return runId;

  async function planOnce(tx: ReadTx) {
    const owner = await findConversationOwner(tx, conversationId);
    if (owner === null) return null;
    if (await hasOpenTask(tx, { conversationId, kind })) return null;
    const work = await findWork(tx, taskItem(owner.viewer.userId, conversationId, kind));
    if (work !== null && pauses(work, deps.clock.nowMs())) return null;
    const task = await plan(tx, owner);
    return task === null ? null : { owner, task };
  }
}

type StartTask = PlannedTask & {
  readonly conversationId: string;
  readonly processId: string | null;
};

/**
 * Starts a run of the task's Process and writes the task, in a transaction of the caller. The
 * caller holds the conversation's lock, and wakes the relay after the commit. The owner's limit of
 * background tokens does not apply, because a user asks for the task now.
 * @returns the id of the run
 * @throws Refusal STATE at `conversationId` while a task of this kind is open; NOT_FOUND at
 * `processId`; and as startProcessRun
 */
export async function startTaskIn(
  deps: TaskDeps,
  tx: WriteTx,
  viewer: Viewer,
  start: StartTask,
): Promise<string> {
  const runId = await tryStartTaskIn(deps, tx, viewer, { ...start, tokensPerDay: 0 });
  if (runId === null) throw new Error('A task without a limit of tokens has to start.');
  return runId;
}

/** As startTaskIn; null where the owner's tokens of the day are used up, so that the task waits. */
async function tryStartTaskIn(
  deps: TaskDeps,
  tx: WriteTx,
  viewer: Viewer,
  start: StartTask & { readonly tokensPerDay: number },
): Promise<string | null> {
  const { conversationId, details, context, tokensPerDay } = start;
  const { kind } = details;
  const owner = await findConversationOwner(tx, conversationId);
  if (owner === null) throw new Refusal([notFound('conversation', ['conversationId'])]);
  if (await hasOpenTask(tx, { conversationId, kind })) {
    const message = `A run is at work on the ${kind} of this conversation already.`;
    refuseState(['conversationId'], message);
  }
  const process = await findTaskProcess(tx, viewer, kind, start.processId);
  const runId = deps.newId();
  const hasStarted = await startBackgroundRunIn(deps, tx, viewer, {
    runId,
    item: taskItem(owner.viewer.userId, conversationId, kind),
    tokensPerDay,
    llmToolId: owner.llmToolId,
    workFor: { kind: 'conversation', id: conversationId, name: owner.title },
    input: {
      processId: process.id,
      conversationId,
      timeout: WORK_KINDS[TASK_PROCESSES[kind]].secondsMax,
      context: Object.fromEntries(
        Object.entries(context).filter(([name]) => process.initialContext.includes(name)),
      ),
    },
  });
  if (!hasStarted) return null;
  await insertTask(tx, {
    task: { id: deps.newId(), conversationId, ...details },
    runId,
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
  return found(id === null ? [] : await findProcesses(tx, viewer, [id]), 'Process', ['processId']);
}
