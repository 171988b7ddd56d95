import { findSecrets } from '../../src/catalog/secrets/secret.cypher.ts';
import type { Secret as SecretModel } from '../../src/catalog/secrets/secret.ts';
import {
  findServicesOfTools,
  findStoredServices,
} from '../../src/catalog/services/service.cypher.ts';
import type { StoredService as ServiceModel } from '../../src/catalog/services/service.ts';
import { findTools, listToolsWith, type ToolFilter } from '../../src/catalog/tools/tool.cypher.ts';
import type { Tool as ToolModel } from '../../src/catalog/tools/tool.ts';
import type { Page } from '../../src/common/page.ts';
import { enumOf } from '../builder.ts';
import { connectionOf } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { nodeType } from '../nodes.ts';
import { User } from '../users/users.ts';

// Service, Secret and Tool refer to each other. Their references are declared here, so that the
// files with their fields (services.ts, secrets.ts, tools.ts) need not import each other.

export const Service = nodeType<ServiceModel>('Service', {
  label: 'Service',
  load: (context, ids) =>
    context.graph.read((tx) => findStoredServices(tx, viewerOf(context), ids)),
});
export const Secret = nodeType<SecretModel>('Secret', {
  label: 'Secret',
  load: (context, ids) => context.graph.read((tx) => findSecrets(tx, viewerOf(context), ids)),
});
export const Tool = nodeType<ToolModel>('Tool', {
  label: 'Tool',
  load: (context, ids) => context.graph.read((tx) => findTools(tx, viewerOf(context), ids)),
});
export const ToolConnection = connectionOf('Tool', Tool);
export const ServiceType = enumOf('ServiceType', 'Kind of endpoint of a Service.', {
  neo4j_graph: 'A Neo4j database, called with Cypher.',
  rest_api: 'An HTTP API.',
  llm_provider: 'A language model behind an OpenAI-compatible or Anthropic API.',
  mcp_server: 'A Model Context Protocol server.',
});
export const Protocol = enumOf('Protocol', 'Protocol of a Service.', {
  bolt: 'Bolt without encryption.',
  'bolt+s': 'Bolt over TLS.',
  http: 'HTTP without encryption; streamable HTTP for MCP.',
  https: 'HTTP over TLS; streamable HTTP for MCP.',
  stdio: 'A process registered by the operator, over standard input and output (MCP).',
  sse: 'Server-sent events (MCP).',
});
export const HealthTells = enumOf('HealthTells', 'What the status HEALTHY says of a Tool.', {
  call:
    'A call would be taken: the database answers a query, the provider knows the model, the MCP ' +
    "server lists the tool, or the request of a REST Tool's `probe` succeeds.",
  answer:
    'Only that the target answers: a REST Tool without `probe`, or a provider of models or an ' +
    'MCP server that gives no whole list. Whether a call would work is unknown.',
});
export const HealthStatus = enumOf('HealthStatus', 'Health of a component.', {
  healthy: 'It works.',
  degraded: 'It works in part, or has not been probed yet.',
  down: 'It does not answer, or is disabled.',
});
const loadServiceOfTool = loader<string, ServiceModel>(async (context, ids) => {
  const found = await context.graph.read((tx) => findServicesOfTools(tx, viewerOf(context), ids));
  const byId = new Map(found.map((service) => [service.id, service]));
  return ids.map((id) => {
    const service = byId.get(id);
    if (service === undefined) throw new Error(`The Service ${id} of a Tool is not there.`);
    return service;
  });
});

// A page of Tools is read together with its Services, so that the field `service` costs no further
// statement.
const servicesOfRequest = new WeakMap<RequestContext, Map<string, ServiceModel>>();

/**
 * The Service of a visible Tool, shared or not. At most one statement for all Tools of a request.
 */
export function serviceOfTool(
  context: RequestContext,
  serviceId: string,
): ServiceModel | Promise<ServiceModel> {
  return servicesOfRequest.get(context)?.get(serviceId) ?? loadServiceOfTool(context, serviceId);
}

/**
 * A page of Tools. Fills the request's loaders with its owners, Services and the viewer's Secrets.
 */
export async function pageOfTools(
  context: RequestContext,
  filter: ToolFilter,
): Promise<Page<ToolModel>> {
  const { page, related } = await context.graph.read((tx) =>
    listToolsWith(tx, viewerOf(context), filter),
  );
  const services = servicesOfRequest.get(context) ?? new Map<string, ServiceModel>();
  servicesOfRequest.set(context, services);
  for (const service of related.services) services.set(service.id, service);
  for (const owner of related.owners) User.getDataloader(context).prime(owner.id, owner);
  for (const secret of related.secrets) Secret.getDataloader(context).prime(secret.id, secret);
  return page;
}

/** Input of a change that refuses to write over what its writer has not seen. */
export const EXPECTED_UPDATED_AT = [
  'DateTime',
  '`updatedAt` of what you edited. If it was changed since, the update gives CONFLICT. Default: ' +
    'no check.',
] as const;
