import { openBus } from '../../src/outbox/local-bus.service.ts';
import { PROJECTOR_DEFAULTS } from '../../src/outbox/projector.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { testGraph } from './graph.ts';
import { clock, eventually, newId, quiet } from './outbox.ts';
import { tallyProjection } from './tally.ts';

// A relay in a process of its own, for tests that kill it. Says when it holds the lease named by
// its first argument; the second names a counting projection that it feeds.
const [leaseName = '', tally] = process.argv.slice(2);
const graph = testGraph();
const relay = openRelay(
  { graph, clock, newId, bus: openBus({ graph }), log: quiet },
  tally === undefined
    ? { settings: { leaseName, leaseMs: 1_500, batchMax: 3 } }
    : {
        projections: [tallyProjection(graph, tally)],
        settings: {
          leaseName,
          leaseMs: 1_000,
          batchMax: 40,
          projector: {
            ...PROJECTOR_DEFAULTS,
            batchMax: 25,
            attemptsMax: 5,
            backoffMs: 20,
            backoffMaxMs: 200,
            checkpointMs: 50,
          },
        },
      },
);
process.send?.('started');
await eventually('the relay holds the lease', () => relay.isHolder, 600_000);
process.send?.('holds');
process.once('disconnect', () => process.exit(0));
