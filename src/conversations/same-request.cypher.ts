import { z } from 'zod';
import { textOrNull } from '../common/stored.ts';
import { recordKeyOf } from '../idempotency/idempotency-key.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { RUN_STATUSES, type RunStatus } from '../runs/run/run.ts';
import { VALID_PATH } from './path.cypher.ts';

/** The last valid answer on screen, where a request that is repeated made it. */
export interface EarlierAnswer {
  readonly turnId: string;
  readonly alternativeId: string;
  readonly runId: string;
  /** Null until the run has ended. */
  readonly outcome: RunStatus | null;
}

/** The end of the valid path. */
export interface EndOfTalk {
  /** Null in a conversation without turns. */
  readonly alternativeId: string | null;
  /** Null where the last turn is no answer, or another request made it. */
  readonly earlier: EarlierAnswer | null;
}

/** The idempotency key of a request after this place in a conversation. */
export function keyAfter(fingerprint: string, alternativeId: string | null): string {
  return `${fingerprint}/${alternativeId ?? ''}`;
}

const FIND = cypher`
  // findEndOfTalk
  MATCH (c:Conversation {id: $conversationId, ownerId: $viewerId})
  ${VALID_PATH}
  WITH last(valid) AS a WHERE a IS NOT NULL
  MATCH (a)<-[:HAS_ALTERNATIVE]-(t:ConversationTurn)
  OPTIONAL MATCH (a)-[:RESPONDS_TO]->(said:Alternative)
  OPTIONAL MATCH (record:IdempotencyRecord {key: $firstKey + coalesce(said.respondsToId, '')})
  RETURN {turnId: t.id, alternativeId: a.id, runId: a.runId, outcome: a.outcome,
    isSame: coalesce(record.resultId = t.id, false)} AS place
`;

const Row = z.object({
  turnId: z.string(),
  alternativeId: z.string(),
  runId: textOrNull,
  outcome: z.enum(RUN_STATUSES).nullable().default(null),
  isSame: z.boolean(),
});

/**
 * The end of the valid path of the viewer's conversation, and whether a request with this
 * fingerprint, sent with `keyAfter`, made its answer.
 */
export async function findEndOfTalk(
  tx: ReadTx,
  viewerId: string,
  where: { readonly conversationId: string; readonly fingerprint: string },
): Promise<EndOfTalk> {
  const { conversationId, fingerprint } = where;
  const firstKey = recordKeyOf(viewerId, 'sendMessage', keyAfter(fingerprint, null));
  const [row] = await tx.run(FIND, { conversationId, viewerId, firstKey });
  if (row === undefined) return { alternativeId: null, earlier: null };
  const { isSame, runId, ...place } = parseRow(Row, row['place'], 'ConversationTurn');
  const earlier = isSame && runId !== null ? { ...place, runId } : null;
  return { alternativeId: place.alternativeId, earlier };
}
