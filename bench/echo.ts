import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { CatalogDeps } from '../src/catalog/deps.ts';
import { createService } from '../src/catalog/services/service.mutations.ts';
import { createTool } from '../src/catalog/tools/tool.mutations.ts';
import { NO_USAGE } from '../src/common/tool-fault.ts';
import type { Process } from '../src/processes/process.ts';
import { mergeUser } from '../src/users/user.cypher.ts';
import type { Viewer } from '../src/users/user.ts';
import type { Engine } from '../test/testkit/engine.ts';

/** A Tool with almost no cost, and Processes that use it, for the benches of the engine. */
export interface EchoWorld {
  readonly viewer: Viewer;
  readonly deps: CatalogDeps;
  /** Marks the Tool as healthy; a probe inside a measured round would distort it. */
  stayHealthy(): Promise<void>;
  /** Creates a Process of `steps` echo steps; `q` is the context's variable. */
  createProcess(mode: 'sequential' | 'parallel', steps: number): Promise<Process>;
  /** Calls that were answered so far. */
  calls(): number;
  close(): void;
}

/** @param answersAfterMs wait of the Tool before it answers; default 0 */
export async function echoWorld(engine: Engine, answersAfterMs = 0): Promise<EchoWorld> {
  let calls = 0;
  const server = createServer(async (request, response) => {
    if (answersAfterMs > 0) await setTimeout(answersAfterMs);
    calls += 1;
    const q = new URL(request.url ?? '/', 'http://here').searchParams.get('q');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ q }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const { graph } = engine;
  const roles = ['user' as const];
  const identity = { issuer: 'bench', sub: randomUUID(), name: 'bench', roles, workspace: null };
  const user = await graph.write((tx) =>
    mergeUser(tx, { identity, id: engine.deps.newId(), now: new Date().toISOString() }),
  );
  const viewer: Viewer = { userId: user.id, name: 'bench', roles, workspace: user.workspace };
  const deps: CatalogDeps = {
    ...engine.deps,
    vault: engine.activityDeps.vault as CatalogDeps['vault'],
    toolCalls: {
      probe: async () => ({ status: 'healthy', errorMessage: null }),
      invoke: async () => ({ output: null, usage: NO_USAGE }),
      listMcpTools: async () => [],
    },
    mcpServers: {},
  };
  const service = await createService(deps, viewer, {
    name: 'Echo',
    type: 'rest_api',
    protocol: 'http',
    connectionSchema: {
      type: 'object',
      required: ['endpoint'],
      properties: { endpoint: { type: 'string', format: 'uri' } },
    },
    requiresSecret: false,
  });
  const tool = await createTool(deps, viewer, {
    name: 'Echo',
    serviceId: service.id,
    connectionParams: { endpoint: origin },
    operation: { type: 'rest_call', method: 'GET', path: '/', query: { q: '{{q}}' } },
    inputSchema: { type: 'object', required: ['q'], properties: { q: { type: 'string' } } },
    outputSchema: { type: 'object', required: ['q'] },
  });
  const stayHealthy = async () => {
    await graph.write((tx) =>
      tx.run(
        "// benchHealthy\n MATCH (t:Tool {id: $id}) SET t.status = 'healthy', " +
          't.lastHealthCheck = datetime()',
        { id: tool.id },
      ),
    );
  };
  await stayHealthy();
  return {
    viewer,
    deps,
    stayHealthy,
    createProcess: (mode, steps) =>
      engine.createProcess(viewer, {
        name: mode,
        initialContext: ['q'],
        steps: Array.from({ length: steps }, (_, n) => ({
          id: `s${n}`,
          calls: { toolId: tool.id },
          output: { variable: `v${n}` },
          execution: { mode },
          inputs: { q: n === 0 || mode === 'parallel' ? '{context.q}' : `{step.v${n - 1}.q}` },
        })),
        outputTemplate: `{{v${steps - 1}.q}}`,
      }),
    calls: () => calls,
    close: () => server.close(),
  };
}
