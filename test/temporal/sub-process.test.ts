import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { updateProcess } from '../../src/processes/process.mutations.ts';
import {
  cancelProcessRun,
  pauseProcessRun,
  resolveStep,
  resumeProcessRun,
} from '../../src/runs/control/run-control.mutations.ts';
import { listChildRuns } from '../../src/runs/run/run-tree.cypher.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { echoTool, find, step, subStep } from '../testkit/run-steps.ts';

const { engine, rest, ada, own } = await engineWorld();

/** A Process with the name Inner that calls one Tool. */
const stepInner = (toolId: string, q: string, more: object = {}, execution: object = {}) =>
  own.createProcess({ name: 'Inner', steps: [step('a', toolId, { q }, execution)], ...more });
const children = (runId: string) =>
  readWith(engine.graph, listChildRuns, ada.viewer.userId, [runId]);

/** A Process that calls itself `times` times in parallel. */
async function selfCalling(times: number, maxRecursionDepth: number) {
  const tool = await echoTool(ada, rest.origin);
  const process = await own.createProcess({
    name: 'Self',
    initialContext: ['n'],
    maxRecursionDepth,
    steps: [step('work', tool.id, { q: '{context.n}' })],
    outputTemplate: '{{n}}',
  });
  const calls = Array.from({ length: times }, (_, n) =>
    subStep(`call${n}`, process.id, { n: `{context.n}${n}` }, { mode: 'parallel' }),
  );
  return updateProcess(engine.deps, ada.viewer, { id: process.id, steps: calls });
}

describe.concurrent('a sub-process', () => {
  it("is a run of its own under its parent, and its rendered output is the step's", async () => {
    const tool = await echoTool(ada, rest.origin);
    const more = { initialContext: ['word'], outputTemplate: '<{{a.query.q}}>' };
    const inner = await stepInner(tool.id, '{context.word}', more);
    const { run, of } = await own.runSteps(
      [subStep('sub', inner.id, { word: '{context.w}' })],
      '{{sub}}!',
      { w: 'hi' },
    );
    expect(run).toMatchObject({ status: 'completed', output: '<hi>!' });
    const [child] = await children(run.id);
    expect(child).toMatchObject({
      status: 'completed',
      output: '<hi>',
      depth: 1,
      parentRunId: run.id,
      parentStepId: 'sub',
      rootRunId: run.id,
      processName: 'Inner',
      runPath: [run.id, child?.id],
    });
    expect(of('sub')).toMatchObject({ status: 'completed', childRunId: child?.id, output: '<hi>' });
    expect((await engine.entries(run.id)).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['step.started', 'step.ended']),
    );
  });

  it('fails its parent with its own code and message, the chain down in the details', async () => {
    const bad = await echoTool(ada, rest.origin, '/status/400');
    const inner = await stepInner(bad.id, '1');
    const input = { name: 'Middle', steps: [subStep('m', inner.id, {})] };
    const middle = await own.createProcess(input);
    const { run } = await own.runSteps([subStep('top', middle.id, {})], '');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'TOOL_FAILED', stepId: 'top' } });
    const [second] = await children(run.id);
    const [third] = await children(second?.id ?? '');
    const expected = { chain: [second?.id, third?.id], origin: { runId: third?.id, stepId: 'a' } };
    expect(run.error?.details).toMatchObject(expected);
    expect(run.error?.message).toBe(third?.error?.message);
  });

  it('stops at the recursion limit; the root has depth 0 (S4-EXEC-12)', async () => {
    const process = await selfCalling(1, 2);
    const run = await own.run(process, { n: 'x' });
    const expected = { status: 'failed', error: { code: 'RECURSION_LIMIT', stepId: 'call0' } };
    expect(run).toMatchObject(expected);
    const [one] = await children(run.id);
    const [two] = await children(one?.id ?? '');
    expect(two).toMatchObject({ depth: 2, status: 'failed' });
    expect(await children(two?.id ?? '')).toEqual([]);
    expect(run.error?.details).toMatchObject({ runPath: [run.id, one?.id, two?.id] });
  });

  it('obeys the smallest limit of the Processes on its chain (S4-EXEC-12)', async () => {
    const strict = await selfCalling(1, 1);
    const lenient = await own.createProcess({
      name: 'Lenient',
      initialContext: ['n'],
      maxRecursionDepth: 40,
      steps: [subStep('down', strict.id, { n: '{context.n}' })],
    });
    // The strict Process calls the lenient one instead of itself: the chain alternates.
    const input = { id: strict.id, steps: [subStep('up', lenient.id, { n: '{context.n}' })] };
    await updateProcess(engine.deps, ada.viewer, input);
    const run = await own.run(lenient, { n: 'x' });
    expect(run).toMatchObject({ status: 'failed', error: { code: 'RECURSION_LIMIT' } });
    const path = (run.error?.details as { runPath?: string[] } | null)?.runPath ?? [];
    expect(path.length).toBeLessThanOrEqual(3);
    expect(path.length).toBeGreaterThan(1);
  });

  it('that calls itself twice ends at the limit of the tree, not in a flood', async () => {
    const process = await selfCalling(2, 50);
    // The limit is 1,000 runs; the test tells the root that 990 are gone.
    const { id } = await own.start(process, { n: '' });
    await writeCypher(engine.graph, 'MATCH (r:ProcessRun {id: $id}) SET r.runsInTree = 990', {
      id,
    });
    const run = await own.wait(id);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'BUDGET_EXCEEDED' } });
    const all = 'MATCH (r:ProcessRun {rootRunId: $id}) RETURN r.status AS status';
    const statuses = (await runCypher(engine.graph, all, { id })).map(({ status }) => status);
    expect(statuses.length).toBeLessThanOrEqual(1_000);
    for (const open of ['running', 'pending', 'waiting']) expect(statuses).not.toContain(open);
  });

  it('is cancelled with its parent, records included', async () => {
    const never = await echoTool(ada, rest.origin, '/never');
    const inner = await stepInner(never.id, 'in-child');
    const outer = await own.createProcess({ steps: [subStep('sub', inner.id, {})] });
    const { id } = await own.start(outer);
    await eventually('the child calls', () =>
      rest.requests.some(({ query }) => query.get('q') === 'in-child'),
    );
    const beforeMs = Date.now();
    await cancelProcessRun(engine.deps, ada.viewer, { id });
    const run = await own.wait(id);
    expect(Date.now() - beforeMs).toBeLessThan(50_000);
    expect(run.status).toBe('cancelled');
    const [child] = await children(id);
    expect(child).toMatchObject({ status: 'cancelled' });
    expect(find(await own.steps(id), 'sub')).toMatchObject({ status: 'cancelled' });
    expect(find(await own.steps(child?.id ?? ''), 'a')).toMatchObject({
      status: 'cancelled',
    });
  });

  it('is bounded by the timeout of its step (S4-EXEC-08)', async () => {
    const never = await echoTool(ada, rest.origin, '/never');
    const inner = await stepInner(never.id, '1');
    const { run } = await own.runSteps([subStep('sub', inner.id, {}, { timeout: 0.5 })], '');
    expect(run).toMatchObject({ status: 'failed', error: { code: 'STEP_TIMEOUT', stepId: 'sub' } });
  });

  it("is run again as its step's retry says, each attempt a run", async () => {
    const flaky = await echoTool(ada, rest.origin, `/flaky?key=${randomUUID()}&fails=1`);
    const retry = { maximumAttempts: 1 };
    const inner = await stepInner(flaky.id, '1', { outputTemplate: 'done' }, { retry });
    const { run, of } = await own.runSteps(
      [subStep('sub', inner.id, {}, { retry: { maximumAttempts: 2, initialInterval: 0.05 } })],
      '{{sub}}',
    );
    expect(run).toMatchObject({ status: 'completed', output: 'done' });
    expect(of('sub').attempt).toBe(2);
    expect((await children(run.id)).map(({ status }) => status)).toEqual(['failed', 'completed']);
  });

  it('runs once per item under forEach', async () => {
    const tool = await echoTool(ada, rest.origin);
    const more = { initialContext: ['x'], outputTemplate: '{{a.query.q}}' };
    const inner = await stepInner(tool.id, '{context.x}', more);
    const { run } = await own.runSteps(
      [subStep('sub', inner.id, { x: '{item}' }, { forEach: 'context.list' })],
      '{{join sub ","}}',
      { list: ['p', 'q', 'r'] },
    );
    expect(run).toMatchObject({ status: 'completed', output: 'p,q,r' });
    expect(await children(run.id)).toHaveLength(3);
  });

  it('has the index of its item in its workflow id, by which it is decided and cancelled', async ({
    expect,
  }) => {
    const tool = await echoTool(ada, rest.origin);
    const asking = await own.createProcess({
      name: 'Asking',
      steps: [step('ask', tool.id, { q: '1' }, { interactionMode: 'manual' })],
    });
    const process = await own.createProcess({
      name: 'Items',
      steps: [subStep('every', asking.id, {}, { forEach: '["a", "b"]' }, { required: false })],
    });
    const { id } = await own.start(process);
    const waiting = async () =>
      (await children(id))
        .filter(({ status }) => status === 'waiting')
        .toSorted((one, other) => (one.parentIndex ?? 0) - (other.parentIndex ?? 0));
    await expect.poll(async () => (await waiting()).length).toBe(2);
    const [first, second] = await waiting();
    const { workflow } = engine.temporal.client;
    for (const [index, child] of [first, second].entries()) {
      expect(child?.workflowId).toBe(`${child?.id}/${index}`);
      const { status } = await workflow.getHandle(child?.workflowId ?? '').describe();
      expect(status.name).toBe('RUNNING');
    }
    await pauseProcessRun(engine.deps, ada.viewer, { id: second?.id ?? '' });
    await resumeProcessRun(engine.deps, ada.viewer, { id: second?.id ?? '' });
    const decided = { runId: first?.id ?? '', stepId: 'ask', decision: 'approve' } as const;
    await resolveStep(engine.deps, ada.viewer, decided);
    await cancelProcessRun(engine.deps, ada.viewer, { id: second?.id ?? '' });
    await own.wait(id);
    const ended = await children(id);
    expect(ended.find((child) => child.id === first?.id)?.status).toBe('completed');
    expect(ended.find((child) => child.id === second?.id)?.status).toBe('cancelled');
  });

  it('is refused live where it is disabled (S4-PROC-08)', async () => {
    const tool = await echoTool(ada, rest.origin);
    const inner = await stepInner(tool.id, '1');
    const outer = await own.createProcess({ steps: [subStep('sub', inner.id, {})] });
    await writeCypher(engine.graph, 'MATCH (p:Process {id: $id}) SET p.enabled = false', {
      id: inner.id,
    });
    const run = await own.run(outer);
    const expected = { status: 'failed', error: { code: 'TARGET_DISABLED', stepId: 'sub' } };
    expect(run).toMatchObject(expected);
    expect(find(await own.steps(run.id), 'sub').status).toBe('failed');
  });
});
