import { callProjection } from '../../src/calls/projection.ts';
import { openBus } from '../../src/outbox/local-bus.ts';
import { openRelay } from '../../src/outbox/relay.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import { fixedSettings } from '../../src/settings/source.ts';
import { testGraph } from './graph.ts';
import { clock, eventually, newId, quiet } from './outbox.ts';

// A relay that projects the call graph, in a process of its own, for tests that kill it. Arguments: the lease's name, which is the
// checkpoint's too, and the number of the entry it begins after. Says when it holds the lease.
const [, , name = '', afterSeq = '0'] = process.argv;
const graph = testGraph();
const projection = callProjection({
  graph,
  settings: fixedSettings(SETTINGS_DEFAULT),
  payloads: { load: async () => null },
});
const relay = openRelay(
  { graph, clock, newId, bus: openBus({ graph }), log: quiet },
  {
    projections: [
      {
        ...projection,
        name,
        handle: (entries) => projection.handle(entries.filter(({ seq }) => seq > Number(afterSeq))),
      },
    ],
    settings: { leaseName: name, leaseMs: 1_000, batchMax: 50 },
  },
);
await eventually('the relay holds the lease', () => relay.isHolder, 60_000);
process.send?.('holds');
