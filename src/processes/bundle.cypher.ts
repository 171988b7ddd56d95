import type { ReadTx } from '../platform/neo4j/graph.ts';
import { SYSTEM_USER_ID, type Viewer } from '../users/viewer.ts';

export type BundleKind = 'Service' | 'Secret' | 'Tool' | 'Process';

// What is one's own comes first; what the system shares may be called by its name, because every installation has it.
const FIND_BY_NAMES = /* cypher */ `
  // findThingsByName
  UNWIND $wanted AS wanted
  MATCH (o:User)<-[:OWNED_BY]-(n:Resource)
  WHERE n.name = wanted.name AND wanted.kind IN labels(n) AND (o.id = $viewerId OR (o.id = $systemId AND n.shared))
  RETURN wanted.kind AS kind, n.name AS name, n.id AS id, o.id = $viewerId AS own
  ORDER BY n.createdAt, n.id
`;

export interface NamedThing {
  readonly kind: BundleKind;
  readonly name: string;
  readonly id: string;
  readonly own: boolean;
}

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
  return rows.map((row) => ({
    kind: String(row['kind']) as BundleKind,
    name: String(row['name']),
    id: String(row['id']),
    own: row['own'] === true,
  }));
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
  return rows.map((row) => String(row['id']));
}
