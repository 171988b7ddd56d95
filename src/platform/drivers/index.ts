import type { Egress } from '../egress/egress.ts';
import type { Graph } from '../neo4j/graph.ts';
import type { Renderer } from '../renderer/renderer.ts';
import type { ToolDriver, ToolDrivers } from './driver.ts';
import { type Embed, graphDriver } from './graph-query.ts';
import { llmDriver } from './llm-call.ts';
import { type McpDriver, mcpDriver } from './mcp-call.ts';
import { restDriver } from './rest-call.ts';
import type { McpServerCommand } from './stdio-transport.ts';

export interface DriverParts {
  readonly egress: Egress;
  readonly renderer: Renderer;
  /** The platform's own database: for Tools owned by `system` only. */
  readonly platformGraph: Graph;
  /** Vectors for statements of the system's Tools that ask by meaning; absent or null: by words alone. */
  readonly embed?: Embed;
  /** The operator's stdio servers by name. */
  readonly mcpServers: Readonly<Record<string, McpServerCommand>>;
}

/** All four drivers; `mcp_call` can also list what a server offers. */
export type Drivers = ToolDrivers & { readonly mcp_call: McpDriver };

/** Opens the drivers over their parts, which stay the caller's to close, after `closeDrivers`. */
export function openDrivers(parts: DriverParts): Drivers {
  return {
    graph_query: graphDriver(parts),
    rest_call: restDriver(parts),
    llm_call: llmDriver(parts),
    mcp_call: mcpDriver(parts),
  };
}

export async function closeDrivers(drivers: Drivers): Promise<void> {
  const all: readonly Pick<ToolDriver, 'close'>[] = Object.values(drivers);
  await Promise.all(all.map((driver) => driver.close()));
}
