import { z } from 'zod';
import { isTrue, JsonMap } from '../../common/stored.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { toProcessRun } from '../run/run.cypher.ts';
import { type ProcessRun, RUN_STATUSES } from '../run/run.ts';
import { type NewRun, runParams } from './start.cypher.ts';

const LOCK_TREE = cypher`
  // lockRunTree
  MATCH (root:ProcessRun {id: $rootRunId})
  SET root.lockedAt = $now
  WITH root
  MATCH (parent:ProcessRun {id: $parentRunId})
  OPTIONAL MATCH (known:ProcessRun {id: $runId})
  OPTIONAL MATCH (process:Process {id: $processId})-[:OWNED_BY]->(processOwner:User)
  OPTIONAL MATCH (ancestor:ProcessRun) WHERE ancestor.id IN $runPath AND ancestor.status = 'paused'
  RETURN root.runsInTree AS runs, root.stepsInTree AS steps, parent.status AS parentStatus,
    known {.*} AS known,
    process IS NOT NULL AND (processOwner.id = $ownerId OR process.shared) AS visible,
    process.enabled AS enabled, count(ancestor) > 0 AS paused
`;

const TreeRow = z.object({
  runs: z.int(),
  steps: z.int(),
  parentStatus: z.enum(RUN_STATUSES),
  known: JsonMap.nullable(),
  /** False also where the Process was deleted. */
  visible: isTrue,
  enabled: isTrue,
  /** Whether the run or a run above it is paused. */
  paused: isTrue,
});

/** The facts that decide whether a sub-run may begin. */
export interface TreeState extends Readonly<Omit<z.infer<typeof TreeRow>, 'known'>> {
  /** The sub-run, where an earlier attempt of the activity has written it. */
  readonly known: ProcessRun | null;
}

/**
 * Locks the root run, so that two sub-runs do not take the same place of the tree's limits. Null
 * where root or parent is gone.
 */
export async function lockRunTree(
  tx: WriteTx,
  lock: {
    rootRunId: string;
    parentRunId: string;
    runId: string;
    processId: string;
    ownerId: string;
    runPath: readonly string[];
    now: string;
  },
): Promise<TreeState | null> {
  const [row] = await tx.run(LOCK_TREE, lock);
  if (row === undefined) return null;
  const { known, ...tree } = parseRow(TreeRow, row, `ProcessRun ${lock.rootRunId}, its tree`);
  return { ...tree, known: known === null ? null : toProcessRun(known) };
}

const INSERT_CHILD = cypher`
  // insertChildRun
  MATCH (root:ProcessRun {id: $run.rootRunId}), (parent:ProcessRun {id: $run.parentRunId}),
    (owner:User {id: $run.ownerId})
  SET root.runsInTree = root.runsInTree + 1, root.stepsInTree = root.stepsInTree + $steps
  CREATE (run:ProcessRun:Resource)
  SET run = $run, run.status = 'running', run.createdAt = datetime($now),
    run.startedAt = datetime($now), run.workflowId = $workflowId,
    run.temporalRunId = $temporalRunId,
    run.origin = coalesce(parent.origin, 'user'), run.workKind = parent.workKind,
    run.workId = parent.workId, run.workName = parent.workName
  CREATE (run)-[:OWNED_BY {createdAt: datetime($now)}]->(owner)
  CREATE (run)-[:CHILD_RUN_OF]->(parent)
  WITH run, parent
  CALL (run) {
    MATCH (process:Process {id: run.processId}) CREATE (run)-[:RUN_OF]->(process)
  }
  MERGE (s:StepRun {key: $parentKey})
  ON CREATE SET s.runId = parent.id, s.rootRunId = run.rootRunId, s.ownerId = run.ownerId,
    s.stepId = run.parentStepId, s.index = run.parentIndex
  MERGE (parent)-[:HAS_STEP_RUN]->(s)
  SET s.status = 'running', s.attempt = $attempt,
    s.startedAt = coalesce(s.startedAt, datetime($now)), s.childRunId = run.id,
    s.inputs = run.context, s.inputsBlob = run.contextBlob, s.error = null
  WITH run
  ${CREATE_ENTRIES}
`;

/** Writes a sub-run, counts it and its steps in the tree, and marks the calling step as running. */
export async function insertChildRun(
  tx: WriteTx,
  insert: {
    run: NewRun;
    steps: number;
    parentKey: string;
    attempt: number;
    workflowId: string;
    temporalRunId: string;
    now: string;
    entries: readonly OutboxEntry[];
  },
): Promise<void> {
  await tx.run(INSERT_CHILD, {
    ...insert,
    run: runParams(insert.run),
    entries: entryParams(insert.entries),
  });
}
