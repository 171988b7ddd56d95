import type { WriteTx } from '../platform/neo4j/graph.ts';
import { cypher } from '../platform/neo4j/statement.ts';

// ON_SCREEN is an index: it leads from each turn to the child that is shown below it. Every write
// that changes the shown child updates it. Reading a path costs its own length, not the size of the
// tree. test/testkit/active-path.ts states the rule without Cypher.

/** Needs `c`. Gives `turns`: the path on screen, root first; empty if there are no turns. */
export const PATH_ON_SCREEN = /* cypher */ `
  CALL (c) {
    OPTIONAL MATCH path = (:ConversationTurn {id: c.rootTurnId})-[:ON_SCREEN*0..]->(end)
    WHERE NOT EXISTS { (end)-[:ON_SCREEN]->() }
    RETURN coalesce(nodes(path), []) AS turns
  }
`;

const pathUp = (turnId: string, scope: string) => /* cypher */ `
  CALL (${scope}) {
    OPTIONAL MATCH path = (:ConversationTurn {id: ${turnId}, conversationId: c.id})
      -[:CHILD_OF*0..]->(:ConversationTurn {id: c.rootTurnId})
    RETURN reverse(coalesce(nodes(path), [])) AS turns
  }
`;

/** Needs `c` and $turnId. Gives `turns`: from the root to that turn; empty if it is not of `c`. */
export const PATH_UP = pathUp('$turnId', 'c');

/** As PATH_UP, to the turn of $alternativeId; no row if the alternative is not of `c`. */
export const PATH_UP_FROM_ALTERNATIVE = /* cypher */ `
  MATCH (at:Alternative {id: $alternativeId, conversationId: c.id, ownerId: c.ownerId})
  ${pathUp('at.turnId', 'c, at')}
`;

/** As PATH_UP, continued by the turns on screen below $turnId. */
export const PATH_THROUGH = /* cypher */ `
  ${PATH_UP}
  CALL (turns) {
    WITH turns, last(turns) AS middle
    OPTIONAL MATCH path = (middle)-[:ON_SCREEN*0..]->(end)
    WHERE NOT EXISTS { (end)-[:ON_SCREEN]->() }
    RETURN turns + tail(coalesce(nodes(path), [])) AS through
  }
  WITH c, through AS turns
`;

const SHOW_CHILDREN = cypher`
  // showChildren
  MATCH (t:ConversationTurn {id: $turnId})
  OPTIONAL MATCH (t)-[:CHILD_OF]->(parent:ConversationTurn)
  UNWIND [t, parent] AS p
  WITH p WHERE p IS NOT NULL
  CALL (p) { MATCH (p)-[old:ON_SCREEN]->() DELETE old }
  CALL (p) {
    MATCH (p)<-[via:CHILD_OF]-(child:ConversationTurn)-[h:HAS_ALTERNATIVE]->(shown:Alternative)
    WHERE h.isActive
    WITH p, child, EXISTS {
        (shown)-[:RESPONDS_TO]->(:Alternative)<-[x:HAS_ALTERNATIVE]-(p) WHERE x.isActive
      } OR EXISTS {
        (:Alternative {id: via.viaAlternative})<-[x:HAS_ALTERNATIVE]-(p) WHERE x.isActive
      } AS fits
    RETURN child ORDER BY fits DESC, child.timestamp DESC, child.id DESC LIMIT 1
  }
  CREATE (p)-[:ON_SCREEN]->(child)
`;

/**
 * Updates ON_SCREEN below a turn whose active alternative changed, and below its parent. The caller
 * holds the conversation's lock.
 */
export async function showChildren(tx: WriteTx, turnId: string): Promise<void> {
  await tx.run(SHOW_CHILDREN, { turnId });
}
