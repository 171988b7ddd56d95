import { type MemoryDemand, refusalText } from '../../src/runs/memory/memory-question.ts';
import type { StepResolution, ValueOrRef } from '../../src/runs/run/run.ts';
import type { InputSource } from './contract.ts';
import type { Wait } from './control.ts';
import { ContinueAsNewRequested, runError, StepFailed } from './failures.ts';
import { note, type RunState, type StepInstance, sourceOf } from './run-state.ts';

/**
 * Requests the approval of a manual step, of a model's call of a tool, or of the use of the
 * runner's memory, once and waits for the decision. The run's timeout ends the wait, and
 * `timeoutSeconds` rejects it (S4-EXEC-11).
 * @param tool absent for a manual step
 * @returns the inputs of the call, or the value that substitutes its output
 * @throws StepFailed REJECTED
 */
export async function ask(
  runState: RunState,
  instance: StepInstance,
  key: string,
  tool?: {
    readonly source: InputSource;
    readonly timeoutSeconds: number | null;
    readonly memory?: MemoryDemand;
  },
): Promise<{ source: InputSource } | { value: ValueOrRef }> {
  const { control } = runState;
  const { step, index } = instance;
  const source = tool?.source ?? sourceOf(runState.values, instance);
  const wait = control.waitOf(key, runState.newId);
  if (!wait.asked) {
    if (tool?.memory !== undefined) wait.memory = tool.memory;
    await control.gate();
    const { approvalId } = wait;
    const seconds = tool?.timeoutSeconds ?? null;
    const waiting = {
      kind: 'waiting',
      stepId: step.id,
      index,
      approvalId,
      inputs: source,
      ...memoryOf(wait),
    } as const;
    await note(runState, seconds === null ? waiting : { ...waiting, timeoutSeconds: seconds });
    wait.asked = true;
    if (seconds !== null) wait.deadlineMs = Date.now() + seconds * 1_000;
  }
  const { deadlineMs = null } = wait;
  const isDecided = () => wait.decision !== null;
  const inTime = deadlineMs === null || (await control.untilTime(isDecided, deadlineMs));
  if (!inTime && !wait.taken) await rejectLate(runState, instance, wait);
  // A decision that came in time is being recorded.
  else await control.until(isDecided);
  const { decision } = wait;
  if (decision === null) throw new ContinueAsNewRequested();
  switch (decision.decision) {
    case 'reject': {
      const reason = decision.note === null ? '.' : `: ${decision.note}`;
      const message =
        wait.memory === undefined
          ? `Step ${step.id} was rejected${reason}`
          : refusalText(wait.memory, decision.note);
      throw new StepFailed(
        runError('REJECTED', message, step.id, { decidedBy: decision.decidedBy }),
      );
    }
    case 'substitute':
      return { value: { inline: decision.output } };
    case 'approve':
      return {
        source: decision.inputs === null ? source : { kind: 'bound', inputs: decision.inputs },
      };
  }
}

// The system's user. Its constant is in a file that imports zod, which workflows do without.
const DECIDED_BY_TIME = '00000000-0000-7000-8000-000000000001';

/**
 * Seconds after which a question for the memory counts as refused: there may be no person to ask.
 */
const MEMORY_ASK_SECONDS = 7 * 24 * 60 * 60;

/**
 * Asks the runner for the use of the memory by a Process of another user. Steps of one run ask
 * together: while one of them waits, the others wait for its decision, and their activities then
 * find it in the record.
 * @param key of the wait
 * @returns the inputs of the call, or the value that substitutes its output
 * @throws StepFailed REJECTED
 */
export async function askForMemory(
  runState: RunState,
  instance: StepInstance,
  key: string,
  { source, memory }: { readonly source: InputSource; readonly memory: MemoryDemand },
): Promise<{ source: InputSource } | { value: ValueOrRef }> {
  const { control } = runState;
  const startMs = Date.now();
  try {
    const same = control.findWait(key) === null ? control.findSameAsk(key, memory) : null;
    if (same !== null) {
      await control.until(() => same.decision !== null);
      return { source };
    }
    return await ask(runState, instance, key, {
      source,
      timeoutSeconds: MEMORY_ASK_SECONDS,
      memory,
    });
  } catch (error) {
    if (error instanceof StepFailed) control.closeWait(key);
    throw error;
  } finally {
    instance.onWaited?.(Date.now() - startMs);
  }
}

/** The demand of a wait, as a part of its notes. Other waits have none, as in older histories. */
export function memoryOf({ memory }: Wait): { readonly memory?: MemoryDemand } {
  return memory === undefined ? {} : { memory };
}

/** Rejects a call of a tool that was not decided within its time. */
async function rejectLate(
  { notes, run }: RunState,
  { step, index }: StepInstance,
  wait: Wait,
): Promise<void> {
  wait.taken = true;
  const decision: StepResolution = {
    stepId: step.id,
    index,
    decision: 'reject',
    inputs: null,
    output: null,
    note: 'There was no decision in time.',
    decidedBy: DECIDED_BY_TIME,
  };
  const { approvalId } = wait;
  const decided = { kind: 'decided', approvalId, ...decision, ...memoryOf(wait) } as const;
  await notes.recordSteps({ run, notes: [decided] });
  wait.decision = decision;
}
