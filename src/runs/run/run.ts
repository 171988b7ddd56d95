import type { Json, JsonObject } from '../../common/json.ts';
import type { RunStatus } from '../../common/run-status.ts';
import type { RunError, Usage } from '../../common/tool-fault.ts';
import type { OperationType } from '../../operations/operation.ts';
import type { RunOrigin, RunWork } from './run-origin.ts';

export {
  isOpen,
  OPEN_RUN_STATUSES,
  RUN_STATUSES,
  type RunStatus,
} from '../../common/run-status.ts';

/** Limits of tokens and cost over the whole run tree; null = no limit of that kind. */
export interface RunBudget {
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly tokensUsed: number;
  readonly costUsdUsed: number;
}

/** The number of items at once that a person set, and which change of its run that was. */
export interface ChangedConcurrency {
  readonly maxConcurrency: number;
  readonly change: number;
}

/** One execution of a Process (S4-EXEC). A sub-process is a run of its own, with a parent. */
export interface ProcessRun {
  readonly id: string;
  readonly ownerId: string;
  readonly workspace: string;
  readonly processId: string;
  readonly processName: string;
  readonly processVersion: number;
  readonly snapshotHash: string;
  readonly status: RunStatus;
  readonly rootRunId: string;
  /** Ids from the root run to this one, both included. */
  readonly runPath: readonly string[];
  readonly depth: number;
  readonly parentRunId: string | null;
  readonly parentStepId: string | null;
  readonly parentIndex: number | null;
  readonly retryOfId: string | null;
  readonly origin: RunOrigin;
  /** The thing that a run of the product works for; null for a user's run. */
  readonly workFor: RunWork | null;
  readonly conversationId: string | null;
  /** null where it is over 256 KiB: then the blob `contextBlob` holds it. */
  readonly context: JsonObject | null;
  readonly contextBlob: string | null;
  /** The rendered outputTemplate; null until completed, or where the blob `outputBlob` holds it. */
  readonly output: string | null;
  readonly outputBlob: string | null;
  readonly outputTruncated: boolean;
  readonly error: RunError | null;
  readonly usage: Usage;
  readonly budget: RunBudget | null;
  /** Seconds from the start of the run until it ends with RUN_TIMEOUT; null = no timeout. */
  readonly timeoutSeconds: number | null;
  readonly queuePrefix: string;
  /**
   * Id of its workflow in Temporal: `workflowIdOf`, and the run's id for runs of older versions.
   */
  readonly workflowId: string;
  readonly temporalRunId: string | null;
  readonly cancelReason: string | null;
  /** By the id of a forEach step, where it was changed while this run was under way. */
  readonly stepConcurrency: Readonly<Record<string, ChangedConcurrency>>;
  /** Whether retention has deleted its context and the inputs of its steps. */
  readonly inputsForgotten: boolean;
  readonly createdAt: string;
  /**
   * Trace context of the request that made this run, as W3C traceparent; null where it was not
   * traced.
   */
  readonly traceparent: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/**
 * The fields of a run that each of its activities gets. Part of every activity's input in history,
 * so it stays small.
 */
export interface RunHead {
  readonly runId: string;
  readonly rootRunId: string;
  readonly runPath: readonly string[];
  readonly depth: number;
  /** The smallest maxRecursionDepth from the root down to this run. */
  readonly depthMax: number;
  readonly ownerId: string;
  readonly workspace: string;
  readonly conversationId: string | null;
  readonly processId: string;
  readonly snapshotHash: string;
  readonly queuePrefix: string;
  readonly timeoutSeconds: number | null;
  /** Whether the run tree has a budget: then LLM calls reserve their estimated cost. */
  readonly budgeted: boolean;
}

/** A value in a workflow: inline, or a reference to the record with its size in bytes. */
export type ValueOrRef = { readonly inline: Json } | { readonly ref: true; readonly bytes: number };

/** Decisions of a person on a waiting step. */
export const STEP_DECISIONS = ['approve', 'reject', 'substitute'] as const;
export type StepDecision = (typeof STEP_DECISIONS)[number];

/** How many items of a forEach step run at once. */
export interface ConcurrencyChange {
  readonly stepId: string;
  readonly maxConcurrency: number;
}

/** A person's decision on a waiting step (S4-EXEC-11). */
export interface StepResolution {
  readonly stepId: string;
  readonly index: number | null;
  readonly decision: StepDecision;
  /** Approve with these instead; null = as they were. */
  readonly inputs: JsonObject | null;
  /** The output of the step on `substitute`. */
  readonly output: Json;
  readonly note: string | null;
  readonly decidedBy: string;
  /** Approves later calls of the same target in this run too. Only for offered tools. */
  readonly allowForRun?: boolean;
}

/**
 * The id of a run's workflow: the run's id, for an item of a forEach with the index behind it
 * (docs/decisions/0071).
 */
export function workflowIdOf(runId: string, index: number | null): string {
  return index === null ? runId : `${runId}/${index}`;
}

/** The session, in blob keys, of all files of a run tree. */
export function filesSession(rootRunId: string): string {
  return `files-${rootRunId}`;
}

/**
 * The task queue of workflows and of the activities that are no steps. `placementOf` decides which
 * runs use another.
 */
export function processesQueue(prefix: string): string {
  return `${prefix}processes`;
}

/**
 * The task queue of the steps of one operation type (S4-WRK-02).
 * @param prefix see RunDeps.queuePrefix
 */
export function queueOf(prefix: string, type: OperationType): string {
  return `${prefix}${type}`;
}
