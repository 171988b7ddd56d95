import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import { textOrNull } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { SYSTEM_USER_ID, type Viewer } from '../users/user.ts';

const LIST = cypher`
  // listChatProcesses
  CALL () {
    MATCH (owner:User)<-[:OWNED_BY]-(n:Process) WHERE owner.id IN $ownerIds
      AND (owner.id <> $systemId OR n.shared OR $seesSystem)
    RETURN n, owner, n.name AS name, n.description AS description,
      CASE owner.id WHEN $systemId THEN 1 ELSE 0 END AS nearness
    UNION ALL
    MATCH (a:ProcessAdoption {ownerId: $viewerId})-[:ADOPTS]->(n:Process)-[:OWNED_BY]->(owner:User)
    WHERE n.shared
    RETURN n, owner, a.name AS name, a.description AS description, 2 AS nearness
  }
  WITH * WHERE n.enabled AND 'messages' IN n.initialContext
    AND all(variable IN n.initialContext WHERE variable IN $supplied)
    AND ($reference IS NULL OR n.id = $reference OR name = $reference)
  WITH * ORDER BY nearness, n.id LIMIT $limit
  RETURN n {.id, name: name, description: description, .initialContext,
    createdAt: toString(n.createdAt), ownerName: owner.name} AS process ORDER BY nearness, n.id
`;

/** A Process that answers messages. */
const ChatProcess = z.object({
  id: z.string(),
  name: z.string(),
  description: textOrNull,
  initialContext: z.array(z.string()),
  createdAt: z.string(),
  ownerName: z.string(),
});
export type ChatProcess = z.infer<typeof ChatProcess>;

/** Variables that a list of messages supplies. */
const SUPPLIED = ['message', 'messages', 'recalled'] as const;

/**
 * The enabled Processes of the viewer, of the system and those that the viewer has taken over from
 * other users, in this order, which the viewer may run with messages alone. One that was taken over
 * has the name and description that it had then (docs/decisions/0094).
 * @param reference name or id; null: all
 */
export async function listChatProcesses(
  tx: ReadTx,
  viewer: Viewer,
  { reference, limit }: { readonly reference: string | null; readonly limit: number },
): Promise<ChatProcess[]> {
  const rows = await tx.run(LIST, {
    ownerIds: [viewer.userId, SYSTEM_USER_ID],
    seesSystem: ownerIdsOf(viewer).includes(SYSTEM_USER_ID),
    viewerId: viewer.userId,
    systemId: SYSTEM_USER_ID,
    supplied: [...SUPPLIED],
    reference,
    limit,
  });
  return rows.map((row) => parseRow(ChatProcess, row['process'], 'Process'));
}
