import { instant } from '../../src/common/clock.ts';
import { type JsonObject, jsonBytes, unreachable } from '../../src/common/json.ts';
import { parseStored } from '../../src/common/stored.ts';
import { NO_USAGE, type RunError, ToolFault } from '../../src/common/tool-fault.ts';
import type { WriteTx } from '../../src/platform/neo4j/graph.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import { beginAgent, endAgent } from '../../src/runs/agent/agent.cypher.ts';
import { roundId } from '../../src/runs/agent/agent-step.ts';
import { answerOf, RoundRecord } from '../../src/runs/agent/round.ts';
import { entryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import { agreementParams } from '../../src/runs/memory/agreement.cypher.ts';
import { agreedEntry } from '../../src/runs/memory/agreement.mutations.ts';
import { refusalText } from '../../src/runs/memory/memory-question.ts';
import { loadOutputs, type StoredPayload } from '../../src/runs/run/payloads.service.ts';
import type { RunHead } from '../../src/runs/run/run.ts';
import { reserveItems } from '../../src/runs/run/run-tree.cypher.ts';
import {
  endUncalledStep,
  insertApproval,
  recordDecision,
  waitForBudget,
} from '../../src/runs/steps/note.cypher.ts';
import { findStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import { stepKey } from '../../src/runs/steps/step-run.ts';
import type {
  EndAgentCall,
  NotesCall,
  RunNotes,
  StepNote,
} from '../../workflows/interpreter/contract.ts';
import type { KnownSnapshot, RunContext } from '../deps.ts';
import { bindStep } from '../run-step/bind-step.ts';
import { keptRounds } from '../run-step/round-job.ts';
import { recordAgentSpan } from './agent-span.ts';

interface Target {
  readonly step: ProcessStep;
  readonly name: string;
  readonly type: string;
  readonly id: string;
  readonly toolId: string | null;
}

function targetOf(known: KnownSnapshot, run: RunHead, stepId: string): Target {
  const step = known.findStep(run.processId, stepId);
  if (step === null) throw new Error(`The Process has no step ${stepId}.`);
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
      const bound = new Map<StepNote, BoundInputs>();
      for (const note of notes) {
        if (note.kind !== 'waiting') continue;
        const { step } = targetOf(known, run, note.stepId);
        const inputs = await bindStep(deps, run, step, note.index, note.inputs).catch(
          (error: unknown): JsonObject => {
            // The step fails with this reason when it is executed.
            if (error instanceof ToolFault) return {};
            throw error;
          },
        );
        const stored = await deps.payloads.store(
          run,
          `${note.stepId}/${note.index ?? ''}/inputs`,
          inputs,
        );
        bound.set(note, { inputs, stored });
      }
      await deps.graph.write(async (tx) => {
        const noting = { deps, tx, run, known };
        for (const note of notes) await writeNote(noting, note, bound.get(note));
      });
      deps.wake();
      for (const note of notes)
        if (note.kind === 'failed')
          await recordAgentSpan(deps, { ...note, run, output: null, errorCode: note.error.code });
    },

    async reserveItems({ run, stepId, items }) {
      const now = instant(deps.clock);
      const { forEachItemsMax: itemsMax, stepsPerRunMax: stepsMax } = await deps.settings.current();
      const fits =
        // The tree counts the step itself already, as its first item.
        items < itemsMax &&
        (await deps.graph.write((tx) => reserveItems(tx, { run, stepId, items, stepsMax, now })));
      return { fits, itemsMax, stepsMax };
    },

    async beginAgent({ run, stepId, index, inputs: source, items }) {
      const known = await deps.snapshots.get(run.snapshotHash);
      const { step } = targetOf(known, run, stepId);
      const inputs = await bindStep(deps, run, step, index, source).catch((error: unknown) => {
        // The first round fails with this reason.
        if (error instanceof ToolFault) return {};
        throw error;
      });
      const stored = await deps.payloads.store(run, `${stepId}/${index ?? ''}/inputs`, inputs);
      const now = instant(deps.clock);
      const { stepsPerRunMax: stepsMax } = await deps.settings.current();
      const reserve = { run, stepId: `${stepId}~${index ?? ''}`, items, now, stepsMax };
      const fits = await deps.graph.write(async (tx) => {
        if (!(await reserveItems(tx, reserve))) return false;
        const { text, blob: inputsBlob } = stored;
        await beginAgent(tx, { run, stepId, index, inputs: text, inputsBlob, now });
        return true;
      });
      return { fits, stepsMax, kept: fits ? await keptRounds(deps, { run, stepId, index }) : null };
    },

    endAgent: (call) => writeAgentEnd(deps, call),

    async waitForBudget({ run, stepId, budgetVersion }) {
      const error: RunError = {
        code: 'BUDGET_EXCEEDED',
        message:
          `The next call of step ${stepId} does not fit the run's budget. Raise the budget, or ` +
          'cancel the run.',
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

/** Records the answer of the last round as the output of the step that offers the tools. */
async function writeAgentEnd(
  deps: RunContext,
  { run, stepId, index, round }: EndAgentCall,
): Promise<void> {
  const known = await deps.snapshots.get(run.snapshotHash);
  const { step, ...target } = targetOf(known, run, stepId);
  const key = stepKey(run.runId, roundId(stepId, round), index);
  const [ended] = await deps.graph.read((tx) => findStepRuns(tx, run.ownerId, [key]));
  if (ended === undefined) throw new Error(`The round ${key} has no record.`);
  const [loaded] = await loadOutputs(deps.payloads, [ended]);
  const record = parseStored(RoundRecord, loaded?.output ?? null, () => `Round ${key}`);
  const output = answerOf(record)?.value ?? null;
  const stored = await deps.payloads.store(run, `${stepId}/${index ?? ''}/output/agent`, output);
  const now = instant(deps.clock);
  const entry = runEntry(deps, run, 'step.ended', {
    stepId,
    index,
    // The rounds were the calls. Attempt 0 says that the step itself made none.
    attempt: 0,
    name: target.name,
    type: target.type,
    targetId: target.id,
    status: 'completed',
    error: null,
    output: entryValue(output, stored.bytes),
    outputTruncated: ended.outputTruncated,
    usage: NO_USAGE,
    cached: false,
    willRetry: false,
    speaks: known.templateNames(run.processId).has(step.output.variable),
    childRunId: null,
    call: null,
  });
  const end = {
    run,
    stepId,
    index,
    output: stored.text,
    outputBlob: stored.blob,
    outputBytes: stored.bytes,
    outputTruncated: ended.outputTruncated,
    now,
    entry,
  };
  await deps.graph.write((tx) => endAgent(tx, end));
  deps.wake();
  await recordAgentSpan(deps, { run, stepId, index, output, errorCode: null });
}

/** The part of a run that all notes of one call share. */
interface Noting {
  readonly deps: RunContext;
  readonly tx: WriteTx;
  readonly run: RunHead;
  readonly known: KnownSnapshot;
}

interface BoundInputs {
  readonly inputs: JsonObject;
  readonly stored: StoredPayload;
}

function writeNote(
  noting: Noting,
  note: StepNote,
  bound: BoundInputs | undefined,
): Promise<unknown> | undefined {
  switch (note.kind) {
    case 'skipped':
      return writeSkipped(noting, note);
    case 'failed':
      return writeFailed(noting, note);
    case 'empty':
      return writeEmpty(noting, note);
    case 'waiting':
      return bound && writeWaiting(noting, note, bound);
    case 'decided':
      return writeDecided(noting, note);
    default:
      return unreachable(note);
  }
}

type NoteOf<K extends StepNote['kind']> = Extract<StepNote, { kind: K }>;

function writeSkipped({ deps, tx, run }: Noting, note: NoteOf<'skipped'>) {
  const { stepId, reason, error } = note;
  const entry = runEntry(deps, run, 'step.skipped', { stepId, index: null, attempt: 0, reason });
  const end = { stepId, index: null, status: 'skipped' as const, reason, error, output: null };
  return endUncalledStep(tx, { ...end, run, now: instant(deps.clock), entry });
}

function writeFailed({ deps, tx, run, known }: Noting, note: NoteOf<'failed'>) {
  const { stepId, index, error } = note;
  const end = { stepId, index, status: 'failed' as const, output: null, error };
  const entry = endedEntry(deps, run, targetOf(known, run, stepId), end);
  return endUncalledStep(tx, { ...end, run, reason: null, now: instant(deps.clock), entry });
}

function writeEmpty({ deps, tx, run, known }: Noting, { stepId }: NoteOf<'empty'>) {
  const end = { stepId, index: null, status: 'completed' as const, output: [], error: null };
  const entry = endedEntry(deps, run, targetOf(known, run, stepId), end);
  const reason = 'The list of forEach is empty.';
  return endUncalledStep(tx, {
    ...end,
    run,
    reason,
    output: '[]',
    now: instant(deps.clock),
    entry,
  });
}

function writeWaiting(
  { deps, tx, run, known }: Noting,
  { stepId, index, approvalId, timeoutSeconds, memory }: NoteOf<'waiting'>,
  { inputs, stored }: BoundInputs,
) {
  const target = targetOf(known, run, stepId);
  const entry = runEntry(deps, run, 'step.waiting', {
    stepId,
    index,
    attempt: 0,
    approvalId,
    name: target.name,
    targetId: target.id,
    inputs: entryValue(inputs, stored.bytes),
    ...(memory === undefined ? {} : { memory }),
  });
  return insertApproval(tx, {
    run,
    stepId,
    index,
    approvalId,
    toolId: target.toolId,
    timeoutMs: timeoutSeconds === undefined ? null : timeoutSeconds * 1_000,
    inputs: stored.text,
    inputsBlob: stored.blob,
    memory: memory ?? null,
    now: instant(deps.clock),
    entries: [entry],
  });
}

const STATUS_AFTER = {
  approve: 'pending',
  reject: 'failed',
  substitute: 'completed',
} as const;

/** An approved step goes on; a rejected or substituted one ends here. */
function writeDecided({ deps, tx, run, known }: Noting, decided: NoteOf<'decided'>) {
  const { stepId, index, approvalId, decision, decidedBy, note, memory } = decided;
  const status = STATUS_AFTER[decision];
  const output = decision === 'substitute' ? decided.output : null;
  const error: RunError | null =
    decision === 'reject'
      ? {
          code: 'REJECTED',
          message:
            memory === undefined
              ? `Step ${stepId} was rejected${note === null ? '.' : `: ${note}`}`
              : refusalText(memory, note),
          stepId,
          details: { decidedBy },
        }
      : null;
  const now = instant(deps.clock);
  const agreed = decision === 'approve' && memory !== undefined ? memory : null;
  const place = { stepId, index, attempt: 0 };
  const entries = [
    runEntry(deps, run, 'step.decided', { ...place, approvalId, decision, decidedBy, note }),
  ];
  if (agreed !== null) {
    const viewer = { userId: decidedBy, workspace: run.workspace };
    entries.push(agreedEntry(deps, viewer, agreed));
  }
  if (status !== 'pending')
    entries.push(
      endedEntry(deps, run, targetOf(known, run, stepId), { stepId, index, status, output, error }),
    );
  return recordDecision(tx, {
    run,
    stepId,
    index,
    decision,
    decidedBy,
    note,
    status,
    output: decision === 'substitute' ? JSON.stringify(output) : null,
    outputBytes: decision === 'substitute' ? jsonBytes(output) : 0,
    error,
    agreement:
      agreed === null
        ? null
        : agreementParams(agreed, { id: deps.newId(), ownerId: run.ownerId, now }),
    now,
    entries,
  });
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
