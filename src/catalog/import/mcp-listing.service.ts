import type { JsonObject } from '../../common/json.ts';
import { notFound, Refusal, refuse } from '../../common/refusal.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { Viewer } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import { defaultSecretScope } from '../secrets/secret-scope.ts';
import { openCallTarget } from '../tools/call-target.service.ts';
import { findOwnToolsOf } from '../tools/tool.cypher.ts';
import { checkSource, type ImportInput, readSource } from './import-source.service.ts';
import {
  compareMcpTools,
  type McpServerTool,
  type McpToolListing,
  readListing,
} from './mcp-tools.ts';

const LIST_MS_MAX = 15_000;

/** A Service and, optionally, the connection to its server. */
export interface ListMcpServerTools {
  readonly serviceId: string;
  /** Absent: the connection and Secret of the viewer's newest Tool of this Service, else none. */
  readonly connectionParams?: JsonObject | null | undefined;
  readonly secretId?: string | null | undefined;
}

/**
 * The tools that an MCP server offers, each compared with the viewer's Tool for it, and the
 * viewer's Tools that the server no longer offers. Writes nothing.
 * @throws Refusal NOT_FOUND, TYPE_MISMATCH, INVALID; UNHEALTHY if the server does not answer
 */
export async function listMcpServerTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ListMcpServerTools,
): Promise<McpServerTool[]> {
  const tools = await deps.graph.read((tx) => findOwnToolsOf(tx, viewer, input.serviceId));
  const [newest] = tools;
  const connection =
    input.connectionParams == null
      ? { connectionParams: newest?.connectionParams ?? {}, secretId: newest?.secretId ?? null }
      : { connectionParams: input.connectionParams, secretId: input.secretId ?? null };
  const source = { serviceId: input.serviceId, ...connection };
  return compareMcpTools(await listMcpTools(deps, viewer, source), tools, source);
}

/** Asks the server for its tools. @throws Refusal as listMcpServerTools */
export async function listMcpTools(
  deps: CatalogDeps,
  viewer: Viewer,
  input: ImportInput,
): Promise<McpToolListing[]> {
  const { service, secret } = await readSource(deps, viewer, input);
  refuse(checkSource(deps, input, 'mcp_server', service, secret !== null));
  if (service === null) throw new Refusal([notFound('Service', ['serviceId'])]);
  const callable = {
    ownerId: viewer.userId,
    connectionParams: input.connectionParams,
    secretScope: defaultSecretScope(service, input.connectionParams),
    service,
    secret,
  };
  try {
    const target = await openCallTarget(deps, callable, viewer.userId);
    const limit = AbortSignal.timeout(LIST_MS_MAX);
    const listed = await deps.toolCalls.listMcpTools(target, limit, viewer.userId);
    return listed.map(readListing);
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    throw Refusal.of(
      'UNHEALTHY',
      ['connectionParams'],
      `The MCP server can't be asked: ${error.message}`,
    );
  }
}
