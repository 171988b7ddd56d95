import { ownerIdsOf } from '../catalog/access.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { SYSTEM_USER_ID, type Viewer } from '../users/user.ts';
import { ExposedProcess } from './exposed-process.ts';

// Seeks the indexes of `exposedBy` and of the viewer's adoptions: Processes of other users cost
// nothing. Texts of a Process of another user are those that the viewer has seen when taking it
// over (docs/decisions/0094).
const LIST = cypher`
  // listExposedProcesses
  CALL () {
    MATCH (n:Process) WHERE n.exposedBy IN $ownerIds AND n.enabled
      AND (n.exposedBy <> $systemId OR n.shared OR $seesSystem)
    WITH n, CASE n.exposedBy WHEN $systemId THEN 1 ELSE 0 END AS nearness
    ORDER BY nearness, n.id LIMIT $limit
    RETURN nearness, n.id AS id, n {.id, .name, .description, .initialContext, .contextSchema,
      mayChange: coalesce(n.mayChange, true), takenFrom: null} AS process
    UNION ALL
    MATCH (a:ProcessAdoption {ownerId: $viewerId})-[:ADOPTS]->(n:Process)-[:OWNED_BY]->(o:User)
    WHERE n.shared AND n.enabled AND n.exposeAsTool
    RETURN 2 AS nearness, n.id AS id, a {.name, .description, .initialContext, .contextSchema,
      id: n.id, mayChange: coalesce(n.mayChange, true), takenFrom: o.name} AS process
  }
  RETURN process ORDER BY nearness, id
`;

/**
 * The enabled Processes that are tools of the viewer: the viewer's own ones with `exposeAsTool`,
 * then the system's, then those of other users that the viewer has taken over; oldest first.
 * @param limit of own ones and the system's together
 */
export async function listExposedProcesses(
  tx: ReadTx,
  viewer: Viewer,
  limit: number,
): Promise<ExposedProcess[]> {
  const rows = await tx.run(LIST, {
    ownerIds: [viewer.userId, SYSTEM_USER_ID],
    systemId: SYSTEM_USER_ID,
    seesSystem: ownerIdsOf(viewer).includes(SYSTEM_USER_ID),
    viewerId: viewer.userId,
    limit,
  });
  return rows.map((row) => parseRow(ExposedProcess, row['process'], 'Process'));
}
