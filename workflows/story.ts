import type { ActivityInterfaceFor } from '@temporalio/workflow';
import type { RunActivities, RunNotes, StepNote, ToolTypes } from '../activities/contract.ts';
import type { NewId } from '../src/common/id.ts';
import type { ProcessStep } from '../src/processes/process.ts';
import type { RunError } from '../src/runs/fault.ts';
import type { RunHead } from '../src/runs/run.ts';
import type { ProcessSnapshot } from '../src/runs/snapshot.ts';
import type { Control } from './control.ts';
import { StepFailed } from './failures.ts';
import type { Values } from './values.ts';
import type { Window } from './window.ts';

/** One run as its workflow knows it; what every part of it is given. Made once per workflow, never shared between two. */
export interface Story {
  readonly run: RunHead;
  readonly definition: ProcessSnapshot;
  readonly toolTypes: ToolTypes;
  readonly values: Values;
  readonly control: Control;
  readonly window: Window;
  readonly newId: NewId;
  readonly activities: ActivityInterfaceFor<RunActivities>;
  readonly notes: RunNotes;
  readonly continueAfterEvents: number | null;
}

export function note({ notes, run }: Story, one: StepNote): Promise<void> {
  return notes.recordSteps({ run, notes: [one] });
}

/** Records a failure that no activity of the step has recorded, and gives it back to be thrown. */
export async function refused(
  story: Story,
  step: ProcessStep,
  index: number | null,
  error: RunError,
): Promise<StepFailed> {
  await note(story, { kind: 'failed', stepId: step.id, index, error });
  return new StepFailed(error);
}
