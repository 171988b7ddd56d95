import { type ChangesStart, cursorOfStart, watchChanged } from '../../outbox/changes.service.ts';
import type { NumberedEntry } from '../../outbox/entry.ts';
import { findRuns } from '../run/run.cypher.ts';
import type { ProcessRun } from '../run/run.ts';
import { RUN_CHANGES, type RunStreamDeps } from './run-stream.service.ts';

/** A run that changed; null at the beginning, which gives only the position in the log. */
export interface RunChange {
  readonly cursor: string;
  readonly run: ProcessRun | null;
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
    readonly start: ChangesStart;
    readonly depth: 'all' | 'roots';
    readonly includeSystem: boolean;
  },
  signal: AbortSignal,
): AsyncGenerator<RunChange, void, void> {
  const { ownerId, start, depth, includeSystem } = watch;
  if (!start.isResumed) yield { cursor: cursorOfStart(start), run: null };
  const idOf = ({ runId, runPath }: NumberedEntry) =>
    depth === 'roots' && runPath.length > 1 ? null : runId;
  const changes = { filter: { ownerId, kinds: RUN_CHANGES }, start, idOf };
  for await (const batch of watchChanged({ bus }, changes, signal)) {
    const ids = batch.map(({ id }) => id);
    const runs = await graph.read((tx) => findRuns(tx, ownerId, ids));
    const byId = new Map(runs.map((run) => [run.id, run]));
    for (const { id, cursor } of batch) {
      const run = byId.get(id);
      if (run === undefined || (run.origin === 'system' && !includeSystem)) continue;
      yield { cursor, run };
    }
  }
}
