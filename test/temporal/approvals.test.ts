import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  pauseProcessRun,
  resolveStep,
  resumeProcessRun,
} from '../../src/runs/control/run-control.mutations.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { runCypher } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { echoTool, find, step, subStep } from '../testkit/run-steps.ts';
import { type Person, refusals, refuses } from '../testkit/world.ts';

const { engine, rest, ada, bob, own } = await engineWorld();

/** A run whose step `a` waits for a person. */
async function waitingRun(execution: object = {}, outputTemplate = '{{a.query.q}}') {
  const tool = await echoTool(ada, rest.origin, '/echo', {
    inputSchema: { type: 'object', required: ['q'], properties: { q: { type: 'string' } } },
    outputSchema: { type: 'object' },
  });
  const process = await own.createProcess({
    steps: [step('a', tool.id, { q: 'asked' }, { interactionMode: 'manual', ...execution })],
    outputTemplate,
  });
  const { id } = await own.start(process);
  await own.wait(id, ['waiting']);
  return id;
}
const open = (runId: string) =>
  runCypher(engine.graph, 'MATCH (a:OpenApproval {rootRunId: $runId}) RETURN a {.*} AS a', {
    runId,
  });

describe.concurrent('a manual step', () => {
  it('waits for a person and goes on with the inputs it showed (S4-EXEC-11)', async () => {
    const runId = await waitingRun();
    const expected = { status: 'waiting', inputs: { q: 'asked' } };
    expect(find(await own.steps(runId), 'a')).toMatchObject(expected);
    expect(await open(runId)).toHaveLength(1);
    await own.decide(runId, 'a', 'approve', { note: 'fine' });
    const expectedRun = { status: 'completed', output: 'asked' };
    expect(await own.wait(runId)).toMatchObject(expectedRun);
    expect(await open(runId)).toHaveLength(0);
    const [decided] = (await engine.entries(runId)).filter(({ kind }) => kind === 'step.decided');
    const expectedPayload = { decision: 'approve', decidedBy: ada.viewer.userId, note: 'fine' };
    expect(decided?.payload).toMatchObject(expectedPayload);
  });

  it('is approved with other inputs, which have to fit the Tool', async () => {
    const runId = await waitingRun();
    const approve = (inputs: object) =>
      own.decide(runId, 'a', 'approve', { inputs: inputs as never });
    await refuses(approve({ q: { deep: 1 } }), 'SCHEMA_VIOLATION inputs.q');
    await approve({ q: 'changed' });
    const expected = { status: 'completed', output: 'changed' };
    expect(await own.wait(runId)).toMatchObject(expected);
  });

  it('is rejected: the run fails with REJECTED and the reason', async () => {
    const runId = await waitingRun();
    await own.decide(runId, 'a', 'reject', { note: 'too dear' });
    const run = await own.wait(runId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'REJECTED', stepId: 'a' } });
    expect(run.error?.message).toContain('too dear');
  });

  it('is substituted: the given output stands for the call', async () => {
    const runId = await waitingRun();
    const before = rest.requests.length;
    await own.decide(runId, 'a', 'substitute', { output: { query: { q: 'by hand' } } });
    const expected = { status: 'completed', output: 'by hand' };
    expect(await own.wait(runId)).toMatchObject(expected);
    const made = rest.requests.slice(before).map(({ query }) => query.get('q'));
    expect(made).not.toContain('by hand');
  });

  it('is decided once, by its owner, while it waits', async () => {
    const runId = await waitingRun();
    const decide = (person: Person) =>
      resolveStep(engine.deps, person.viewer, { runId, stepId: 'a', decision: 'approve' });
    await refuses(decide(bob), 'NOT_FOUND runId');
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => refusals(decide(ada))));
    expect(outcomes.filter(([one]) => one === 'done')).toHaveLength(1);
    expect(new Set(outcomes.flat())).toEqual(new Set(['done', 'STATE stepId']));
    await own.wait(runId);
    await refuses(decide(ada), 'STATE stepId');
  });

  it('is found from the root at any depth', async () => {
    const tool = await echoTool(ada, rest.origin);
    const inner = await own.createProcess({
      name: 'Inner',
      steps: [step('deep', tool.id, { q: '1' }, { interactionMode: 'manual' })],
      outputTemplate: '{{deep.query.q}}',
    });
    const input = { steps: [subStep('sub', inner.id, {})], outputTemplate: '{{sub}}' };
    const outer = await own.createProcess(input);
    const { id } = await own.start(outer);
    await eventually('it is open', async () => (await open(id)).length > 0);
    const approval = (await open(id))[0]?.['a'] as { runId: string; stepId: string };
    expect(approval.runId).not.toBe(id);
    await own.decide(approval.runId, 'deep', 'approve');
    expect(await own.wait(id)).toMatchObject({ status: 'completed', output: '1' });
  });

  it('waits for each item of its own', async () => {
    const runId = await waitingRun({ forEach: '["x", "y"]' }, '{{json a}}');
    await eventually('both are open', async () => (await open(runId)).length === 2);
    await own.decide(runId, 'a', 'approve', { index: 1 });
    await own.decide(runId, 'a', 'approve', { index: 0 });
    expect((await own.wait(runId)).status).toBe('completed');
  });

  it('waits only as long as its run may take', async () => {
    const tool = await echoTool(ada, rest.origin);
    const process = await own.createProcess({
      steps: [step('a', tool.id, { q: '1' }, { interactionMode: 'manual', timeout: 0.1 })],
    });
    const run = await own.run(process, {}, { timeout: 1 });
    expect(run).toMatchObject({ status: 'timed_out', error: { code: 'RUN_TIMEOUT' } });
    expect(await open(run.id)).toHaveLength(0);
  });
});

describe('a paused run', () => {
  it('starts nothing new until it is resumed', async () => {
    const slow = await echoTool(ada, rest.origin, '/slow?ms=1500');
    const process = await own.createProcess({
      steps: [step('a', slow.id, { q: '1' }), step('b', slow.id, { q: '2' })],
      outputTemplate: 'end',
    });
    const { id } = await own.start(process);
    const paused = await pauseProcessRun(engine.deps, ada.viewer, { id });
    expect(paused).toMatchObject({ status: 'paused' });
    const statuses = async () =>
      (await own.steps(id)).map(({ stepId, status }) => `${stepId} ${status}`);
    await expect.poll(statuses).toContain('a completed');
    await setTimeout(500);
    expect(await statuses()).toEqual(['a completed']);
    await refuses(pauseProcessRun(engine.deps, ada.viewer, { id }), 'STATE id');
    const resumed = await resumeProcessRun(engine.deps, ada.viewer, { id });
    expect(resumed).toMatchObject({ status: 'running' });
    expect(await own.wait(id)).toMatchObject({ status: 'completed', output: 'end' });
  });
});
