import { type Clock, instant } from '../../common/clock.ts';
import type { NewId } from '../../common/id.ts';
import type { Usage } from '../../common/tool-fault.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { Params, WriteTx } from '../../platform/neo4j/graph.ts';
import { type EntryRun, entryValue, runEntry } from '../events/run-entry.ts';
import type { StoredPayload } from '../run/payloads.service.ts';
import type { EndedRun, RunObserver, RunTask } from '../run/ports.ts';
import type { RunOrigin } from '../run/run-origin.ts';
import { endRun } from './run-end.cypher.ts';
import type { RunOutcome } from './run-error.ts';

/** The end of a run before it is written. */
export interface RunEnding {
  readonly run: EntryRun & EndedRun['run'];
  readonly outcome: RunOutcome;
  /** Null unless the run completed. */
  readonly output: RunOutput | null;
  readonly usage: Usage;
  /** Null where the run ends before its start. */
  readonly startedAt: string | null;
  /** Ids of the steps that have no record. */
  readonly unreached: readonly string[];
  readonly task: RunTask | null;
  readonly origin: RunOrigin;
}

export interface RunOutput {
  readonly text: string;
  readonly truncated: boolean;
  readonly stored: StoredPayload;
}

/** The end of the step that called a sub-run. */
export interface CallingStepEnd {
  readonly step: { readonly key: string; readonly props: Params };
  readonly entry: OutboxEntry;
}

/**
 * Writes the end of a run, with its entry, the end of the calling step and the writes of the
 * observers.
 * @returns false where the run had ended before; nothing is written
 * @throws Refusal where the output does not fit the graph any more
 */
export async function endRunIn(
  deps: { clock: Clock; newId: NewId; runObserver: Pick<RunObserver, 'ended'> },
  tx: WriteTx,
  { run, outcome, output, usage, startedAt, unreached, task, origin }: RunEnding,
  calling: CallingStepEnd | null = null,
): Promise<boolean> {
  const { status } = outcome;
  const error = outcome.status === 'completed' ? null : outcome.error;
  const outputTruncated = output?.truncated ?? false;
  const now = instant(deps.clock);
  const entry = runEntry(deps, run, 'run.ended', {
    processId: run.processId,
    status,
    output: output === null ? { value: null } : entryValue(output.text, output.stored.bytes),
    outputTruncated,
    error,
    usage,
    startedAt,
  });
  const hasEnded = await endRun(tx, {
    runId: run.runId,
    status,
    // Stored as plain text, so that it is readable in Neo4j; only a blob holds JSON.
    output: output?.stored.blob === null ? output.text : null,
    outputBlob: output?.stored.blob ?? null,
    outputBytes: output?.stored.bytes ?? 0,
    outputTruncated,
    error,
    usage,
    unreached,
    unreachedStatus: status === 'cancelled' || status === 'timed_out' ? 'cancelled' : 'skipped',
    now,
    entries: calling === null ? [entry] : [entry, calling.entry],
    callingStep: calling?.step ?? null,
  });
  const text = output?.text ?? null;
  if (hasEnded) await deps.runObserver.ended(tx, { run, status, output: text, now, task, origin });
  return hasEnded;
}
