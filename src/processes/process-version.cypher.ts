import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import type { Page, PageArgs } from '../common/page.ts';
import { jsonText } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import type { Viewer } from '../users/user.ts';
import { ProcessDefinition } from './process.ts';

export const ProcessVersion = z.object({
  processId: z.string(),
  version: z.int(),
  definition: jsonText(ProcessDefinition),
  createdAt: z.string(),
  createdBy: z.string().nullable().default(null),
});
export type ProcessVersion = z.infer<typeof ProcessVersion>;

const VERSIONS = listing({
  name: 'listProcessVersions',
  match: /* cypher */ `
    MATCH (p:Process {id: $processId})-[:OWNED_BY]->(o:User), (p)-[:HAS_VERSION]->(n:ProcessVersion)
    WHERE (o.id IN $ownerIds OR p.shared)
  `,
  order: [{ cypher: 'n.version', type: 'number', order: 'descending' }],
  item: 'n {.*}',
});

/** The versions of a Process that the viewer may see, newest first. */
export function listProcessVersions(
  tx: ReadTx,
  viewer: Viewer,
  filter: PageArgs & { readonly processId: string },
): Promise<Page<ProcessVersion>> {
  const { processId, ...page } = filter;
  return listPage(tx, VERSIONS, page, { processId, ownerIds: ownerIdsOf(viewer) }, (row) =>
    parseRow(ProcessVersion, row, 'ProcessVersion'),
  );
}

const FIND_VERSIONS = cypher`
  // findProcessVersions
  UNWIND $refs AS ref
  MATCH (p:Process {id: ref.processId})-[:OWNED_BY]->(o:User),
    (n:ProcessVersion {processId: ref.processId, version: ref.version})
  WHERE o.id IN $ownerIds OR p.shared
  RETURN n {.*} AS version
`;

/** Address of a version: the Process and the number. */
export type VersionRef = Pick<ProcessVersion, 'processId' | 'version'>;

/** Versions of Processes that the viewer may see; others are left out. */
export async function findProcessVersions(
  tx: ReadTx,
  viewer: Viewer,
  refs: readonly VersionRef[],
): Promise<ProcessVersion[]> {
  const rows = await tx.run(FIND_VERSIONS, {
    refs: refs.map(({ processId, version }) => ({ processId, version })),
    ownerIds: ownerIdsOf(viewer),
  });
  return rows.map((row) => parseRow(ProcessVersion, row['version'], 'ProcessVersion'));
}

/** One version of a Process that the viewer may see; null if there is none. */
export async function findProcessVersion(
  tx: ReadTx,
  viewer: Viewer,
  ref: VersionRef,
): Promise<ProcessVersion | null> {
  const [found] = await findProcessVersions(tx, viewer, [ref]);
  return found ?? null;
}
