import { GroupCommit } from '../../platform/group-commit.ts';
import { type Graph, isNeo4jAway } from '../../platform/neo4j/graph.ts';
import { findRunsOf, type RunLook } from './run.cypher.ts';
import type { ProcessRun } from './run.ts';

/** The owner's runs among `ids`, in any order. */
export type ReadRuns = (ownerId: string, ids: readonly string[]) => Promise<ProcessRun[]>;

const LOOK_BYTES = 2_048;

/**
 * Reads of runs for all requests and subscriptions of a process, in groups: each change of a run
 * is a read of it for each subscriber (docs/decisions/0114).
 */
export function openRunReads(graph: Pick<Graph, 'read'>): ReadRuns {
  const reads = new GroupCommit(
    (looks: readonly RunLook[]) => graph.read((tx) => findRunsOf(tx, looks)),
    isNeo4jAway,
  );
  let count = 0;
  return (ownerId, ids) =>
    reads.add({
      ownerId,
      key: String(count++),
      bytes: ids.length * LOOK_BYTES,
      item: { ownerId, ids },
    });
}
