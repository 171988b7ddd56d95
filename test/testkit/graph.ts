import neo4j, { type Driver } from 'neo4j-driver';
import { type Graph, openGraph } from '../../src/platform/neo4j/graph.ts';

function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run the tests with npm test.`);
  return value;
}

/** A handle on the tests' Neo4j; the caller closes it. */
export function testGraph(): Graph {
  return openGraph({
    uri: env('NEO4J_URI'),
    user: process.env['NEO4J_USER'] ?? 'neo4j',
    password: env('NEO4J_PASSWORD'),
    poolSize: 60,
  });
}

/** The driver itself, for what a test asks past `Graph`, as EXPLAIN; the caller closes it. */
export function plainDriver(): Driver {
  const auth = neo4j.auth.basic(process.env['NEO4J_USER'] ?? 'neo4j', env('NEO4J_PASSWORD'));
  return neo4j.driver(env('NEO4J_URI'), auth);
}
