import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { callGraphProjection } from '../../src/call-graph/call-graph.projection.ts';
import { metricsProjection } from '../../src/metrics/metrics.projection.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { openBlobStore } from '../../src/platform/blobs/blob-store.ts';
import { ownRunsProjection } from '../../src/session-graph/events/own-runs.projection.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import { fixedSettings } from './fixed.ts';
import { testGraph } from './graph.ts';
import { clock, eventually, newId, quiet } from './outbox.ts';

// A relay that keeps the records of runs (call graph, raw stream, metrics), in a process of its
// own, for tests that kill it. Arguments: its name, which the names of its lease and checkpoints
// begin with, and the owner whose entries it takes. Says that it is ready, begins once it is told
// to, and says when it holds the lease.
const [, , name = '', ownerId = ''] = process.argv;
const graph = testGraph();
const settings = fixedSettings(SETTINGS_DEFAULT);
const blobs = openBlobStore(pathToFileURL(join(tmpdir(), name)).href);
const projections = [
  callGraphProjection({ graph, settings, payloads: { load: async () => null } }),
  ownRunsProjection({ graph, settings, clock, blobs }),
  metricsProjection({ graph }, `${name}-progress`),
];
await graph.verify();
process.send?.('ready');
await once(process, 'message');

const relay = openRelay(
  { graph, clock, newId, bus: openBus({ graph }), log: quiet },
  {
    projections: projections.map((projection) => ({
      ...projection,
      name: `${name}-${projection.name}`,
      // Other tests write into the same log.
      handle: async (entries) => {
        const own = entries.filter((entry) => entry.ownerId === ownerId);
        if (own.length > 0) await projection.handle(own);
      },
    })),
    settings: { leaseName: name, leaseMs: 500, batchMax: 50 },
  },
);
await eventually('the relay holds the lease', () => relay.isHolder);
process.send?.('holds');
