import type { JsonObject } from '../common/json.ts';
import { type OutboxEntry, ownerEntry, ownerFor } from '../outbox/entry.ts';
import type { DriverCall, DriverResult, DriverTarget, Probe } from '../platform/drivers/driver.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { Vault } from '../platform/vault/vault.ts';
import type { BaseDeps, Viewer } from '../users/user.ts';
import type { OperationType } from './tools/operation.ts';

/** A tool as an MCP server lists it. */
export interface McpToolListing {
  readonly name: string;
  readonly description: string | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
}

/** The port to the drivers: what the catalog asks of the outside world. */
export interface ToolCalls {
  probe(type: OperationType, target: DriverTarget, signal: AbortSignal): Promise<Probe>;
  /** @throws ToolFault */
  invoke(call: DriverCall): Promise<DriverResult>;
  /** @throws ToolFault */
  listMcpTools(target: DriverTarget, signal: AbortSignal): Promise<McpToolListing[]>;
}

/** What reads and checks of the catalog need. */
export interface CatalogDeps extends BaseDeps {
  readonly graph: Graph;
  /** Tells the relay that a commit left entries; never waits. */
  wake(): void;
  readonly vault: Vault;
  readonly toolCalls: ToolCalls;
  /** The stdio MCP servers the operator registered. */
  readonly mcpServerNames: readonly string[];
}

type Noun = 'service' | 'secret' | 'tool' | 'serviceTemplate' | 'toolTemplate';

/** The entry of one change: `tool.updated` with the Tool's id, and what its subscribers need to know without asking. */
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
