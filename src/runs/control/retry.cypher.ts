import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';

// Of the steps before the one to start from: those that completed, up to the first that did not. A step of items counts
// as completed when all its items are; one that its condition skipped is passed over, and its condition asked again.
const COPY = /* cypher */ `
  // copyCompletedSteps
  UNWIND range(0, size($stepIds) - 1) AS place
  WITH place, $stepIds[place] AS stepId
  OPTIONAL MATCH (:ProcessRun {id: $from})-[:HAS_STEP]->(s:StepRun {stepId: stepId})
  WITH place, stepId, collect(s) AS records
  WITH place, records, size(records) > 0 AND all(s IN records WHERE s.status = 'completed'
      OR (s.status = 'skipped' AND s.error IS NULL AND s.note IS NOT NULL)) AS isDone
  ORDER BY place
  WITH collect({records: records, isDone: isDone}) AS ranked
  WITH ranked, [i IN range(0, size(ranked) - 1) WHERE NOT ranked[i].isDone] AS open
  UNWIND ranked[0..coalesce(open[0], size(ranked))] AS kept
  UNWIND [s IN kept.records WHERE s.status = 'completed'] AS old
  MATCH (run:ProcessRun {id: $to})
  CREATE (run)-[:HAS_STEP]->(s:StepRun)
  SET s = old {.*, key: $to + substring(old.key, size($from)), runId: $to, rootRunId: $to, keptFrom: old.key, cacheKey: null,
    inputTokens: 0, outputTokens: 0, costUsd: null, llmCalls: 0, toolCalls: 0}
`;

/** Copies the records of completed steps into a new run that goes on after them; what they cost stays with the old run. */
export async function copySteps(
  tx: WriteTx,
  copy: { readonly from: string; readonly to: string; readonly stepIds: readonly string[] },
): Promise<void> {
  if (copy.stepIds.length > 0) await tx.run(COPY, copy);
}

const OWNERS_MODEL = /* cypher */ `
  // findOwnersModel
  MATCH (run:ProcessRun {id: $runId, asksOwnersModel: true})
  RETURN head([(:User {id: run.ownerId})-[:REMEMBERS_WITH]->(tool:Tool) | tool.id]) AS toolId
`;

const OwnersModel = z.object({ toolId: z.string().nullable() });

/** For a run that asks its owner's model: the Tool of their memorySettings, null in it for none; null for any other run. */
export async function findOwnersModel(
  tx: ReadTx,
  runId: string,
): Promise<{ readonly toolId: string | null } | null> {
  const [row] = await tx.run(OWNERS_MODEL, { runId });
  return row === undefined ? null : parseRow(OwnersModel, row, 'ProcessRun');
}
