import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow, textOf } from '../platform/neo4j/row.ts';
import { readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { type GivenFields, LastLoad } from '../processes/bundle/bundle-import.service.ts';

const FIND_LOADED_BUNDLES = cypher`
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

const FIND_LAST_LOAD = cypher`
  // findLastLoad
  MATCH (b:LoadedBundle {name: $name})
  RETURN b.name AS name, toString(b.loadedAt) AS loadedAt, b.given AS given
`;

/** The last load of a shipped bundle; null before the first. */
export function findLastLoad(tx: ReadTx, name: string): Promise<LastLoad | null> {
  return readOne(tx, FIND_LAST_LOAD, { name }, (row) => parseRow(LastLoad, row, 'LoadedBundle'));
}

const RECORD_LOADED_BUNDLE = cypher`
  // recordLoadedBundle
  MERGE (b:LoadedBundle {name: $name})
  SET b.hash = $hash, b.given = $given, b.loadedAt = datetime($now)
`;

export const recordLoadedBundle = (
  tx: WriteTx,
  bundle: {
    readonly name: string;
    readonly hash: string;
    readonly given: GivenFields;
    readonly now: string;
  },
) => runWrite(tx, RECORD_LOADED_BUNDLE, { ...bundle, given: JSON.stringify(bundle.given) });
