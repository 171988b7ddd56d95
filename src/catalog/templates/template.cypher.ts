import { newestFirst, type Page } from '../../common/page.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { Viewer } from '../../users/user.ts';
import { ownerIdsOf } from '../access.ts';
import { visibleByProperty } from '../visible.cypher.ts';
import {
  ServiceTemplate,
  type TemplateFields,
  type TemplateFilter,
  ToolTemplate,
} from './template.ts';

const UPDATE_TEMPLATE = cypher`
  // updateTemplate
  MATCH (n:ServiceTemplate|ToolTemplate {id: $id})
  SET n.name = $name, n.description = $description, n.shared = $shared, n.archived = $archived,
    n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

/** Writes the changeable properties of a template of either kind. */
export async function updateTemplateNode(
  tx: WriteTx,
  template: TemplateFields,
  entry: OutboxEntry,
): Promise<void> {
  const { id, name, description, shared, archived, updatedAt: now } = template;
  await tx.run(UPDATE_TEMPLATE, {
    id,
    name,
    description,
    shared,
    archived,
    now,
    entries: entryParams([entry]),
  });
}

const FIND_SERVICE_TEMPLATES = cypher`
  // findServiceTemplates
  MATCH (n:ServiceTemplate)
  WHERE n.id IN $ids AND (n.ownerId IN $ownerIds OR n.shared)
  RETURN n {.*} AS template
`;

/**
 * Templates by id, archived ones too (S4-STPL-03). Omits templates that are absent or not visible.
 */
export const findServiceTemplates = (tx: ReadTx, viewer: Viewer, ids: readonly string[]) =>
  readAll(tx, FIND_SERVICE_TEMPLATES, { ids, ownerIds: ownerIdsOf(viewer) }, (row) =>
    parseRow(ServiceTemplate, row['template'], 'ServiceTemplate'),
  );

const SERVICE_TEMPLATES = listing({
  name: 'listServiceTemplates',
  match: `${visibleByProperty('ServiceTemplate')} WHERE ($includeArchived OR NOT n.archived)`,
  order: newestFirst('n'),
  item: 'n {.*}',
});

export function listServiceTemplates(
  tx: ReadTx,
  viewer: Viewer,
  filter: TemplateFilter,
): Promise<Page<ServiceTemplate>> {
  const params = { ownerIds: ownerIdsOf(viewer), includeArchived: filter.includeArchived ?? false };
  return listPage(tx, SERVICE_TEMPLATES, filter, params, (row) =>
    parseRow(ServiceTemplate, row, 'ServiceTemplate'),
  );
}

const INSERT_SERVICE_TEMPLATE = cypher`
  // insertServiceTemplate
  CREATE (n:ServiceTemplate:Resource)
  SET n = $properties, n.createdAt = datetime($now), n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

export async function insertServiceTemplate(
  tx: WriteTx,
  template: ServiceTemplate,
  entry: OutboxEntry,
): Promise<void> {
  const { createdAt: now, updatedAt: _same, connectionSchema, ...properties } = template;
  await tx.run(INSERT_SERVICE_TEMPLATE, {
    now,
    properties: { ...properties, connectionSchema: JSON.stringify(connectionSchema) },
    entries: entryParams([entry]),
  });
}

const FIND_TOOL_TEMPLATES = cypher`
  // findToolTemplates
  MATCH (n:ToolTemplate)
  WHERE n.id IN $ids AND (n.ownerId IN $ownerIds OR n.shared)
  RETURN n {.*} AS template
`;

/**
 * Templates by id, archived ones too (S4-TTPL-02). Omits templates that are absent or not visible.
 */
export const findToolTemplates = (tx: ReadTx, viewer: Viewer, ids: readonly string[]) =>
  readAll(tx, FIND_TOOL_TEMPLATES, { ids, ownerIds: ownerIdsOf(viewer) }, (row) =>
    parseRow(ToolTemplate, row['template'], 'ToolTemplate'),
  );

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

const INSERT_TOOL_TEMPLATE = cypher`
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
