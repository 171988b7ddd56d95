import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { workerReaper } from '../../src/workers/worker-pools.service.ts';
import { watchWorkers } from '../../src/workers/worker-stream.service.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { openGate } from '../testkit/gate.ts';
import { runCypher, writeCypher } from '../testkit/graph.ts';
import { clock, newId, quiet } from '../testkit/outbox.ts';
import { openRestServer, ownPath } from '../testkit/rest-server.ts';
import { echoTool, find, step } from '../testkit/run-steps.ts';
import { spawnWorker } from '../testkit/spawn-worker.ts';
import { world } from '../testkit/world.ts';

const [rest, gate] = await Promise.all([openRestServer(), openGate()]);
const { ada } = await world();
afterAll(() => Promise.all([rest.close(), gate.close()]));

interface WorkerState {
  readonly id: string;
  readonly status: string;
  readonly currentJobId: string | null;
  readonly processedCount: number;
  readonly errorCount: number;
  /** The ids of the steps and of the Tools it points at. */
  readonly processes: readonly string[];
  readonly executes: readonly string[];
}

async function workersOf({ graph, queuePrefix }: Engine): Promise<WorkerState[]> {
  const rows = await runCypher(
    graph,
    `MATCH (w:Worker {taskQueue: $queue})
       RETURN w {.id, .status, currentJobId: w.currentJobId, .processedCount, .errorCount,
         processes: [(w)-[:PROCESSES]->(s:ProcessStep) | s.key],
         executes: [(w)-[:EXECUTES]->(t:Tool) | t.id]} AS worker
       ORDER BY w.id`,
    { queue: `${queuePrefix}rest_call` },
  );
  return rows.map((row) => row['worker'] as WorkerState);
}
const AT_REST = { currentJobId: null, processes: [], executes: [] };

/** A run whose step is at work until `open` is called. */
async function slowRun(engine: Engine) {
  const path = ownPath('/held');
  const open = gate.hold(path);
  const tool = await echoTool(ada, gate.origin, path);
  const input = { steps: [step('slow', tool.id, { q: 1 })], outputTemplate: 'done' };
  const process = await engine.createProcess(ada.viewer, input);
  const run = await engine.start(ada.viewer, { processId: process.id, context: {} });
  return { tool, process, run, open };
}

describe('a Worker', () => {
  // S4-WRK-05, S4-WRK-06
  it('points at the step and the Tool while it works, and at nothing else', async () => {
    const engine = await openEngine({ registered: true, poolSize: 2 });
    try {
      for (const worker of await workersOf(engine))
        expect(worker).toMatchObject({ status: 'idle', ...AT_REST });
      const { tool, process, run, open } = await slowRun(engine);
      await expect
        .poll(async () => (await workersOf(engine)).map(({ status }) => status).sort())
        .toEqual(['busy', 'idle']);
      const busy = (await workersOf(engine)).find(({ status }) => status === 'busy');
      expect(busy).toMatchObject({
        currentJobId: `${run.id}/slow`,
        processes: [`${process.id}/slow`],
        executes: [tool.id],
      });
      const worked = find(await engine.steps(ada.viewer, run.id), 'slow');
      expect(worked.workerId).toBe(busy?.id);
      open();
      await engine.wait(ada.viewer, run.id);
      const after = await workersOf(engine);
      for (const worker of after) expect(worker).toMatchObject({ status: 'idle', ...AT_REST });
      expect(after.map(({ processedCount }) => processedCount).sort()).toEqual([0, 1]);
      expect(after.map(({ errorCount }) => errorCount)).toEqual([0, 0]);
      // S4-WRK-05: a job that fails counts as an error of the Worker that did it.
      const bad = await echoTool(ada, rest.origin, '/status/400');
      const { id: badId } = await engine.createProcess(ada.viewer, {
        steps: [step('bad', bad.id, { q: '1' })],
      });
      const failing = await engine.start(ada.viewer, { processId: badId, context: {} });
      expect((await engine.wait(ada.viewer, failing.id)).status).toBe('failed');
      await expect
        .poll(async () => (await workersOf(engine)).map(({ errorCount }) => errorCount).sort())
        .toEqual([0, 1]);
    } finally {
      await engine.close();
    }
    for (const worker of await withGraph(engine.queuePrefix))
      expect(worker).toMatchObject({ status: 'offline', ...AT_REST });
  });

  // S4-WRK-03, S4-WRK-06
  it('that is killed goes offline and points at nothing, and subscribers see it', async () => {
    const engine = await openEngine({ workers: 'none' });
    const bus = openBus({ graph: engine.graph });
    const deps = { graph: engine.graph, clock, newId, bus, log: quiet };
    const relay = openRelay(deps, {
      periodicTasks: [
        workerReaper({ graph: engine.graph, clock, newId, wake: () => relay.wake() }),
      ],
    });
    const child = await spawnWorker(engine, 1);
    const watching = new AbortController();
    const seen: string[] = [];
    try {
      const { run } = await slowRun(engine);
      await expect.poll(async () => (await workersOf(engine))[0]?.status).toBe('busy');
      const [before] = await workersOf(engine);
      expect(before).toMatchObject({ currentJobId: `${run.id}/slow` });
      expect(before?.executes).toHaveLength(1);
      const watch = (async () => {
        for await (const worker of watchWorkers({ graph: engine.graph, bus }, watching.signal))
          if (worker.id === before?.id) seen.push(worker.status);
      })().catch(() => {});
      child.kill('SIGKILL');
      // The reaper's patience is 20 s; no test should wait so long for a clock.
      await setTimeout(100);
      await writeCypher(
        engine.graph,
        `MATCH (w:Worker {id: $id}) SET w.lastHeartbeat = datetime() - duration('PT21S')`,
        { id: before?.id },
      );
      await expect
        .poll(async () => (await workersOf(engine))[0])
        .toMatchObject({ id: before?.id, status: 'offline', ...AT_REST });
      await expect.poll(() => seen.at(-1)).toBe('offline');
      watching.abort();
      await watch;
    } finally {
      child.kill('SIGKILL');
      await relay.close();
      bus.close();
      await engine.close();
    }
  });
});

async function withGraph(queuePrefix: string): Promise<WorkerState[]> {
  const engine = await openEngine({ workers: 'none', queuePrefix });
  try {
    return await workersOf(engine);
  } finally {
    await engine.close();
  }
}
