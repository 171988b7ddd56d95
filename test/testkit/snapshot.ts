import type { ReadTx } from '../../src/platform/neo4j/graph.ts';
import { findProcessClosure, takeSnapshot } from '../../src/runs/run/snapshot.cypher.ts';
import type { RunSnapshot } from '../../src/runs/run/snapshot.ts';
import type { Viewer } from '../../src/users/user.ts';

/** Everything a Process can reach, as it is now; null where the viewer may not see it. */
export async function loadSnapshot(
  tx: ReadTx,
  viewer: Viewer,
  processId: string,
): Promise<RunSnapshot | null> {
  const closure = await findProcessClosure(tx, viewer, processId);
  return closure === null ? null : takeSnapshot(tx, viewer, closure);
}
