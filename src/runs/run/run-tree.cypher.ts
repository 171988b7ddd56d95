import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { areWholeRuns, toProcessRun } from './run.cypher.ts';
import { OPEN_RUN_STATUSES, type ProcessRun, type RunHead } from './run.ts';

const LOCK_TREE = cypher`
  // lockTree
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  WITH root
  MATCH (run:ProcessRun {id: $runId})
  RETURN root.stepsInTree AS steps, $stepId IN coalesce(run.itemsReservedFor, []) AS isReserved
`;
const RESERVE_ITEMS = cypher`
  // reserveItems
  MATCH (root:ProcessRun {id: $rootRunId}), (run:ProcessRun {id: $runId})
  SET root.stepsInTree = root.stepsInTree + $items,
    run.itemsReservedFor = coalesce(run.itemsReservedFor, []) + $stepId,
    run.reservedItems = coalesce(run.reservedItems, []) + $reserved
`;
const TreeRow = z.object({ steps: z.int(), isReserved: z.boolean() });

/**
 * Counts the items of a forEach as steps of the tree, once per step. False where they exceed
 * `stepsMax`.
 */
export async function reserveItems(
  tx: WriteTx,
  reserve: { run: RunHead; stepId: string; items: number; stepsMax: number; now: string },
): Promise<boolean> {
  const { run, stepId, items, stepsMax, now } = reserve;
  const place = { runId: run.runId, rootRunId: run.rootRunId, stepId };
  const [row] = await tx.run(LOCK_TREE, { ...place, now });
  if (row === undefined) return false;
  const { steps, isReserved } = parseRow(TreeRow, row, `ProcessRun ${run.rootRunId}`);
  if (isReserved) return true;
  if (steps + items > stepsMax) return false;
  await tx.run(RESERVE_ITEMS, { ...place, items, reserved: `${stepId} ${items + 1}` });
  return true;
}

const LISTS = cypher`
  // listReservedItems
  MATCH (run:ProcessRun {id: $runId})
  UNWIND coalesce(run.reservedItems, []) AS reserved
  WITH run, split(reserved, ' ') AS parts
  WITH run, parts[0] AS stepId, toInteger(parts[1]) AS items
  RETURN stepId, items, COUNT { (run)-[:HAS_STEP_RUN]->(:StepRun {stepId: stepId}) } AS records
`;
const ListRow = z.object({ stepId: z.string(), items: z.int(), records: z.int() });

/** The steps of a run that reserved several executions, and how many of these have a record. */
export function listReservedItems(tx: ReadTx, runId: string) {
  return readAll(tx, LISTS, { runId }, (row) => parseRow(ListRow, row, `ProcessRun ${runId}`));
}

const CHILDREN = cypher`
  // listChildRuns
  MATCH (run:ProcessRun) WHERE run.parentRunId IN $ids AND run.ownerId = $viewerId
  RETURN run {.*} AS run ORDER BY run.id
`;

/** The sub-runs of some runs of the viewer, oldest first. */
export async function listChildRuns(
  tx: ReadTx,
  viewerId: string,
  parentIds: readonly string[],
): Promise<ProcessRun[]> {
  const rows = await tx.run(CHILDREN, { ids: parentIds, viewerId }, areWholeRuns);
  return rows.map((row) => toProcessRun(row['run']));
}

const OPEN_IN_TREE = cypher`
  // listOpenRunsBelow
  MATCH (run:ProcessRun {rootRunId: $rootRunId}) WHERE $runId IN run.runPath AND run.status IN $open
  RETURN run {.*} AS run
`;

/** The open runs among this run and the sub-runs below it. */
export async function listOpenRunsBelow(tx: ReadTx, run: ProcessRun): Promise<ProcessRun[]> {
  const rows = await tx.run(OPEN_IN_TREE, {
    rootRunId: run.rootRunId,
    runId: run.id,
    open: OPEN_RUN_STATUSES,
  });
  return rows.map((row) => toProcessRun(row['run']));
}
