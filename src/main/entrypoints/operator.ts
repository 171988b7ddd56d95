import process from 'node:process';
import { Refusal } from '../../common/refusal.ts';
import { ensureStack, type StackEnv } from '../../host/ensure.ts';
import { type Graph, openGraph } from '../../platform/neo4j/graph.ts';
import { type Config, loadConfig } from '../config/config.ts';

/**
 * Runs an operator's command on the database, with the settings of `npm start`. Starts the local
 * Neo4j if needed and stops it again. The command is not authenticated: access to the database
 * makes its user an admin.
 */
export async function withDatabase<T>(
  flags: readonly string[],
  work: (graph: Graph, given: Config, stack: StackEnv) => Promise<T>,
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
    return await work(graph, given, stack.env);
  } finally {
    await graph.close();
    await stack.stop();
  }
}

/**
 * Runs a command and sets the exit code of the process. Errors print their message only: the
 * operator has to fix settings, input or servers, and a stack trace would hide the remedy.
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
