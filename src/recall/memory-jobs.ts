import type { Job } from '../jobs/definition.ts';
import type { Projection } from '../outbox/projection.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { memoryAudit } from './audit.ts';
import { MEMORY_INGESTED } from './outbox.ts';
import { rollupJob, rollupJobName } from './rollup.ts';
import { segmenter } from './segmenter.ts';
import { TOC_LEVELS, type TocLevel } from './toc.ts';
import { TOC_CHANGED } from './toc-entry.ts';

/** The work behind the agent memory, each pausable by itself; their Schedules are the net under what starts them at once. */
export const MEMORY_JOBS: readonly Job[] = [
  segmenter,
  ...TOC_LEVELS.toReversed().map(rollupJob),
  memoryAudit,
];

/** So much is gathered before a job is started: a busy hour is not a start for every event. */
const GATHER_MS = 500;

/**
 * Starts the segmenter when events came, and the job of a level when something below it changed. Forgetting a start is
 * no loss: the next turn of the Schedule finds what there is to do.
 * @param start begins one turn of a job; may fail
 */
export function memoryTrigger(deps: {
  readonly log: Log;
  start(job: string): Promise<void>;
}): Projection & { close(): void } {
  const due = new Map<string, NodeJS.Timeout>();
  const trigger = (job: string) => {
    if (due.has(job)) return;
    const timer = setTimeout(() => {
      due.delete(job);
      deps
        .start(job)
        .catch((error: unknown) =>
          deps.log.warn('A job of the memory begins with its Schedule', { operation: job, error }),
        );
    }, GATHER_MS);
    due.set(job, timer);
  };
  return {
    name: 'memory-trigger',
    kinds: [MEMORY_INGESTED, TOC_CHANGED],
    startsAt: 'now',
    async handle(entries) {
      for (const { kind, payload } of entries)
        trigger(
          kind === MEMORY_INGESTED ? segmenter.name : rollupJobName(payload['level'] as TocLevel),
        );
    },
    close() {
      for (const timer of due.values()) clearTimeout(timer);
      due.clear();
    },
  };
}
