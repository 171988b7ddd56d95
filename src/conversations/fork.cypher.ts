import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { textListOf } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { PATH_UP } from './path.cypher.ts';

const LIST_PATH = cypher`
  // listPathTo
  MATCH (c:Conversation {id: $conversationId})
  ${PATH_UP}
  RETURN [t IN turns | t.id] AS ids
`;

/** Ids of the turns from the root to this turn; empty if the turn is not in the conversation. */
export async function listPathTo(
  tx: ReadTx,
  to: { readonly conversationId: string; readonly turnId: string },
): Promise<string[]> {
  const [row] = await tx.run(LIST_PATH, to);
  return row === undefined ? [] : textListOf(row, 'ids', `Conversation ${to.conversationId}`);
}

const COPY_TURNS = cypher`
  // copyTurns
  MATCH (c:Conversation {id: $conversationId})
  UNWIND $turns AS turn
  MATCH (from:ConversationTurn {id: turn.from})<-[at:HAS_TURN]-()
  CREATE (t:ConversationTurn:Resource)
  SET t = from {.*, id: turn.to, conversationId: c.id}
  CREATE (c)-[:HAS_TURN {sequence: at.sequence}]->(t)
  SET c.rootTurnId = CASE WHEN at.sequence = 1 THEN t.id ELSE c.rootTurnId END
`;
// A run writes one alternative, so the copy has no runId. A copy's Episode is not extracted again:
// its facts are those of the Episode of `copiedFromId` (docs/decisions/0020).
const COPY_ALTERNATIVES = cypher`
  // copyAlternatives
  UNWIND $alternatives AS alternative
  MATCH (from:Alternative {id: alternative.from})<-[h:HAS_ALTERNATIVE]-()
  MATCH (t:ConversationTurn {id: alternative.turnId})
  CREATE (a:Alternative:Resource)
  SET a = from {.*, id: alternative.to, turnId: t.id, conversationId: t.conversationId, runId: null,
    copiedFromId: from.id}
  CREATE (t)-[:HAS_ALTERNATIVE {isActive: alternative.isActive, sequence: h.sequence}]->(a)
  WITH from, a
  MATCH (from)-[by:EXECUTED_BY]->(process:Process)
  CREATE (a)-[:EXECUTED_BY {createdAt: by.createdAt}]->(process)
`;
const LINK_COPIES = cypher`
  // linkCopies
  CALL () {
    UNWIND $turns AS turn
    MATCH (from:ConversationTurn {id: turn.from})-[up:CHILD_OF]->(above:ConversationTurn)
    MATCH (t:ConversationTurn {id: turn.to}), (p:ConversationTurn {id: $turnIds[above.id]})
    CREATE (t)-[:CHILD_OF {
      viaAlternative: coalesce($alternativeIds[up.viaAlternative], $shownIds[p.id])}]->(p)
    CREATE (p)-[:ON_SCREEN]->(t)
  }
  CALL () {
    UNWIND $alternatives AS alternative
    MATCH (from:Alternative {id: alternative.from})-[:RESPONDS_TO]->(answered:Alternative)
    MATCH (a:Alternative {id: alternative.to}), (to:Alternative {id: $alternativeIds[answered.id]})
    CREATE (a)-[:RESPONDS_TO]->(to)
    SET a.respondsToId = to.id
  }
  CALL () {
    MATCH (fork:Conversation {id: $conversationId})-[:FORKED_FROM]->(:Conversation)
      -[known:HAS_ACTIVE_ENTITY]->(e:Entity)
    CREATE (fork)-[h:HAS_ACTIVE_ENTITY]->(e)
    SET h = properties(known)
  }
  CALL () {
    MATCH (fork:Conversation {id: $conversationId})-[:FORKED_FROM]->(:Conversation)
      -[refused:HAS_DISMISSED_ENTITY]->(e:Entity)
    CREATE (fork)-[d:HAS_DISMISSED_ENTITY]->(e)
    SET d = properties(refused)
  }
  WITH 1 AS done
  ${CREATE_ENTRIES}
`;

export interface Copies {
  readonly conversationId: string;
  /** Root first. `from` is the id of the original, `to` that of the copy. */
  readonly turns: readonly { readonly from: string; readonly to: string }[];
  /** `turnId` is the id of the copy of the turn. */
  readonly alternatives: readonly {
    readonly from: string;
    readonly to: string;
    readonly turnId: string;
    readonly isActive: boolean;
  }[];
  readonly entries: readonly OutboxEntry[];
}

/**
 * Copies a path with its edges. If the alternative a turn was created under is not copied, the copy
 * of the turn names the active alternative of its parent instead.
 */
export async function insertCopies(tx: WriteTx, copies: Copies): Promise<void> {
  const { turns, alternatives, entries, conversationId } = copies;
  await tx.run(COPY_TURNS, { conversationId, turns });
  await tx.run(COPY_ALTERNATIVES, { alternatives });
  const shown = alternatives.filter(({ isActive }) => isActive);
  await tx.run(LINK_COPIES, {
    conversationId,
    turns,
    alternatives,
    turnIds: Object.fromEntries(turns.map(({ from, to }) => [from, to])),
    alternativeIds: Object.fromEntries(alternatives.map(({ from, to }) => [from, to])),
    shownIds: Object.fromEntries(shown.map(({ turnId, to }) => [turnId, to])),
    entries: entryParams(entries),
  });
}
