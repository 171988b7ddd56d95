import type { Graph } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { type Sealed, type Vault, VaultFault } from '../../platform/vault/vault.ts';
import { findValuesOfOtherKeys, replaceValues, type StoredValue } from './secret.cypher.ts';

export interface RotationReport {
  readonly rotated: number;
  /** Secrets that could not be decrypted, with the reason. They stay unchanged. */
  readonly failed: readonly { readonly secretId: string; readonly message: string }[];
}

/**
 * Re-encrypts every Secret of an older key with the current key (`aiden secrets rotate`). Values,
 * ids and `rotatedAt` stay.
 * Each batch is one transaction, and re-encrypted Secrets no longer match, so a killed rotation
 * continues where it stopped. Safe beside updateSecret and a second rotation.
 */
export async function rotateSecrets(
  { graph, vault }: { readonly graph: Graph; readonly vault: Vault },
  { batchSize = 100 }: { readonly batchSize?: number } = {},
): Promise<RotationReport> {
  const failed: { secretId: string; message: string }[] = [];
  let rotated = 0;
  let afterId = '';
  for (;;) {
    const page = { keyVersion: vault.currentKeyId, afterId, limit: batchSize };
    const batch = await graph.read((tx) => findValuesOfOtherKeys(tx, page));
    const last = batch.at(-1);
    if (last === undefined) return { rotated, failed };
    afterId = last.id;
    const values = batch.flatMap((stored) => {
      const sealed = reencrypt(vault, stored);
      if (!(sealed instanceof VaultFault))
        return [{ ...sealed, id: stored.id, before: stored.encryptedValue }];
      failed.push({ secretId: stored.id, message: sealed.message });
      return [];
    });
    rotated += await graph.write(async (tx) => {
      await lockResources(
        tx,
        values.map(({ id }) => id),
      );
      return replaceValues(tx, values);
    });
  }
}

function reencrypt(vault: Vault, stored: StoredValue): Sealed | VaultFault {
  const context = { secretId: stored.id, ownerId: stored.ownerId };
  try {
    return vault.encrypt(vault.decrypt(stored, context), context);
  } catch (error) {
    if (error instanceof VaultFault) return error;
    throw error;
  }
}
