import { instant } from '../../common/clock.ts';
import { canonicalJson, type JsonObject } from '../../common/json.ts';
import type { Maybe } from '../../common/maybe.ts';
import { notFound, type Problem, problem, Refusal, refuse } from '../../common/refusal.ts';
import { checkJsonSchema } from '../../json-schema/json-schema.ts';
import type { ServiceType } from '../../operations/operation.ts';
import type { Protocol } from '../../operations/operation-type.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import type { Viewer } from '../../users/user.ts';
import { checkUnchanged, type Expected, foundToWrite } from '../access.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { checkServiceStructure } from '../templates/structure.ts';
import { findServiceTemplates } from '../templates/template.cypher.ts';
import { checkUsableTemplate, type ServiceTemplate } from '../templates/template.ts';
import { checkDescription, checkName, counted, givenFields } from '../text-checks.ts';
import { fitsConnectionSchema } from './connection.ts';
import {
  deleteServiceNode,
  findServices,
  findServiceUses,
  insertService,
  updateServiceNode,
} from './service.cypher.ts';
import type { Service, StoredService } from './service.ts';

export interface CreateService {
  readonly name: string;
  readonly description?: Maybe<string>;
  readonly type?: Maybe<ServiceType>;
  readonly protocol?: Maybe<Protocol>;
  readonly connectionSchema?: Maybe<JsonObject>;
  readonly requiresSecret?: Maybe<boolean>;
  readonly shared?: Maybe<boolean>;
  readonly enabled?: Maybe<boolean>;
  readonly serviceTemplateId?: Maybe<string>;
}

export interface UpdateService extends Expected {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly description?: Maybe<string>;
  readonly enabled?: Maybe<boolean>;
  readonly shared?: Maybe<boolean>;
  readonly connectionSchema?: Maybe<JsonObject>;
}

/**
 * Creates a Service, from a template if one is named (S4-SVC-07, S4-STPL-04).
 * @throws Refusal REQUIRED, INVALID, PROTOCOL_MISMATCH, SCHEMA_INVALID, NOT_FOUND, STATE
 */
export async function createService(
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateService,
): Promise<Service> {
  return writeAndWake(deps, (tx) => createServiceIn(tx, deps, viewer, input));
}

/** createService inside the caller's transaction (bundles). The caller wakes the relay. */
export async function createServiceIn(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  input: CreateService,
): Promise<Service> {
  const templateId = input.serviceTemplateId ?? null;
  const template = templateId === null ? null : await findLockedTemplate(tx, viewer, templateId);
  const structure = templateId === null ? input : template;
  const { type, protocol, connectionSchema } = structure ?? {};
  const requiresSecret = structure?.requiresSecret ?? false;
  refuse([
    ...checkName(input.name),
    ...checkDescription(input.description),
    ...(templateId === null ? checkServiceStructure(input) : checkCopied(input, template)),
  ]);
  if (type == null || protocol == null || connectionSchema == null)
    throw new Refusal([notFound('ServiceTemplate')]);

  const now = instant(deps.clock);
  const service: StoredService = {
    id: deps.newId(),
    ownerId: viewer.userId,
    name: input.name,
    description: input.description ?? null,
    type,
    protocol,
    connectionSchema,
    schemaVersion: 1,
    requiresSecret,
    enabled: input.enabled ?? true,
    shared: input.shared ?? false,
    serviceTemplateId: templateId,
    createdAt: now,
    updatedAt: now,
  };
  await insertService(
    tx,
    service,
    catalogEntry(deps, viewer, 'service.created', service, { name: service.name }),
  );
  return readBack(tx, viewer, service.id);
}

const COPIED = ['type', 'protocol', 'connectionSchema', 'requiresSecret'] as const;

function checkCopied(input: CreateService, template: ServiceTemplate | null): Problem[] {
  const given = COPIED.filter((name) => input[name] != null).map((name) =>
    problem('INVALID', [name], `${name} is copied from the template and can't be given as well.`),
  );
  return [...given, ...checkUsableTemplate('ServiceTemplate', 'serviceTemplateId', template)];
}

async function findLockedTemplate(
  tx: WriteTx,
  viewer: Viewer,
  id: string,
): Promise<ServiceTemplate | null> {
  await lockResources(tx, [id]);
  return (await findServiceTemplates(tx, viewer, [id]))[0] ?? null;
}

/**
 * Changes a Service (S4-SVC-09).
 * @throws Refusal NOT_FOUND, FORBIDDEN, REQUIRED, INVALID, SCHEMA_INVALID, IN_USE
 */
export async function updateService(
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateService,
): Promise<Service> {
  return writeAndWake(deps, (tx) => updateServiceIn(tx, deps, viewer, input));
}

export async function updateServiceIn(
  tx: WriteTx,
  deps: CatalogDeps,
  viewer: Viewer,
  input: UpdateService,
): Promise<Service> {
  // Creating a Tool takes the same lock, so the counts below stay true until the commit.
  await lockResources(tx, [input.id]);
  const current = foundToWrite(await findServices(tx, viewer, [input.id]), viewer, 'Service');

  const connectionSchema = input.connectionSchema ?? current.connectionSchema;
  const schemaChanges = canonicalJson(connectionSchema) !== canonicalJson(current.connectionSchema);
  const unshares = current.shared && input.shared === false;
  refuse([
    ...checkUnchanged('Service', current, input),
    ...(input.name != null ? checkName(input.name) : []),
    ...checkDescription(input.description),
    ...(await checkUses(tx, current, {
      connectionSchema: schemaChanges ? connectionSchema : null,
      unshares,
    })),
  ]);
  const service: StoredService = {
    ...current,
    name: input.name ?? current.name,
    description: input.description === undefined ? current.description : input.description,
    enabled: input.enabled ?? current.enabled,
    shared: input.shared ?? current.shared,
    connectionSchema,
    schemaVersion: current.schemaVersion + (schemaChanges ? 1 : 0),
    updatedAt: instant(deps.clock),
  };
  const facts = { changed: givenFields(input), enabled: service.enabled, shared: service.shared };
  await updateServiceNode(
    tx,
    service,
    catalogEntry(deps, viewer, 'service.updated', service, facts),
  );
  return readBack(tx, viewer, service.id);
}

/**
 * Refuses changes that would break Tools. No change moves a Tool: each keeps the schema that
 * completes it.
 */
async function checkUses(
  tx: WriteTx,
  current: Service,
  change: { connectionSchema: JsonObject | null; unshares: boolean },
): Promise<Problem[]> {
  const { connectionSchema } = change;
  const invalid =
    connectionSchema === null ? [] : checkJsonSchema(connectionSchema, ['connectionSchema']);
  if (invalid.length > 0 || (connectionSchema === null && !change.unshares)) return invalid;
  const uses = await findServiceUses(tx, current.id);
  const foreign = change.unshares ? uses.filter((use) => use.foreign).length : 0;
  const broken =
    connectionSchema === null
      ? 0
      : uses.filter((use) => !fitsConnectionSchema(connectionSchema, use.connectionParams)).length;
  return [
    ...(foreign === 0
      ? []
      : [
          problem(
            'IN_USE',
            ['shared'],
            `This Service is used by ${counted(foreign, 'Tool')} of others. Disable it to ` +
              'stop them.',
          ),
        ]),
    ...(broken === 0
      ? []
      : [
          problem(
            'IN_USE',
            ['connectionSchema'],
            `The connectionParams of ${counted(broken, 'Tool')} would not fit this schema.`,
          ),
        ]),
  ];
}

/**
 * Deletes a Service that no Tool uses (S4-SVC-10). Returns the id.
 * @throws Refusal NOT_FOUND, FORBIDDEN, IN_USE
 */
export async function deleteService(
  deps: CatalogDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<string> {
  await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [input.id]);
    const current = foundToWrite(await findServices(tx, viewer, [input.id]), viewer, 'Service');
    const uses = await findServiceUses(tx, input.id);
    if (uses.length > 0)
      throw Refusal.of(
        'IN_USE',
        ['id'],
        `This Service is used by ${counted(uses.length, 'Tool')}.`,
      );
    await deleteServiceNode(
      tx,
      input.id,
      catalogEntry(deps, viewer, 'service.deleted', current, { name: current.name }),
    );
  });
  return input.id;
}

async function readBack(tx: WriteTx, viewer: Viewer, id: string): Promise<Service> {
  const [service] = await findServices(tx, viewer, [id]);
  if (service === undefined) throw new Error(`Service ${id} is not there after its own write.`);
  return service;
}
