import { z } from 'zod';
import { newestFirst, type Page, type PageArgs } from '../../common/page.ts';
import type { ServiceType } from '../../operations/operation.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { readAll, readMap, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { Viewer } from '../../users/user.ts';
import { ownerIdsOf } from '../access.ts';
import { instantsOf, jsonText } from '../stored.ts';
import { visibleByEdge } from '../visible.cypher.ts';
import {
  OwnToolsHealth,
  type Service,
  type ServiceHealth,
  StoredService,
  summariseHealth,
} from './service.ts';

// Computes health on each read, so it always agrees with the Tools.
const OWN_TOOLS = /* cypher */ `
  CALL (n, o) {
    OPTIONAL MATCH (n)<-[:USES_SERVICE]-(t:Tool {enabled: true})-[:OWNED_BY]->(o)
    RETURN {
      tools: count(t), checked: count(t.lastHealthCheck),
      healthy: count(CASE WHEN t.status = 'healthy' THEN 1 END),
      down: count(CASE WHEN t.status = 'down' THEN 1 END),
      lastHealthCheck: max(t.lastHealthCheck),
      complaint: min(CASE WHEN t.status <> 'healthy' THEN t.errorMessage END)
    } AS own
  }
`;
const SERVICE = 'n {.*, ownerId: o.id, own: own}';

const FIND_SERVICES = cypher`
  // findServices
  MATCH (n:Service)-[:OWNED_BY]->(o:User)
  WHERE n.id IN $ids AND (o.id IN $ownerIds OR n.shared)
  ${OWN_TOOLS}
  RETURN ${SERVICE} AS service
`;

/** Services by id, for the request loader. Omits Services that are absent or not visible. */
export const findServices = (tx: ReadTx, viewer: Viewer, ids: readonly string[]) =>
  readAll(tx, FIND_SERVICES, { ids, ownerIds: ownerIdsOf(viewer) }, (row) =>
    toService(row['service']),
  );

const STORED = `n {.*, ownerId: o.id, ${instantsOf('n', 'createdAt', 'updatedAt')}}`;

const FIND_STORED_SERVICES = cypher`
  // findStoredServices
  MATCH (n:Service)-[:OWNED_BY]->(o:User)
  WHERE n.id IN $ids AND (o.id IN $ownerIds OR n.shared)
  RETURN ${STORED} AS service
`;

/** As findServices without health, for the request loader. */
export const findStoredServices = (tx: ReadTx, viewer: Viewer, ids: readonly string[]) =>
  readAll(tx, FIND_STORED_SERVICES, { ids, ownerIds: ownerIdsOf(viewer) }, (row) =>
    parseRow(StoredService, row['service'], 'Service'),
  );

const FIND_SERVICE_HEALTH = cypher`
  // findServiceHealth
  MATCH (n:Service)-[:OWNED_BY]->(o:User) WHERE n.id IN $ids
  ${OWN_TOOLS}
  RETURN n.id AS id, n.enabled AS enabled, own
`;

const HealthRow = z.object({ id: z.string(), enabled: z.boolean(), own: OwnToolsHealth });
const ServiceRow = StoredService.extend({ own: OwnToolsHealth });

/**
 * Health of these Services, by id. Not scoped by a viewer: the caller must have read the Services.
 */
export function findServiceHealth(
  tx: ReadTx,
  ids: readonly string[],
): Promise<Map<string, ServiceHealth>> {
  return readMap(tx, FIND_SERVICE_HEALTH, { ids }, (row) => {
    const { id, enabled, own } = parseRow(HealthRow, row, 'Service');
    return [id, summariseHealth(enabled, own)];
  });
}

const FIND_SERVICES_OF_TOOLS = cypher`
  // findServicesOfTools
  MATCH (n:Service)-[:OWNED_BY]->(o:User)
  WHERE n.id IN $ids AND (o.id IN $ownerIds OR n.shared OR EXISTS {
    MATCH (n)<-[:USES_SERVICE]-(t:Tool)-[:OWNED_BY]->(u:User) WHERE t.shared OR u.id IN $ownerIds
  })
  RETURN ${STORED} AS service
`;

/**
 * Services of Tools that the viewer sees. A user of a shared Tool may read its Service, even if the
 * Service is not shared.
 */
export const findServicesOfTools = (tx: ReadTx, viewer: Viewer, ids: readonly string[]) =>
  readAll(tx, FIND_SERVICES_OF_TOOLS, { ids, ownerIds: ownerIdsOf(viewer) }, (row) =>
    parseRow(StoredService, row['service'], 'Service'),
  );

const SERVICES = listing({
  name: 'listServices',
  match: `${visibleByEdge('Service')} WHERE ($type IS NULL OR n.type = $type)`,
  order: newestFirst('n'),
  item: STORED,
});

export interface ServiceFilter extends PageArgs {
  readonly type?: ServiceType | null | undefined;
  /** Absent: true. */
  readonly includeShared?: boolean | null | undefined;
}

/** The viewer's Services and the shared ones, newest first. */
export function listServices(
  tx: ReadTx,
  viewer: Viewer,
  filter: ServiceFilter,
): Promise<Page<StoredService>> {
  const params = {
    ownerIds: ownerIdsOf(viewer),
    includeShared: filter.includeShared ?? true,
    type: filter.type,
  };
  return listPage(tx, SERVICES, filter, params, (row) => parseRow(StoredService, row, 'Service'));
}

function toService(row: unknown): Service {
  const { own, ...service } = parseRow(ServiceRow, row, 'Service');
  return { ...service, ...summariseHealth(service.enabled, own) };
}

const INSERT_SERVICE = cypher`
  // insertService
  MATCH (o:User {id: $ownerId})
  CREATE (n:Service:Resource)-[:OWNED_BY {createdAt: datetime($now)}]->(o)
  SET n = $properties, n.createdAt = datetime($now), n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

export async function insertService(
  tx: WriteTx,
  service: StoredService,
  entry: OutboxEntry,
): Promise<void> {
  const { ownerId, createdAt: now, updatedAt: _same, connectionSchema, ...properties } = service;
  await tx.run(INSERT_SERVICE, {
    ownerId,
    now,
    properties: { ...properties, connectionSchema: JSON.stringify(connectionSchema) },
    entries: entryParams([entry]),
  });
}

const UPDATE_SERVICE = cypher`
  // updateService
  MATCH (n:Service {id: $id})
  SET n += $properties, n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

/** Writes the changeable properties of a Service. */
export async function updateServiceNode(
  tx: WriteTx,
  service: StoredService,
  entry: OutboxEntry,
): Promise<void> {
  const { id, name, description, enabled, shared, schemaVersion, updatedAt: now } = service;
  const connectionSchema = JSON.stringify(service.connectionSchema);
  await tx.run(UPDATE_SERVICE, {
    id,
    now,
    properties: { name, description, enabled, shared, schemaVersion, connectionSchema },
    entries: entryParams([entry]),
  });
}

const FIND_SERVICE_USES = cypher`
  // findServiceUses
  MATCH (n:Service {id: $id})-[:OWNED_BY]->(o:User)
  MATCH (n)<-[uses:USES_SERVICE]-(t:Tool)-[:OWNED_BY]->(toolOwner:User)
  RETURN uses.connectionParams AS connectionParams, toolOwner.id <> o.id AS foreign
`;

/** One Tool's use of a Service. `foreign`: the Tool belongs to another owner. */
export const ServiceUse = z.object({
  connectionParams: jsonText,
  foreign: z.boolean(),
});
export type ServiceUse = z.infer<typeof ServiceUse>;

/** All uses of a Service by Tools. A change of the Service must not break them. */
export async function findServiceUses(tx: ReadTx, id: string): Promise<ServiceUse[]> {
  const rows = await tx.run(FIND_SERVICE_USES, { id });
  return rows.map((row) => parseRow(ServiceUse, row, `Service ${id}, its use by a Tool`));
}

const DELETE_SERVICE = cypher`
  // deleteService
  MATCH (n:Service {id: $id})
  DETACH DELETE n
  WITH count(*) AS deleted
  ${CREATE_ENTRIES}
`;

export const deleteServiceNode = (tx: WriteTx, id: string, entry: OutboxEntry) =>
  runWrite(tx, DELETE_SERVICE, { id, entries: entryParams([entry]) });
