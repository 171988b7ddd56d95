import { readFile } from 'node:fs/promises';
import process from 'node:process';
import type { Installation } from '../../backup/backup.service.ts';
import type { StackEnv } from '../../host/ensure.ts';
import { PASSPHRASE_CHARS_MIN } from '../../platform/archive/sealed-file.ts';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { openWholeGraph } from '../../platform/neo4j/whole-graph.ts';
import { blobsOf, logOf } from '../config/configured.ts';
import type { LocalConfig } from '../config/local-data.ts';

/**
 * The passphrase of an archive: of the file, else of AIDEN_BACKUP_PASSPHRASE.
 * @throws Error when there is none, or it is too short
 */
export async function passphraseOf(file: string): Promise<string> {
  const passphrase =
    file === ''
      ? (process.env['AIDEN_BACKUP_PASSPHRASE'] ?? '')
      : (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  if (passphrase === '')
    throw new Error('Set AIDEN_BACKUP_PASSPHRASE, or give --passphrase-file with a file.');
  if ([...passphrase].length < PASSPHRASE_CHARS_MIN)
    throw new Error(`The passphrase has to have at least ${PASSPHRASE_CHARS_MIN} characters.`);
  return passphrase;
}

/** The parts of an installation that an archive holds. The caller closes `whole`. */
export async function openInstallation(
  graph: Graph,
  config: LocalConfig,
  stack: StackEnv,
): Promise<Installation> {
  const whole = openWholeGraph({
    uri: stack.NEO4J_URI,
    user: stack.NEO4J_USER,
    password: stack.NEO4J_PASSWORD,
    database: config.neo4jDatabase,
  });
  return { graph, whole, blobs: await blobsOf(config, logOf({ ...config, logFile: 'none' })) };
}
