import process from 'node:process';
import { migrate } from '../../platform/neo4j/migrate.ts';
import { rebuildAllLayers } from '../../session-graph/layers/layer-builder.service.ts';
import { asCommand, withDatabase } from './operator.ts';

// `aiden layers rebuild`: deletes the semantic layers of the raw session graph and derives them
// again from its events.
await asCommand(() =>
  withDatabase(process.argv.slice(2), async (graph) => {
    await migrate(graph);
    const count = await rebuildAllLayers({ graph, clock: { nowMs: () => Date.now() } });
    console.log(`The semantic layers of ${count} sessions were built anew.`);
    return 0;
  }),
);
