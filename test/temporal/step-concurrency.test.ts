import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { recordConcurrency } from '../../src/runs/control/step-concurrency.cypher.ts';
import { setStepConcurrency } from '../../src/runs/control/step-concurrency.mutations.ts';
import { getRun } from '../../src/runs/run/get-run.service.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openGate } from '../testkit/gate.ts';
import { echoTool, step } from '../testkit/run-steps.ts';
import { refusals } from '../testkit/world.ts';

// Continues as new often, so that the number crosses executions of the workflow.
const { engine, ada, bob, own } = await engineWorld({ continueAfterEvents: 30 });
const gate = await openGate();
afterAll(() => gate.close());

const COUNT = 14;

/** A run that calls an item of a held path each, one at a time. */
async function heldRun(mark: string) {
  const tool = await echoTool(ada, gate.origin, '/held', {
    operation: { type: 'rest_call', method: 'GET', path: '/{{q}}' },
    inputSchema: { type: 'object', required: ['q'], properties: { q: { type: 'string' } } },
  });
  const one = step('one', tool.id, { q: 'before' });
  const execution = { forEach: 'context.list', maxConcurrency: 1 };
  const every = step('every', tool.id, { q: '{item}' }, execution, {}, { dependsOn: ['one'] });
  const process = await own.createProcess({
    initialContext: ['list'],
    steps: [one, every],
    outputTemplate: '{{json every}}',
  });
  const list = Array.from({ length: COUNT }, (_, n) => `${mark}${n}`);
  const release = list.map((path) => gate.hold(`/${path}`));
  const run = await own.start(process, { list });
  const asked = () => list.filter((path) => gate.asks(`/${path}`) > 0).length;
  return { run, list, release, asked };
}

const change = (runId: string, maxConcurrency: number, stepId = 'every') =>
  setStepConcurrency(engine.deps, ada.viewer, { runId, stepId, maxConcurrency });

/** Waits until so many items are asked for, and looks a while whether there are more. */
async function settles(asked: () => number, count: number): Promise<void> {
  await expect.poll(asked).toBe(count);
  await sleep(500);
  expect(asked()).toBe(count);
}

it('changes how many items run at once while they run, up and down', async () => {
  const { run, release, asked } = await heldRun('up');
  await settles(asked, 1);
  const changed = await change(run.id, 4);
  expect(changed.stepConcurrency).toEqual({ every: { maxConcurrency: 4, change: 1 } });
  await settles(asked, 4);
  await change(run.id, 1);
  for (const end of release.slice(0, 3)) end();
  await settles(asked, 4);
  release[3]?.();
  await settles(asked, 5);
  await change(run.id, 3);
  await settles(asked, 7);
  for (const end of release) end();
  const ended = await own.wait(run.id);
  expect(ended).toMatchObject({ status: 'completed', error: null });
  expect(ended.stepConcurrency).toEqual({ every: { maxConcurrency: 3, change: 3 } });
  expect(JSON.parse(String(ended.output))).toHaveLength(COUNT);
  expect(asked()).toBe(COUNT);
});

it('is refused for others, for other steps, out of range, and after the end', async () => {
  const { run, release, asked } = await heldRun('no');
  await settles(asked, 1);
  expect(await refusals(change(run.id, 0))).toEqual(['INVALID maxConcurrency']);
  expect(await refusals(change(run.id, 2_000, 'one'))).toEqual([
    'INVALID stepId',
    'INVALID maxConcurrency',
  ]);
  expect(await refusals(change(run.id, 2, 'none'))).toEqual(['NOT_FOUND stepId']);
  const bobs = setStepConcurrency(engine.deps, bob.viewer, {
    ...{ runId: run.id, stepId: 'every', maxConcurrency: 2 },
  });
  expect(await refusals(bobs)).toEqual(['NOT_FOUND runId']);
  for (const end of release) end();
  await own.wait(run.id);
  expect(await refusals(change(run.id, 2))).toEqual(['STATE runId']);
});

it('records of two changes the one that its workflow took last', async () => {
  const { run, release, asked } = await heldRun('two');
  await settles(asked, 1);
  const numbers = Array.from({ length: 6 }, (_, n) => n + 2);
  await Promise.all(numbers.map((maxConcurrency) => change(run.id, maxConcurrency)));
  const { stepConcurrency } = await getRun(engine.deps, ada.viewer, run.id);
  expect(stepConcurrency['every']?.change).toBe(numbers.length);
  // A record that comes late, of an earlier change.
  await engine.graph.write((tx) =>
    recordConcurrency(tx, {
      ...{ runId: run.id, ownerId: ada.viewer.userId, stepId: 'every', maxConcurrency: 1 },
      ...{ change: 1, now: new Date().toISOString() },
    }),
  );
  expect((await getRun(engine.deps, ada.viewer, run.id)).stepConcurrency).toEqual(stepConcurrency);
  for (const end of release) end();
  await own.wait(run.id);
});
