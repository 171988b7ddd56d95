import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { textOf, textsOf } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';

/**
 * The folder of a blob as its key names it: a session is a session of events, or a tree of runs.
 */
export interface BlobFolder {
  readonly workspace: string;
  readonly ownerId: string;
  readonly session: string;
}

const NAME_INSTALLATION = cypher`
  // nameInstallation
  MERGE (i:Checkpoint {name: 'installation'})
  ON CREATE SET i.value = $newId
  RETURN i.value AS id
`;

/** The id of this graph. A backup keeps it. */
export async function nameInstallation(tx: WriteTx, newId: string): Promise<string> {
  const [row] = await tx.run(NAME_INSTALLATION, { newId });
  if (row === undefined) throw new Error('The installation has no id.');
  return textOf(row, 'id', 'Checkpoint installation');
}

const FIND_KEPT = cypher`
  // findKeptBlobFolders
  UNWIND range(0, size($folders) - 1) AS index
  WITH index, $folders[index] AS folder
  MATCH (:User {id: folder.ownerId})
  WHERE folder.session IN $ofUser
    OR EXISTS { (:ProcessRun {id: folder.runId}) }
    OR EXISTS { (:Session {node_id: folder.session, workspace: folder.workspace}) }
  RETURN toString(index) AS index
`;

/** Blobs of the product that are no payloads of runs. */
export const FILES_PREFIX = /^files-/;

/**
 * The folders whose owner exists, and with the owner the run or session that they belong to.
 * @param ofUser sessions that are kept as long as their owner
 */
export async function findKeptFolders(
  tx: ReadTx,
  folders: readonly BlobFolder[],
  ofUser: readonly string[],
): Promise<BlobFolder[]> {
  const rows = await tx.run(FIND_KEPT, {
    folders: folders.map((folder) => ({
      ...folder,
      runId: folder.session.replace(FILES_PREFIX, ''),
    })),
    ofUser,
  });
  const kept = new Set(textsOf(rows, 'index', 'BlobFolder'));
  return folders.filter((_folder, index) => kept.has(String(index)));
}
