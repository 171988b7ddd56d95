import { instant } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import type { Maybe } from '../../common/maybe.ts';
import { notFound, type Problem, Refusal, refuse } from '../../common/refusal.ts';
import type { Operation, ServiceType } from '../../operations/operation.ts';
import type { Protocol } from '../../operations/operation-type.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { checkMayWrite } from '../access.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { checkDescription, checkName, givenFields } from '../text-checks.ts';
import { checkServiceStructure, checkToolStructure } from './structure.ts';
import {
  findServiceTemplates,
  findToolTemplates,
  insertServiceTemplate,
  insertToolTemplate,
  updateTemplateNode,
} from './template.cypher.ts';
import {
  applyUpdate,
  checkUpdateTemplate,
  type ServiceTemplate,
  type TemplateFields,
  type ToolTemplate,
  type UpdateTemplate,
} from './template.ts';

interface CreateTemplate {
  readonly name: string;
  readonly description?: Maybe<string>;
  /** Absent: false. */
  readonly shared?: Maybe<boolean>;
}

export interface CreateServiceTemplate extends CreateTemplate {
  readonly type: ServiceType;
  readonly protocol: Protocol;
  readonly connectionSchema: JsonObject;
  readonly requiresSecret: boolean;
}

export interface CreateToolTemplate extends CreateTemplate {
  readonly operation: Operation;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
}

/** One kind of template: the noun of its messages, its outbox entries and its statements. */
interface TemplateKind<T extends TemplateFields> {
  readonly noun: 'ServiceTemplate' | 'ToolTemplate';
  readonly entry: 'serviceTemplate' | 'toolTemplate';
  readonly find: (tx: ReadTx, viewer: Viewer, ids: readonly string[]) => Promise<T[]>;
  readonly insert: (tx: WriteTx, template: T, entry: OutboxEntry) => Promise<void>;
}

const SERVICE_TEMPLATE: TemplateKind<ServiceTemplate> = {
  noun: 'ServiceTemplate',
  entry: 'serviceTemplate',
  find: findServiceTemplates,
  insert: insertServiceTemplate,
};

const TOOL_TEMPLATE: TemplateKind<ToolTemplate> = {
  noun: 'ToolTemplate',
  entry: 'toolTemplate',
  find: findToolTemplates,
  insert: insertToolTemplate,
};

/**
 * Creates a ServiceTemplate (S4-STPL-01).
 * @throws Refusal REQUIRED, INVALID, PROTOCOL_MISMATCH, SCHEMA_INVALID
 */
export function createServiceTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateServiceTemplate,
): Promise<ServiceTemplate> {
  const { type, protocol, connectionSchema, requiresSecret } = input;
  return createTemplate(deps, viewer, SERVICE_TEMPLATE, {
    input,
    structureProblems: checkServiceStructure(input),
    build: (fields) => ({ ...fields, type, protocol, connectionSchema, requiresSecret }),
  });
}

/**
 * Creates a ToolTemplate (S4-TTPL-01).
 * @throws Refusal REQUIRED, INVALID, SCHEMA_INVALID, TEMPLATE_INVALID, UNKNOWN_VARIABLE
 */
export function createToolTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateToolTemplate,
): Promise<ToolTemplate> {
  const { operation, inputSchema, outputSchema } = input;
  return createTemplate(deps, viewer, TOOL_TEMPLATE, {
    input,
    structureProblems: checkToolStructure(input),
    build: (fields) => ({ ...fields, operation, inputSchema, outputSchema }),
  });
}

/**
 * Changes name, description and flags (S4-STPL-02).
 * @throws Refusal NOT_FOUND, FORBIDDEN, INVALID
 */
export function updateServiceTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateTemplate,
): Promise<ServiceTemplate> {
  return updateTemplate(deps, viewer, SERVICE_TEMPLATE, input);
}

/**
 * Changes name, description and flags (S4-TTPL-02).
 * @throws Refusal NOT_FOUND, FORBIDDEN, INVALID
 */
export function updateToolTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateTemplate,
): Promise<ToolTemplate> {
  return updateTemplate(deps, viewer, TOOL_TEMPLATE, input);
}

/**
 * Archives the template (S4-STPL-05, S4-STPL-06). Always allowed: the Services copied from it stay.
 * Returns the id.
 * @throws Refusal NOT_FOUND, FORBIDDEN
 */
export async function deleteServiceTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<string> {
  return (await updateServiceTemplate(deps, viewer, { id, archived: true })).id;
}

/**
 * Archives the template. Always allowed: the Tools copied from it stay. Returns the id.
 * @throws Refusal NOT_FOUND, FORBIDDEN
 */
export async function deleteToolTemplate(
  deps: CatalogDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<string> {
  return (await updateToolTemplate(deps, viewer, { id, archived: true })).id;
}

function updateTemplate<T extends TemplateFields>(
  deps: CatalogDeps,
  viewer: Viewer,
  kind: TemplateKind<T>,
  input: UpdateTemplate,
): Promise<T> {
  return writeAndWake(deps, async (tx) => {
    await lockResources(tx, [input.id]);
    const [current] = await kind.find(tx, viewer, [input.id]);
    refuse([...checkMayWrite(viewer, kind.noun, current), ...checkUpdateTemplate(input)]);
    if (current === undefined) throw new Refusal([notFound(kind.noun)]);
    const updated = applyUpdate(current, input, instant(deps.clock));
    const verb = !current.archived && updated.archived ? 'archived' : 'updated';
    const entry = catalogEntry(deps, viewer, `${kind.entry}.${verb}`, updated, {
      changed: givenFields(input),
    });
    await updateTemplateNode(tx, updated, entry);
    return updated;
  });
}

async function createTemplate<T extends TemplateFields>(
  deps: CatalogDeps,
  viewer: Viewer,
  kind: TemplateKind<T>,
  {
    input,
    structureProblems,
    build,
  }: {
    readonly input: CreateTemplate;
    readonly structureProblems: readonly Problem[];
    readonly build: (fields: TemplateFields) => T;
  },
): Promise<T> {
  refuse([...checkName(input.name), ...checkDescription(input.description), ...structureProblems]);
  return writeAndWake(deps, async (tx) => {
    const now = instant(deps.clock);
    const created = build({
      id: deps.newId(),
      ownerId: viewer.userId,
      name: input.name,
      description: input.description ?? null,
      shared: input.shared ?? false,
      archived: false,
      createdAt: now,
      updatedAt: now,
    });
    const entry = catalogEntry(deps, viewer, `${kind.entry}.created`, created, {
      name: created.name,
    });
    await kind.insert(tx, created, entry);
    return created;
  });
}
