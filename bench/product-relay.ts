import { agentMemoryJobProjection } from '../src/agent-memory/memory-jobs.service.ts';
import type { CatalogDeps } from '../src/catalog/deps.ts';
import { productProjections } from '../src/main/projections.ts';
import type { PeriodicTask } from '../src/outbox/periodic-task.service.ts';
import type { Projection } from '../src/outbox/projector.service.ts';
import { openBlobStore } from '../src/platform/blobs/blob-store.ts';
import { type Log, openLog } from '../src/platform/telemetry/log.ts';
import { createSchedules } from '../src/platform/temporal/schedules.ts';
import { openRunStarter } from '../src/runs/start/run-starter.projection.ts';
import { layerTask } from '../src/session-graph/layers/layer-builder.service.ts';
import { openSettings } from '../src/settings/settings.projection.ts';
import { workerReaper } from '../src/workers/worker-pools.service.ts';
import type { Engine } from '../test/testkit/engine.ts';

/**
 * All that the product's relay does beside numbering, for benches that open a relay of their own.
 */
export interface ProductParts {
  readonly projections: Projection[];
  readonly periodicTasks: PeriodicTask[];
  readonly log: Log;
  close(): Promise<void>;
}

/** Runs are started by the engine; the product's starter finds that they are. */
export function productParts(engine: Engine, deps: CatalogDeps): ProductParts {
  const { graph, queuePrefix, temporal } = engine;
  const log = openLog('silent');
  const starter = openRunStarter({ graph, log, start: (runId) => engine.launch(runId) });
  // Runs outside of conversations are no events of the agent memory, so none of its jobs has a
  // turn.
  const agentMemoryJobs = agentMemoryJobProjection({ log, take: async () => {} });
  return {
    log,
    projections: productProjections({
      ...deps,
      runObserver: engine.deps.runObserver,
      queuePrefix,
      temporal,
      schedules: createSchedules(temporal),
      agentMemoryJobs,
      memoryMode: { mode: 'separate', agentId: null },
      random: Math.random,
      settings: openSettings({ graph }),
      payloads: engine.activityDeps.payloads,
      blobs: openBlobStore(engine.blobs),
      starter: starter.projection,
    }),
    periodicTasks: [starter.sweep, workerReaper(deps), layerTask(deps)],
    async close() {
      agentMemoryJobs.close();
      await starter.close();
    },
  };
}
