import type { JsonObject } from '../common/json.ts';
import type { McpServerVariables, McpTool } from '../common/mcp-server.ts';
import type { OperationType } from '../operations/operation.ts';
import { type OutboxEntry, ownerEntry, ownerFor } from '../outbox/entry.ts';
import type { DriverCall, DriverResult, DriverTarget, Probe } from '../platform/drivers/driver.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';

/** Port to the drivers: calls that leave the product. */
export interface ToolCalls {
  probe(type: OperationType, target: DriverTarget, signal: AbortSignal): Promise<Probe>;
  /** @throws ToolFault */
  invoke(call: DriverCall): Promise<DriverResult>;
  /** @throws ToolFault */
  listMcpTools(target: DriverTarget, signal: AbortSignal, ownerId: string): Promise<McpTool[]>;
}

/** Dependencies of the catalog's reads, checks and mutations. */
export interface CatalogDeps extends BaseDeps {
  readonly graph: Graph;
  /** Wakes the relay after a commit that wrote outbox entries. Returns at once. */
  wake(): void;
  readonly vault: Vault;
  readonly toolCalls: ToolCalls;
  /** The stdio MCP servers that the operator registered. */
  readonly mcpServers: McpServerVariables;
}

type Noun = 'service' | 'secret' | 'tool' | 'serviceTemplate' | 'toolTemplate';

/**
 * The outbox entry of one change, such as `tool.updated`. Its payload has the resource's id, the
 * id of the viewer as `by`, and `facts` for the subscribers.
 */
export function catalogEntry(
  deps: BaseDeps,
  viewer: Viewer,
  kind: `${Noun}.${string}`,
  thing: { readonly id: string; readonly ownerId: string },
  facts: JsonObject = {},
): OutboxEntry {
  const payload = { id: thing.id, by: viewer.userId, ...facts };
  return ownerEntry(deps, ownerFor(viewer, thing.ownerId), kind, payload);
}
