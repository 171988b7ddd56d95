import { setTimeout } from 'node:timers/promises';
import type { Bus } from '../../outbox/bus.ts';
import type { NumberedEntry } from '../../outbox/entry.ts';
import { encodeCursor, type LogCursor } from '../../outbox/entry.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { isOpen, type ProcessRun } from '../run/run.ts';
import type { RunEntryKind } from './run-entry.ts';
import { projectRunEvents, type RunEvent } from './run-event.ts';
import { findRunEnd } from './run-stream.cypher.ts';

export interface RunStreamDeps {
  readonly graph: Graph;
  readonly bus: Bus;
}
type StreamedRun = Pick<ProcessRun, 'id' | 'rootRunId'>;

/**
 * One event of a run's stream, with the cursor that continues after it, and an id of its own:
 * `id` names the text, call or other node that several events may share.
 */
export type CursoredRunEvent = RunEvent & { readonly cursor: string; readonly eventId: string };

/**
 * A run's past events after the cursor (null = all), then its live events, each once, until the run
 * has ended. The caller has checked that the viewer may read the run.
 */
export async function* watchRunEvents(
  { graph, bus }: RunStreamDeps,
  watch: {
    readonly run: StreamedRun;
    readonly after: LogCursor | null;
    readonly scope: 'the run' | 'with sub-runs';
  },
  signal: AbortSignal,
): AsyncGenerator<CursoredRunEvent, void, void> {
  const { run, after, scope } = watch;
  const { id: runId, rootRunId } = run;
  if (after !== null) {
    const endSeq = await graph.read((tx) => findRunEnd(tx, { runId, rootRunId }));
    if (endSeq !== null && after.seq > endSeq) return;
  }
  const filter = scope === 'the run' ? { rootRunId, runId } : { rootRunId, underRunId: runId };
  // The cursor's entry is read again, because it may hold more events than the reader got.
  const fromSeq = after === null ? 0 : after.seq - 1;
  for await (const entry of bus.subscribe(filter, fromSeq, signal)) {
    for (const [index, event] of projectRunEvents(entry).entries()) {
      const isKnown = after !== null && entry.seq === after.seq && index <= after.index;
      if (isKnown) continue;
      const eventId = index === 0 ? entry.id : `${entry.id}.${index}`;
      yield { ...event, eventId, cursor: encodeCursor({ seq: entry.seq, index }) };
    }
    if (endsRun(entry, runId)) return;
  }
}

/**
 * Entries that change the status of a run or of a step; `step.text` and `step.progress` change
 * none.
 */
export const RUN_CHANGES = [
  'run.requested',
  'run.started',
  'run.waiting',
  'run.ended',
  'step.started',
  'step.ended',
  'step.skipped',
  'step.waiting',
  'step.decided',
] satisfies RunEntryKind[];
// Changes are sent at these moments of the clock, at which all subscribers read their runs in one
// group. The end is not held back.
const SENT_EVERY_MS = 250;

/**
 * Yields the run, as it was just read, and its id after each change of its status or of a step,
 * until the run has ended.
 */
export async function* watchRun<Run extends Pick<ProcessRun, 'id' | 'rootRunId' | 'status'>>(
  { bus }: Pick<RunStreamDeps, 'bus'>,
  run: Run,
  signal: AbortSignal,
): AsyncGenerator<Run | string, void, void> {
  const { id: runId, rootRunId, status } = run;
  if (!isOpen(status)) {
    yield run;
    return;
  }
  let next: Run | string = run;
  let isChanged = true;
  let failure: unknown;
  let wake = () => {};
  const over = new AbortController();
  const reading = (async () => {
    for await (const entry of bus.subscribe({ rootRunId, runId, kinds: RUN_CHANGES }, 0, signal)) {
      isChanged = true;
      wake();
      if (endsRun(entry, runId)) return;
    }
  })()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      over.abort();
      wake();
    });
  while (isChanged || !over.signal.aborted) {
    if (isChanged) {
      isChanged = false;
      yield next;
      next = runId;
      const ms = SENT_EVERY_MS - (performance.now() % SENT_EVERY_MS);
      await setTimeout(ms, undefined, { signal: over.signal }).catch(() => {});
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  await reading;
  if (failure !== undefined) throw failure;
}

const endsRun = (entry: NumberedEntry, runId: string): boolean =>
  entry.kind === 'run.ended' && entry.runId === runId;
