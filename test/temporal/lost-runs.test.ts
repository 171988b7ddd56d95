import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workflowStateOf } from '../../src/platform/temporal/workflow-state.ts';
import { lostRuns } from '../../src/runs/end/lost-runs.service.ts';
import { listChildRuns } from '../../src/runs/run/run-tree.cypher.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { quiet } from '../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, find, step, subStep } from '../testkit/run-steps.ts';
import { type Person, world } from '../testkit/world.ts';

let engine: Engine;
let rest: RestServer;
let ada: Person;
beforeAll(async () => {
  [engine, rest] = await Promise.all([openEngine(), openRestServer()]);
  ({ ada } = await world());
});
afterAll(async () => {
  expect(engine.defects).toEqual([]);
  await engine.close();
  await rest.close();
});

const workflow = (id: string) => engine.temporal.client.workflow.getHandle(id);

/** A search of its own, over the runs of this engine. */
function search() {
  const { graph, queuePrefix } = engine;
  const { clock, newId, runObserver } = engine.activityDeps;
  const stateOf = (id: string) => workflowStateOf(engine.temporal.client, id);
  const deps = { graph, queuePrefix, clock, newId, runObserver, log: quiet, stateOf };
  return lostRuns({ ...deps, wake: () => {} }, 0);
}

/** A run that waits for a person, and below it one that does. */
async function waitingRun() {
  const tool = await echoTool(ada, rest.origin);
  const manual = step('deep', tool.id, { q: '1' }, { interactionMode: 'manual' });
  const inner = await engine.createProcess(ada.viewer, { steps: [manual], outputTemplate: 'x' });
  const outer = await engine.createProcess(ada.viewer, {
    steps: [
      subStep('call', inner.id, {}, { mode: 'parallel' }),
      step('never', tool.id, { q: '2' }, {}, {}, { dependsOn: ['call'] }),
    ],
    outputTemplate: '{{never}}',
  });
  const { id } = await engine.start(ada.viewer, { processId: outer.id, context: {} });
  const children = () => engine.graph.read((tx) => listChildRuns(tx, ada.viewer.userId, [id]));
  await expect.poll(async () => (await children())[0]?.status).toBe('waiting');
  const [child] = await children();
  return { id, childId: child?.id ?? '' };
}

describe('a run whose workflow is gone', () => {
  it('ends as failed with its steps and its sub-runs, at the second look', async () => {
    const { id, childId } = await waitingRun();
    await workflow(childId).terminate('by an operator');
    await workflow(id).terminate('by an operator');
    const lost = search();
    await lost.run();
    expect((await engine.wait(ada.viewer, id, ['running', 'waiting'])).error).toBeNull();
    await lost.run();
    const run = await engine.wait(ada.viewer, id);
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL', message: expect.stringContaining('was terminated in Temporal') },
    });
    expect(await engine.wait(ada.viewer, childId)).toMatchObject({ status: 'failed' });
    const steps = await engine.steps(ada.viewer, id);
    expect(find(steps, 'call').status).toBe('cancelled');
    expect(find(steps, 'never').status).toBe('skipped');
    expect(find(await engine.steps(ada.viewer, childId), 'deep').status).toBe('cancelled');
    const kinds = (await engine.entries(id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'run.ended')).toHaveLength(1);
  });

  it('is left alone while its workflow is at work', async () => {
    const { id, childId } = await waitingRun();
    const lost = search();
    for (let looks = 0; looks < 3; looks++) await lost.run();
    expect((await engine.wait(ada.viewer, childId, ['waiting'])).status).toBe('waiting');
    await workflow(id).cancel();
    await engine.wait(ada.viewer, id);
  });

  it('ends where only the sub-run was lost: its step fails with words', async () => {
    const { id, childId } = await waitingRun();
    await workflow(childId).terminate('by an operator');
    const run = await engine.wait(ada.viewer, id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'INTERNAL', stepId: 'call' } });
    expect(run.error?.message).toContain('terminated in Temporal');
    const lost = search();
    await lost.run();
    await lost.run();
    expect(await engine.wait(ada.viewer, childId)).toMatchObject({ status: 'failed' });
  });
});
