import { z } from 'zod';
import { withEllipsis } from '../common/ellipsis.ts';
import { jsonText, textOrNull } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { AnsweredMessage } from '../runs/run/ports.ts';
import { ContentPart } from './content-part.ts';
import { graphNodeOf } from './graph-node.ts';
import { SPEAKERS } from './turn.ts';

const FIND = cypher`
  // findAnsweredMessage
  MATCH (a:Alternative {id: $alternativeId, ownerId: $viewerId})
    <-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
  RETURN {id: a.id, runId: a.runId, speaker: t.speaker} AS message,
    coalesce(a.content, '') AS content, a.parts AS parts,
    head(COLLECT {
      MATCH (a)-[:RESPONDS_TO]->(b:Alternative)<-[:HAS_ALTERNATIVE]-(above:ConversationTurn)
      RETURN {id: b.id, runId: b.runId, speaker: above.speaker}
    }) AS above
`;

const Place = z.object({ id: z.string(), runId: textOrNull, speaker: z.enum(SPEAKERS) });
const PartsText = jsonText(z.array(ContentPart)).nullable().default(null);
const QuestionRow = z.object({
  message: Place,
  content: z.string(),
  parts: PartsText,
  above: Place.nullable(),
});

/** Maximum characters of a message in the event log; the alternative keeps all of it. */
const CONTENT_CHARS_MAX = 32 * 1024;

/** The message of the viewer that a run answers; null if there is none. */
export async function findAnsweredMessage(
  tx: ReadTx,
  viewerId: string,
  alternativeId: string,
): Promise<AnsweredMessage | null> {
  const [row] = await tx.run(FIND, { viewerId, alternativeId });
  if (row === undefined) return null;
  const { message, content, parts, above } = parseRow(
    QuestionRow,
    row,
    `Alternative ${alternativeId}`,
  );
  const nodeId = graphNodeOf(message);
  if (message.runId !== null || message.speaker === 'agent') return { nodeId, said: null };
  const parentId = above === null ? null : graphNodeOf(above);
  const text = withEllipsis(content, CONTENT_CHARS_MAX);
  return { nodeId, said: { alternativeId, content: parts ?? text, parentId } };
}
