import { memoryEventProjection } from '../agent-memory/events/memory-event.projection.ts';
import { callGraphProjection } from '../call-graph/call-graph.projection.ts';
import { jobCheckpoint } from '../jobs/job.ts';
import {
  enrichmentStarter,
  ingestStarter,
  waitingExtractionStarter,
} from '../memory-graph/extraction/ingest-starter.projection.ts';
import { startEnrichment, startIngest } from '../memory-graph/extraction/start-ingest.service.ts';
import { withdrawal } from '../memory-graph/withdrawal/withdrawal.projection.ts';
import { metricsProjection } from '../metrics/metrics.projection.ts';
import type { Projection } from '../outbox/projector.service.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { TemporalClient } from '../platform/temporal/client.ts';
import { createRunSignals } from '../runs/control/run-signals.service.ts';
import type { Payloads } from '../runs/run/payloads.service.ts';
import { scheduleProjection } from '../schedules/schedule.projection.ts';
import { ownRunsProjection } from '../session-graph/events/own-runs.projection.ts';
import { type SettingsSource, settingsProjection } from '../settings/settings.projection.ts';
import { memoryStarter } from '../working-memory/upkeep/memory-task.projection.ts';

/** Dependencies of the product's projections. */
export type ProjectionDeps = Omit<Parameters<typeof memoryStarter>[0], 'signals' | 'payloads'> &
  Omit<Parameters<typeof scheduleProjection>[0], 'graph'> &
  Pick<Parameters<typeof memoryEventProjection>[0], 'memoryMode' | 'random'> & {
    readonly settings: SettingsSource;
    readonly payloads: Payloads;
    readonly blobs: BlobStore;
    readonly temporal: TemporalClient;
    /** The run starter's projection. */
    readonly starter: Projection;
    readonly agentMemoryJobs: Projection;
  };

/** Readers of the event log. Retention deletes only entries that all of them have passed. */
export const LOG_READERS = {
  names: [
    'run-starter',
    'settings-cache',
    'ingest-starter',
    'withdrawal',
    'memory-starter',
    'metrics',
    'process-schedules',
    'call-graph',
    'waiting-extraction-starter',
    'enrichment-starter',
    'raw-stream',
    'agent-memory',
    'memory-trigger',
  ],
  queueReaders: ['indexer', 'segmenter'].map(jobCheckpoint),
} as const;

/**
 * All projections of the product. Benchmarks use this list too, so that they measure the full cost.
 */
export function productProjections(deps: ProjectionDeps): Projection[] {
  const { graph, settings, payloads, schedules, queuePrefix, temporal } = deps;
  const on = { temporal: temporal.client, queuePrefix };
  return [
    deps.starter,
    settingsProjection(settings),
    ingestStarter({
      graph,
      start: (alternativeId) => temporal.bounded(() => startIngest(on, alternativeId)),
    }),
    withdrawal(deps),
    memoryStarter({ ...deps, signals: createRunSignals(temporal.client) }),
    metricsProjection({ graph }),
    scheduleProjection({ graph, schedules, queuePrefix }),
    callGraphProjection({ graph, settings, payloads }),
    waitingExtractionStarter({
      start: (alternativeId, entryId) =>
        temporal.bounded(() => startIngest(on, alternativeId, entryId)),
    }),
    enrichmentStarter({ start: (of) => temporal.bounded(() => startEnrichment(on, of)) }),
    ownRunsProjection(deps),
    memoryEventProjection(deps),
    deps.agentMemoryJobs,
  ];
}
