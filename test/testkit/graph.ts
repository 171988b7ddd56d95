import neo4j, { type Driver } from 'neo4j-driver';
import { type Graph, type GraphSettings, openGraph } from '../../src/platform/neo4j/graph.ts';
import { inOneParameter } from '../../src/platform/neo4j/one-parameter.ts';

function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set; run the tests with npm test.`);
  return value;
}

/** A handle on the tests' Neo4j; the caller closes it. */
export function testGraph(settings: Pick<GraphSettings, 'appliedWithinMs'> = {}): Graph {
  return openGraph({
    ...settings,
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

/** What Neo4j does for a statement. */
export interface PlanOperator {
  readonly name: string;
  /** Where it says what it does it to. */
  readonly details: string;
}
interface PlanTree {
  readonly operatorType: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly children: readonly PlanTree[];
}

/** The operators a statement of `Graph` would be run by, the last to run first. */
export async function planOf(driver: Driver, cypher: string): Promise<readonly PlanOperator[]> {
  const { summary } = await driver.executeQuery(`EXPLAIN ${inOneParameter(cypher)}`, { p: {} });
  const walk = ({ operatorType, arguments: given, children }: PlanTree): PlanOperator[] => [
    { name: operatorType.replace(/@.*/, ''), details: String(given['Details'] ?? '') },
    ...children.flatMap(walk),
  ];
  return walk(summary.plan as PlanTree);
}
