import { z } from 'zod';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';

/** What was said in an alternative, and by whom. */
export interface SpokenText {
  readonly content: string;
  readonly speaker: string;
}

const FIND_SPOKEN_TEXTS = /* cypher */ `
  // findSpokenTexts
  MATCH (a:Alternative) WHERE a.id IN $ids
  MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
  RETURN a.id AS id, coalesce(a.content, '') AS content, t.speaker AS speaker
`;

const SpokenRow = z.object({ id: z.string(), content: z.string(), speaker: z.string() });

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
