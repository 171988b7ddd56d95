import { CREATE_ENTRIES, entryParams } from '../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import type { WriteTx } from '../platform/neo4j/graph.ts';
import type { TemplateLabel } from './template.ts';

const UPDATE_TEMPLATE = /* cypher */ `
  // updateTemplate
  MATCH (n:ServiceTemplate|ToolTemplate {id: $id})
  SET n.name = $name, n.description = $description, n.shared = $shared, n.archived = $archived,
    n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

/** Writes all that may change of either kind of template. */
export async function updateTemplateNode(
  tx: WriteTx,
  template: TemplateLabel,
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
