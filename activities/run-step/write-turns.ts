import { FairPlaces } from '../../src/common/fair-places.ts';
import type { Graph, WriteTx } from '../../src/platform/neo4j/graph.ts';
import { inShortTurn } from '../../src/platform/short-turn.ts';

/**
 * Writes of steps that run at once in one process. More of them end no sooner: they wait for the
 * same cores and for the lock of their run.
 */
const WRITES_AT_ONCE = 8;

/** A longer write waits for Neo4j, and others may try beside it. */
const TURN_MS_MAX = 1_000;

/** A write transaction for a step of this owner, when it is the owner's turn. */
export type WriteInTurn = <T>(ownerId: string, work: (tx: WriteTx) => Promise<T>) => Promise<T>;

/**
 * The claims and ends of steps, in turn between owners. Temporal hands out steps fairly, but where
 * one owner's steps fill all places, another owner's step would still wait for their writes.
 */
export function createWriteTurns(
  graph: Pick<Graph, 'write'>,
  turnMsMax = TURN_MS_MAX,
): WriteInTurn {
  const turns = new FairPlaces({
    places: WRITES_AT_ONCE,
    placesPerOwner: WRITES_AT_ONCE,
    // Each holds a place of a Worker, so their number is bounded.
    waiting: Number.POSITIVE_INFINITY,
  });
  return (ownerId, work) => inShortTurn(turns, ownerId, turnMsMax, () => graph.write(work));
}
