import { openBus } from '../../src/outbox/local-bus.ts';
import { openRelay } from '../../src/outbox/relay.ts';
import { testGraph } from './graph.ts';
import { clock, eventually, newId, quiet } from './outbox.ts';

// A relay in a process of its own, for tests that kill it. Says when it holds the lease named by its argument.
const graph = testGraph();
const relay = openRelay(
  { graph, clock, newId, bus: openBus({ graph }), log: quiet },
  { settings: { leaseName: process.argv[2] ?? '', leaseMs: 1_500, batchMax: 3 } },
);
await eventually('the relay holds the lease', () => relay.isHolder);
process.send?.('holds');
