import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { listKnownStatements } from '../statements/statement.cypher.ts';
import { LaterTurn } from './ended.ts';
import { NOTHING_UNREAD, readAhead, sentencesTold, type Unread } from './unread.ts';

/** The owner's latest unread turns that are read ahead. An import may have thousands. */
const TURNS_MAX = 20;
/** With answers, and turns that say nothing. */
const LOOKED_AT_MAX = 100;
const CHARS_MAX = 2_000;

const UNREAD = cypher`
  // listUnreadTurns
  MATCH (i:OpenIngest) USING INDEX SEEK i:OpenIngest(ownerId, startedAt)
  WHERE i.ownerId = $viewerId AND i.startedAt IS NOT NULL
  WITH i ORDER BY i.ownerId DESC, i.startedAt DESC LIMIT ${LOOKED_AT_MAX}
  MATCH (i)-[:INGEST_OF]->(ep:Episodic)<-[:HAS_CONTENT]-(a:Alternative)
    <-[:HAS_ALTERNATIVE {isActive: true}]-(turn:ConversationTurn {speaker: 'user'})
  WHERE a.ownerId = $viewerId AND a.outcome = 'completed' AND a.copiedFromId IS NULL
    AND i.withdrawnAt IS NULL AND NOT EXISTS { (ep)<-[:STATED_IN]-(:TemporalFact) }
  MATCH (owner:User {id: $viewerId})
  WITH owner, ep, turn ORDER BY ep.valid_at DESC LIMIT ${TURNS_MAX}
  RETURN owner.name AS ownerName, {uuid: ep.uuid, text: left(ep.content, ${CHARS_MAX}),
    speaker: turn.speaker, saidAt: toString(ep.valid_at),
    conversationId: turn.conversationId} AS turn
  ORDER BY ep.valid_at
`;

const UnreadRow = z.object({
  ownerName: z.string(),
  turn: LaterTurn.extend({ conversationId: z.string() }),
});

/**
 * The viewer's turns, of all conversations, that are not read into memory yet. A read of memory
 * takes them as read (docs/decisions/0131). One statement of Cypher where there are none.
 */
export async function findUnread(tx: ReadTx, viewerId: string): Promise<Unread> {
  const rows = await tx.run(UNREAD, { viewerId });
  const read = rows.map((row) => parseRow(UnreadRow, row, 'Unread turns'));
  const [first] = read;
  if (first === undefined) return NOTHING_UNREAD;
  const turns = read.map(({ turn }) => turn);
  const said = { ownerId: viewerId, saidAt: first.turn.saidAt };
  const statements = turns.flatMap(sentencesTold);
  const known = await listKnownStatements(tx, said, { statements, ended: new Map() });
  return readAhead(turns, known, first.ownerName);
}
