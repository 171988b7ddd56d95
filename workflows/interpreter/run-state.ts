import type { ActivityInterfaceFor } from '@temporalio/workflow';
import type { NewId } from '../../src/common/id.ts';
import { jsonBytes } from '../../src/common/json.ts';
import { INLINE_PAYLOAD_BYTES_MAX } from '../../src/common/limits.ts';
import type { RunError } from '../../src/common/tool-fault.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot, ToolTypes } from '../../src/runs/run/snapshot.ts';
import type { Agents } from './agents.ts';
import type {
  InputSource,
  ItemSource,
  RunActivities,
  RunNotes,
  StepCall,
  StepNote,
} from './contract.ts';
import type { Control } from './control.ts';
import { StepFailed } from './failures.ts';
import type { LocalCalls } from './local-calls.ts';
import type { Values } from './values.ts';
import type { Window } from './window.ts';

/** The interpreter's state of one run, passed to each of its parts. One per workflow. */
export interface RunState {
  readonly run: RunHead;
  readonly definition: ProcessSnapshot;
  readonly toolTypes: ToolTypes;
  readonly values: Values;
  readonly control: Control;
  readonly window: Window;
  readonly newId: NewId;
  readonly activities: ActivityInterfaceFor<RunActivities>;
  readonly notes: RunNotes;
  readonly localCalls: LocalCalls;
  readonly continueAfterEvents: number | null;
  /** Whether workflow ids of sub-runs have the index of their item (docs/decisions/0071). */
  readonly indexesChildren: boolean;
  readonly agents: Agents;
}

export function note({ notes, run }: RunState, one: StepNote): Promise<void> {
  return notes.recordSteps({ run, notes: [one] });
}

/**
 * Records a failure that no activity of the step has recorded.
 * @returns the error for the caller to throw
 */
export async function refused(
  runState: RunState,
  step: ProcessStep,
  index: number | null,
  error: RunError,
): Promise<StepFailed> {
  await note(runState, { kind: 'failed', stepId: step.id, index, error });
  return new StepFailed(error);
}

/** One step (index null), or one item of its forEach. */
export interface StepInstance {
  readonly step: ProcessStep;
  readonly index: number | null;
  readonly item: ItemSource | null;
  /** Maximum bytes of an inline input or output; a larger one is a reference. */
  readonly share: number;
  /** Gets the ms that a call waited for the runner's agreement. */
  readonly onWaited?: (ms: number) => void;
  /** Set for rounds and calls of a step that offers tools. */
  readonly call?: Pick<StepCall, 'timeoutSeconds' | 'last'>;
}

// All outputs (and all inputs) of one stage together, in history: far below its 50 MB, whatever the
// number of calls.
const STAGE_BYTES_MAX = 8 * 1024 * 1024;
const SHARE_BYTES_MIN = 1024;

/** Bytes that each of this number of calls in one stage may put into history. */
export function shareOf(calls: number): number {
  const share = Math.floor(STAGE_BYTES_MAX / Math.max(1, calls));
  return Math.min(INLINE_PAYLOAD_BYTES_MAX, Math.max(SHARE_BYTES_MIN, share));
}

/** The inputs of a step instance, bound here where all values are inline; else `recorded`. */
export function sourceOf(values: Values, { step, index, item, share }: StepInstance): InputSource {
  if (item !== null && !('value' in item)) return { kind: 'recorded', item };
  const bound = values.bind(
    step,
    item === null || index === null ? null : { value: item.value, index },
  );
  return bound !== null && jsonBytes(bound) <= share
    ? { kind: 'bound', inputs: bound }
    : { kind: 'recorded', item };
}
