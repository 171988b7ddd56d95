import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';

/** What was said in an alternative, and by whom. */
export interface SpokenText {
  readonly content: string;
  readonly speaker: string;
  /** The run that writes it; null where it was given whole. */
  readonly runId: string | null;
}

const FIND_SPOKEN_TEXTS = /* cypher */ `
  // findSpokenTexts
  MATCH (a:Alternative) WHERE a.id IN $ids
  MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
  RETURN a.id AS id, coalesce(a.content, '') AS content, t.speaker AS speaker,
    a.runId AS runId
`;

const SpokenRow = z.object({
  id: z.string(),
  content: z.string(),
  speaker: z.string(),
  runId: z.string().nullable(),
});

/** By the ids of alternatives, of whoever they are: what the event log tells of is told to its owner. */
export async function findSpokenTexts(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, SpokenText>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.run(FIND_SPOKEN_TEXTS, { ids: [...ids] });
  return new Map(
    rows.map((row) => {
      const { id, ...spoken } = parseRow(SpokenRow, row, 'Alternative');
      return [id, spoken];
    }),
  );
}

const FIND_MEMORY_WORK = /* cypher */ `
  // findMemoryWork
  MATCH (run:ProcessRun) WHERE run.id IN $rootRunIds AND run.asksOwnersModel = true
  RETURN run.id AS id
`;

/**
 * Of these root runs, those that do memory work: extraction, enrichment, compression, introspection, summaries and their retries.
 * Each of them is requested with the model of its owner's memory settings, which its node records (`asksOwnersModel`).
 */
export async function findMemoryWork(
  tx: ReadTx,
  rootRunIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (rootRunIds.length === 0) return new Set();
  const rows = await tx.run(FIND_MEMORY_WORK, { rootRunIds: [...rootRunIds] });
  return new Set(textsOf(rows, 'id', 'ProcessRun'));
}
