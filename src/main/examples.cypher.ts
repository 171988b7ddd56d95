import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { textOf } from '../platform/neo4j/row.ts';

const FIND_LOADED_BUNDLES = /* cypher */ `
  // findLoadedBundles
  MATCH (b:LoadedBundle) RETURN b.name AS name, b.hash AS hash
`;

/** Hashes of the shipped bundles as last loaded, by name. */
export async function findLoadedBundles(tx: ReadTx): Promise<Map<string, string>> {
  const rows = await tx.run(FIND_LOADED_BUNDLES);
  return new Map(
    rows.map((row) => [textOf(row, 'name', 'LoadedBundle'), textOf(row, 'hash', 'LoadedBundle')]),
  );
}

const RECORD_LOADED_BUNDLE = /* cypher */ `
  // recordLoadedBundle
  MERGE (b:LoadedBundle {name: $name})
  SET b.hash = $hash, b.loadedAt = datetime($now)
`;

export async function recordLoadedBundle(
  tx: WriteTx,
  bundle: { readonly name: string; readonly hash: string; readonly now: string },
): Promise<void> {
  await tx.run(RECORD_LOADED_BUNDLE, { ...bundle });
}
