import { wellFormedJson } from '../../common/well-formed.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Egress } from '../egress/egress.ts';
import type { Graph } from '../neo4j/graph.ts';
import type { Renderer } from '../renderer/renderer.ts';
import type { ToolDriver, ToolDrivers } from './driver.ts';
import { graphDriver, type PlatformOperations } from './graph-query.ts';
import { llmDriver } from './llm-call.ts';
import { type McpDriver, mcpDriver } from './mcp-call.ts';
import { restDriver } from './rest-call.ts';
import type { McpServerCommand } from './stdio-transport.ts';
import { wellFormedDriver } from './well-formed-driver.ts';

export interface DriverParts {
  readonly egress: Egress;
  readonly renderer: Renderer;
  /** The platform's own database, only for Tools of `system`. */
  readonly platformGraph: Graph;
  /** Absent: system Tools that call an operation of the platform, as `query_graph` does, fail. */
  readonly operations?: PlatformOperations;
  /** Blobs of users, for files in messages and requests. Absent: none can be read. */
  readonly blobs?: BlobStore;
  /** The operator's stdio servers, by name. */
  readonly mcpServers: Readonly<Record<string, McpServerCommand>>;
}

/** All four drivers. `mcp_call` can also list a server's tools. */
export type Drivers = ToolDrivers & { readonly mcp_call: McpDriver };

/** Opens the drivers. The caller closes `parts` after `closeDrivers`. */
export function openDrivers(parts: DriverParts): Drivers {
  const mcp = mcpDriver(parts);
  return {
    graph_query: wellFormedDriver(graphDriver(parts)),
    rest_call: wellFormedDriver(restDriver(parts)),
    llm_call: wellFormedDriver(llmDriver(parts)),
    mcp_call: {
      ...wellFormedDriver<'mcp_call'>(mcp),
      listTools: async (target, signal) => wellFormedJson(await mcp.listTools(target, signal)),
    },
  };
}

export async function closeDrivers(drivers: Drivers): Promise<void> {
  const all: readonly Pick<ToolDriver, 'close'>[] = Object.values(drivers);
  await Promise.all(all.map((driver) => driver.close()));
}
