import { z } from 'zod';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';

/** A stored Process or Tool of any user, and its owner. */
export const StoredThing = z.object({
  id: z.string(),
  name: z.string(),
  ownerId: z.string(),
  owner: z.string(),
});
export type StoredThing = z.infer<typeof StoredThing>;
export type StoredKind = 'Tool' | 'Process';

const PAGE_OF_TOOLS = cypher`
  // pageOfStoredTools
  MATCH (n:Tool)-[:OWNED_BY]->(o:User) WHERE n.id > $after
  WITH n, o ORDER BY n.id LIMIT toInteger($limit)
  RETURN n.id AS id, n.name AS name, o.id AS ownerId, o.name AS owner
`;

const PAGE_OF_PROCESSES = cypher`
  // pageOfStoredProcesses
  MATCH (n:Process)-[:OWNED_BY]->(o:User) WHERE n.id > $after
  WITH n, o ORDER BY n.id LIMIT toInteger($limit)
  RETURN n.id AS id, n.name AS name, o.id AS ownerId, o.name AS owner
`;

/** A page of all users' Tools or Processes, by id. */
export async function pageOfStored(
  tx: ReadTx,
  kind: StoredKind,
  page: { readonly after: string; readonly limit: number },
): Promise<StoredThing[]> {
  const rows = await tx.run(kind === 'Tool' ? PAGE_OF_TOOLS : PAGE_OF_PROCESSES, page);
  return rows.map((row) => parseRow(StoredThing, row, `stored ${kind}`));
}
