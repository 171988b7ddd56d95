import { newestFirst, type Page } from '../common/page.ts';
import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import type { Viewer } from '../users/viewer.ts';
import { ownerIdsOf } from './access.ts';
import type { TemplateFilter } from './template.ts';
import { ToolTemplate } from './tool-template.ts';
import { visibleByProperty } from './visible.cypher.ts';

const FIND_TOOL_TEMPLATES = /* cypher */ `
  // findToolTemplates
  MATCH (n:ToolTemplate)
  WHERE n.id IN $ids AND (n.ownerId IN $ownerIds OR n.shared)
  RETURN n {.*} AS template
`;

/** Archived ones too: they are reached by id (S4-TTPL-02). */
export async function findToolTemplates(
  tx: ReadTx,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ToolTemplate[]> {
  const rows = await tx.run(FIND_TOOL_TEMPLATES, { ids, ownerIds: ownerIdsOf(viewer) });
  return rows.map((row) => parseRow(ToolTemplate, row['template'], 'ToolTemplate'));
}

const TOOL_TEMPLATES = listing({
  name: 'listToolTemplates',
  match: `${visibleByProperty('ToolTemplate')} WHERE ($includeArchived OR NOT n.archived)`,
  order: newestFirst('n'),
  item: 'n {.*}',
});

export function listToolTemplates(
  tx: ReadTx,
  viewer: Viewer,
  filter: TemplateFilter,
): Promise<Page<ToolTemplate>> {
  const params = { ownerIds: ownerIdsOf(viewer), includeArchived: filter.includeArchived ?? false };
  return listPage(tx, TOOL_TEMPLATES, filter, params, (row) =>
    parseRow(ToolTemplate, row, 'ToolTemplate'),
  );
}

const INSERT_TOOL_TEMPLATE = /* cypher */ `
  // insertToolTemplate
  CREATE (n:ToolTemplate:Resource)
  SET n = $properties, n.createdAt = datetime($now), n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

export async function insertToolTemplate(
  tx: WriteTx,
  template: ToolTemplate,
  entry: OutboxEntry,
): Promise<void> {
  const {
    createdAt: now,
    updatedAt: _same,
    operation,
    inputSchema,
    outputSchema,
    ...properties
  } = template;
  await tx.run(INSERT_TOOL_TEMPLATE, {
    now,
    properties: {
      ...properties,
      operation: JSON.stringify(operation),
      inputSchema: JSON.stringify(inputSchema),
      outputSchema: JSON.stringify(outputSchema),
    },
    entries: entryParams([entry]),
  });
}
