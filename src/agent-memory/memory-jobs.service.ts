import type { Job } from '../jobs/job-definition.service.ts';
import { parsePayload } from '../outbox/entry-payload.ts';
import type { Projection } from '../outbox/projector.service.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { MEMORY_INGESTED } from './events/memory-outbox.ts';
import { agentMemoryAudit } from './grips/memory-audit.job.ts';
import { agentMemoryRetention } from './memory-retention.job.ts';
import { indexer } from './search/indexer.job.ts';
import { segmenter } from './segments/segmenter.job.ts';
import { rollupJob, rollupJobName, type SummaryJobDeps } from './toc/rollup.job.ts';
import { TOC_CHANGED, TOC_LEVELS, TocChanged } from './toc/toc.ts';

/** The work behind the agent memory, each pausable by itself; their Schedules are the net under what starts them at once. */
export const AGENT_MEMORY_JOBS: readonly Job<SummaryJobDeps>[] = [
  indexer,
  segmenter,
  ...TOC_LEVELS.toReversed().map(rollupJob),
  agentMemoryRetention,
  agentMemoryAudit,
];

/** So much is gathered before a job is started: a busy hour is not a start for every event. */
const GATHER_MS = 500;

/**
 * Takes a turn of the segmenter and the indexer when events came, and of the job of a level when something below it changed: here, at
 * once, without a workflow for each. Forgetting one is no loss: the Schedule's next turn finds what there is to do. While a
 * turn is in work, one more follows it.
 * @param take one turn of a job, to its end; a paused one does nothing
 */
export function agentMemoryJobProjection(deps: {
  readonly log: Log;
  take(job: string): Promise<unknown>;
}): Projection & { close(): void } {
  const due = new Map<string, NodeJS.Timeout>();
  const atWork = new Set<string>();
  let isClosed = false;
  function trigger(job: string): void {
    if (due.has(job) || isClosed) return;
    const begin = () => {
      if (atWork.has(job)) return void due.set(job, setTimeout(begin, GATHER_MS));
      due.delete(job);
      atWork.add(job);
      deps
        .take(job)
        .catch((error: unknown) =>
          deps.log.warn('A job of the memory begins with its Schedule', { operation: job, error }),
        )
        .finally(() => atWork.delete(job));
    };
    due.set(job, setTimeout(begin, GATHER_MS));
  }
  return {
    name: 'memory-trigger',
    kinds: [MEMORY_INGESTED, TOC_CHANGED],
    startsAt: 'now',
    async handle(entries) {
      for (const entry of entries)
        if (entry.kind === TOC_CHANGED)
          trigger(rollupJobName(parsePayload(TocChanged, TOC_CHANGED, entry).level));
        else for (const { name } of [segmenter, indexer]) trigger(name);
    },
    close() {
      isClosed = true;
      for (const timer of due.values()) clearTimeout(timer);
      due.clear();
    },
  };
}
