import type { Job } from '../jobs/job-definition.service.ts';
import { parsePayload } from '../outbox/entry-payload.ts';
import type { Projection } from '../outbox/projector.service.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { MEMORY_INGESTED } from './events/event.ts';
import { agentMemoryAudit } from './grips/memory-audit.job.ts';
import { agentMemoryRetention } from './memory-retention.job.ts';
import { backgroundEvents } from './mending/background-events.job.ts';
import { rollupJob, rollupJobName, type SummaryJobDeps } from './rollup/rollup.job.ts';
import { BATCH_PAUSE_MS } from './rollup/toc-draft.service.ts';
import { indexer } from './search/indexer.job.ts';
import { segmenter } from './segments/segmenter.job.ts';
import { TOC_CHANGED, TOC_LEVELS, TocChanged } from './toc/toc.ts';

/**
 * The jobs of the agent memory; each can be paused separately. `agentMemoryJobProjection` starts
 * most of them at once; their Schedules cover the starts it misses.
 */
export const AGENT_MEMORY_JOBS: readonly Job<SummaryJobDeps>[] = [
  indexer,
  segmenter,
  ...TOC_LEVELS.toReversed().map(rollupJob),
  agentMemoryRetention,
  agentMemoryAudit,
  backgroundEvents,
];

/** Delay of one more start of the segment summarizer, when an import has ended (BATCH_PAUSE_MS). */
const QUIET_START_DELAY_MS = BATCH_PAUSE_MS + 1_000;

/** Delay before a job starts, so that many events in a short time cause one start. */
const START_DELAY_MS = 500;

/**
 * Runs the segmenter and the indexer when events arrive, and the job of a level when a level below
 * it changed. The job runs in this process, without a workflow. A lost start is no loss: the next
 * run by Schedule finds the same work. A start during a run causes one more run after it.
 * @param take runs a job once, to its end; does nothing if the job is paused
 */
export function agentMemoryJobProjection(deps: {
  readonly log: Log;
  take(job: string): Promise<unknown>;
}): Projection & { close(): void } {
  const due = new Map<string, NodeJS.Timeout>();
  const running = new Set<string>();
  let quiet: NodeJS.Timeout | null = null;
  let isClosed = false;
  function trigger(job: string): void {
    if (due.has(job) || isClosed) return;
    const begin = () => {
      if (running.has(job)) return void due.set(job, setTimeout(begin, START_DELAY_MS));
      due.delete(job);
      running.add(job);
      deps
        .take(job)
        .catch((error: unknown) =>
          deps.log.warn('A job of the agent memory failed; its Schedule starts it again', {
            operation: job,
            error,
          }),
        )
        .finally(() => running.delete(job));
    };
    due.set(job, setTimeout(begin, START_DELAY_MS));
  }
  return {
    name: 'memory-trigger',
    kinds: [MEMORY_INGESTED, TOC_CHANGED],
    startsAt: 'now',
    async handle(entries) {
      for (const entry of entries)
        if (entry.kind === TOC_CHANGED)
          trigger(rollupJobName(parsePayload(TocChanged, TOC_CHANGED, entry).level));
        else {
          for (const { name } of [segmenter, indexer]) trigger(name);
          quiet ??= setTimeout(() => {
            quiet = null;
            trigger(rollupJobName('segment'));
          }, QUIET_START_DELAY_MS);
        }
    },
    close() {
      isClosed = true;
      for (const timer of due.values()) clearTimeout(timer);
      clearTimeout(quiet ?? undefined);
      due.clear();
    },
  };
}
