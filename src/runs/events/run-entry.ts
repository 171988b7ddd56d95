import { type Clock, instant } from '../../common/clock.ts';
import type { NewId } from '../../common/id.ts';
import type { Json } from '../../common/json.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { RunHead } from '../run/run.ts';
import type { ProcessSnapshot } from '../run/snapshot.ts';
import type { EntryValue, RunEntryKind, RunEntryPayloads } from './run-payloads.ts';

export type { EntryValue, RunEntryKind, RunEntryPayloads };

/**
 * Largest value inside an entry. Two such values and the other fields fit into an entry's 256 KiB.
 */
export const ENTRY_VALUE_BYTES_MAX = 96 * 1024;

/** A value for an entry; only its size where it is larger than ENTRY_VALUE_BYTES_MAX. */
export function entryValue(value: Json, bytes: number): EntryValue {
  return bytes <= ENTRY_VALUE_BYTES_MAX ? { value } : { bytes };
}

/** The fields of a run that its entries are found by. */
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

/** A sub-run tells its steps; the request of a root run has told them. */
type StartedProcess = Pick<ProcessSnapshot, 'id' | 'name' | 'version'> &
  Partial<Pick<ProcessSnapshot, 'steps'>>;

/** The entry `run.started`. @param parent the step that called this run; null for a root run */
export function startedEntry(
  deps: { clock: Clock; newId: NewId },
  run: EntryRun & Pick<RunHead, 'depth'>,
  { id, name, version, steps }: StartedProcess,
  context: EntryValue,
  parent: RunEntryPayloads['run.started']['parent'],
): OutboxEntry {
  return runEntry(deps, run, 'run.started', {
    processId: id,
    processName: name,
    processVersion: version,
    ...(steps === undefined ? {} : { steps: steps.length }),
    depth: run.depth,
    context,
    parent,
  });
}
