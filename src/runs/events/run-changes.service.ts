import { type ChangesStart, watchChanges } from '../../outbox/changes.service.ts';
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
  const changes = {
    filter: { ownerId, kinds: RUN_CHANGES },
    start,
    idOf: ({ runId, runPath }: NumberedEntry) =>
      depth === 'roots' && runPath.length > 1 ? null : runId,
    find: (ids: readonly string[]) => graph.read((tx) => findRuns(tx, ownerId, ids)),
  };
  for await (const { cursor, value: run } of watchChanges({ bus }, changes, signal))
    if (run === null || run.origin !== 'system' || includeSystem) yield { cursor, run };
}
