import { findSecrets } from '../../src/catalog/secrets/secret.cypher.ts';
import type { Secret as SecretModel } from '../../src/catalog/secrets/secret.ts';
import {
  findServiceHealth,
  findServicesOfTools,
  findStoredServices,
} from '../../src/catalog/services/service.cypher.ts';
import type {
  ServiceHealth,
  StoredService as ServiceModel,
} from '../../src/catalog/services/service.ts';
import {
  findServiceTemplates,
  findToolTemplates,
} from '../../src/catalog/templates/template.cypher.ts';
import type {
  ServiceTemplate as ServiceTemplateModel,
  ToolTemplate as ToolTemplateModel,
} from '../../src/catalog/templates/template.ts';
import { findTools, listToolsWith, type ToolFilter } from '../../src/catalog/tools/tool.cypher.ts';
import type { Tool as ToolModel } from '../../src/catalog/tools/tool.ts';
import type { Page } from '../../src/common/page.ts';
import { enumOf } from '../builder.ts';
import { connectionOf } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { loader } from '../loader.ts';
import { nodeType } from '../nodes.ts';
import { User } from '../operations/users.ts';

// The types of the catalog know each other in circles, so their references stand here and their fields in a file each.

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
export const ServiceTemplate = nodeType<ServiceTemplateModel>('ServiceTemplate', {
  label: 'ServiceTemplate',
  load: (context, ids) =>
    context.graph.read((tx) => findServiceTemplates(tx, viewerOf(context), ids)),
});
export const ToolTemplate = nodeType<ToolTemplateModel>('ToolTemplate', {
  label: 'ToolTemplate',
  load: (context, ids) => context.graph.read((tx) => findToolTemplates(tx, viewerOf(context), ids)),
});

export const ServiceConnection = connectionOf('Service', Service);
export const SecretConnection = connectionOf('Secret', Secret);
export const ToolConnection = connectionOf('Tool', Tool);
export const ServiceTemplateConnection = connectionOf('ServiceTemplate', ServiceTemplate);
export const ToolTemplateConnection = connectionOf('ToolTemplate', ToolTemplate);

export const ServiceType = enumOf('ServiceType', 'What kind of endpoint a Service is.', {
  neo4j_graph: 'A Neo4j database, called with Cypher.',
  rest_api: 'An HTTP API.',
  llm_provider: 'A language model behind an OpenAI-compatible or Anthropic API.',
  mcp_server: 'A server of the Model Context Protocol.',
});
export const Protocol = enumOf('Protocol', 'How a Service is reached.', {
  bolt: 'Bolt, in the clear.',
  'bolt+s': 'Bolt over TLS.',
  http: 'HTTP, in the clear; streamable HTTP for MCP.',
  https: 'HTTP over TLS; streamable HTTP for MCP.',
  stdio: 'A process the operator registered, over its standard input and output (MCP).',
  sse: 'Server-sent events (MCP).',
});
/** How a Service the viewer has reached is doing. */
export const healthOfService = loader<string, ServiceHealth>(async (context, ids) => {
  const found = await context.graph.read((tx) => findServiceHealth(tx, ids));
  return ids.map((id) => known(found.get(id), id));
});

const loadServiceOfTool = loader<string, ServiceModel>(async (context, ids) => {
  const found = await context.graph.read((tx) => findServicesOfTools(tx, viewerOf(context), ids));
  const byId = new Map(found.map((service) => [service.id, service]));
  return ids.map((id) => known(byId.get(id), id));
});

function known<T>(found: T | undefined, id: string): T {
  if (found === undefined) throw new Error(`The Service ${id} of a Tool is not there.`);
  return found;
}

// A page of Tools brings along what its Tools refer to, so that asking for it costs no further statement.
const brought = new WeakMap<RequestContext, Map<string, ServiceModel>>();

/** The Service of a Tool the viewer sees, shared or not; at most one statement for all Tools of a request. */
export function serviceOfTool(
  context: RequestContext,
  serviceId: string,
): ServiceModel | Promise<ServiceModel> {
  return brought.get(context)?.get(serviceId) ?? loadServiceOfTool(context, serviceId);
}

/** A page of Tools; its owners, Services and own Secrets are known to the request's loaders afterwards. */
export async function pageOfTools(
  context: RequestContext,
  filter: ToolFilter,
): Promise<Page<ToolModel>> {
  const { page, related } = await context.graph.read((tx) =>
    listToolsWith(tx, viewerOf(context), filter),
  );
  const services = brought.get(context) ?? new Map<string, ServiceModel>();
  brought.set(context, services);
  for (const service of related.services) services.set(service.id, service);
  for (const owner of related.owners) User.getDataloader(context).prime(owner.id, owner);
  for (const secret of related.secrets) Secret.getDataloader(context).prime(secret.id, secret);
  return page;
}
