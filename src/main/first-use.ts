import type { Graph } from '../platform/neo4j/graph.ts';
import { knownStatements, nameOf } from '../platform/neo4j/statement.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** The statements of a chat and of the console's first page, in the order in which they come. */
const FIRST: readonly string[] = [];

/**
 * Lets Neo4j plan all statements of the product, one at a time, while no request waits for it, so
 * that the first call of each kind is not the one that waits (docs/decisions/0115).
 */
export function planAhead(graph: Graph, log: Log): { close(): Promise<void> } {
  let isStopped = false;
  const work = async () => {
    const startedMs = performance.now();
    const places = new Map(FIRST.map((name, place) => [name, place]));
    const placeOf = (text: string) => places.get(nameOf(text)) ?? FIRST.length;
    const statements = [...knownStatements()].sort((one, other) => placeOf(one) - placeOf(other));
    let count = 0;
    for (const statement of statements) {
      if (isStopped) return;
      await graph.plan(statement).then(
        () => count++,
        () => {},
      );
    }
    const ms = Math.round(performance.now() - startedMs);
    log.info('Neo4j has planned the statements of the product', { count, ms });
  };
  const working = work();
  return {
    async close() {
      isStopped = true;
      await working;
    },
  };
}
