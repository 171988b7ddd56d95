import { instant } from '../../src/common/clock.ts';
import { type JsonObject, jsonBytes, unreachable } from '../../src/common/json.ts';
import { STEP_EXECUTIONS_PER_TREE_MAX } from '../../src/common/limits.ts';
import { NO_USAGE, type RunError } from '../../src/common/tool-fault.ts';
import type { WriteTx } from '../../src/platform/neo4j/graph.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import type { StoredPayload } from '../../src/runs/run/payloads.service.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import { reserveItems } from '../../src/runs/run/run-tree.cypher.ts';
import {
  endUncalledStep,
  insertApproval,
  recordDecision,
  waitForBudget,
} from '../../src/runs/steps/note.cypher.ts';
import type { NotesCall, RunNotes, StepNote } from '../../workflows/interpreter/contract.ts';
import type { KnownSnapshot, RunContext } from '../deps.ts';
import { bindStep } from '../run-step/step-job.ts';

interface Target {
  readonly step: ProcessStep;
  readonly name: string;
  readonly type: string;
  readonly id: string;
  readonly toolId: string | null;
}

function targetOf(known: KnownSnapshot, run: RunHead, stepId: string): Target {
  const step = known.process(run.processId).steps.find(({ id }) => id === stepId);
  if (step === undefined) throw new Error(`The Process has no step ${stepId}.`);
  // A target that the owner could not use is not in the snapshot. The refusals of its steps are
  // recorded too.
  if ('toolId' in step.calls) {
    const { toolId } = step.calls;
    const tool = known.findTool(toolId);
    return {
      step,
      name: tool?.name ?? toolId,
      type: tool?.operation.type ?? 'unknown',
      id: toolId,
      toolId,
    };
  }
  const { processId } = step.calls;
  return {
    step,
    name: known.findProcess(processId)?.name ?? processId,
    type: 'process',
    id: processId,
    toolId: null,
  };
}

/**
 * The notes of a run: local activities on the workflow's worker. Quick, idempotent, one marker in
 * history each.
 */
export function createNotes(deps: RunContext): RunNotes {
  return {
    async recordSteps({ run, notes }: NotesCall) {
      const known = await deps.snapshots.get(run.snapshotHash);
      const bound = new Map<StepNote, { inputs: JsonObject; stored: StoredPayload }>();
      for (const note of notes) {
        if (note.kind !== 'waiting') continue;
        const inputs = await bindStep(
          deps,
          run,
          targetOf(known, run, note.stepId).step,
          note.index,
          note.inputs,
        );
        const stored = await deps.payloads.store(
          run,
          `${note.stepId}/${note.index ?? ''}/inputs`,
          inputs,
        );
        bound.set(note, { inputs, stored });
      }
      await deps.graph.write(async (tx) => {
        for (const note of notes) await writeNote(deps, tx, run, known, note, bound.get(note));
      });
      deps.wake();
    },

    async reserveItems({ run, stepId, items }) {
      const now = instant(deps.clock);
      const stepsMax = STEP_EXECUTIONS_PER_TREE_MAX;
      return {
        fits: await deps.graph.write((tx) =>
          reserveItems(tx, { run, stepId, items, stepsMax, now }),
        ),
      };
    },

    async waitForBudget({ run, stepId, budgetVersion }) {
      const error: RunError = {
        code: 'BUDGET_EXCEEDED',
        message: `The next call of step ${stepId} does not fit the run's budget. Raise the budget, or cancel the run.`,
        stepId,
        details: null,
      };
      const now = instant(deps.clock);
      const entry = runEntry(deps, run, 'run.waiting', { status: 'waiting', error });
      const waiting = await deps.graph.write((tx) =>
        waitForBudget(tx, { run, budgetVersion, error, now, entry }),
      );
      deps.wake();
      return { waiting };
    },
  };
}

async function writeNote(
  deps: RunContext,
  tx: WriteTx,
  run: RunHead,
  known: KnownSnapshot,
  note: StepNote,
  bound: { inputs: JsonObject; stored: StoredPayload } | undefined,
): Promise<void> {
  const now = instant(deps.clock);
  const target = targetOf(known, run, note.stepId);
  const { stepId } = note;
  switch (note.kind) {
    case 'skipped': {
      const place = { stepId, index: null, attempt: 0 };
      const entry = runEntry(deps, run, 'step.skipped', { ...place, reason: note.reason });
      await endUncalledStep(tx, {
        run,
        stepId,
        index: null,
        status: 'skipped',
        reason: note.reason,
        error: note.error,
        output: null,
        now,
        entry,
      });
      return;
    }
    case 'failed': {
      const entry = endedEntry(deps, run, target, {
        stepId,
        index: note.index,
        status: 'failed',
        output: null,
        error: note.error,
      });
      await endUncalledStep(tx, {
        run,
        stepId,
        index: note.index,
        status: 'failed',
        reason: null,
        error: note.error,
        output: null,
        now,
        entry,
      });
      return;
    }
    case 'empty': {
      const end = { stepId, index: null, status: 'completed' as const, output: [], error: null };
      const entry = endedEntry(deps, run, target, end);
      await endUncalledStep(tx, {
        ...end,
        run,
        reason: 'The list of forEach is empty.',
        output: '[]',
        now,
        entry,
      });
      return;
    }
    case 'waiting': {
      if (bound === undefined) return;
      const { inputs, stored } = bound;
      const { approvalId, index } = note;
      const entries = [
        runEntry(deps, run, 'step.waiting', {
          stepId,
          index,
          attempt: 0,
          approvalId,
          name: target.name,
          targetId: target.id,
          inputs: entryValue(inputs, stored.bytes),
        }),
      ];
      await insertApproval(tx, {
        run,
        stepId,
        index,
        approvalId,
        toolId: target.toolId,
        inputs: stored.text,
        inputsBlob: stored.blob,
        now,
        entries,
      });
      return;
    }
    case 'decided': {
      const { approvalId, index, decision, decidedBy, output } = note;
      const error: RunError | null =
        decision === 'reject'
          ? {
              code: 'REJECTED',
              message: `Step ${stepId} was rejected${note.note === null ? '.' : `: ${note.note}`}`,
              stepId,
              details: { decidedBy },
            }
          : null;
      const status =
        decision === 'approve' ? 'pending' : decision === 'reject' ? 'failed' : 'completed';
      const decided = runEntry(deps, run, 'step.decided', {
        stepId,
        index,
        attempt: 0,
        approvalId,
        decision,
        decidedBy,
        note: note.note,
      });
      const entries =
        status === 'pending'
          ? [decided]
          : [
              decided,
              endedEntry(deps, run, target, {
                stepId,
                index,
                status,
                output: decision === 'substitute' ? output : null,
                error,
              }),
            ];
      await recordDecision(tx, {
        run,
        stepId,
        index,
        decision,
        decidedBy,
        note: note.note,
        status,
        output: decision === 'substitute' ? JSON.stringify(output) : null,
        outputBytes: decision === 'substitute' ? jsonBytes(output) : 0,
        error,
        now,
        entries,
      });
      return;
    }
    default:
      return unreachable(note);
  }
}

function endedEntry(
  deps: RunContext,
  run: RunHead,
  target: Target,
  end: {
    stepId: string;
    index: number | null;
    status: 'failed' | 'completed';
    output: JsonObject[string];
    error: RunError | null;
  },
) {
  const { stepId, index, status, output, error } = end;
  return runEntry(deps, run, 'step.ended', {
    stepId,
    index,
    attempt: 0,
    name: target.name,
    type: target.type,
    targetId: target.id,
    status,
    error,
    output: entryValue(output, jsonBytes(output)),
    outputTruncated: false,
    usage: NO_USAGE,
    cached: false,
    willRetry: false,
    speaks: false,
    childRunId: null,
    call: null,
  });
}
