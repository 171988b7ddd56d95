import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { client } from '../test/testkit/client.ts';
import type { RestServer } from '../test/testkit/rest-server.ts';
import { runWorld } from '../test/testkit/run-world.ts';
import { openInstallation, openInstantRest } from './installation.ts';
import { type Figure, holds, interleave, median, printFigure } from './report.ts';

// A Process of one step, called over /mcp, against startProcessRun followed to its end over GraphQL
// (docs/decisions/0067).

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40);
const OVER_MS_MAX = 30;

async function main(): Promise<void> {
  const rest = await openInstantRest();
  const installation = await openInstallation();
  try {
    const { url } = installation;
    const user = client(`mcp-${randomUUID().slice(0, 8)}`, { url });
    const world = await runWorld(user, rest as RestServer, '/work');
    const processId = await world.createsProcess([{ stepId: 'a' }], {
      name: 'bench',
      exposeAsTool: true,
      outputTemplate: 'done',
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
    await installation.close();
    rest.close();
  }
}

await main();
