import type { RunHead, ValueOrRef } from '../src/runs/run/run.ts';
import type { RootRun } from '../src/runs/start/root-run.ts';
import type { CarriedAgents } from './interpreter/agents.ts';
import type { InputSource, ParentCall } from './interpreter/contract.ts';
import type { CarriedControl } from './interpreter/control.ts';
import type { CarriedValues } from './interpreter/values.ts';

/** The workflow's type, for callers that start it by its name. */
export type ExecuteProcess = (input: ExecuteProcessInput) => Promise<ValueOrRef | null>;

/**
 * Input of the workflow. For a sub-run `begun` is null: its first activity, beginRun, returns
 * definition and context.
 */
export interface ExecuteProcessInput {
  readonly run: RunHead;
  readonly begun: RootRun['begun'] | null;
  readonly parent: (ParentCall & { readonly inputs: InputSource }) | null;
  readonly carried: Carried | null;
  /**
   * For tests: continue as new beyond this number of history events. Null: when Temporal suggests
   * it.
   */
  readonly continueAfterEvents: number | null;
  /** The run ends in a local activity. Absent in histories of older versions: in an activity. */
  readonly finishesLocally?: true;
}
/** State that a workflow execution passes to the next one by continue-as-new. */
export interface Carried {
  readonly stage: number;
  readonly values: CarriedValues;
  readonly control: CarriedControl | null;
  readonly deadlineMs: number | null;
  /** Absent in histories of older versions. */
  readonly agents?: CarriedAgents | null;
}
