import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Json, JsonObject } from '../../common/json.ts';
import type { McpTool } from '../../common/mcp-server.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { toolsOf } from './mcp-answers.ts';
import { AnyResult, NO_LIMIT_MS, ping } from './mcp-ping.ts';

const TOOLS_MAX = 1_000;
const PAGES_MAX = 200;
/** Time for the list in a probe; the ping after it has the rest. */
const LIST_MS = 3_000;

export interface ToolsList {
  readonly tools: McpTool[];
  /** False where it was cut off: the server lists more than we read. */
  readonly isWhole: boolean;
}

/**
 * Reads the tools of a server, page by page. Some servers give the same page for every cursor, or
 * the same cursor for every page. An empty text is a cursor too.
 * @throws Error of the request; ToolFault TOOL_FAILED where the answer is no list
 */
export async function readTools(client: Client, signal?: AbortSignal): Promise<ToolsList> {
  const options = signal === undefined ? {} : { signal, timeout: NO_LIMIT_MS };
  const tools = new Map<string, McpTool>();
  const cursors = new Set<string>();
  /** Names that stand twice in one page. A name on two pages is a page that came twice. */
  const twice = new Set<string>();
  let cursor: Json = null;
  let isWhole = false;
  let hasGap = false;
  for (let pages = 0; pages < PAGES_MAX && tools.size < TOOLS_MAX; pages++) {
    const params = cursor === null ? {} : { cursor };
    const page = (await client.request(
      { method: 'tools/list', params },
      AnyResult,
      options,
    )) as JsonObject;
    if (pages === 0 && !Array.isArray(page['tools']))
      throw new ToolFault('TOOL_FAILED', 'The answer of the MCP server has no list of tools.');
    hasGap ||= !Array.isArray(page['tools']);
    const found = toolsOf(page, tools.size);
    const before = tools.size;
    for (const [name, [first, second]] of Map.groupBy(found, (tool) => tool.name)) {
      if (second !== undefined) twice.add(name);
      if (first !== undefined && !tools.has(name)) tools.set(name, first);
    }
    cursor = page['nextCursor'] ?? null;
    const key = JSON.stringify(cursor);
    const isRepeated = cursors.has(key) || (found.length > 0 && tools.size === before);
    isWhole = cursor === null;
    if (isWhole || isRepeated) break;
    cursors.add(key);
  }
  const read = [...tools.values()]
    .slice(0, TOOLS_MAX)
    .map((tool) => (twice.has(tool.name) ? { ...tool, hasNamesakes: true } : tool));
  return { tools: read, isWhole: isWhole && !hasGap && tools.size <= TOOLS_MAX };
}

/**
 * Asks a server for a sign of life: its tools, or an answer to a ping where it gives no list in
 * time. The ping goes first: a server with one thread may take long for its list.
 * @returns the names of its tools; null where they are not known
 * @throws Error where the server gave no answer
 */
export async function listOrPing(
  client: Client,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const answered = new AbortController();
  const pinged = ping(client, AbortSignal.any([signal, answered.signal]));
  pinged.catch(() => {});
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIST_MS)]);
    const { tools, isWhole } = await readTools(client, limit);
    return isWhole ? tools.map(({ name }) => name) : null;
  } catch {
    await pinged;
    return null;
  } finally {
    answered.abort();
  }
}
