import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { ENV_NAME } from '../../catalog/secrets/secret-scope.ts';
import type { McpServerVariables } from '../../common/mcp-server.ts';
import type { McpServerCommand } from '../../platform/drivers/stdio-transport.ts';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

const File = z.strictObject({
  servers: z.record(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'a name has lower-case letters, digits, - and _'),
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.array(z.string().regex(ENV_NAME, 'the name of a variable')).default([]),
    }),
  ),
});

/**
 * Reads the list of stdio MCP servers (setting `mcpServers`); its path starts at the
 * product's own folder.
 * @throws Error naming the file and every fault in it
 */
export function readMcpServers(file: string): Record<string, McpServerCommand> {
  const path = resolve(CHECKOUT, file);
  let parsed: z.ZodSafeParseResult<z.output<typeof File>>;
  try {
    parsed = File.safeParse(parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new Error(
      `AIDEN_MCP_SERVERS: ${path} can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new Error(`AIDEN_MCP_SERVERS: ${path}: ${faults.join('; ')}`);
  }
  const cwd = dirname(path);
  return Object.fromEntries(
    Object.entries(parsed.data.servers).map(([name, { command, args, env }]) => [
      name,
      { command: command === 'node' ? process.execPath : command, args, cwd, env },
    ]),
  );
}

/** The part of the operator's file that the catalog's checks need. */
export function variablesOf(servers: ReturnType<typeof readMcpServers>): McpServerVariables {
  return Object.fromEntries(Object.entries(servers).map(([name, { env = [] }]) => [name, env]));
}
