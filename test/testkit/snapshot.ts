import type { ReadTx } from '../../src/platform/neo4j/graph.ts';
import { findReach, takeSnapshot } from '../../src/processes/snapshot.cypher.ts';
import type { RunSnapshot } from '../../src/runs/snapshot.ts';
import type { Viewer } from '../../src/users/viewer.ts';

/** Everything a Process can reach, as it is now; null where the viewer may not see it. */
export async function loadSnapshot(
  tx: ReadTx,
  viewer: Viewer,
  processId: string,
  version?: number,
): Promise<RunSnapshot | null> {
  const reach = await findReach(tx, viewer, processId, version);
  return reach === null ? null : takeSnapshot(tx, viewer, reach);
}
