import { canonicalJson, type JsonObject } from '../../common/json.ts';
import { firstChars } from '../../common/well-formed.ts';
import type { Tool } from '../tools/tool.ts';
import type { CreateTool } from '../tools/tool-plan.ts';

/** A tool as an MCP server lists it. */
export interface McpToolListing {
  readonly name: string;
  readonly description: string | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
}

/** How a server's tool and the viewer's Tool for it stand to each other. */
export const MCP_TOOL_STATES = ['new', 'changed', 'unchanged', 'gone'] as const;
export type McpToolState = (typeof MCP_TOOL_STATES)[number];

type Listed = Pick<Tool, 'description' | 'inputSchema' | 'outputSchema'>;

/** A tool of an MCP server beside the viewer's Tool that calls it. */
export interface McpServerTool extends McpToolListing {
  readonly state: McpToolState;
  /** The viewer's Tool with the same connection; null for `new`. */
  readonly tool: Tool | null;
  /** The fields that an import would change, with the server's values. */
  readonly changes: Partial<Listed>;
}

/**
 * Compares the tools of a server with the viewer's Tools of its Service. A Tool belongs to a
 * server's tool if it calls it by name, over the same connection.
 * @param tools the viewer's Tools of the Service, newest first
 */
export function compareMcpTools(
  listed: readonly McpToolListing[],
  tools: readonly Tool[],
  { connectionParams }: { readonly connectionParams: JsonObject },
): McpServerTool[] {
  const connection = canonicalJson(connectionParams);
  const here = tools.filter((tool) => canonicalJson(tool.connectionParams) === connection);
  const calls = (name: string) => here.find((tool) => calledBy(tool) === name) ?? null;
  const offered = listed.map((found): McpServerTool => {
    const tool = calls(found.name);
    const changes = tool === null ? {} : changesOf(tool, found);
    const isChanged = Object.keys(changes).length > 0;
    const state = tool === null ? 'new' : isChanged ? 'changed' : 'unchanged';
    return { ...found, state, tool, changes };
  });
  const names = new Set(listed.map(({ name }) => name));
  const gone = here.flatMap((tool): McpServerTool[] => {
    const name = calledBy(tool);
    if (name === null || names.has(name)) return [];
    const { description, inputSchema, outputSchema } = tool;
    return [{ name, description, inputSchema, outputSchema, state: 'gone', tool, changes: {} }];
  });
  return [...offered, ...gone];
}

const calledBy = ({ operation }: Tool) => (operation.type === 'mcp_call' ? operation.tool : null);

/** A server without an outputSchema leaves the Tool's: its author may have written one. */
function changesOf(tool: Tool, found: McpToolListing): Partial<Listed> {
  const { description, inputSchema } = toolFields(found);
  const wanted = {
    description,
    inputSchema,
    outputSchema: found.outputSchema ?? tool.outputSchema,
  };
  // With arguments, inputSchema declares the variables of the arguments, not the server's inputs.
  const { operation } = tool;
  const isMapped = operation.type === 'mcp_call' && operation.arguments != null;
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) =>
        !(isMapped && field === 'inputSchema') &&
        canonicalJson(value) !== canonicalJson(tool[field as keyof Listed]),
    ),
  );
}

/** The fields of a new Tool for a server's tool. */
export function toolFields({ name, description, inputSchema, outputSchema }: McpToolListing) {
  return {
    name: firstChars(name, 200),
    description: description == null ? null : firstChars(description, 2_000),
    operation: { type: 'mcp_call' as const, tool: name },
    inputSchema,
    outputSchema: outputSchema ?? {},
  } satisfies Partial<CreateTool>;
}
