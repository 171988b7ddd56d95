import { describe, expect, it } from 'vitest';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle.ts';
import { workflowStateOf } from '../../src/platform/temporal/workflow-state.ts';
import { lostRuns } from '../../src/runs/end/lost-runs.service.ts';
import { listChildRuns } from '../../src/runs/run/run-tree.cypher.ts';
import { openEngine } from '../testkit/engine.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { bundleOf } from '../testkit/fleet-world.ts';
import { readWith } from '../testkit/graph.ts';
import { quiet } from '../testkit/outbox.ts';
import { echoTool, find, step, subStep } from '../testkit/run-steps.ts';

const { engine, rest, ada, own } = await engineWorld();

const workflow = (id: string) => engine.temporal.client.workflow.getHandle(id);

/** A search of its own, over the runs of this engine. */
function search({ graph, queuePrefix, activityDeps, temporal } = engine, taskTriesMax = 11) {
  const { clock, newId, runObserver } = activityDeps;
  const { client } = temporal;
  const stateOf = (id: string) => workflowStateOf(client, id, taskTriesMax);
  const terminate = (id: string, why: string) => client.workflow.getHandle(id).terminate(why);
  const deps = { graph, queuePrefix, clock, newId, runObserver, log: quiet, stateOf, terminate };
  return lostRuns({ ...deps, wake: () => {} }, 0);
}

/** A run that waits for a person, and below it one that does. */
async function waitingRun() {
  const tool = await echoTool(ada, rest.origin);
  const manual = step('deep', tool.id, { q: '1' }, { interactionMode: 'manual' });
  const inner = await own.createProcess({ steps: [manual], outputTemplate: 'x' });
  const outer = await own.createProcess({
    steps: [
      subStep('call', inner.id, {}, { mode: 'parallel' }),
      step('never', tool.id, { q: '2' }, {}, {}, { dependsOn: ['call'] }),
    ],
    outputTemplate: '{{never}}',
  });
  const { id } = await own.start(outer);
  const children = () => readWith(engine.graph, listChildRuns, ada.viewer.userId, [id]);
  await expect.poll(async () => (await children())[0]?.status).toBe('waiting');
  const [child] = await children();
  return { id, childId: child?.id ?? '' };
}

describe('a run whose workflow is gone', () => {
  it('ends as failed with its steps, at the second look, and its sub-runs end', async () => {
    const { id, childId } = await waitingRun();
    await workflow(id).terminate('by an operator');
    const lost = search();
    await lost.run();
    expect((await own.wait(id, ['running', 'waiting'])).error).toBeNull();
    await lost.run();
    const run = await own.wait(id);
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL', message: expect.stringContaining('was terminated in Temporal') },
    });
    expect(await own.wait(childId)).toMatchObject({ status: 'cancelled' });
    const steps = await own.steps(id);
    expect(find(steps, 'call').status).toBe('cancelled');
    expect(find(steps, 'never').status).toBe('skipped');
    expect(find(await own.steps(childId), 'deep').status).toBe('cancelled');
    const kinds = (await engine.entries(id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'run.ended')).toHaveLength(1);
  });

  it('is left alone while its workflow is at work', async () => {
    const { id, childId } = await waitingRun();
    const lost = search();
    for (let looks = 0; looks < 3; looks++) await lost.run();
    expect((await own.wait(childId, ['waiting'])).status).toBe('waiting');
    await workflow(id).cancel();
    await own.wait(id);
  });

  it('ends where only the sub-run was lost: its step fails with words', async () => {
    const { id, childId } = await waitingRun();
    await workflow(childId).terminate('by an operator');
    const run = await own.wait(id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'INTERNAL', stepId: 'call' } });
    expect(run.error?.message).toContain('terminated in Temporal');
    const lost = search();
    await lost.run();
    await lost.run();
    expect(await own.wait(childId)).toMatchObject({ status: 'failed' });
  });
});

describe('a run whose workflow task fails again and again', () => {
  it('ends as failed with words, and its workflow is terminated', async () => {
    const bundle = await loadWorkflowBundle(bundleOf('stuck-workflow.ts'));
    const stuck = await openEngine({ bundle });
    const tool = await echoTool(ada, rest.origin);
    const steps = [step('a', tool.id, { q: '1' })];
    const process = await stuck.createProcess(ada.viewer, { steps, outputTemplate: 'x' });
    const { id } = await stuck.start(ada.viewer, { processId: process.id, context: {} });
    const { client } = stuck.temporal;
    // The first try fails at once. The second is the first that Temporal counts as one more.
    await expect.poll(() => workflowStateOf(client, id, 2)).toBe('stuck');
    expect(await workflowStateOf(client, id)).toBe('open');
    const lost = search(stuck, 2);
    await lost.run();
    await lost.run();
    expect(await stuck.wait(ada.viewer, id)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL', message: expect.stringContaining('failed again and again') },
    });
    expect(await workflowStateOf(client, id)).toBe('terminated');
    await stuck.close();
  });
});
