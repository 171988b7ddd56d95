import { z } from 'zod';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow, textListOf } from '../platform/neo4j/row.ts';
import { readAll } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { Reply } from './path.ts';

// ON_SCREEN leads from each turn to the child that is shown below it: the one that was added or
// activated last. Reading a path costs its own length, not the size of the tree.
// test/testkit/active-path.ts states the rule without Cypher.

/** Needs `c`. Gives `turns`: the path on screen, root first; empty if there are no turns. */
export const PATH_ON_SCREEN = /* cypher */ `
  CALL (c) {
    OPTIONAL MATCH path = (:ConversationTurn {id: c.rootTurnId})-[:ON_SCREEN*0..]->(end)
    WHERE NOT EXISTS { (end)-[:ON_SCREEN]->() }
    RETURN coalesce(nodes(path), []) AS turns
  }
`;

/** Needs `turns`. Gives `shown`: the active alternative of each. */
export const SHOWN = /* cypher */ `
  CALL (turns) {
    UNWIND range(0, size(turns) - 1) AS depth
    WITH depth, turns[depth] AS t
    MATCH (t)-[h:HAS_ALTERNATIVE]->(a:Alternative) WHERE h.isActive
    WITH a ORDER BY depth
    RETURN collect(a) AS shown
  }
`;

/**
 * Needs `c`. Gives `valid`: the alternatives on screen, root first, up to the first that answers
 * another version than the one above it. All that follow are stale (docs/decisions/0119).
 */
export const VALID_PATH = /* cypher */ `
  ${PATH_ON_SCREEN}
  ${SHOWN}
  CALL (shown) {
    UNWIND range(1, size(shown) - 1) AS at
    WITH at WHERE shown[at].respondsToId <> shown[at - 1].id
    RETURN min(at) AS cut
  }
  WITH *, shown[0..coalesce(cut, size(shown))] AS valid
`;

/**
 * Whether an alternative and all that it answers, up to the root, are active. Together with
 * `isShown` of its turn: whether it is on the valid path.
 */
export function isWhole(alternative: string): string {
  return /* cypher */ `NOT EXISTS {
    (${alternative})-[:RESPONDS_TO*0..]->()<-[off:HAS_ALTERNATIVE]-() WHERE NOT off.isActive }`;
}

/** Whether a turn of the conversation `c` is on screen, be it stale or not. */
export function isShown(turn: string): string {
  return /* cypher */ `EXISTS {
    (${turn})<-[:ON_SCREEN*0..]-(:ConversationTurn {id: c.rootTurnId}) }`;
}

/**
 * Needs `talks`, ids of conversations. Gives `staleIds`: the alternatives below one that is not
 * active. Descends once from each such alternative, so a page of a long talk stays linear.
 */
export const STALE_OF = /* cypher */ `
  CALL (talks) {
    UNWIND talks AS talk
    MATCH (:Conversation {id: talk})-[:HAS_TURN]->()-[off:HAS_ALTERNATIVE]->(left:Alternative)
    WHERE NOT off.isActive AND NOT EXISTS {
      (left)-[:RESPONDS_TO]->()<-[above:HAS_ALTERNATIVE]-() WHERE NOT above.isActive }
    MATCH (left)<-[:RESPONDS_TO*1..]-(stale:Alternative)
    RETURN collect(DISTINCT stale.id) AS staleIds
  }
`;

/** Needs `c` and $turnId. Gives `turns`: from the root to that turn; empty if it is not of `c`. */
export const PATH_UP = /* cypher */ `
  CALL (c) {
    OPTIONAL MATCH path = (:ConversationTurn {id: $turnId, conversationId: c.id})
      -[:CHILD_OF*0..]->(:ConversationTurn {id: c.rootTurnId})
    RETURN reverse(coalesce(nodes(path), [])) AS turns
  }
`;

const LINEAGE = /* cypher */ `
  CALL (at) {
    MATCH path = (at)-[:RESPONDS_TO*0..]->(top:Alternative)
    WHERE NOT EXISTS { (top)-[:RESPONDS_TO]->() }
    RETURN reverse(nodes(path)) AS shown
  }
`;

/**
 * Needs `c` and $alternativeId. Gives `shown`: the alternatives from the root that lead to it, each
 * answered by the next; no row if the alternative is not of `c`.
 */
export const LINEAGE_OF_ALTERNATIVE = /* cypher */ `
  MATCH (at:Alternative {id: $alternativeId, conversationId: c.id, ownerId: c.ownerId})
  ${LINEAGE}
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

const SURROUNDINGS = cypher`
  // findSurroundings
  MATCH (at:Alternative {id: $alternativeId})
  ${LINEAGE}
  RETURN [a IN shown | a.id] AS lineage, COLLECT {
    MATCH (at)<-[:RESPONDS_TO*1..]-(reply:Alternative)<-[h:HAS_ALTERNATIVE]-(t:ConversationTurn)
    RETURN {id: reply.id, answers: reply.respondsToId, createdAt: toString(reply.createdAt),
      isShown: h.isActive AND EXISTS { (t)<-[:ON_SCREEN]-() }, isActive: h.isActive}
  } AS replies
`;
const SurroundingsRow = z.object({
  lineage: z.array(z.string()),
  replies: z.array(Reply),
});

/** The alternatives that lead to this one, root first, itself included; and all below it. */
export async function findSurroundings(
  tx: ReadTx,
  alternativeId: string,
): Promise<{ readonly lineage: readonly string[]; readonly replies: readonly Reply[] }> {
  const [row] = await tx.run(SURROUNDINGS, { alternativeId });
  return parseRow(SurroundingsRow, row, `Alternative ${alternativeId}`);
}

// One alternative may be active already and its turn be off screen, so both are set.
const SHOW = cypher`
  // showAlternatives
  UNWIND range(0, size($ids) - 1) AS at
  MATCH (:Alternative {id: $ids[at]})<-[next:HAS_ALTERNATIVE]-(t:ConversationTurn)
  OPTIONAL MATCH (t)-[:CHILD_OF]->(p:ConversationTurn)
  WITH at, next, t, p
  WHERE NOT next.isActive OR (p IS NOT NULL AND NOT EXISTS { (p)-[:ON_SCREEN]->(t) })
  MATCH (t)-[now:HAS_ALTERNATIVE]->(was:Alternative) WHERE now.isActive
  SET now.isActive = false, next.isActive = true
  WITH at, t, p, was
  CALL (p) { MATCH (p)-[old:ON_SCREEN]->() DELETE old }
  CALL (t, p) { WITH t, p WHERE p IS NOT NULL CREATE (p)-[:ON_SCREEN]->(t) }
  RETURN t.id AS turnId, $ids[at] AS alternativeId, was.id AS wasId ORDER BY at
`;
const ShownRow = z.object({
  turnId: z.string(),
  alternativeId: z.string(),
  /** The alternative that was active before; the same one if only its turn was off screen. */
  wasId: z.string(),
});

/**
 * Makes each of these alternatives the active one of its turn, and its turn the one that is shown
 * below its parent. The caller holds the conversation's lock.
 * @returns those that changed, in the given order
 */
export const showAlternatives = (tx: WriteTx, ids: readonly string[]) =>
  readAll(tx, SHOW, { ids }, (row) => parseRow(ShownRow, row, 'Alternative'));

/** Stale alternatives that one switch names. */
const STALE_NAMED_MAX = 2_000;
const STALE_BELOW = cypher`
  // listStaleBelow
  MATCH (:Alternative {id: $alternativeId})<-[:RESPONDS_TO*1..]-(below:Alternative)
  WHERE below.outcome IS NOT NULL
  WITH DISTINCT below
  MATCH (below)<-[:HAS_ALTERNATIVE]-()<-[at:HAS_TURN]-()
  WITH below.id AS id, at.sequence AS depth ORDER BY depth, id LIMIT toInteger($limit)
  RETURN collect(id) AS ids
`;

/** Ids of the finished alternatives below one, the nearest first; at most 2,000. */
export async function listStaleBelow(tx: ReadTx, alternativeId: string): Promise<string[]> {
  const [row] = await tx.run(STALE_BELOW, { alternativeId, limit: STALE_NAMED_MAX });
  return row === undefined ? [] : textListOf(row, 'ids', `Alternative ${alternativeId}`);
}
