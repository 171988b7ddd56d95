import type { Graph } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { type Sealed, type Vault, VaultFault } from '../../platform/vault/vault.ts';
import { findValuesOfOtherKeys, replaceValues, type StoredValue } from './secret.cypher.ts';

export interface RotationReport {
  readonly rotated: number;
  /** Those that could not be opened, each with why; they stay as they are. */
  readonly failed: readonly { readonly secretId: string; readonly message: string }[];
}

/**
 * Re-encrypts every Secret that another key than the current one encrypts (`aiden secrets rotate`). Values, ids and `rotatedAt` stay.
 * Each batch is a transaction of its own and what is done no longer matches, so a run that was killed goes on where it stopped. Safe beside
 * updateSecret and beside another rotation.
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
      const sealed = resealed(vault, stored);
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

function resealed(vault: Vault, stored: StoredValue): Sealed | VaultFault {
  const of = { secretId: stored.id, ownerId: stored.ownerId };
  try {
    return vault.encrypt(vault.decrypt(stored, of), of);
  } catch (error) {
    if (error instanceof VaultFault) return error;
    throw error;
  }
}
