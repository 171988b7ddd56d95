import { describe, expect, it } from 'vitest';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { openRunStarter } from '../../src/runs/start/run-starter.projection.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { startRun } from '../../src/runs/start/start-run.service.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { runCypher } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet } from '../testkit/outbox.ts';
import { echoTool, step } from '../testkit/run-steps.ts';
import { openTcpProxy } from '../testkit/tcp-proxy.ts';

const { engine, rest, ada, own } = await engineWorld();
const { id: toolId } = await echoTool(ada, rest.origin);
const { id: processId } = await own.createProcess({
  steps: [step('a', toolId, { q: 'hello' })],
  outputTemplate: '{{a.query.q}}',
});

/** The spine of an API process: relay and starter, with Temporal at this address. */
function openSpine({ address = process.env['TEMPORAL_ADDRESS'] ?? '', failAfterStart = 0 } = {}) {
  const { graph } = engine;
  const temporal = openTemporal({ address, namespace: 'default' });
  const failures: string[] = [];
  let left = failAfterStart;
  // Between Temporal's answer and our record lies a moment in which a process can die.
  const dying: typeof graph = {
    ...graph,
    write: (work) => {
      if (left-- > 0) return Promise.reject(new Error('killed here'));
      return graph.write(work);
    },
  };
  const starter = openRunStarter({
    graph,
    log: quiet,
    settings: { retryMs: 50, retryMsMax: 500, sweepMs: 500 },
    start: async (runId) => {
      // Runs of other tests wait for another process.
      if (!mine.has(runId)) return;
      await temporal
        .bounded(() => startRun({ ...engine.deps, graph: dying, temporal: temporal.client }, runId))
        .catch((error: unknown) => {
          failures.push(String(error));
          throw error;
        });
    },
  });
  const relay = openRelay(
    { graph, clock, newId, bus: openBus({ graph }), log: quiet },
    {
      projections: [{ ...starter.projection, name: `starter-${newId()}` }],
      periodicTasks: [starter.sweep],
      settings: { leaseName: `test-${newId()}` },
    },
  );
  return {
    relay,
    failures,
    async close() {
      await relay.close();
      await starter.close();
      await temporal.close();
    },
  };
}

const mine = new Set<string>();
async function request(wake: () => void = () => {}): Promise<string> {
  const run = await startProcessRun(engine.deps, ada.viewer, { processId, context: {} });
  mine.add(run.id);
  wake();
  expect(run.status).toBe('pending');
  return run.id;
}
const startsOf = async (runId: string) =>
  (await engine.entries(runId)).filter(({ kind }) => kind === 'run.started').length;

// Runs are listed as pending until started, so only runs of this file are looked at.
describe('a run that was requested', () => {
  it('is started by the next API where the first was killed after its commit: once', async () => {
    const runId = await request();
    const spines = [openSpine(), openSpine()];
    const run = await own.wait(runId);
    expect(run).toMatchObject({ status: 'completed', output: 'hello' });
    expect(await startsOf(runId)).toBe(1);
    await Promise.all(spines.map((spine) => spine.close()));
  });

  it('is marked by the next API where the first was killed after the start', async () => {
    const spine = openSpine({ failAfterStart: 1 });
    const runId = await request(() => spine.relay.wake());
    const run = await own.wait(runId);
    expect(run).toMatchObject({ status: 'completed', output: 'hello' });
    await eventually('it is marked as started', async () => {
      const rows = await runCypher(
        engine.graph,
        'MATCH (r:PendingStart {id: $runId}) RETURN r.id',
        {
          runId,
        },
      );
      return rows.length === 0;
    });
    expect(spine.failures.length).toBeGreaterThan(0);
    const { executions } = await engine.temporal.connection.workflowService.listWorkflowExecutions({
      namespace: 'default',
      query: `WorkflowId = '${runId}'`,
    });
    expect(executions).toHaveLength(1);
    await spine.close();
  });

  it('is accepted at once while Temporal is away, and starts when it is back', async () => {
    const proxy = await openTcpProxy(process.env['TEMPORAL_ADDRESS'] ?? '');
    const spine = openSpine({ address: proxy.address });
    await eventually('the spine is up', () => spine.relay.isHolder);
    proxy.cut();
    const startedMs = performance.now();
    const runIds = await Promise.all([1, 2, 3].map(() => request(() => spine.relay.wake())));
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    await eventually('it was tried in vain', () => spine.failures.length > 0);
    for (const id of runIds) expect((await own.wait(id, ['pending'])).status).toBe('pending');
    proxy.mend();
    for (const id of runIds) {
      expect((await own.wait(id)).status).toBe('completed');
      expect(await startsOf(id)).toBe(1);
    }
    await spine.close();
    await proxy.close();
  });

  it.each([
    ['first step', { condition: 'true', told: ['run.started', 'step.started', 'step.ended'] }],
    ['end, if no step is called', { condition: 'false', told: ['step.skipped', 'run.started'] }],
  ] as const)(
    'is marked once where its starter was killed, by its %s',
    async (_by, { condition, told }) => {
      const process = await own.createProcess({
        initialContext: ['question'],
        steps: [step('a', toolId, { q: 'hello' }, { condition }, { required: false })],
        outputTemplate: 'Done.',
      });
      const context = { question: 'Why "so"? 🌍' };
      const input = { processId: process.id, context };
      const { id } = await startProcessRun(engine.deps, ada.viewer, input);
      const killed: Graph = {
        ...engine.graph,
        write: () => Promise.reject(new Error('killed here')),
      };
      const deps = { ...engine.deps, graph: killed, temporal: engine.temporal.client };
      await expect(startRun(deps, id)).rejects.toThrow('killed here');
      const run = await own.wait(id);
      expect(run).toMatchObject({ status: 'completed', output: 'Done.' });
      const { temporalRunId, startedAt } = run;
      const handle = engine.temporal.client.workflow.getHandle(id);
      expect(temporalRunId).toBe((await handle.describe()).runId);
      expect(startedAt).not.toBeNull();
      const entries = await engine.entries(id);
      const kinds = entries.map(({ kind }) => kind);
      expect(kinds).toEqual(['run.requested', ...told, 'run.ended']);
      expect(entries[kinds.indexOf('run.started')]?.payload).toEqual({
        processId: process.id,
        processName: process.name,
        processVersion: process.version,
        depth: 0,
        context: { value: context },
        parent: null,
      });
    },
  );
});
