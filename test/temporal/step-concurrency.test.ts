import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { setStepConcurrency } from '../../src/runs/control/step-concurrency.mutations.ts';
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
  await change(run.id, 4);
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
