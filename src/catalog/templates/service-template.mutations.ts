import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import { refuse } from '../../common/refusal.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import type { Viewer } from '../../users/user.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { checkStructure } from '../services/service.ts';
import { checkDescription, checkName } from '../text-checks.ts';
import type { Protocol, ServiceType } from '../tools/operation.ts';
import { findServiceTemplates, insertServiceTemplate } from './template.cypher.ts';
import { type TemplateKind, updateTemplateIn } from './template.mutations.ts';
import type { ServiceTemplate, UpdateTemplate } from './template.ts';

export interface CreateServiceTemplate {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly type: ServiceType;
  readonly protocol: Protocol;
  readonly connectionSchema: JsonObject;
  readonly requiresSecret: boolean;
  readonly shared?: boolean | null | undefined;
}

const KIND: TemplateKind<ServiceTemplate> = {
  noun: 'ServiceTemplate',
  entry: 'serviceTemplate',
  find: findServiceTemplates,
};

/** S4-STPL-01. @throws Refusal REQUIRED, INVALID, PROTOCOL_MISMATCH, SCHEMA_INVALID */
export async function createServiceTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateServiceTemplate,
): Promise<ServiceTemplate> {
  const template = await deps.graph.write((tx) => createServiceTemplateIn(tx, deps, viewer, input));
  deps.wake();
  return template;
}

export async function createServiceTemplateIn(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateServiceTemplate,
): Promise<ServiceTemplate> {
  refuse([
    ...checkName(input.name),
    ...checkDescription(input.description),
    ...checkStructure(input),
  ]);
  const now = instant(deps.clock);
  const template: ServiceTemplate = {
    id: deps.newId(),
    ownerId: viewer.userId,
    name: input.name,
    description: input.description ?? null,
    type: input.type,
    protocol: input.protocol,
    connectionSchema: input.connectionSchema,
    requiresSecret: input.requiresSecret,
    shared: input.shared ?? false,
    archived: false,
    createdAt: now,
    updatedAt: now,
  };
  const entry = catalogEntry(deps, viewer, 'serviceTemplate.created', template, {
    name: template.name,
  });
  await insertServiceTemplate(tx, template, entry);
  return template;
}

/** @throws Refusal NOT_FOUND, FORBIDDEN, INVALID */
export async function updateServiceTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateTemplate,
): Promise<ServiceTemplate> {
  const template = await deps.graph.write((tx) => updateTemplateIn(tx, deps, viewer, KIND, input));
  deps.wake();
  return template;
}

/** Archives it (S4-STPL-05, S4-STPL-06): allowed at any time, and its Services go on. Gives back the id. */
export async function deleteServiceTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<string> {
  const { id } = await updateServiceTemplate(deps, viewer, { id: input.id, archived: true });
  return id;
}
