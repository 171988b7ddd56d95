import { z } from 'zod';
import { TURN_TYPES } from '../../conversations/turn.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readMap } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';

/** Text and speaker of an alternative. */
export const SpokenText = z.object({
  content: z.string(),
  speaker: z.string(),
  turnType: z.enum(TURN_TYPES),
  /** The run that writes the text; null if a caller gave it whole. */
  runId: z.string().nullable(),
  /** Time at which an imported turn was said; null if it was said when it was created. */
  saidAt: z.string().nullable(),
});
export type SpokenText = z.infer<typeof SpokenText>;
const SpokenRow = SpokenText.extend({ id: z.string() });

const FIND_SPOKEN_TEXTS = cypher`
  // findSpokenTexts
  MATCH (a:Alternative) WHERE a.id IN $ids
  MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
  RETURN a.id AS id, coalesce(a.content, '') AS content, t.speaker AS speaker,
    t.turnType AS turnType, a.runId AS runId, a.saidAt AS saidAt
`;

/**
 * Finds texts by the ids of alternatives, without a viewer: the ids come from outbox entries, and
 * the derived events go to the owner of the entry.
 */
export async function findSpokenTexts(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, SpokenText>> {
  if (ids.length === 0) return new Map();
  return readMap(tx, FIND_SPOKEN_TEXTS, { ids: [...ids] }, (row) => {
    const { id, ...spoken } = parseRow(SpokenRow, row, 'Alternative');
    return [id, spoken];
  });
}
