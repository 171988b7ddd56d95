import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { openRestServer, ownPath, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, find, step } from '../testkit/run-steps.ts';
import { spawnWorker } from '../testkit/spawn-worker.ts';
import { type Person, world } from '../testkit/world.ts';

let rest: RestServer;
let ada: Person;

beforeAll(async () => {
  rest = await openRestServer();
  ({ ada } = await world());
});
afterAll(() => rest.close());

describe('a lost worker', () => {
  let engine: Engine;
  let workers: ChildProcess[] = [];
  beforeAll(async () => {
    engine = await openEngine({ workers: 'none' });
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await engine.close();
  });

  /**
   * Runs one step, kills the worker while its Tool is called, starts another, and waits for the
   * run's end.
   */
  async function killInTheMiddle(toolId: string, path: string, execution: object = {}) {
    const process = await engine.createProcess(ada.viewer, {
      steps: [step('a', toolId, { q: 'killed' }, execution)],
      outputTemplate: '{{json a}}',
    });
    const victim = await spawnWorker(engine);
    workers.push(victim);
    const { id } = await engine.start(ada.viewer, { processId: process.id, context: {} });
    while (!rest.requests.some((request) => request.path === path))
      await new Promise((resolve) => setTimeout(resolve, 20));
    victim.kill('SIGKILL');
    workers.push(await spawnWorker(engine));
    const run = await engine.wait(ada.viewer, id);
    const entries = await engine.entries(id);
    for (const worker of workers) worker.kill('SIGKILL');
    workers = [];
    return { run, entries, record: find(await engine.steps(ada.viewer, id), 'a') };
  }

  it('in a read-only step costs an attempt, and nothing is recorded twice', async () => {
    const path = ownPath('/slow/read');
    const tool = await echoTool(ada, rest.origin, `${path}?ms=5000`);
    const { run, entries, record } = await killInTheMiddle(tool.id, path);
    expect(run).toMatchObject({ error: null, status: 'completed' });
    expect(record).toMatchObject({ status: 'completed', attempt: 2 });
    expect(entries.filter(({ kind }) => kind === 'step.ended')).toHaveLength(1);
    expect(entries.filter(({ kind }) => kind === 'run.ended')).toHaveLength(1);
  });

  it('in a mutating step without retry ends it: outcome unknown', async () => {
    const path = ownPath('/slow/write');
    const tool = await echoTool(ada, rest.origin, `${path}?ms=5000`, {
      operation: {
        type: 'rest_call',
        method: 'POST',
        path,
        query: { ms: '5000', q: '{{q}}' },
      },
    });
    const { run } = await killInTheMiddle(tool.id, path);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'TOOL_FAILED', stepId: 'a' } });
    expect(run.error?.message).toContain('outcome unknown');
    expect(rest.requests.filter((request) => request.path === path)).toHaveLength(1);
  });
});
