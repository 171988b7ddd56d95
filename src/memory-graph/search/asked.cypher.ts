import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { userGroupOf } from '../group.ts';
import { isOnScreen } from '../visible.cypher.ts';
import { type Asked, AskedStatement } from './asked.ts';
import { TEXT_CHARS_MAX } from './candidate.ts';

const ASKED = cypher`
  // listAskedStatements
  MATCH (t:TemporalFact {owner: $owner, attribute: $attribute})
    USING INDEX SEEK t:TemporalFact(owner, attribute)
  WHERE t.subject = $subject AND t.withdrawn_at IS NULL
    AND t.valid_at <= datetime()
    AND ($ended OR t.invalid_at IS NULL OR t.invalid_at > datetime())
  WITH t ORDER BY t.said_at DESC, t.uuid LIMIT $k
  CALL (t) {
    MATCH (t)-[:STATED_IN]->(ep:Episodic)<-[:HAS_CONTENT]-(a:Alternative)
      <-[:HAS_ALTERNATIVE]-(turn:ConversationTurn)
    WHERE a.ownerId = $viewerId
      AND ${isOnScreen({ episode: 'ep', alternative: 'a', turn: 'turn' })}
    RETURN ep, turn.speaker AS speaker ORDER BY ep.valid_at DESC LIMIT 1
  }
  RETURN {uuid: t.uuid, episode: ep.uuid, text: left(ep.content, $chars), speaker: speaker,
    saidAt: toString(t.said_at),
    isOver: coalesce(t.invalid_at <= datetime(), false)} AS said
`;

/** Those that hold, and those of all times: of a former value, the one before is sought. */
const STATEMENTS_MAX = 3;
const EVER_STATED_MAX = 20;

/**
 * The statements on screen that give an attribute that is asked for, newest first: those that hold
 * now, and of a question of a former value those that have ended too.
 */
export async function listAskedStatements(
  tx: ReadTx,
  viewerId: string,
  { attribute, subject, former }: Asked,
): Promise<AskedStatement[]> {
  const params = { viewerId, owner: userGroupOf(viewerId), chars: TEXT_CHARS_MAX };
  const ended = former !== null;
  const k = ended ? EVER_STATED_MAX : STATEMENTS_MAX;
  const rows = await tx.run(ASKED, { ...params, attribute, subject, ended, k });
  return rows.map((row) => parseRow(AskedStatement, row['said'], 'TemporalFact'));
}
