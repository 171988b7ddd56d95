import process from 'node:process';
import { rotateSecrets } from '../../catalog/secrets/secret-rotation.service.ts';
import { openVault, parseKeyRing } from '../../platform/vault/vault.ts';
import { withLocalData } from '../config/local-data.ts';
import { asCommand, withDatabase } from './operator.ts';

// `aiden secrets rotate`: encrypts every Secret with the current key (the first of
// AIDEN_SECRET_KEYS). It needs the operator's key ring, so the API does not offer it.
await asCommand(() =>
  withDatabase(process.argv.slice(2), async (graph, given) => {
    const { config } = await withLocalData(given);
    const vault = openVault(parseKeyRing(config.secretKeys.join(',')));
    const { rotated, failed } = await rotateSecrets({ graph, vault });
    console.log(
      `Key ${vault.currentKeyId}: ${rotated} Secrets encrypted anew, ${failed.length} could ` +
        'not be opened; all others had this key',
    );
    for (const { secretId, message } of failed) console.log(`  ${secretId}: ${message}`);
    return failed.length === 0 ? 0 : 1;
  }),
);
