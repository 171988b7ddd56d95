import type { WriteTx } from '../platform/neo4j/graph.ts';

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
  WITH collect({records: records, isDone: isDone}) AS all
  WITH all, [i IN range(0, size(all) - 1) WHERE NOT all[i].isDone] AS open
  UNWIND all[0..coalesce(open[0], size(all))] AS kept
  UNWIND [s IN kept.records WHERE s.status = 'completed'] AS old
  MATCH (run:ProcessRun {id: $to})
  CREATE (run)-[:HAS_STEP]->(s:StepRun)
  SET s = properties(old), s.key = $to + substring(old.key, size($from)), s.runId = $to, s.rootRunId = $to,
    s.keptFrom = old.key, s.cacheKey = null, s.inputTokens = 0, s.outputTokens = 0, s.costUsd = null, s.llmCalls = 0, s.toolCalls = 0
`;

/** Copies the records of completed steps into a new run that goes on after them; what they cost stays with the old run. */
export async function copySteps(
  tx: WriteTx,
  copy: { readonly from: string; readonly to: string; readonly stepIds: readonly string[] },
): Promise<void> {
  if (copy.stepIds.length > 0) await tx.run(COPY, copy);
}
