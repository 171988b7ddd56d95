import { z } from 'zod';
import { numberOrNull } from '../common/stored.ts';
import type { Bus } from '../outbox/bus.ts';
import type { NumberedEntry } from '../outbox/entry.ts';
import { parsePayload } from '../outbox/entry-payload.ts';
import { gather } from '../outbox/gather.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { stepKey } from '../runs/steps/step-run.ts';
import { findChangedWorkers } from './worker.cypher.ts';
import { WORKER_CHANGED, type Worker, WorkerChanged } from './worker.ts';

const STEP_KINDS = ['step.started', 'step.ended'];

/**
 * The current state of Workers that change, from now on, at most every 250 ms each. The entries of
 * steps show that a Worker became busy or idle, so Workers write no entries for that.
 */
export async function* watchWorkers(
  { graph, bus }: { readonly graph: Graph; readonly bus: Bus },
  signal: AbortSignal,
): AsyncGenerator<Worker, void, void> {
  let changed: Changed = { ids: new Set(), stepKeys: new Set() };
  const news = gather(bus.subscribe({ kinds: [WORKER_CHANGED, ...STEP_KINDS] }, null, signal), {
    note: (entry) => note(changed, entry),
    hasNews: () => changed.ids.size + changed.stepKeys.size > 0,
  });
  for await (const _ of news) {
    const { ids, stepKeys } = changed;
    changed = { ids: new Set(), stepKeys: new Set() };
    yield* await graph.read((tx) =>
      findChangedWorkers(tx, { ids: [...ids], stepKeys: [...stepKeys] }),
    );
  }
}

interface Changed {
  readonly ids: Set<string>;
  readonly stepKeys: Set<string>;
}

const StepPlace = z.object({ stepId: z.string(), index: numberOrNull });

function note(changed: Changed, entry: NumberedEntry): void {
  const { kind, runId } = entry;
  if (kind === WORKER_CHANGED) {
    for (const id of parsePayload(WorkerChanged, kind, entry).workerIds) changed.ids.add(id);
  } else if (runId !== null) {
    const { stepId, index } = parsePayload(StepPlace, kind, entry);
    changed.stepKeys.add(stepKey(runId, stepId, index));
  }
}
