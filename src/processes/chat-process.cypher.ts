import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import { visibleByEdge } from '../catalog/visible.cypher.ts';
import { textOrNull } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { SYSTEM_USER_ID, type Viewer } from '../users/user.ts';

const LIST = /* cypher */ `
  // listChatProcesses
  ${visibleByEdge('Process')}
  WITH n, o AS owner WHERE n.enabled AND 'messages' IN n.initialContext
    AND all(name IN n.initialContext WHERE name IN $supplied)
    AND ($reference IS NULL OR n.id = $reference OR n.name = $reference)
  WITH n, owner, CASE owner.id WHEN $viewerId THEN 0 WHEN $systemId THEN 1 ELSE 2 END AS nearness
  ORDER BY nearness, n.id LIMIT $limit
  RETURN n {.id, .name, .description, .initialContext, createdAt: toString(n.createdAt),
    ownerName: owner.name} AS process
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
 * The enabled Processes of the viewer, of the system and of other users in this order, which the
 * viewer may run with messages alone.
 * @param reference name or id; null: all
 */
export async function listChatProcesses(
  tx: ReadTx,
  viewer: Viewer,
  { reference, limit }: { readonly reference: string | null; readonly limit: number },
): Promise<ChatProcess[]> {
  const rows = await tx.run(LIST, {
    ownerIds: ownerIdsOf(viewer),
    includeShared: true,
    viewerId: viewer.userId,
    systemId: SYSTEM_USER_ID,
    supplied: [...SUPPLIED],
    reference,
    limit,
  });
  return rows.map((row) => parseRow(ChatProcess, row['process'], 'Process'));
}
