import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  pauseProcessRun,
  resolveStep,
  resumeProcessRun,
} from '../../src/runs/control/run-control.mutations.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, find, step, subStep } from '../testkit/run-steps.ts';
import { type Person, refusals, world } from '../testkit/world.ts';

let engine: Engine;
let rest: RestServer;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  [engine, rest] = await Promise.all([openEngine(), openRestServer()]);
  ({ ada, bob } = await world());
});
afterAll(async () => {
  expect(engine.defects).toEqual([]);
  await engine.close();
  await rest.close();
});

/** A run whose step `a` waits for a person. */
async function waitingRun(execution: object = {}, outputTemplate = '{{a.query.q}}') {
  const tool = await echoTool(ada, rest.origin, '/echo', {
    inputSchema: { type: 'object', required: ['q'], properties: { q: { type: 'string' } } },
    outputSchema: { type: 'object' },
  });
  const process = await engine.createProcess(ada.viewer, {
    steps: [step('a', tool.id, { q: 'asked' }, { interactionMode: 'manual', ...execution })],
    outputTemplate,
  });
  const { id } = await engine.start(ada.viewer, { processId: process.id, context: {} });
  await engine.wait(ada.viewer, id, ['waiting']);
  return id;
}
const open = (runId: string) =>
  engine.graph.read((tx) =>
    tx.run('// testApprovals\n MATCH (a:OpenApproval {rootRunId: $runId}) RETURN a {.*} AS a', {
      runId,
    }),
  );

describe.concurrent('a manual step', () => {
  it('waits for a person and goes on with the inputs it showed (S4-EXEC-11)', async () => {
    const runId = await waitingRun();
    expect(find(await engine.steps(ada.viewer, runId), 'a')).toMatchObject({
      status: 'waiting',
      inputs: { q: 'asked' },
    });
    expect(await open(runId)).toHaveLength(1);
    await resolveStep(engine.deps, ada.viewer, {
      runId,
      stepId: 'a',
      decision: 'approve',
      note: 'fine',
    });
    expect(await engine.wait(ada.viewer, runId)).toMatchObject({
      status: 'completed',
      output: 'asked',
    });
    expect(await open(runId)).toHaveLength(0);
    const [decided] = (await engine.entries(runId)).filter(({ kind }) => kind === 'step.decided');
    expect(decided?.payload).toMatchObject({
      decision: 'approve',
      decidedBy: ada.viewer.userId,
      note: 'fine',
    });
  });

  it('is approved with other inputs, which have to fit the Tool', async () => {
    const runId = await waitingRun();
    const approve = (inputs: object) =>
      resolveStep(engine.deps, ada.viewer, {
        runId,
        stepId: 'a',
        decision: 'approve',
        inputs: inputs as never,
      });
    expect(await refusals(approve({ q: { deep: 1 } }))).toEqual(['SCHEMA_VIOLATION inputs.q']);
    await approve({ q: 'changed' });
    expect(await engine.wait(ada.viewer, runId)).toMatchObject({
      status: 'completed',
      output: 'changed',
    });
  });

  it('is rejected: the run fails with REJECTED and the reason', async () => {
    const runId = await waitingRun();
    await resolveStep(engine.deps, ada.viewer, {
      runId,
      stepId: 'a',
      decision: 'reject',
      note: 'too dear',
    });
    const run = await engine.wait(ada.viewer, runId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'REJECTED', stepId: 'a' } });
    expect(run.error?.message).toContain('too dear');
  });

  it('is substituted: the given output stands for the call', async () => {
    const runId = await waitingRun();
    const before = rest.requests.length;
    await resolveStep(engine.deps, ada.viewer, {
      runId,
      stepId: 'a',
      decision: 'substitute',
      output: { query: { q: 'by hand' } },
    });
    expect(await engine.wait(ada.viewer, runId)).toMatchObject({
      status: 'completed',
      output: 'by hand',
    });
    expect(rest.requests.slice(before).filter(({ query }) => query.get('q') === 'by hand')).toEqual(
      [],
    );
  });

  it('is decided once, by its owner, while it waits', async () => {
    const runId = await waitingRun();
    const decide = (person: Person) =>
      resolveStep(engine.deps, person.viewer, { runId, stepId: 'a', decision: 'approve' });
    expect(await refusals(decide(bob))).toEqual(['NOT_FOUND runId']);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => refusals(decide(ada))));
    expect(outcomes.filter(([one]) => one === 'done')).toHaveLength(1);
    expect(new Set(outcomes.flat())).toEqual(new Set(['done', 'STATE stepId']));
    await engine.wait(ada.viewer, runId);
    expect(await refusals(decide(ada))).toEqual(['STATE stepId']);
  });

  it('is found from the root at any depth', async () => {
    const tool = await echoTool(ada, rest.origin);
    const inner = await engine.createProcess(ada.viewer, {
      name: 'Inner',
      steps: [step('deep', tool.id, { q: '1' }, { interactionMode: 'manual' })],
      outputTemplate: '{{deep.query.q}}',
    });
    const outer = await engine.createProcess(ada.viewer, {
      steps: [subStep('sub', inner.id, {})],
      outputTemplate: '{{sub}}',
    });
    const { id } = await engine.start(ada.viewer, { processId: outer.id, context: {} });
    let found = await open(id);
    while (found.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      found = await open(id);
    }
    const approval = found[0]?.['a'] as { runId: string; stepId: string };
    expect(approval.runId).not.toBe(id);
    await resolveStep(engine.deps, ada.viewer, {
      runId: approval.runId,
      stepId: 'deep',
      decision: 'approve',
    });
    expect(await engine.wait(ada.viewer, id)).toMatchObject({ status: 'completed', output: '1' });
  });

  it('waits for each item of its own', async () => {
    const runId = await waitingRun({ forEach: '["x", "y"]' }, '{{json a}}');
    while ((await open(runId)).length < 2) await new Promise((resolve) => setTimeout(resolve, 30));
    await resolveStep(engine.deps, ada.viewer, {
      runId,
      stepId: 'a',
      index: 1,
      decision: 'approve',
    });
    await resolveStep(engine.deps, ada.viewer, {
      runId,
      stepId: 'a',
      index: 0,
      decision: 'approve',
    });
    expect((await engine.wait(ada.viewer, runId)).status).toBe('completed');
  });

  it('waits only as long as its run may take', async () => {
    const tool = await echoTool(ada, rest.origin);
    const process = await engine.createProcess(ada.viewer, {
      steps: [step('a', tool.id, { q: '1' }, { interactionMode: 'manual', timeout: 0.1 })],
    });
    const run = await engine.run(ada.viewer, process, {}, { timeout: 1 });
    expect(run).toMatchObject({ status: 'timed_out', error: { code: 'RUN_TIMEOUT' } });
    expect(await open(run.id)).toHaveLength(0);
  });
});

describe('a paused run', () => {
  it('starts nothing new until it is resumed', async () => {
    const slow = await echoTool(ada, rest.origin, '/slow?ms=1500');
    const process = await engine.createProcess(ada.viewer, {
      steps: [step('a', slow.id, { q: '1' }), step('b', slow.id, { q: '2' })],
      outputTemplate: 'end',
    });
    const { id } = await engine.start(ada.viewer, { processId: process.id, context: {} });
    expect(await pauseProcessRun(engine.deps, ada.viewer, { id })).toMatchObject({
      status: 'paused',
    });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const steps = await engine.steps(ada.viewer, id);
    expect(steps.some(({ stepId }) => stepId === 'b')).toBe(false);
    expect(await refusals(pauseProcessRun(engine.deps, ada.viewer, { id }))).toEqual(['STATE id']);
    expect(await resumeProcessRun(engine.deps, ada.viewer, { id })).toMatchObject({
      status: 'running',
    });
    expect(await engine.wait(ada.viewer, id)).toMatchObject({ status: 'completed', output: 'end' });
  });
});
