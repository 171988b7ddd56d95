import { type Clock, instant } from '../../common/clock.ts';
import type { NewId } from '../../common/id.ts';
import type { Json } from '../../common/json.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { RunHead } from '../run/run.ts';
import type { ProcessSnapshot } from '../run/snapshot.ts';
import type { EntryValue, RunEntryKind, RunEntryPayloads, ToolCallFacts } from './run-payloads.ts';

export type { EntryValue, RunEntryKind, RunEntryPayloads, ToolCallFacts };
export type StepDecision = RunEntryPayloads['step.decided']['decision'];

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
    payload,
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
