import { rm } from 'node:fs/promises';
import process from 'node:process';
import { sumsText } from '../../backup/archive.ts';
import { backUp } from '../../backup/backup.service.ts';
import { instantOf } from '../../common/clock.ts';
import { withLocalData } from '../config/local-data.ts';
import { settingsText } from '../config/settings-text.ts';
import { VERSION } from '../runtime.ts';
import { openInstallation, passphraseOf } from './archive-command.ts';
import { asCommand, withDatabase } from './operator.ts';

const [file = '', passphraseFile = '', waitSeconds = '', ...flags] = process.argv.slice(2);

// `aiden backup <file>`: everything of the installation in one encrypted archive.
await asCommand(async () => {
  const passphrase = await passphraseOf(passphraseFile);
  return withDatabase(flags, async (graph, given, stack) => {
    const { config, newKeyFile } = await withLocalData(given);
    if (newKeyFile !== null) {
      await rm(newKeyFile);
      throw new Error(
        `There is no key ring in ${config.dataDir}. Give the settings of the installation, ` +
          'above all AIDEN_SECRET_KEYS or AIDEN_DATA_DIR.',
      );
    }
    const installation = await openInstallation(graph, config, stack);
    try {
      const sums = await backUp(installation, {
        file,
        passphrase,
        keys: config.secretKeys,
        settings: settingsText(given),
        version: VERSION,
        now: instantOf(Date.now()),
        freezeMs: Number(waitSeconds) * 1_000,
      });
      console.log(`${file} holds ${sumsText(sums)}.`);
      return 0;
    } finally {
      await installation.whole.close();
    }
  });
});
