import { z } from 'zod';
import { ownerIdsOf } from '../catalog/access.ts';
import type { Page, PageArgs } from '../common/page.ts';
import { jsonText } from '../common/stored.ts';
import type { ReadTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import type { Viewer } from '../users/user.ts';
import { ProcessDefinition } from './process.ts';

/** One stored version of a Process. */
export interface ProcessVersion {
  readonly processId: string;
  readonly version: number;
  readonly definition: ProcessDefinition;
  readonly createdAt: string;
  readonly createdBy: string | null;
}

const StoredVersion = z.object({
  processId: z.string(),
  version: z.int(),
  definition: jsonText(ProcessDefinition),
  createdAt: z.string(),
  createdBy: z.string().nullable().default(null),
});

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
    parseRow(StoredVersion, row, 'ProcessVersion'),
  );
}

const FIND_VERSION = /* cypher */ `
  // findProcessVersion
  MATCH (p:Process {id: $processId})-[:OWNED_BY]->(o:User),
    (p)-[:HAS_VERSION]->(n:ProcessVersion {version: $version})
  WHERE o.id IN $ownerIds OR p.shared
  RETURN n {.*} AS version
`;

/** One version of a Process that the viewer may see; null if there is none. */
export async function findProcessVersion(
  tx: ReadTx,
  viewer: Viewer,
  { processId, version }: { readonly processId: string; readonly version: number },
): Promise<ProcessVersion | null> {
  const [row] = await tx.run(FIND_VERSION, { processId, version, ownerIds: ownerIdsOf(viewer) });
  return row === undefined ? null : parseRow(StoredVersion, row['version'], 'ProcessVersion');
}
