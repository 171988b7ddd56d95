import { AGENT_MEMORY_JOBS } from '../agent-memory/memory-jobs.service.ts';
import type { SummaryJobDeps } from '../agent-memory/rollup/rollup.job.ts';
import { backgroundWork } from '../background/background-work.job.ts';
import { deleteExpiredCalls } from '../call-graph/retention.job.ts';
import { hasDueTools, probeDueTools } from '../catalog/tools/tool-health.service.ts';
import { HEALTH_FRESH_SECONDS } from '../common/limits.ts';
import type { JobDeps } from '../jobs/deps.ts';
import type { Job } from '../jobs/job-definition.service.ts';
import { countUnmerged } from '../memory-graph/doubles/doubles.cypher.ts';
import { mergeDoubles } from '../memory-graph/doubles/merge-doubles.job.ts';
import { embedAll } from '../memory-graph/embeddings/embed-all.job.ts';
import { countToEmbed } from '../memory-graph/embeddings/embedding.cypher.ts';
import type { Embeddings } from '../memory-graph/embeddings/embeddings.service.ts';
import { tellPassedEnds } from '../memory-graph/entities/passed-ends.job.ts';
import { sweepMetrics } from '../metrics/metrics-retention.job.ts';
import { ARCHIVES } from '../personal-data/data-request.ts';
import { findNamedHashes } from '../personal-data/named-files.service.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { sweepBlobs } from '../retention/blob-sweep.job.ts';
import { forgetExpired } from '../retention/forgetting.job.ts';
import { uploadDays } from '../retention/retention.ts';
import { UPLOADS } from '../session-graph/events/file-upload.service.ts';
import { forgetWorkers } from '../workers/worker.cypher.ts';
import { sweepMemory } from '../working-memory/upkeep/memory-sweep.job.ts';
import { LOG_READERS } from './projections.ts';
import { WORK_STARTS } from './work-starts.ts';

/** Dependencies of all jobs. */
export interface ProductJobDeps extends JobDeps, SummaryJobDeps {
  /** The memory graph's vectors. */
  readonly embeddings: Embeddings;
  /** Large payloads of runs and sessions. */
  readonly blobs: BlobStore;
}

/**
 * The jobs of the product. To add a job, add an object here: the next start creates its Schedule
 * and `jobs` lists it. Work that must continue while Temporal is down (starting runs, detecting
 * silent Workers) is a periodic task of the relay instead.
 */
export const JOBS: readonly Job<ProductJobDeps>[] = [
  {
    name: 'tool-health',
    cron: '@hourly',
    describe: 'Checks the health of Tools whose last check is too old (S4-TOOL-02).',
    isQuiet: true,
    watch: { everySeconds: HEALTH_FRESH_SECONDS / 2, isDue: hasDueTools },
    run: async (deps) => void (await probeDueTools(deps)),
  },
  {
    name: 'call-retention',
    cron: '@hourly',
    describe: 'Deletes finished calls whose retention is over; their statistics stay (S3-RET-01).',
    // The next job run continues the rest.
    timeLimitSeconds: 30 * 60,
    run: async (deps, { signal }) => void (await deleteExpiredCalls(deps, signal)),
  },
  {
    name: 'forgetting',
    cron: '@hourly',
    describe:
      'Deletes runs, steps, entries, sessions and keys beyond their retention, except those ' +
      'that others rest on.',
    timeLimitSeconds: 50 * 60,
    run: (deps, jobRun) => forgetExpired(deps, LOG_READERS, jobRun),
  },
  {
    name: 'blob-sweep',
    cron: '@daily',
    describe:
      'Deletes blobs without an owner, a run or a session, and old uploads that nothing of ' +
      'their owner names.',
    // The next job run continues the rest.
    timeLimitSeconds: 50 * 60,
    run: async (deps, jobRun) => {
      const days = uploadDays(await deps.settings.current());
      const files = { session: UPLOADS, days, findNamed: findNamedHashes, others: [ARCHIVES] };
      await sweepBlobs(deps, jobRun, { ofUser: [UPLOADS, ARCHIVES], files });
    },
  },
  {
    name: 'metrics-sweep',
    cron: '@daily',
    describe: 'Deletes metric values that are older than their retentionDays.',
    run: async (deps, { signal }) => void (await sweepMetrics(deps, signal)),
  },
  {
    name: 'memory-sweep',
    cron: '*/5 * * * *',
    describe:
      'Compresses and reflects on conversations where that was missed (S4-SUM-08, S4-INTR-07).',
    run: (deps, turn) => sweepMemory(deps, turn),
  },
  {
    name: 'worker-cleanup',
    cron: '@hourly',
    describe: 'Deletes Workers that sent no heartbeat for a day (S4-WRK-04).',
    run: ({ graph }) => graph.write(forgetWorkers),
  },
  backgroundWork<ProductJobDeps>(WORK_STARTS),
  ...AGENT_MEMORY_JOBS,
  {
    name: 'memory-embeddings',
    cron: '@hourly',
    describe:
      'Embeds memories without a vector, and all memories after a change of the embedding model.',
    timeLimitSeconds: 3_600,
    isQuiet: true,
    watch: {
      everySeconds: 10,
      isDue: async ({ graph }) => (await graph.read(countToEmbed)) > 0,
    },
    backlog: ({ graph }) => graph.read(countToEmbed),
    run: embedAll,
  },
  {
    name: 'memory-merge',
    cron: '@daily',
    describe: 'Merges entities of one name that an older version kept for each conversation.',
    timeLimitSeconds: 3_600,
    isQuiet: true,
    watch: {
      everySeconds: 60,
      isDue: async ({ graph }) => (await graph.read(countUnmerged)) > 0,
    },
    backlog: ({ graph }) => graph.read(countUnmerged),
    run: mergeDoubles,
  },
  {
    name: 'memory-ends',
    cron: '@hourly',
    describe: 'Takes out of the summaries of entities what has ended by time alone.',
    isQuiet: true,
    run: tellPassedEnds,
  },
];
