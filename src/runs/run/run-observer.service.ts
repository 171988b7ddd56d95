import type { JsonObject } from '../../common/json.ts';
import type { RunStatus } from '../../common/run-status.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import type { MessagePart } from '../events/run-payloads.ts';
import type { ProcessRun, RunHead } from './run.ts';
import type { RunOrigin } from './run-origin.ts';

/**
 * Port for the rooms above this one. A run may write an answer in a conversation or a part of a
 * memory. Those rooms make these writes inside the run's own transactions, so that no reader sees a
 * run without its result. `main` plugs them in.
 */
export interface RunObserver {
  /**
   * The context variables that a conversation supplies to a run (S4-EXEC-05). The context of the
   * request wins over them.
   * @returns null where the viewer has no such conversation
   */
  supply(tx: ReadTx, viewer: Viewer, at: ConversationPlace): Promise<JsonObject | null>;
  /** The message that a run answers; null if the viewer has no such alternative. */
  findMessage(tx: ReadTx, viewer: Viewer, alternativeId: string): Promise<AnsweredMessage | null>;
  /**
   * Called before a completed run is recorded.
   * @returns why its output can't be used; the run fails with this text. Null: it can
   */
  findFault(task: RunTask | null, output: string | null): Promise<string | null>;
  /**
   * Called in the transaction that ends a run, after the run's own record is written.
   * @throws Refusal where the output does not fit the graph any more; then nothing is written and
   * the run ends as failed
   */
  ended(tx: WriteTx, end: EndedRun): Promise<void>;
  /**
   * Called in the transaction that retries a run, before the new run is written.
   * @throws Refusal STATE at `runId` where the old run can't be retried
   */
  beginRetry(tx: WriteTx, viewer: Viewer, old: ProcessRun): Promise<RunRetry>;
}

/** Where in a conversation a run starts, and the variables its Process asks for. */
export interface ConversationPlace {
  readonly conversationId: string;
  /** The alternative that the run answers; null: the end of the active path. */
  readonly alternativeId: string | null;
  readonly wanted: readonly string[];
}

/** A message as a node of the conversation graph (S1-ID-03), which the answer has as its parent. */
export interface AnsweredMessage {
  readonly nodeId: string;
  /** The text of a user or of the system; null for an agent's message. */
  readonly said: {
    readonly alternativeId: string;
    /** The text, or its parts in order (S1-NODE-03). */
    readonly content: string | readonly MessagePart[];
    /** The node of the message before it; null for the first. */
    readonly parentId: string | null;
  } | null;
}

/** The stored record of the work a run was started for. The room that wrote it parses it. */
export type RunTask = JsonObject;

export interface EndedRun {
  readonly run: Pick<
    RunHead,
    'runId' | 'ownerId' | 'workspace' | 'conversationId' | 'depth' | 'processId'
  >;
  readonly status: RunStatus;
  /** Null unless the run completed. */
  readonly output: string | null;
  readonly now: string;
  readonly task: RunTask | null;
  readonly origin: RunOrigin;
}

export interface RunRetry {
  /** The alternative of the conversation that the new run answers; null: none. */
  readonly answersId: string | null;
  /** Called after the new run and its kept steps are written, in the same transaction. */
  started(run: Pick<RunHead, 'runId' | 'processId'>): Promise<void>;
}

/**
 * One observer made of several, called in this order. Each implements only the methods it needs.
 */
export function observeRuns(parts: readonly Partial<RunObserver>[]): RunObserver {
  return {
    async supply(tx, viewer, at) {
      const supplied: JsonObject = {};
      for (const part of parts) {
        if (part.supply === undefined) continue;
        const found = await part.supply(tx, viewer, at);
        if (found === null) return null;
        Object.assign(supplied, found);
      }
      return supplied;
    },
    async findMessage(tx, viewer, alternativeId) {
      for (const part of parts) {
        const found = (await part.findMessage?.(tx, viewer, alternativeId)) ?? null;
        if (found !== null) return found;
      }
      return null;
    },
    async findFault(task, output) {
      for (const part of parts) {
        const fault = (await part.findFault?.(task, output)) ?? null;
        if (fault !== null) return fault;
      }
      return null;
    },
    async ended(tx, end) {
      for (const part of parts) await part.ended?.(tx, end);
    },
    async beginRetry(tx, viewer, old) {
      const retries: RunRetry[] = [];
      for (const part of parts)
        if (part.beginRetry !== undefined) retries.push(await part.beginRetry(tx, viewer, old));
      return {
        answersId: retries.find(({ answersId }) => answersId !== null)?.answersId ?? null,
        async started(run) {
          for (const retry of retries) await retry.started(run);
        },
      };
    },
  };
}
