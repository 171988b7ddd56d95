import { z } from 'zod';
import type { ReadTx } from '../../platform/neo4j/graph.ts';
import { parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';

export const BUNDLE_KINDS = ['Service', 'Secret', 'Tool', 'Process'] as const;
export type BundleKind = (typeof BUNDLE_KINDS)[number];

// What is one's own comes first; what the system shares may be called by its name, because every installation has it.
const FIND_BY_NAMES = /* cypher */ `
  // findThingsByName
  UNWIND $wanted AS wanted
  MATCH (o:User)<-[:OWNED_BY]-(n:Resource)
  WHERE n.name = wanted.name AND wanted.kind IN labels(n) AND (o.id = $viewerId OR (o.id = $systemId AND n.shared))
  RETURN wanted.kind AS kind, n.name AS name, n.id AS id, o.id = $viewerId AS own
  ORDER BY n.createdAt, n.id
`;

const NamedThing = z.object({
  kind: z.enum(BUNDLE_KINDS),
  name: z.string(),
  id: z.string(),
  own: z.boolean(),
});
export type NamedThing = Readonly<z.infer<typeof NamedThing>>;

/** The viewer's own things of these names, and those the system shares. */
export async function findThingsByName(
  tx: ReadTx,
  viewer: Viewer,
  wanted: readonly { readonly kind: BundleKind; readonly name: string }[],
): Promise<NamedThing[]> {
  if (wanted.length === 0) return [];
  const rows = await tx.run(FIND_BY_NAMES, {
    wanted,
    viewerId: viewer.userId,
    systemId: SYSTEM_USER_ID,
  });
  return rows.map((row) => parseRow(NamedThing, row, 'Resource'));
}

/** The system's own Process of this name; null where it was taken away. */
export async function findSystemProcess(
  tx: ReadTx,
  viewer: Viewer,
  name: string,
): Promise<string | null> {
  const found = await findThingsByName(tx, viewer, [{ kind: 'Process', name }]);
  return found.find(({ own }) => !own)?.id ?? null;
}

const LIST_OWN_PROCESSES = /* cypher */ `
  // listOwnProcessIds
  MATCH (o:User {id: $viewerId})<-[:OWNED_BY]-(n:Process)
  RETURN n.id AS id ORDER BY n.createdAt, n.id LIMIT $limit
`;

export async function listOwnProcessIds(
  tx: ReadTx,
  viewer: Viewer,
  limit: number,
): Promise<string[]> {
  const rows = await tx.run(LIST_OWN_PROCESSES, { viewerId: viewer.userId, limit });
  return textsOf(rows, 'id', 'Process');
}
