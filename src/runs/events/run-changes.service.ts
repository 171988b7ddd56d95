import { setTimeout } from 'node:timers/promises';
import { RUN_CHANGES_BEHIND_MAX } from '../../common/limits.ts';
import { problem, Refusal } from '../../common/refusal.ts';
import { getCursor } from '../../outbox/cursor.service.ts';
import { lookAtOutbox } from '../../outbox/entry.cypher.ts';
import { encodeCursor, type LogCursor } from '../../outbox/entry.ts';
import { findRuns } from '../run/run.cypher.ts';
import type { ProcessRun } from '../run/run.ts';
import { RUN_CHANGES, type RunStreamDeps } from './run-stream.service.ts';

/** A run that changed; null at the beginning, which gives only the position in the log. */
export interface RunChange {
  readonly cursor: string;
  readonly run: ProcessRun | null;
}

/** The position in the log after which changes are sent. */
export interface RunChangesStart {
  readonly seq: number;
  /** A cursor was given. */
  readonly isResumed: boolean;
}

// Changes of a run within this time are sent once: a list needs only its current state.
const GATHER_MS = 250;
/** Runs per statement. */
const RUNS_MAX = 100;

/**
 * The start of a subscription: the cursor, or the end of the log.
 * @throws Refusal INVALID at `after` where the text is no cursor, or one that is too far back
 */
export async function startOfRunChanges(
  deps: Pick<RunStreamDeps, 'graph'>,
  after: string | null | undefined,
): Promise<RunChangesStart> {
  const cursor = await getCursor(deps, after);
  const { lastSeq } = await deps.graph.read(lookAtOutbox);
  if (cursor === null) return { seq: lastSeq, isResumed: false };
  checkNear(cursor, lastSeq);
  return { seq: cursor.seq, isResumed: true };
}

/**
 * The owner's runs, each at the changes of its status and of its steps: those after the start, then
 * live. The first value of a subscription that is not resumed has no run; a list that is read after
 * it misses no change. Runs that retention deleted are left out.
 */
export async function* watchRunChanges(
  { graph, bus }: RunStreamDeps,
  watch: {
    readonly ownerId: string;
    readonly start: RunChangesStart;
    readonly depth: 'all' | 'roots';
    readonly includeSystem: boolean;
  },
  signal: AbortSignal,
): AsyncGenerator<RunChange, void, void> {
  const { ownerId, start, depth, includeSystem } = watch;
  // The runs that changed, each with the number of its last entry, in the order of these numbers.
  // A reader that resumes after one of them gets the later ones again.
  const changed = new Map<string, number>();
  let wake = () => {};
  let failure: unknown;
  let isOver = false;
  const reading = (async () => {
    for await (const entry of bus.subscribe({ ownerId, kinds: RUN_CHANGES }, start.seq, signal)) {
      const { runId, runPath, seq } = entry;
      if (runId === null || (depth === 'roots' && runPath.length > 1)) continue;
      changed.delete(runId);
      changed.set(runId, seq);
      wake();
    }
  })()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  if (!start.isResumed) yield { cursor: encodeCursor({ seq: start.seq, index: 0 }), run: null };
  while (!isOver) {
    if (changed.size === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    await setTimeout(GATHER_MS);
    const batch = [...changed].slice(0, RUNS_MAX);
    for (const [id] of batch) changed.delete(id);
    const ids = batch.map(([id]) => id);
    const runs = await graph.read((tx) => findRuns(tx, ownerId, ids));
    const byId = new Map(runs.map((run) => [run.id, run]));
    for (const [id, seq] of batch) {
      const run = byId.get(id);
      if (run === undefined || (run.origin === 'system' && !includeSystem)) continue;
      yield { cursor: encodeCursor({ seq, index: 0 }), run };
    }
  }
  await reading;
  if (failure !== undefined) throw failure;
}

/** @throws Refusal INVALID at `after`, where reading all entries since the cursor would take long */
export function checkNear(after: LogCursor, lastSeq: number): void {
  if (lastSeq - after.seq <= RUN_CHANGES_BEHIND_MAX) return;
  throw new Refusal([
    problem(
      'INVALID',
      ['after'],
      `The log has more than ${RUN_CHANGES_BEHIND_MAX} entries after this cursor. Subscribe without it, then read the list again.`,
    ),
  ]);
}
