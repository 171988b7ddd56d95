import type { RunHead, ValueOrRef } from '../run/run.ts';
import type { ProcessSnapshot, ToolTypes } from '../run/snapshot.ts';
import type { CarriedItems } from '../steps/ended-items.ts';

/**
 * Input of the workflow executeProcess for a root run. Part of histories, so a field may be added,
 * but never change its meaning.
 */
export interface RootRun {
  readonly run: RunHead;
  readonly begun: {
    readonly definition: ProcessSnapshot;
    readonly toolTypes: ToolTypes;
    readonly context: ValueOrRef;
    /** Tools whose calls the workflow may make itself. Absent in histories of older versions. */
    readonly localTools?: readonly string[];
  };
  readonly parent: null;
  readonly carried: KeptSteps | null;
  /**
   * For tests: continue as new beyond this number of history events. Null: when Temporal suggests
   * it.
   */
  readonly continueAfterEvents: number | null;
  readonly finishesLocally: true;
}

/** The state of a retried run before its first stage: the steps that it keeps have ended. */
export interface KeptSteps {
  readonly stage: 0;
  readonly values: {
    readonly steps: Readonly<Record<string, KeptStep>>;
    readonly units: Readonly<Record<string, never>>;
    /** Completed items of a step that runs its others. */
    readonly items?: Readonly<Record<string, CarriedItems>>;
  };
  readonly control: null;
  readonly deadlineMs: null;
  readonly agents?: null;
}
interface KeptStep {
  readonly status: 'completed';
  readonly value: ValueOrRef;
  readonly error: null;
}
