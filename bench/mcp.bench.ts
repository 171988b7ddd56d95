import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { freePort } from '../stack/ports.ts';
import { client } from '../test/testkit/client.ts';
import type { RestServer } from '../test/testkit/rest-server.ts';
import { runWorld } from '../test/testkit/run-world.ts';
import { start } from '../test/testkit/started.ts';
import { type Figure, holds, interleave, median, printFigure } from './report.ts';

// A Process of one step, called over /mcp, against startProcessRun followed to its end over GraphQL (docs/decisions/0067).

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40);
const OVER_MS_MAX = 30;

async function main(): Promise<void> {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"done"}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'aiden-mcp-bench-'));
  const taken = new Set<number>();
  const port = await freePort(0, taken);
  const product = start(['--no-tour'], {
    AIDEN_DATA_DIR: dataDir,
    AIDEN_PORT: String(port),
    AIDEN_LOCAL_LLM_PORT: String(await freePort(0, taken)),
    MEMORY_GRPC_PORT: '0',
  });
  try {
    await product.until('Ctrl-C stops everything');
    const url = `http://127.0.0.1:${port}`;
    const user = client(`mcp-${randomUUID().slice(0, 8)}`, { url });
    const world = await runWorld(user, { origin } as RestServer, '/work');
    const more = { name: 'bench', outputTemplate: 'done' };
    const processId = await world.createsProcess([{ stepId: 'a' }], {
      exposeAsTool: true,
      ...more,
    });
    const mcp = new Client({ name: 'bench', version: '1' });
    const headers = { authorization: user.authorization };
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers },
    });
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
    const ms = await interleave(
      {
        mcp: async () => {
          const { isError } = await mcp.callTool({ name: 'bench', arguments: { name: 'x' } });
          if (isError === true) throw new Error('The call failed.');
        },
        graphql: async () => {
          const { status } = await world.finishes(await world.starts(processId));
          if (status !== 'COMPLETED') throw new Error(`A run ended as ${status}.`);
        },
      },
      { rounds: ROUNDS, warmUp: 10 },
    );
    const over = ms.mcp.map((one, round) => one - (ms.graphql[round] ?? Number.NaN));
    const figure: Figure = {
      name: 'an MCP call of a one-step Process over startProcessRun to its end',
      value: median(over),
      unit: 'ms',
      bound: OVER_MS_MAX,
      keep: 'at most',
      detail: `${median(ms.mcp).toFixed(0)} against ${median(ms.graphql).toFixed(0)} ms`,
    };
    printFigure(figure);
    await mcp.close();
    process.exitCode = holds(figure) ? 0 : 1;
  } finally {
    product.child.kill('SIGINT');
    await product.exit;
    server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
