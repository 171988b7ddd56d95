import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import type { ToolCalls } from '../../src/catalog/deps.ts';
import { closeDrivers, type DriverParts, openDrivers } from '../../src/platform/drivers/index.ts';
import { openEgress } from '../../src/platform/egress/egress.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';
import { worldGraph } from './world.ts';

/** The MCP reference server from npm, as an operator would register it. */
export const EVERYTHING = {
  command: process.execPath,
  args: [
    fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
    'stdio',
  ],
};

/** What drivers need, closed after the test file; loopback is open, as in dev. */
export function driverParts() {
  const egress = openEgress({ mode: 'dev', allow: [], platformPorts: [], systemOrigins: [] });
  const renderer = openRenderer();
  afterAll(async () => {
    await Promise.all([egress.close(), renderer.close()]);
  });
  return { egress, renderer };
}

/**
 * The drivers themselves as the catalog's port, closed after the file.
 */
export function realCalls({
  mcpServers = { everything: EVERYTHING },
}: Partial<Pick<DriverParts, 'mcpServers'>> = {}): ToolCalls {
  const { egress, renderer } = driverParts();
  const drivers = openDrivers({ egress, renderer, platformGraph: worldGraph(), mcpServers });
  afterAll(() => closeDrivers(drivers));
  return {
    probe: (type, target, signal) => drivers[type].probe(target, signal),
    invoke: (call) => drivers[call.operation.type].invoke(call as never),
    listMcpTools: (target, signal) => drivers.mcp_call.listTools(target, signal),
  };
}
