import { z } from 'zod';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readOne, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';

// Copies `old` into `run`. Its cost counts in the old run.
const COPY_RECORD = /* cypher */ `
  CREATE (run)-[:HAS_STEP_RUN]->(s:StepRun)
  SET s = old {.*, key: $to + substring(old.key, size($from)), runId: $to, rootRunId: $to,
    keptFrom: old.key, cacheKey: null,
    inputTokens: 0, outputTokens: 0, costUsd: null, llmCalls: 0, toolCalls: 0}
`;

// Copies the completed steps of `$stepIds`, up to the first step that did not complete. A forEach
// step is completed where all its items are. A step that was skipped by its condition is passed
// over; the new run evaluates the condition again.
const COPY = cypher`
  // copyCompletedSteps
  UNWIND range(0, size($stepIds) - 1) AS place
  WITH place, $stepIds[place] AS stepId
  OPTIONAL MATCH (:ProcessRun {id: $from})-[:HAS_STEP_RUN]->(s:StepRun {stepId: stepId})
  WITH place, stepId, collect(s) AS records
  WITH place, records, size(records) > 0 AND all(s IN records WHERE s.status = 'completed'
      OR (s.status = 'skipped' AND s.error IS NULL AND s.note IS NOT NULL)) AS isDone
  ORDER BY place
  WITH collect({records: records, isDone: isDone}) AS ranked
  WITH ranked, [i IN range(0, size(ranked) - 1) WHERE NOT ranked[i].isDone] AS open
  UNWIND ranked[0..coalesce(open[0], size(ranked))] AS kept
  UNWIND [s IN kept.records WHERE s.status = 'completed'] AS old
  MATCH (run:ProcessRun {id: $to})
  ${COPY_RECORD}
`;

/**
 * Copies the records of completed steps into the new run of a retry, with a usage of 0: their cost
 * counts in the old run.
 */
export async function copySteps(
  tx: WriteTx,
  copy: { readonly from: string; readonly to: string; readonly stepIds: readonly string[] },
): Promise<void> {
  if (copy.stepIds.length > 0) await tx.run(COPY, copy);
}

const COPY_ITEMS = cypher`
  // copyCompletedItems
  MATCH (run:ProcessRun {id: $to})
  WHERE NOT EXISTS { (run)-[:HAS_STEP_RUN]->(:StepRun {stepId: $stepId}) }
  MATCH (:ProcessRun {id: $from})-[:HAS_STEP_RUN]->(old:StepRun {stepId: $stepId})
  WHERE old.status = 'completed' AND old.index IS NOT NULL
  WITH run, collect(old) AS kept
  UNWIND kept AS old
  ${COPY_RECORD}, s.isKeptItem = true
`;

/** Copies the completed items of a forEach that runs again, with a usage of 0. */
export const copyItems = (
  tx: WriteTx,
  copy: { readonly from: string; readonly to: string; readonly stepId: string },
) => runWrite(tx, COPY_ITEMS, copy);

// Rounds that were answered, and their calls that ended, of steps that the new run does not keep.
const COPY_ROUNDS = cypher`
  // copyAgentRounds
  MATCH (run:ProcessRun {id: $to})
  MATCH (:ProcessRun {id: $from})-[:HAS_STEP_RUN]->(old:StepRun)
  WHERE old.stepId CONTAINS '~' AND split(old.stepId, '~')[0] IN $stepIds
    AND (old.status = 'completed'
      OR (old.status = 'failed' AND split(old.stepId, '~')[1] CONTAINS '.'))
    AND NOT EXISTS { (run)-[:HAS_STEP_RUN]->(:StepRun {stepId: split(old.stepId, '~')[0]}) }
  WITH run, collect(old) AS kept
  UNWIND kept AS old
  ${COPY_RECORD}
`;

/**
 * Copies the finished rounds and calls of steps that offer tools, with a usage of 0. Steps whose
 * own record was copied are left out.
 */
export async function copyRounds(
  tx: WriteTx,
  copy: { readonly from: string; readonly to: string; readonly stepIds: readonly string[] },
): Promise<void> {
  if (copy.stepIds.length > 0) await tx.run(COPY_ROUNDS, copy);
}

const OWNERS_MODEL = cypher`
  // findOwnersModel
  MATCH (run:ProcessRun {id: $runId, asksOwnersModel: true})
  RETURN head([(:User {id: run.ownerId})-[:REMEMBERS_WITH]->(tool:Tool) | tool.id]) AS toolId
`;

const OwnersModel = z.object({ toolId: z.string().nullable() });

/**
 * The LLM Tool of the owner's memory settings, for a run that uses these settings.
 * @returns null for any other run; `toolId` null where the settings name no Tool
 */
export const findOwnersModel = (tx: ReadTx, runId: string) =>
  readOne(tx, OWNERS_MODEL, { runId }, (row) => parseRow(OwnersModel, row, 'ProcessRun'));
