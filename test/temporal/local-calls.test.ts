import { afterAll, describe, expect, it } from 'vitest';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { openEngine } from '../testkit/engine.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openGate } from '../testkit/gate.ts';
import { eventually } from '../testkit/outbox.ts';
import { ownPath } from '../testkit/rest-server.ts';
import { echoTool, step } from '../testkit/run-steps.ts';

// docs/decisions/0123: a workflow makes quick calls that change nothing itself.

const served = await openGate();
const { engine, rest, ada, own } = await engineWorld({
  registered: true,
  localCallLimits: { quickMs: 30_000, callMs: 2_000 },
});
afterAll(() => served.close());

/** Number of steps of a run that went to a queue. */
async function queued(runId: string): Promise<number> {
  const { events } = await engine.temporal.client.workflow.getHandle(runId).fetchHistory();
  return (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length;
}

/** Runs the Process until one run calls the Tools itself. */
async function runsLocally(processId: string) {
  for (let tries = 1; ; tries++) {
    const run = await engine.start(ada.viewer, { processId, context: {} });
    const { status } = await engine.wait(ada.viewer, run.id);
    const count = await queued(run.id);
    if (count === 0) return { run, status };
    if (tries === 20) throw new Error(`${count} steps of each run went to the queue.`);
  }
}

const steps = (toolId: string, ...ids: string[]) => ids.map((id) => step(id, toolId, { q: id }));

describe.concurrent('calls of a workflow itself', () => {
  it('have the records of any other step, and no task', async () => {
    const { id } = await echoTool(ada, rest.origin, ownPath('/echo'));
    const { id: processId } = await own.createProcess({
      steps: [...steps(id, 'a', 'b'), step('c', id, { q: '{step.b.query.q}!' })],
      outputTemplate: '{{c.query.q}}',
    });
    const first = await engine.start(ada.viewer, { processId, context: {} });
    await engine.wait(ada.viewer, first.id);
    expect(await queued(first.id)).toBeGreaterThan(0);
    const { run, status } = await runsLocally(processId);
    expect(status).toBe('completed');
    expect((await engine.wait(ada.viewer, run.id)).output).toBe('b!');
    const records = await own.steps(run.id);
    expect(records.map(({ stepId, status: of, attempt }) => [stepId, of, attempt])).toEqual([
      ['a', 'completed', 1],
      ['b', 'completed', 1],
      ['c', 'completed', 1],
    ]);
    for (const { workerId, usage } of records) {
      expect(workerId).not.toBeNull();
      expect(usage.toolCalls).toBe(1);
    }
    const kinds = (await engine.entries(run.id)).map(({ kind }) => kind);
    const ofStep = ['step.started', 'step.ended'];
    expect(kinds.slice(1)).toEqual(['run.started', ...ofStep, ...ofStep, ...ofStep, 'run.ended']);
  });

  it('are at most four in a row, so that a cancel is seen', async () => {
    const { id } = await echoTool(ada, rest.origin, ownPath('/echo'));
    const names = Array.from({ length: 14 }, (_, at) => `s${at}`);
    const { id: four } = await own.createProcess({ steps: steps(id, 'a', 'b', 'c', 'd') });
    const { id: many } = await own.createProcess({ steps: steps(id, ...names) });
    await runsLocally(four);
    const run = await engine.start(ada.viewer, { processId: many, context: {} });
    expect((await engine.wait(ada.viewer, run.id)).status).toBe('completed');
    expect(await queued(run.id)).toBeGreaterThanOrEqual(2);
  });

  it('are not made where the Tool changes something, nor by parallel steps or items', async () => {
    const { id } = await echoTool(ada, rest.origin, ownPath('/echo'), { mutating: true });
    const read = await echoTool(ada, rest.origin, ownPath('/echo'));
    const { id: warm } = await own.createProcess({ steps: steps(read.id, 'a') });
    await runsLocally(warm);
    const { id: processId } = await own.createProcess({
      steps: [
        ...steps(id, 'a', 'b'),
        step('c', read.id, { q: 'c' }, { mode: 'parallel' }),
        step('d', read.id, { q: 'd' }, { mode: 'parallel' }),
        step('e', read.id, { q: '{item}' }, { forEach: '[1, 2]' }),
      ],
    });
    for (let tries = 0; tries < 2; tries++) {
      const run = await engine.start(ada.viewer, { processId, context: {} });
      expect((await engine.wait(ada.viewer, run.id)).status).toBe('completed');
      expect(await queued(run.id)).toBe(6);
    }
  });

  it('move to the queue where they take long, as the same attempt', async () => {
    const path = ownPath('/held');
    const { id } = await echoTool(ada, served.origin, path);
    const { id: processId } = await own.createProcess({ steps: steps(id, 'a') });
    await runsLocally(processId);
    const asksBefore = served.asks(path);
    const open = served.hold(path);
    const slow = await engine.start(ada.viewer, { processId, context: {} });
    await eventually('it is asked again', async () => served.asks(path) === asksBefore + 2);
    expect(await queued(slow.id)).toBe(1);
    const stopped = await engine.start(ada.viewer, { processId, context: {} });
    // It is known as slow now, so it is not tried here.
    await eventually('it is asked once', async () => served.asks(path) === asksBefore + 3);
    await cancelProcessRun(engine.deps, ada.viewer, { id: stopped.id });
    expect((await engine.wait(ada.viewer, stopped.id)).status).toBe('cancelled');
    open();
    expect((await engine.wait(ada.viewer, slow.id)).status).toBe('completed');
    expect((await own.steps(slow.id))[0]).toMatchObject({ status: 'completed', attempt: 1 });
    const kinds = (await engine.entries(slow.id)).map(({ kind }) => kind);
    expect(kinds.slice(1)).toEqual(['run.started', 'step.started', 'step.ended', 'run.ended']);
  });

  it('that fail for now are tried again from the queue; final failures end the run', async () => {
    const path = ownPath('/fails');
    const { id } = await echoTool(ada, served.origin, path);
    const { id: processId } = await own.createProcess({ steps: steps(id, 'a') });
    await runsLocally(processId);
    served.fail(path, 503);
    const again = await engine.start(ada.viewer, { processId, context: {} });
    expect((await engine.wait(ada.viewer, again.id)).status).toBe('completed');
    expect((await own.steps(again.id))[0]).toMatchObject({ status: 'completed', attempt: 2 });
    await runsLocally(processId);
    served.fail(path, 404);
    const failed = await engine.start(ada.viewer, { processId, context: {} });
    expect(await engine.wait(ada.viewer, failed.id)).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_FAILED', stepId: 'a' },
    });
    expect((await own.steps(failed.id))[0]).toMatchObject({ status: 'failed', attempt: 1 });
  });
});

it('calls that Workers have begun when they are told to stop are not made again', async () => {
  const options = {
    queuePrefix: `drain-${Date.now() % 1e8}-`,
    registered: true,
    localCallLimits: { quickMs: 60_000, callMs: 30_000 },
  };
  const path = ownPath('/drained');
  const { id } = await echoTool(ada, served.origin, path);
  const { id: processId } = await own.createProcess({ steps: steps(id, 'a', 'b', 'c') });
  const older = await openEngine(options);
  // The first call of a Tool in a process goes to the queue.
  const warm = await older.start(ada.viewer, { processId, context: {} });
  await older.wait(ada.viewer, warm.id);
  const before = served.asks(path);
  const open = served.hold(path);
  const run = await older.start(ada.viewer, { processId, context: {} });
  await eventually('the first step calls', async () => served.asks(path) === before + 1);
  const stopped = older.close();
  const newer = await openEngine(options);
  open();
  await stopped;
  expect((await newer.wait(ada.viewer, run.id)).status).toBe('completed');
  expect(served.asks(path)).toBe(before + 3);
  await newer.close();
});
