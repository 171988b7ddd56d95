import { z } from 'zod';
import { textOrNull } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { VALID_PATH } from './path.cypher.ts';
import { SPEAKERS } from './turn.ts';

const SAID = cypher`
  // findSaid
  MATCH (c:Conversation {id: $conversationId, ownerId: $viewerId})
  ${VALID_PATH}
  RETURN c.title AS title, COLLECT {
    UNWIND range(0, size(valid) - 1) AS at
    WITH valid[at] AS a, at + 1 AS sequence
    WHERE a.outcome = 'completed' AND ($before IS NULL OR sequence < $before)
    MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
    WITH t, a, sequence ORDER BY sequence DESC LIMIT toInteger($limit)
    RETURN {sequence: sequence, speaker: t.speaker,
      content: left(coalesce(a.content, ''), toInteger($chars)),
      saidAt: toString(coalesce(a.saidAt, a.createdAt))}
  } AS said
`;

const SaidRow = z.object({
  title: textOrNull,
  said: z.array(
    z.object({
      sequence: z.int(),
      speaker: z.enum(SPEAKERS),
      content: z.string(),
      saidAt: z.string(),
    }),
  ),
});
export type Said = z.infer<typeof SaidRow>;

/**
 * The newest messages of the valid path that stand before the turn number `before`, oldest
 * first, each cut to `chars`. Null if the viewer has no such conversation.
 */
export async function findSaid(
  tx: ReadTx,
  viewerId: string,
  wanted: {
    readonly conversationId: string;
    readonly before: number | null;
    readonly limit: number;
    readonly chars: number;
  },
): Promise<Said | null> {
  const [row] = await tx.run(SAID, { ...wanted, viewerId });
  if (row === undefined) return null;
  const { title, said } = parseRow(SaidRow, row, `Conversation ${wanted.conversationId}`);
  return { title, said: said.toReversed() };
}

const ANSWERED = cypher`
  // findAnsweredBy
  MATCH (:Alternative {runId: $runId, ownerId: $viewerId})
    -[:RESPONDS_TO]->(a:Alternative {ownerId: $viewerId})
  RETURN a.id AS id, a.conversationId AS conversationId,
    left(coalesce(a.content, ''), toInteger($chars)) AS content
`;

const AnsweredRow = z.object({ id: z.string(), conversationId: z.string(), content: z.string() });

/** The viewer's message that a run answers, its text cut to `chars`; null if it answers none. */
export async function findAnsweredBy(
  tx: ReadTx,
  viewerId: string,
  { runId, chars }: { readonly runId: string; readonly chars: number },
): Promise<z.infer<typeof AnsweredRow> | null> {
  const [row] = await tx.run(ANSWERED, { runId, viewerId, chars });
  return row === undefined ? null : parseRow(AnsweredRow, row, `Run ${runId}`);
}
