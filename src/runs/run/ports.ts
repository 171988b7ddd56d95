import type { JsonObject } from '../../common/json.ts';
import type { RunStatus } from '../../common/run-status.ts';
import type { Graph, ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import type { BaseDeps, Viewer } from '../../users/user.ts';
import type { Payloads } from './payloads.service.ts';
import type { ConcurrencyChange, ProcessRun, RunHead, StepResolution } from './run.ts';
import type { RunOrigin } from './run-origin.ts';
import type { MessagePart } from './stored.ts';

/**
 * Port to the running workflows, by ProcessRun.workflowId. A signal to a run whose workflow has
 * ended, or is not started yet, does nothing.
 */
export interface RunSignals {
  cancel(workflowId: string): Promise<void>;
  pause(workflowId: string): Promise<void>;
  resume(workflowId: string): Promise<void>;
  budgetRaised(workflowId: string): Promise<void>;
  /**
   * @returns the number of the change within the run, from 1; null where the run has no workflow,
   * or it is of an older version
   */
  setConcurrency(workflowId: string, change: ConcurrencyChange): Promise<number | null>;
  /**
   * @returns false where the run's workflow refused the decision: the step does not wait for one
   */
  decide(workflowId: string, decision: StepResolution): Promise<boolean>;
}

export interface RunDeps extends BaseDeps {
  readonly graph: Graph;
  wake(): void;
  /**
   * Offers a committed run to the run starter of this process. Absent: the starter gets it from the
   * relay.
   */
  startSoon?(runId: string): void;
  readonly payloads: Payloads;
  readonly signals: RunSignals;
  readonly runObserver: RunObserver;
  /** Prefix of the task queues, for tests and installations that share a Temporal namespace. */
  readonly queuePrefix: string;
  /** Id of the current mutation in the call graph; absent outside of a mutation. */
  readonly callId?: string;
  /** The trace context of the request (W3C traceparent); null where it is not traced. */
  traceparent?(): string | null;
}

/**
 * Port for the rooms above this one. A run may write an answer in a conversation or a part of a
 * memory. Those rooms make these writes inside the run's own transactions, so that no reader sees a
 * run without its result. `main` plugs them in.
 */
export interface RunObserver {
  /**
   * The context variables that a conversation supplies to a run (S4-EXEC-05). The context of the
   * request wins over them. Called in the transaction that starts the run.
   * @returns null where the viewer has no such conversation
   */
  supply(tx: WriteTx, viewer: Viewer, at: ConversationPlace): Promise<JsonObject | null>;
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
