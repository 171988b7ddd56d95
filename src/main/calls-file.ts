import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ensureStack } from '../../stack/ensure.ts';
import { exportCallFile, importCallFile } from '../calls/call-transfer.ts';
import { Refusal } from '../common/refusal.ts';
import { openGraph } from '../platform/neo4j/graph.ts';
import { migrate } from '../platform/neo4j/migrate.ts';
import { loadConfig } from './config.ts';

/**
 * `aiden calls export|import <file>`: the call graph of everybody as one JSON document. Works on the database itself, as `secrets rotate` does;
 * whoever can open it is its admin.
 */
async function transfer(what: string, file: string, flags: readonly string[]): Promise<number> {
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
    await migrate(graph);
    if (what === 'export') {
      await pipeline(
        Readable.from(exportCallFile(graph)),
        createWriteStream(file, { mode: 0o600 }),
      );
      console.log(`The call graph is in ${file}.`);
      return 0;
    }
    const { calls, kept } = await importCallFile(graph, JSON.parse(await readFile(file, 'utf8')));
    console.log(
      `${calls} calls are there now${kept === 0 ? '' : `, ${kept} of them as they were before`}.`,
    );
    return 0;
  } finally {
    await graph.close();
    await stack.stop();
  }
}

const [what = '', file = '', ...flags] = process.argv.slice(2);
try {
  process.exitCode = await transfer(what, file, flags);
} catch (error) {
  if (error instanceof Refusal)
    for (const { code, path, message } of error.problems)
      console.error(`${code} ${path.join('.')}: ${message}`);
  else console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
