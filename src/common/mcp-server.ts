import type { JsonObject } from './json.ts';

/**
 * The stdio MCP servers that the operator registered, each with the names of the variables that may
 * carry a Secret.
 */
export type McpServerVariables = Readonly<Record<string, readonly string[]>>;

/** Why a variable can't carry a Secret to this stdio server; null where the operator lists it. */
export function variableFault(
  server: string,
  variables: readonly string[],
  name: string,
): string | null {
  if (variables.includes(name)) return null;
  const known =
    variables.length === 0
      ? 'no variable. The operator lists variables as `env` of the server'
      : variables.map((variable) => `env:${variable}`).join(', ');
  return `The MCP server ${server} takes a Secret by ${known}.`;
}

export interface McpTool {
  readonly name: string;
  readonly description: string | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  /** Why the tool cannot be called, in one sentence; null where it can. */
  readonly problem: string | null;
  /** The server lists further tools of this name, which cannot be told from this one. */
  readonly hasNamesakes?: boolean;
}
