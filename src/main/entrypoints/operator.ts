import process from 'node:process';
import { ensureStack } from '../../../stack/ensure.ts';
import { Refusal } from '../../common/refusal.ts';
import { type Graph, openGraph } from '../../platform/neo4j/graph.ts';
import { type Config, loadConfig } from '../config/config.ts';

/**
 * What the operator's commands share: work on the database itself, with the settings of `npm start`. Starts the local Neo4j where it does not
 * run, and stops it again; whoever can open the database is its admin, so nobody is asked who they are.
 */
export async function withDatabase<T>(
  flags: readonly string[],
  work: (graph: Graph, given: Config) => Promise<T>,
): Promise<T> {
  const given = loadConfig([...flags]);
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
    return await work(graph, given);
  } finally {
    await graph.close();
    await stack.stop();
  }
}

/**
 * Runs a command and gives the process its exit code. Settings, refusals and unreachable servers are the operator's to put right; a stack
 * would only hide what to do.
 */
export async function asCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    if (error instanceof Refusal)
      for (const { code, path, message } of error.problems)
        console.error(`${code} ${path.join('.')}: ${message}`);
    else console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
