import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { textOf } from '../../platform/neo4j/row.ts';
import { readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { toRunSnapshot } from '../run/run.cypher.ts';
import type { RunSnapshot } from '../run/snapshot.ts';

const LIST_SNAPSHOTS = cypher`
  // listSnapshots
  MATCH (snapshot:RunSnapshot) WHERE snapshot.hash IN $hashes
  RETURN snapshot.hash AS hash, snapshot.body AS body
`;

/** Snapshots by hash. Not scoped by viewer: the caller has read a run that names the hash. */
export function listSnapshots(
  tx: ReadTx,
  hashes: readonly string[],
): Promise<Map<string, RunSnapshot>> {
  return readMap(tx, LIST_SNAPSHOTS, { hashes }, (row) => {
    const hash = textOf(row, 'hash', 'RunSnapshot');
    return [hash, toRunSnapshot(hash, row['body'])];
  });
}
