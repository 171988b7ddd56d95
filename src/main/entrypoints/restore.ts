import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { sumsText } from '../../backup/archive.ts';
import { checkArchive, type KeyPlace, restore } from '../../backup/restore.service.ts';
import { instantOf } from '../../common/clock.ts';
import { dataFolder } from '../../host/folders.ts';
import type { Config } from '../config/config.ts';
import { openInstallation, passphraseOf } from './archive-command.ts';
import { asCommand, withDatabase } from './operator.ts';

const [file = '', passphraseFile = '', only = '', ...flags] = process.argv.slice(2);

// `aiden restore <file>`: an archive of `aiden backup` into an empty installation.
await asCommand(async () => {
  const passphrase = await passphraseOf(passphraseFile);
  // Before a server is started for it.
  const { version, createdAt, sums } = await checkArchive(file, passphrase);
  const about = `${file} is whole: of ${createdAt}, by version ${version}, ${sumsText(sums)}.`;
  console.log(about);
  if (only === 'check') return 0;
  return withDatabase(flags, async (graph, given, stack) => {
    const dataDir = resolve(given.dataDir ?? dataFolder(given.instance));
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const blobs = given.blobs ?? pathToFileURL(join(dataDir, 'blobs')).href;
    const config = { ...given, dataDir, blobs, secretKeys: given.secretKeys ?? [] };
    const installation = await openInstallation(graph, config, stack);
    try {
      const keyPlace = await keyPlaceOf(given, join(dataDir, 'secret-keys'));
      const now = instantOf(Date.now());
      const onBegin = () => console.log('Restoring; the product can not start meanwhile …');
      const target = { ...installation, keyPlace, now, onBegin };
      const done = await restore(target, { file, passphrase });
      console.log('Restored, and compared with the archive: nothing differs.');
      if (done.startedRuns > 0)
        console.log(`${done.startedRuns} runs were open; they go on when the product starts.`);
      if (done.settings !== '') {
        const copy = join(dataDir, 'restored-settings.yaml');
        await writeFile(copy, done.settings, { mode: 0o600 });
        console.log(`The settings of the archive are in ${copy}; take over those that fit here.`);
      }
      return 0;
    } finally {
      await installation.whole.close();
    }
  });
});

async function keyPlaceOf({ secretKeys }: Config, keyFile: string): Promise<KeyPlace> {
  const text = await readFile(keyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const keptKeys = text?.split(/[\s,]+/).filter((key) => key !== '') ?? null;
  return {
    given: secretKeys ?? null,
    kept: keptKeys,
    store: (keys) => writeFile(keyFile, `${keys.join('\n')}\n`, { mode: 0o600 }),
  };
}
