import process from 'node:process';
import { ensureStack } from '../../stack/ensure.ts';
import { rotateSecrets } from '../catalog/secret-rotation.ts';
import { openGraph } from '../platform/neo4j/graph.ts';
import { openVault, parseKeyRing } from '../platform/vault/vault.ts';
import { BadSettings, loadConfig } from './config.ts';
import { withLocalData } from './local-data.ts';

/**
 * `aiden secrets rotate`: every Secret under the current key (the first of AIDEN_SECRET_KEYS). Works on the database itself, with the
 * operator's key ring; nobody can do this over the API. Starts the local Neo4j where it does not run, and stops it again.
 */
async function rotate(flags: readonly string[]): Promise<number> {
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
    const { config } = await withLocalData(given);
    const vault = openVault(parseKeyRing(config.secretKeys.join(',')));
    const { rotated, failed } = await rotateSecrets({ graph, vault });
    console.log(
      `${rotated} Secrets are now under key ${vault.currentKeyId}, ${failed.length} could not be opened`,
    );
    for (const { secretId, message } of failed) console.log(`  ${secretId}: ${message}`);
    return failed.length === 0 ? 0 : 1;
  } finally {
    await graph.close();
    await stack.stop();
  }
}

try {
  process.exitCode = await rotate(process.argv.slice(2));
} catch (error) {
  // Settings and unreachable servers are the operator's to put right; a stack would only hide what to do.
  console.error(
    error instanceof BadSettings || error instanceof Error ? error.message : String(error),
  );
  process.exitCode = 1;
}
