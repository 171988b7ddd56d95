import { userGroupOf } from '../memory-graph/group.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { textOf } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';

/** Conversations whose memories a query sees, those changed last. */
const GROUPS_MAX = 10_000;

const LIST_GROUPS = cypher`
  // listOwnGroups
  MATCH (c:Conversation {ownerId: $ownerId})
  RETURN c.id AS id ORDER BY c.updatedAt DESC LIMIT ${GROUPS_MAX}
`;

/** Graphiti's groups of a user: one per conversation, and that of the user. */
export async function listGroups(graph: Graph, ownerId: string): Promise<string[]> {
  const rows = await graph.read((tx) => tx.run(LIST_GROUPS, { ownerId }));
  return [userGroupOf(ownerId), ...rows.map((row) => textOf(row, 'id', 'Conversation'))];
}
