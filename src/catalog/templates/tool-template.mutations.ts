import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import { refuse } from '../../common/refusal.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { checkDescription, checkName } from '../text-checks.ts';
import type { Operation } from '../tools/operation.ts';
import { checkToolStructure } from '../tools/tool.ts';
import { findToolTemplates, insertToolTemplate } from './template.cypher.ts';
import { type TemplateKind, updateTemplateIn } from './template.mutations.ts';
import type { ToolTemplate, UpdateTemplate } from './template.ts';

export interface CreateToolTemplate {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly operation: Operation;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly shared?: boolean | null | undefined;
}

const KIND: TemplateKind<ToolTemplate> = {
  noun: 'ToolTemplate',
  entry: 'toolTemplate',
  find: findToolTemplates,
};

/** S4-TTPL-01. @throws Refusal REQUIRED, INVALID, SCHEMA_INVALID, TEMPLATE_INVALID, UNKNOWN_VARIABLE */
export async function createToolTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateToolTemplate,
): Promise<ToolTemplate> {
  const template = await deps.graph.write((tx) => createToolTemplateIn(tx, deps, viewer, input));
  deps.wake();
  return template;
}

export async function createToolTemplateIn(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateToolTemplate,
): Promise<ToolTemplate> {
  refuse([
    ...checkName(input.name),
    ...checkDescription(input.description),
    ...checkToolStructure(input),
  ]);
  const now = instant(deps.clock);
  const template: ToolTemplate = {
    id: deps.newId(),
    ownerId: viewer.userId,
    name: input.name,
    description: input.description ?? null,
    operation: input.operation,
    inputSchema: input.inputSchema,
    outputSchema: input.outputSchema,
    shared: input.shared ?? false,
    archived: false,
    createdAt: now,
    updatedAt: now,
  };
  const entry = catalogEntry(deps, viewer, 'toolTemplate.created', template, {
    name: template.name,
  });
  await insertToolTemplate(tx, template, entry);
  return template;
}

/** @throws Refusal NOT_FOUND, FORBIDDEN, INVALID */
export async function updateToolTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateTemplate,
): Promise<ToolTemplate> {
  const template = await deps.graph.write((tx) => updateTemplateIn(tx, deps, viewer, KIND, input));
  deps.wake();
  return template;
}

/** Archives it: allowed at any time, and its Tools go on. Gives back the id. */
export async function deleteToolTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<string> {
  const { id } = await updateToolTemplate(deps, viewer, { id: input.id, archived: true });
  return id;
}
