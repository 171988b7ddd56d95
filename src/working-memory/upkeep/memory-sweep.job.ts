import { msSince } from '../../common/clock.ts';
import { CLOCK_SKEW_MS_MAX } from '../../common/limits.ts';
import type { JobRun } from '../../jobs/job-definition.service.ts';
import { LeftOut } from '../../jobs/left-out.service.ts';
import { introspectIfDue } from '../introspections/introspection.mutations.ts';
import { listChanged } from '../tasks/task.cypher.ts';
import type { TaskDeps } from '../tasks/task.mutations.ts';
import { compressIfDue } from './compression.mutations.ts';

const PAGE_SIZE = 100;
/** Two intervals of the job, so that a clock set back since the last run hides no change. */
const SET_BACK_MS = 10 * 60_000;

/**
 * Starts the compressions and introspections that `memoryStarter` missed, of each conversation that
 * changed since the last job run. A conversation that can't be read holds up no other.
 * @throws Error naming the first such conversations, when all others are done
 */
export async function sweepMemory(
  deps: TaskDeps,
  { checkpoint, signal, progress }: Pick<JobRun, 'checkpoint' | 'signal' | 'progress'>,
): Promise<void> {
  const left = new LeftOut();
  let since = new Date(sinceMs(checkpoint, deps.clock.nowMs())).toISOString();
  let afterId = '';
  for (let isMore = true; isMore && !signal.aborted; ) {
    const from = { since, afterId, limit: PAGE_SIZE };
    const page = await deps.graph.read((tx) => listChanged(tx, from));
    for (const { id } of page) {
      if (signal.aborted) return;
      const leaveOut = left.of(`Conversation ${id}`);
      await compressIfDue(deps, id).catch(leaveOut);
      await introspectIfDue(deps, id).catch(leaveOut);
    }
    const last = page.at(-1);
    if (last !== undefined) {
      ({ updatedAt: since, id: afterId } = last);
      await progress({ checkpoint: since });
    }
    isMore = page.length === PAGE_SIZE;
  }
  left.throwIfAny('Compressions and reflections that could not start');
}

function sinceMs(checkpoint: string | null, nowMs: number): number {
  if (checkpoint === null) return 0;
  const isAhead = msSince(checkpoint, nowMs) === Number.POSITIVE_INFINITY;
  return isAhead ? nowMs - SET_BACK_MS : Math.max(0, Date.parse(checkpoint) - CLOCK_SKEW_MS_MAX);
}
