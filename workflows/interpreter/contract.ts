import type { Json, JsonObject } from '../../src/common/json.ts';
import type { RunError } from '../../src/common/tool-fault.ts';
import type { RequestedCall } from '../../src/runs/agent/round.ts';
import type { RunOutcome } from '../../src/runs/end/run-error.ts';
import type { MemoryDemand } from '../../src/runs/memory/memory-question.ts';
import type { RunHead, StepResolution, ValueOrRef } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot, ToolTypes } from '../../src/runs/run/snapshot.ts';

// Calls between workflows and activities. Types, and one function that reads a value as its type.
// All values are JSON in recorded histories, so a field may be added, but never change its meaning.

/** One item of a forEach list. A list too large for history lies in a blob. */
export type ItemSource = { readonly value: Json } | { readonly blob: string };

/**
 * `recorded`: a variable is a reference, so the activity binds the step's inputs from the record.
 */
export type InputSource =
  | { readonly kind: 'bound'; readonly inputs: JsonObject }
  | { readonly kind: 'recorded'; readonly item: ItemSource | null };

export interface StepCall {
  readonly run: RunHead;
  readonly stepId: string;
  readonly index: number | null;
  readonly inputs: InputSource;
  /** An output above this comes back by reference. */
  readonly inlineBytesMax: number;
  /** Overrides the step's timeout, for a round or call of a step that offers tools. */
  readonly timeoutSeconds?: number;
  /** Why this round is the last of a step that offers tools; absent for any other. */
  readonly last?: string;
}

/**
 * The result of a round of a step that offers tools: the calls that the model requests, or its
 * answer.
 */
export interface RoundAnswer {
  readonly calls: readonly RequestedCall[];
  readonly answer: ValueOrRef | null;
}

/** A round's activity returns its RoundAnswer as an inline value. */
export function readRoundAnswer(output: ValueOrRef): RoundAnswer {
  if (!('inline' in output)) throw new Error('A round has to be inline.');
  return output.inline as unknown as RoundAnswer;
}

/**
 * `unaffordable`: the call would not fit the budget as of `budgetVersion`; nothing was called.
 * `asks`: a Process of another user would use the runner's memory without an agreement; nothing was
 * called (docs/decisions/0093). `elsewhere`: a workflow's own call was not made, or has failed for
 * now; the step goes to the queue after `inMs`.
 */
export type StepAnswer =
  | { readonly status: 'completed'; readonly output: ValueOrRef }
  | { readonly status: 'unaffordable'; readonly budgetVersion: number }
  | { readonly status: 'asks'; readonly memory: MemoryDemand }
  | { readonly status: 'elsewhere'; readonly inMs: number };

/** The run and step that called a sub-process. */
export interface ParentCall {
  readonly run: RunHead;
  readonly stepId: string;
  readonly index: number | null;
  readonly attempt: number;
  readonly willRetry: 'if it fails' | 'no';
}

export interface BeginCall {
  readonly run: RunHead;
  readonly parent: ParentCall;
  readonly inputs: InputSource;
  readonly inlineBytesMax: number;
}
export interface Begun {
  readonly definition: ProcessSnapshot;
  readonly toolTypes: ToolTypes;
  readonly context: ValueOrRef;
  /** Absent in histories of older versions. */
  readonly localTools?: readonly string[];
  readonly paused: boolean;
}

export interface FinishCall {
  readonly run: RunHead;
  readonly parent: ParentCall | null;
  readonly outcome: RunOutcome;
  readonly inlineBytesMax: number;
}
export interface Finished {
  readonly status: 'completed' | 'failed' | 'cancelled' | 'timed_out';
  readonly output: ValueOrRef | null;
  readonly error: RunError | null;
}

/** A record of a run between its steps. */
export type StepNote =
  | {
      readonly kind: 'skipped';
      readonly stepId: string;
      readonly reason: string;
      readonly error: RunError | null;
    }
  | {
      readonly kind: 'failed';
      readonly stepId: string;
      readonly index: number | null;
      readonly error: RunError;
    }
  | {
      readonly kind: 'waiting';
      readonly stepId: string;
      readonly index: number | null;
      readonly approvalId: string;
      readonly inputs: InputSource;
      /** Seconds until the wait counts as rejected; absent: only the run's timeout ends it. */
      readonly timeoutSeconds?: number;
      /** Set where the step asks for the runner's memory instead of for its call. */
      readonly memory?: MemoryDemand;
    }
  /** forEach over an empty list: the output is an empty list, and there is no item to record it. */
  | { readonly kind: 'empty'; readonly stepId: string }
  | ({
      readonly kind: 'decided';
      readonly approvalId: string;
      /** As of the `waiting`. */
      readonly memory?: MemoryDemand;
    } & StepResolution);
export interface NotesCall {
  readonly run: RunHead;
  readonly notes: readonly StepNote[];
}

export interface WaitForBudgetCall {
  readonly run: RunHead;
  readonly stepId: string;
  readonly index: number | null;
  readonly budgetVersion: number;
}

export interface EvaluateCall {
  readonly run: RunHead;
  readonly stepId: string;
  readonly what: 'condition' | 'forEach';
  readonly inlineBytesMax: number;
}
export type Evaluated =
  | { readonly kind: 'value'; readonly value: Json }
  /** A list too large for history: `count` items in a blob. */
  | { readonly kind: 'list'; readonly count: number; readonly blob: string };

export interface ResultsCall {
  readonly run: RunHead;
  readonly stepId: string;
}

export interface ReserveCall {
  readonly run: RunHead;
  readonly stepId: string;
  readonly items: number;
}
/** Limits are absent in histories of older versions. */
export interface Reserved {
  readonly fits: boolean;
  readonly itemsMax?: number;
  readonly stepsMax?: number;
}

/** Rounds of an agent step that a retry of its run keeps (docs/decisions/0070). */
export interface KeptRounds {
  /** Rounds whose calls have all ended; the next round is asked for. */
  readonly rounds: number;
  readonly made: number;
  readonly seen: Readonly<Record<string, number>>;
  /** Ids of the calls of that next round that have ended, where its question was answered. */
  readonly ended: readonly string[];
}
/** Histories of older versions have no `kept`. */
export type AgentBegun = Reserved & { readonly kept?: KeptRounds | null };

export interface BeginAgentCall {
  readonly run: RunHead;
  readonly stepId: string;
  readonly index: number | null;
  readonly inputs: InputSource;
  /** Step executions to reserve in the limit of the run tree. */
  readonly items: number;
}
export interface EndAgentCall {
  readonly run: RunHead;
  readonly stepId: string;
  readonly index: number | null;
  /** The round that answered. */
  readonly round: number;
}

/** The activities on the processes queue and on the steps' queues. */
export interface RunActivities {
  executeStep(call: StepCall): Promise<StepAnswer>;
  beginRun(call: BeginCall): Promise<Begun>;
  finishRun(call: FinishCall): Promise<Finished>;
  evaluateExpression(call: EvaluateCall): Promise<Evaluated>;
  /** Writes the results of a forEach to a file. @returns the value of the step's variable */
  storeResults(call: ResultsCall): Promise<ValueOrRef>;
}
/** Small, quick, idempotent: run as local activities, so they cost a marker each. */
export interface RunNotes {
  recordSteps(call: NotesCall): Promise<void>;
  reserveItems(call: ReserveCall): Promise<Reserved>;
  /** Marks a step that offers tools as running. `fits` false: nothing is written. */
  beginAgent(call: BeginAgentCall): Promise<AgentBegun>;
  /** Records the answer of a round as the output of its step. */
  endAgent(call: EndAgentCall): Promise<void>;
  /**
   * Records the run as waiting for budget. `waiting` is false where the budget was changed since
   * `budgetVersion`.
   */
  waitForBudget(call: WaitForBudgetCall): Promise<{ waiting: boolean }>;
}
