import neo4j, { type Driver } from 'neo4j-driver';
import {
  type Graph,
  type GraphSettings,
  openGraph,
  type ReadTx,
  type Row,
  type WriteTx,
} from '../../src/platform/neo4j/graph.ts';
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

const named = (text: string) => (/^(\/\/|CYPHER)/.test(text) ? text : `// test\n${text}`);

/** Rows of a statement that a test writes itself; it reads only. */
export const runCypher = (graph: Graph, text: string, params: object = {}): Promise<Row[]> =>
  graph.read((tx) => tx.run(named(text), { ...params }));

/** The same for a statement that writes. */
export const writeCypher = (graph: Graph, text: string, params: object = {}): Promise<Row[]> =>
  graph.write((tx) => tx.run(named(text), { ...params }));

/**
 * Calls a function of src in a transaction of its own: `readWith(graph, findRuns, userId, ids)`.
 */
export const readWith = <Args extends unknown[], Value>(
  graph: Graph,
  read: (tx: ReadTx, ...args: Args) => Promise<Value>,
  ...args: Args
): Promise<Value> => graph.read((tx) => read(tx, ...args));

/** The same for a function that writes. */
export const writeWith = <Args extends unknown[], Value>(
  graph: Graph,
  write: (tx: WriteTx, ...args: Args) => Promise<Value>,
  ...args: Args
): Promise<Value> => graph.write((tx) => write(tx, ...args));

/** The driver itself, for statements outside of `Graph`, such as EXPLAIN; the caller closes it. */
export function plainDriver(): Driver {
  const auth = neo4j.auth.basic(process.env['NEO4J_USER'] ?? 'neo4j', env('NEO4J_PASSWORD'));
  return neo4j.driver(env('NEO4J_URI'), auth);
}

/** One operator of a plan. */
export interface PlanOperator {
  readonly name: string;
  /** The details that Neo4j prints for it. */
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
