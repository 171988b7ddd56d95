import { z } from 'zod';
import { PATH_ON_SCREEN } from '../../conversations/path.cypher.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { userGroupOf } from '../group.ts';

/** What of the graph a search may see. */
export interface SearchScope {
  readonly viewerId: string;
  /** Of Graphiti's nodes and edges; all the viewer's own. */
  readonly groups: readonly string[];
  /** Conversations whose Episodes are looked into; a fork has copies of its own. */
  readonly episodeGroups: readonly string[];
  /** The Episodes that are on screen, or of the fork; null: all of the groups. */
  readonly allowed: readonly string[] | null;
}

const ALL = /* cypher */ `
  // findSearchScope
  MATCH (c:Conversation) WHERE c.ownerId = $viewerId AND ($groupIds IS NULL OR c.id IN $groupIds)
  WITH c ORDER BY c.updatedAt DESC
  RETURN collect(c.id) AS ids
`;
// By its id, so that it costs nothing of the viewer's others.
const ONE = /* cypher */ `
  // findSearchScopeOfOne
  MATCH (c:Conversation {id: $conversationId})
  WHERE c.ownerId = $viewerId AND ($groupIds IS NULL OR c.id IN $groupIds)
  CALL (c) {
    OPTIONAL MATCH (c)-[:FORKED_FROM*1..50]->(origin:Conversation {ownerId: $viewerId})
    RETURN collect(origin.id) AS origins
  }
  ${PATH_ON_SCREEN}
  CALL (c, turns, origins) {
    CALL (c, turns, origins) {
      UNWIND turns AS t
      MATCH (t)-[h:HAS_ALTERNATIVE]->(a:Alternative)-[:HAS_CONTENT]->(ep:Episodic)
      WHERE h.isActive AND NOT $allBranches
      RETURN ep.uuid AS uuid
      UNION
      MATCH (ep:Episodic {group_id: c.id}) WHERE $allBranches AND size(origins) > 0
      RETURN ep.uuid AS uuid
    }
    RETURN collect(uuid) AS allowed
  }
  RETURN [c.id] AS ids, origins, allowed
`;

const ScopeRow = z.object({
  ids: z.array(z.string()),
  // Of one conversation only.
  origins: z.array(z.string()).default([]),
  allowed: z.array(z.string()).default([]),
});

/**
 * What the viewer may see of what they asked for. A conversation shows what is on screen, a fork what it took along; null
 * where it names nothing of theirs.
 */
export async function findSearchScope(
  tx: ReadTx,
  viewerId: string,
  of: {
    readonly conversationId: string | null;
    readonly groupIds: readonly string[] | null;
    readonly allBranches: boolean;
  },
): Promise<SearchScope | null> {
  const isOne = of.conversationId !== null;
  const [row] = await tx.run(isOne ? ONE : ALL, { ...of, viewerId });
  if (isOne && row === undefined) return null;
  const { ids, origins, allowed } = parseRow(ScopeRow, row, 'Scope of a search');
  const own = userGroupOf(viewerId);
  const hasOwn = of.groupIds === null || of.groupIds.includes(own);
  const groups = [...ids, ...origins, ...(hasOwn ? [own] : [])];
  if (groups.length === 0) return null;
  const isBound = isOne && (!of.allBranches || origins.length > 0);
  return {
    viewerId,
    groups,
    episodeGroups: ids,
    allowed: isBound ? allowed : null,
  };
}
