import { afterAll } from 'vitest';
import { loadMigrations, migrate } from '../../src/platform/neo4j/migrate.ts';
import { writeCypher } from './graph.ts';
import { newId } from './outbox.ts';
import { worldGraph } from './world.ts';

/**
 * Applies migrations that ship once more, each under a version of its own, which is forgotten after
 * the test file.
 */
export function migrator(): (...versions: readonly string[]) => Promise<void> {
  const made: string[] = [];
  const graph = worldGraph();
  afterAll(() =>
    writeCypher(graph, 'MATCH (m:Migration) WHERE m.version IN $made DELETE m', {
      made,
    }),
  );
  return async (...versions) => {
    const shipped = await loadMigrations();
    for (const version of versions) {
      const found = shipped.find((one) => one.version === version);
      if (found === undefined) throw new Error(`There is no migration ${version}.`);
      const own = newId();
      made.push(own);
      await migrate(graph, [{ ...found, version: own, checksum: own }]);
    }
  };
}
