import { z } from 'zod';
import { nameForms } from '../../catalog/text-checks.ts';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';

export const BUNDLE_KINDS = ['Service', 'Secret', 'Tool', 'Process'] as const;
export type BundleKind = (typeof BUNDLE_KINDS)[number];

// A bundle may reference shared resources of the system by name, because every installation has
// them.
const FIND_BY_NAMES = cypher`
  // findThingsByName
  UNWIND $wanted AS wanted
  MATCH (o:User)<-[:OWNED_BY]-(n:Resource)
  WHERE n.name IN wanted.forms AND wanted.kind IN labels(n)
    AND (o.id = $viewerId OR (o.id = $systemId AND n.shared))
  RETURN DISTINCT wanted.kind AS kind, n.name AS name, n.id AS id, o.id = $viewerId AS own,
    n.createdAt AS createdAt
  ORDER BY createdAt, id
`;

const NamedResource = z.object({
  kind: z.enum(BUNDLE_KINDS),
  name: z.string(),
  id: z.string(),
  own: z.boolean(),
});
export type NamedResource = Readonly<z.infer<typeof NamedResource>>;

/** The viewer's resources with these names, and the system's shared ones. */
export async function findThingsByName(
  tx: ReadTx,
  viewer: Viewer,
  wanted: readonly { readonly kind: BundleKind; readonly name: string }[],
): Promise<NamedResource[]> {
  if (wanted.length === 0) return [];
  const rows = await tx.run(FIND_BY_NAMES, {
    wanted: wanted.map(({ kind, name }) => ({ kind, forms: nameForms(name) })),
    viewerId: viewer.userId,
    systemId: SYSTEM_USER_ID,
  });
  return rows.map((row) => parseRow(NamedResource, row, 'Resource'));
}

/** Id of the system's Process of this name; null if it was deleted. */
export async function findSystemProcess(
  tx: ReadTx,
  viewer: Viewer,
  name: string,
): Promise<string | null> {
  const found = await findThingsByName(tx, viewer, [{ kind: 'Process', name }]);
  return found.find(({ own }) => !own)?.id ?? null;
}

const LIST_OWN_PROCESSES = cypher`
  // listOwnProcessIds
  MATCH (o:User {id: $viewerId})<-[:OWNED_BY]-(n:Process)
  RETURN n.id AS id ORDER BY n.createdAt, n.id LIMIT $limit
`;

export const listOwnProcessIds = async (tx: ReadTx, viewer: Viewer, limit: number) =>
  textsOf(await tx.run(LIST_OWN_PROCESSES, { viewerId: viewer.userId, limit }), 'id', 'Process');
