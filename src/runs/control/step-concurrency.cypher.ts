import { entryOf } from '../../common/entry-of.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { toProcessRun } from '../run/run.cypher.ts';
import type { ConcurrencyChange } from '../run/run.ts';

const LOCK_RUN = cypher`
  // lockStepConcurrency
  MATCH (run:ProcessRun {id: $runId, ownerId: $ownerId})
  SET run.lockedAt = $now
  RETURN run {.*} AS run
`;

const SET = cypher`
  // setStepConcurrency
  MATCH (run:ProcessRun {id: $runId, ownerId: $ownerId})
  SET run.stepConcurrency = $stepConcurrency
`;

export interface ConcurrencyWrite extends ConcurrencyChange {
  readonly runId: string;
  readonly ownerId: string;
  /** Which change of the run it was: an earlier one does not replace a later one. */
  readonly change: number;
  readonly now: string;
}

/** Records the number of items at once that is in force in a step of a run. */
export async function recordConcurrency(tx: WriteTx, write: ConcurrencyWrite): Promise<void> {
  const { stepId, maxConcurrency, change, now, ...run } = write;
  const [row] = await tx.run(LOCK_RUN, { ...run, now });
  if (row === undefined) return;
  const { stepConcurrency: known } = toProcessRun(row['run']);
  if ((entryOf(known, stepId)?.change ?? 0) > change) return;
  const all = { ...known, [stepId]: { maxConcurrency, change } };
  await tx.run(SET, { ...run, stepConcurrency: JSON.stringify(all) });
}
