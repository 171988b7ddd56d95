import type { JobRun } from '../../jobs/job-definition.service.ts';
import { introspectIfDue } from '../introspections/introspection.mutations.ts';
import { compressIfDue } from '../summaries/compression.mutations.ts';
import { listChanged, listFailed } from './task.cypher.ts';
import type { TaskDeps } from './task.mutations.ts';

const PAGE_SIZE = 100;
const FAILED_MAX = 1_000;
/** Clocks of different processes may differ by this much. */
const OVERLAP_MS = 60_000;

/**
 * Starts the compressions and introspections that `memoryStarter` missed. It checks each
 * conversation that changed since the last job run, and each whose last compression or
 * introspection failed.
 */
export async function sweepMemory(
  deps: TaskDeps,
  { checkpoint, signal, progress }: JobRun,
): Promise<void> {
  const failed = await deps.graph.read((tx) => listFailed(tx, FAILED_MAX));
  for (const id of failed) {
    if (signal.aborted) return;
    await startIfDue(deps, id);
  }
  const sinceMs = checkpoint === null ? 0 : Date.parse(checkpoint) - OVERLAP_MS;
  let since = new Date(Math.max(sinceMs, 0)).toISOString();
  let afterId = '';
  for (let isMore = true; isMore && !signal.aborted; ) {
    const from = { since, afterId, limit: PAGE_SIZE };
    const page = await deps.graph.read((tx) => listChanged(tx, from));
    for (const { id } of page) {
      if (signal.aborted) return;
      await startIfDue(deps, id);
    }
    const last = page.at(-1);
    if (last !== undefined) {
      ({ updatedAt: since, id: afterId } = last);
      await progress({ checkpoint: since });
    }
    isMore = page.length === PAGE_SIZE;
  }
}

async function startIfDue(deps: TaskDeps, conversationId: string): Promise<void> {
  await compressIfDue(deps, conversationId);
  await introspectIfDue(deps, conversationId);
}
