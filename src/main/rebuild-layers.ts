import process from 'node:process';
import { ensureStack } from '../../stack/ensure.ts';
import { openGraph } from '../platform/neo4j/graph.ts';
import { migrate } from '../platform/neo4j/migrate.ts';
import { rebuildAllLayers } from '../streams/layer-builder.ts';
import { BadSettings, loadConfig } from './config.ts';

/** `aiden layers rebuild`: drops the semantic layers over the raw session graph and derives them anew from its events. */
async function rebuild(flags: readonly string[]): Promise<void> {
  const given = loadConfig(flags);
  const stack = await ensureStack({
    instance: given.instance,
    onProgress: (line) => console.error(line),
    settings: given,
  });
  const graph = openGraph({
    uri: stack.env.NEO4J_URI,
    user: stack.env.NEO4J_USER,
    password: stack.env.NEO4J_PASSWORD,
    database: given.neo4jDatabase,
  });
  try {
    await migrate(graph);
    const count = await rebuildAllLayers({ graph, clock: { nowMs: () => Date.now() } });
    console.log(`The semantic layers of ${count} sessions were built anew.`);
  } finally {
    await graph.close();
    await stack.stop();
  }
}

try {
  await rebuild(process.argv.slice(2));
} catch (error) {
  // Settings and unreachable servers are the operator's to put right; a stack would only hide what to do.
  console.error(
    error instanceof BadSettings || error instanceof Error ? error.message : String(error),
  );
  process.exitCode = 1;
}
