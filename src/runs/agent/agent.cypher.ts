import { entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { RunHead } from '../run/run.ts';
import { LOCKED_STEP } from '../steps/note.cypher.ts';
import { areWhole, toStepRun } from '../steps/step-run.cypher.ts';
import { type StepRun, stepKey } from '../steps/step-run.ts';

interface AgentPlace {
  readonly run: RunHead;
  readonly stepId: string;
  readonly index: number | null;
}

const FIND_PARTS = cypher`
  // findAgentParts
  MATCH (s:StepRun) WHERE s.key STARTS WITH $prefix AND s.ownerId = $ownerId
    AND (s.index = $index OR (s.index IS NULL AND $index IS NULL))
  RETURN s {.runId, .stepId, .index, .status, .attempt, .output, .outputBlob, .outputBytes, .error,
    .completedAt} AS record
`;

/** The rounds and calls of a step that offers tools, without their inputs, in any order. */
export async function findAgentParts(
  tx: ReadTx,
  { run, stepId, index }: AgentPlace,
): Promise<StepRun[]> {
  const prefix = `${stepKey(run.runId, stepId, null)}~`;
  const rows = await tx.run(FIND_PARTS, { prefix, index, ownerId: run.ownerId }, areWhole);
  return rows.map((row) => toStepRun(row['record']));
}

const BEGIN = cypher`
  // beginAgent
  MATCH (run:ProcessRun {id: $runId})
  ${LOCKED_STEP}
  WITH run, s WHERE s.status = 'pending'
  SET s.status = 'running', s.attempt = 1, s.startedAt = coalesce(s.startedAt, datetime($now)),
    s.inputs = $inputs, s.inputsBlob = $inputsBlob
  MERGE (run)-[:HAS_STEP_RUN]->(s)
`;

/** Marks a step that offers tools as running, with its inputs. Its rounds read them there. */
export const beginAgent = (
  tx: WriteTx,
  {
    run,
    stepId,
    index,
    ...given
  }: AgentPlace & {
    readonly inputs: string | null;
    readonly inputsBlob: string | null;
    readonly now: string;
  },
) => runWrite(tx, BEGIN, { ...given, ...placeOf(run, stepId, index) });

const END = cypher`
  // endAgent
  MATCH (s:StepRun {key: $key})
  SET s.lockedAt = $now
  WITH s WHERE s.status = 'running'
  SET s.status = 'completed', s.output = $output, s.outputBlob = $outputBlob,
    s.outputBytes = $outputBytes, s.outputTruncated = $outputTruncated,
    s.completedAt = datetime($now)
  CREATE (o:OutboxEntry:PendingEntry) SET o = $entry, o.at = datetime($now)
`;

/** Records the answer of a step that offers tools, once. */
export async function endAgent(
  tx: WriteTx,
  {
    run,
    stepId,
    index,
    entry,
    ...given
  }: AgentPlace & {
    readonly output: string | null;
    readonly outputBlob: string | null;
    readonly outputBytes: number;
    readonly outputTruncated: boolean;
    readonly now: string;
    readonly entry: OutboxEntry;
  },
): Promise<void> {
  const [params] = entryParams([entry]);
  await tx.run(END, { ...given, ...placeOf(run, stepId, index), entry: params });
}

const placeOf = (run: RunHead, stepId: string, index: number | null) => ({
  key: stepKey(run.runId, stepId, index),
  runId: run.runId,
  rootRunId: run.rootRunId,
  ownerId: run.ownerId,
  stepId,
  index,
});
