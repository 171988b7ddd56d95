import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dataFolder } from '../../host/folders.ts';
import { newKeyRingEntry } from '../../platform/vault/vault.ts';
import type { Config } from './config.ts';

/** Settings with all paths and keys of this machine filled in. */
export type LocalConfig = Config & {
  readonly dataDir: string;
  readonly secretKeys: readonly string[];
  readonly blobs: string;
};

/** Fills in missing settings: the data folder, a key ring stored there, and blobs beside it. */
export async function withLocalData(
  config: Config,
): Promise<{ config: LocalConfig; newKeyFile: string | null }> {
  const dataDir = resolve(config.dataDir ?? dataFolder(config.instance));
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const kept = config.secretKeys === undefined ? await keptSecretKeys(dataDir) : null;
  return {
    config: {
      ...config,
      dataDir,
      secretKeys: config.secretKeys ?? kept?.keys ?? [],
      blobs: config.blobs ?? pathToFileURL(join(dataDir, 'blobs')).href,
    },
    newKeyFile: kept?.isNew ? kept.file : null,
  };
}

/**
 * Reads or makes the key ring of an installation that has no `secretKeys`. The file is stored in
 * the data folder and readable by this user only. Processes that start at once use the same file,
 * because only one of them can create it.
 */
async function keptSecretKeys(
  dataDir: string,
): Promise<{ keys: string[]; file: string; isNew: boolean }> {
  const file = join(dataDir, 'secret-keys');
  const fresh = newKeyRingEntry();
  const isNew = await writeFile(file, `${fresh}\n`, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw new Error(`AIDEN_DATA_DIR: ${file} can't be written (${error.code}).`);
    },
  );
  const text = isNew ? fresh : await readFile(file, 'utf8');
  return { keys: text.split(/[\s,]+/).filter((key) => key !== ''), file, isNew };
}
