import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import type { CatalogDeps } from '../src/catalog/deps.ts';
import { createService } from '../src/catalog/service.mutations.ts';
import { createTool } from '../src/catalog/tool.mutations.ts';
import { productProjections } from '../src/main/projections.ts';
import { openBus } from '../src/outbox/local-bus.ts';
import type { Projection } from '../src/outbox/projection.ts';
import { type Chore, openRelay } from '../src/outbox/relay.ts';
import { openBlobStore } from '../src/platform/blobs/blob-store.ts';
import { migrate } from '../src/platform/neo4j/migrate.ts';
import { openLog } from '../src/platform/telemetry/log.ts';
import { createSchedules } from '../src/platform/temporal/schedules.ts';
import { memoryTrigger } from '../src/recall/memory-jobs.ts';
import { NO_USAGE } from '../src/runs/fault.ts';
import { openRunStarter } from '../src/runs/starter.ts';
import { openSettings } from '../src/settings/source.ts';
import { layerChore } from '../src/streams/layer-builder.ts';
import { mergeUser } from '../src/users/user.cypher.ts';
import type { Viewer } from '../src/users/viewer.ts';
import { workerReaper } from '../src/workers/pools.ts';
import { openEngine } from '../test/testkit/engine.ts';
import { type Figure, holds, interleave, median, pairedRatio, printFigure } from './report.ts';

// What recording costs a run: a 20-step Process while the relay numbers entries only, against while it does all that the product
// has it do: every projection and chore.

const STEPS = 20;
const AT_ONCE = 4;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);

const server = createServer((request, response) => {
  const q = new URL(request.url ?? '/', 'http://here').searchParams.get('q');
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ q }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const engine = await openEngine();
const { graph } = engine;
await migrate(graph);
const identity = {
  issuer: 'bench',
  sub: randomUUID(),
  name: 'bench',
  roles: ['user' as const],
  workspace: null,
};
const user = await graph.write((tx) =>
  mergeUser(tx, { identity, id: engine.deps.newId(), now: new Date().toISOString() }),
);
const viewer: Viewer = {
  userId: user.id,
  name: 'bench',
  roles: ['user'],
  workspace: user.workspace,
};
const deps: CatalogDeps = {
  ...engine.deps,
  vault: engine.activityDeps.vault as CatalogDeps['vault'],
  toolCalls: {
    probe: async () => ({ status: 'healthy', errorMessage: null }),
    invoke: async () => ({ output: null, usage: NO_USAGE }),
    listMcpTools: async () => [],
  },
  mcpServerNames: [],
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
const definition = await engine.createProcess(viewer, {
  name: 'sequential',
  initialContext: ['q'],
  steps: Array.from({ length: STEPS }, (_, n) => ({
    id: `s${n}`,
    calls: { toolId: tool.id },
    output: { variable: `v${n}` },
    execution: { mode: 'sequential' },
    inputs: { q: n === 0 ? '{context.q}' : `{step.v${n - 1}.q}` },
  })),
  outputTemplate: `{{v${STEPS - 1}.q}}`,
});

const { queuePrefix, temporal } = engine;
const log = openLog('silent');
const schedules = createSchedules(temporal);
// Runs are started by the engine on both sides; the starter finds that they are.
const starter = openRunStarter({ graph, log, start: (runId) => engine.launch(runId) });
// Runs outside of conversations are no events of the agent memory, so none of its jobs has a turn.
const recallTrigger = memoryTrigger({ log, take: async () => {} });
const projections: Record<'on' | 'off', Projection[]> = {
  on: productProjections({
    ...deps,
    queuePrefix,
    temporal,
    schedules,
    recallTrigger,
    memoryMode: { mode: 'separate', agentId: null },
    random: Math.random,
    settings: openSettings({ graph }),
    payloads: engine.activityDeps.payloads,
    blobs: openBlobStore(engine.blobs),
    starter: starter.projection,
  }),
  off: [],
};
const chores: Record<'on' | 'off', Chore[]> = {
  on: [starter.sweep, workerReaper(deps), layerChore(deps)],
  off: [],
};
const leaseName = `bench-${randomUUID()}`;

/** The wall time of some runs at once, under a relay of their own. */
const measured = (which: 'on' | 'off', own: number[]) => async () => {
  // Kept healthy by a job in real life; a probe inside a round would be a step's noise.
  await graph.write((tx) =>
    tx.run(
      "// benchHealthy\n MATCH (t:Tool {id: $id}) SET t.status = 'healthy', t.lastHealthCheck = datetime()",
      { id: tool.id },
    ),
  );
  const relay = openRelay(
    { graph, clock: engine.deps.clock, newId: engine.deps.newId, bus: openBus({ graph }), log },
    {
      projections: projections[which].map((one) => ({
        ...one,
        // A checkpoint of its own each round, or it would first catch up with the rounds without it.
        name: `${one.name}-${randomUUID()}`,
        startsAt: 'now' as const,
      })),
      chores: chores[which],
      settings: { leaseName },
    },
  );
  while (!relay.isHolder) await new Promise((resolve) => setTimeout(resolve, 20));
  const walls = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const startedMs = performance.now();
      await engine.run(viewer, definition, { q: 'start' });
      return performance.now() - startedMs;
    }),
  );
  own.push(median(walls));
  await relay.close();
};
const own: Record<'on' | 'off', number[]> = { on: [], off: [] };
await interleave({ on: measured('on', own.on), off: measured('off', own.off) }, { rounds: ROUNDS });
const [on, off] = [own.on.slice(2), own.off.slice(2)];
const figure: Figure = {
  name: `${STEPS} steps, ${AT_ONCE} runs at once, with all projections against without`,
  value: pairedRatio(on, off),
  unit: 'x',
  bound: 1.15,
  keep: 'at most',
  detail: `${median(on).toFixed(0)} / ${median(off).toFixed(0)} ms`,
};
printFigure(figure);
recallTrigger.close();
await starter.close();
await engine.close();
server.close();
process.exit(holds(figure) ? 0 : 1);
