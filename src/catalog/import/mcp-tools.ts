import { canonicalJson, type JsonObject } from '../../common/json.ts';
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from '../../common/limits.ts';
import type { McpTool } from '../../common/mcp-server.ts';
import { firstChars } from '../../common/well-formed.ts';
import { checkJsonSchema } from '../../json-schema/json-schema.ts';
import { readableSchema } from '../../json-schema/other-drafts.ts';
import type { Tool } from '../tools/tool.ts';
import type { CreateTool } from '../tools/tool-plan.ts';

/** A tool of an MCP server with the schemas that a Tool would have. */
export interface McpToolListing extends McpTool {
  /** Whether it can be called in spite of its problem. */
  readonly isUsable: boolean;
}

/** How a server's tool and the viewer's Tool for it stand to each other. */
export const MCP_TOOL_STATES = ['new', 'changed', 'unchanged', 'gone'] as const;
export type McpToolState = (typeof MCP_TOOL_STATES)[number];

type Listed = Pick<Tool, 'description' | 'inputSchema' | 'outputSchema'>;

/** A tool of an MCP server beside the viewer's Tool that calls it. */
export interface McpServerTool extends McpToolListing {
  readonly state: McpToolState | 'unusable';
  /** The viewer's Tool with the same connection; null for `new`. */
  readonly tool: Tool | null;
  /** The fields that an import would change, with the server's values. */
  readonly changes: Partial<Listed>;
}

/**
 * A tool as it can be imported. Schemas of older drafts are read as draft 2020-12, or as draft-07
 * where they use its keywords. A tool whose inputSchema cannot be checked is unusable; without a
 * usable outputSchema its answers are not checked.
 */
export function readListing({ hasNamesakes = false, ...found }: McpTool): McpToolListing {
  const inputSchema = readableSchema(found.inputSchema);
  const outputSchema = found.outputSchema === null ? null : readableSchema(found.outputSchema);
  const inputFault = found.problem ?? schemaFault(inputSchema, 'inputSchema');
  if (inputFault !== null)
    return { ...found, inputSchema, outputSchema: null, problem: inputFault, isUsable: false };
  const outputFault = outputSchema === null ? null : schemaFault(outputSchema, 'outputSchema');
  const problems = [
    ...(hasNamesakes ? [NAMESAKES] : []),
    ...(outputFault === null ? [] : [`Its answers are not checked. ${outputFault}`]),
  ];
  const problem = problems.length === 0 ? null : problems.join(' ');
  const checked = outputFault === null ? outputSchema : null;
  return { ...found, inputSchema, outputSchema: checked, problem, isUsable: true };
}

const NAMESAKES =
  'The server lists this name more than once: the first tool is taken, and the others are ' +
  'left out.';

function schemaFault(schema: JsonObject, field: string): string | null {
  const [first, ...others] = checkJsonSchema(schema, []);
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `Its ${[field, ...first.path].join('.')} cannot be used: ${first.message}${more}`;
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
    if (!found.isUsable)
      return { ...found, state: 'unusable', tool: calls(found.name), changes: {} };
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
    const schemas = { inputSchema, outputSchema, problem: null, isUsable: true };
    return [{ name, description, ...schemas, state: 'gone', tool, changes: {} }];
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
    name: displayName(name),
    description: description === null ? null : firstChars(description, DESCRIPTION_CHARS_MAX),
    operation: { type: 'mcp_call' as const, tool: name },
    inputSchema,
    outputSchema: outputSchema ?? {},
  } satisfies Partial<CreateTool>;
}

/** The server's name in one line, since names of Tools have no control characters. */
function displayName(name: string): string {
  const line = name.replace(/\p{Cc}+/gu, ' ').trim();
  return firstChars(line === '' ? 'tool' : line, NAME_CHARS_MAX);
}
