import { type ChildProcess, spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    import.meta.url,
  ),
);

/** The MCP project's own test server, started as an operator registers it. */
export const EVERYTHING = {
  command: process.execPath,
  args: [ENTRY, 'stdio'],
  env: ['API_KEY', 'API_TOKEN'],
};

/**
 * The same server over HTTP on a free port of loopback: `endpoint` goes into connectionParams.
 */
export async function openEverything(
  kind: 'sse' | 'streamableHttp',
): Promise<{ endpoint: string; close(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(process.execPath, [ENTRY, kind], {
    env: { PORT: String(port) },
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilListening(origin, child);
  return {
    endpoint: `${origin}/${kind === 'sse' ? 'sse' : 'mcp'}`,
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

async function untilListening(origin: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1_500; tries++) {
    if (child.exitCode !== null) break;
    try {
      await (await fetch(origin)).body?.cancel();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('The MCP server did not start.');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
