import { migrate } from '../../src/platform/neo4j/migrate.ts';
import { testGraph } from './graph.ts';

/**
 * Before tests that need Neo4j and Temporal: finds or starts both (the same way as `npm start`) and
 * migrates once.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let stop = async () => {};
  if (process.env['NEO4J_URI'] === undefined || process.env['TEMPORAL_ADDRESS'] === undefined) {
    const { ensureStack } = await import('../../src/host/ensure.ts');
    const stack = await ensureStack({ instance: 'test' });
    Object.assign(process.env, stack.env);
    stop = stack.stop;
  }
  const graph = testGraph();
  await migrate(graph);
  await graph.close();
  return stop;
}
