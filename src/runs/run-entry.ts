import { type Clock, instant } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import type { Json, JsonObject } from '../common/json.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { RunError, Usage } from './fault.ts';
import type { RunHead, RunStatus } from './run.ts';
import type { ProcessSnapshot } from './snapshot.ts';
import type { StepStatus } from './step-run.ts';

/** A value inside an entry: itself, or its size where it would make the entry too large (then the StepRun has it). */
export type EntryValue = { readonly value: Json } | { readonly bytes: number };

/** Where in a run; what every step entry starts with. */
interface StepPlace {
  readonly stepId: string;
  readonly index: number | null;
  readonly attempt: number;
}

/** Who was called by whom, and since when: what an attempt is measured by. */
export interface ToolCallFacts {
  readonly targetId: string;
  readonly serviceId: string;
  readonly processId: string;
  readonly workerId: string | null;
  readonly startedAt: string;
}

/**
 * The facts of runs in the event log, one payload type per kind. Every projection (run events, call graph, raw stream,
 * agent memory) starts from these and from nothing else.
 */
export interface RunEntryPayloads {
  'run.requested': {
    processId: string;
    processName: string;
    processVersion: number;
    retryOfId: string | null;
    /** The call of the mutation that asked for it, and the roles its caller had then. */
    callId?: string | null;
    scopes?: string[];
  };
  /** `parent` names the step that called this run, for a sub-process. */
  'run.started': {
    processId: string;
    processName: string;
    processVersion: number;
    depth: number;
    context: EntryValue;
    parent: (StepPlace & { runId: string }) | null;
  };
  'run.waiting': { status: RunStatus; error: RunError | null };
  'run.ended': {
    processId: string;
    status: RunStatus;
    output: EntryValue;
    outputTruncated: boolean;
    error: RunError | null;
    usage: Usage;
    /** null where it ended before it had started. */
    startedAt: string | null;
  };
  /** `name` is the Tool's or the Process's; `speaks` where the step's text streams as the run's own answer. */
  'step.started': StepPlace & {
    name: string;
    type: string;
    targetId: string;
    inputs: EntryValue;
    speaks: boolean;
    /** The steps it waited for by name. */
    dependsOn?: readonly string[];
  };
  'step.text': StepPlace & { text: string; channel: 'text' | 'reasoning' };
  /** What was streamed by this attempt so far counts no more: a repair round starts again. */
  'step.progress': StepPlace & { content: Json };
  /** The end of an attempt. `willRetry`: another one follows. */
  'step.ended': StepPlace & {
    name: string;
    type: string;
    /** As in `step.started`; entries of the first version have none. */
    targetId?: string;
    status: StepStatus;
    output: EntryValue;
    outputTruncated: boolean;
    error: RunError | null;
    usage: Usage;
    cached: boolean;
    willRetry: boolean;
    speaks: boolean;
    childRunId: string | null;
    /** The call of a Tool that this was; null for a sub-process, and for what a person decided. */
    call: ToolCallFacts | null;
  };
  'step.skipped': StepPlace & { reason: string };
  'step.waiting': StepPlace & {
    approvalId: string;
    name: string;
    targetId: string;
    inputs: EntryValue;
  };
  'step.decided': StepPlace & {
    approvalId: string;
    decision: StepDecision;
    decidedBy: string;
    note: string | null;
  };
}
export type RunEntryKind = keyof RunEntryPayloads;
export const STEP_DECISIONS = ['approve', 'reject', 'substitute'] as const;
export type StepDecision = (typeof STEP_DECISIONS)[number];

/** Beyond this an entry names the size only; two such values and the rest stay below an entry's 256 KiB. */
export const ENTRY_VALUE_BYTES_MAX = 96 * 1024;

export function entryValue(value: Json, bytes: number): EntryValue {
  return bytes <= ENTRY_VALUE_BYTES_MAX ? { value } : { bytes };
}

/** The run fields an entry is looked up by. */
export type EntryRun = Pick<
  RunHead,
  'runId' | 'rootRunId' | 'runPath' | 'ownerId' | 'workspace' | 'conversationId'
>;

export function runEntry<K extends RunEntryKind>(
  { clock, newId }: { clock: Clock; newId: NewId },
  run: EntryRun,
  kind: K,
  payload: RunEntryPayloads[K],
): OutboxEntry {
  return {
    id: newId(),
    kind,
    at: instant(clock),
    ownerId: run.ownerId,
    workspace: run.workspace,
    rootRunId: run.rootRunId,
    runId: run.runId,
    runPath: run.runPath,
    conversationId: run.conversationId,
    payload: payload as unknown as JsonObject,
  };
}

/** `run.started`; `parent` is the step that called it, null for a root run. */
export function startedEntry(
  deps: { clock: Clock; newId: NewId },
  run: EntryRun & Pick<RunHead, 'depth'>,
  { id, name, version }: Pick<ProcessSnapshot, 'id' | 'name' | 'version'>,
  context: EntryValue,
  parent: RunEntryPayloads['run.started']['parent'],
): OutboxEntry {
  return runEntry(deps, run, 'run.started', {
    processId: id,
    processName: name,
    processVersion: version,
    depth: run.depth,
    context,
    parent,
  });
}
