import { z } from 'zod';
import type { EvidenceText } from '../../agent-memory/grips/line-proof.ts';
import { nameForModel, SPEAKERS } from '../../conversations/turn.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { readPart } from '../../runs/agent/agent-step.ts';

const SOURCES = cypher`
  // readSummarySources
  UNWIND $sources AS uuid
  MATCH (ep:Episodic {uuid: uuid})
  MATCH (:MemoryTask {id: $taskId})-[:TASK_OF]->(c:Conversation)
  MATCH (owner:User {id: c.ownerId})
  RETURN ep.content AS text, owner.name AS ownerName, head([
    (ep)<-[:HAS_CONTENT]-(:Alternative)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn) | t.speaker
  ]) AS speaker
`;

const SourceRow = z.object({
  text: z.string(),
  ownerName: z.string(),
  speaker: z.enum(SPEAKERS).nullable(),
});

/** The texts that a compression sums up, with their speakers. Summaries have none. */
export function readSummarySources(
  tx: ReadTx,
  task: { readonly id: string; readonly sources: readonly string[] },
): Promise<EvidenceText[]> {
  return readAll(tx, SOURCES, { taskId: task.id, sources: [...task.sources] }, (row) => {
    const { text, ownerName, speaker } = parseRow(SourceRow, row, `MemoryTask ${task.id}`);
    return { text, speakers: speaker === null ? [] : [nameForModel(speaker, ownerName)] };
  });
}

const MATERIAL = cypher`
  // readTaskMaterial
  MATCH (:MemoryTask {id: $taskId})-[:DONE_BY]->(run:ProcessRun)
  OPTIONAL MATCH (run)-[:HAS_STEP_RUN]->(s:StepRun)
  RETURN collect(DISTINCT run.context) AS contexts,
    [one IN collect(s {.stepId, .output}) WHERE one.output IS NOT NULL] AS outputs,
    count(run.contextBlob) + count(s.outputBlob) > 0 AS isPartial
`;

const MaterialRow = z.object({
  contexts: z.array(z.string()),
  outputs: z.array(z.object({ stepId: z.string(), output: z.string() })),
  isPartial: z.boolean(),
});

/**
 * The texts that a task's runs were given or found: context and outputs of their steps, except
 * notes that a step wrote and the rounds of a model, which are its own words. Null if a part of
 * them is not inline.
 */
export async function readTaskMaterial(tx: ReadTx, taskId: string): Promise<EvidenceText[] | null> {
  const [row] = await tx.run(MATERIAL, { taskId });
  if (row === undefined) return null;
  const { contexts, outputs, isPartial } = parseRow(MaterialRow, row, `MemoryTask ${taskId}`);
  if (isPartial) return null;
  const found = outputs.flatMap(({ stepId, output }) => (isRound(stepId) ? [] : [parsed(output)]));
  const told = [...contexts.map(parsed), ...found.filter((one) => !areNotes(one))];
  return told.flatMap(textsIn).map((text) => ({ text, speakers: [] }));
}

/** A JSON value; a text that is JSON itself is parsed too. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? parsed(value) : value;
  } catch {
    return text;
  }
}

const isRound = (stepId: string): boolean => readPart(stepId)?.call === null;

const Notes = z.strictObject({ notes: z.array(z.object({ content: z.string() })) });
const areNotes = (value: unknown) => Notes.safeParse(value).success;

/** All texts in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}
