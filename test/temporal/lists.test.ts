import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/common/json.ts';
import { cancelProcessRun, pauseProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import type { SettingsSource } from '../../src/settings/settings.projection.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import { openEngine } from '../testkit/engine.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { openGate } from '../testkit/gate.ts';
import { echoTool, runsOf, step } from '../testkit/run-steps.ts';

// Continues as new often, so that the items of a list cross executions of the workflow.
const { engine, rest, ada, own } = await engineWorld({ continueAfterEvents: 40 });

let lists = 0;

/** A Process with a call per item; items of `failing` fail in their first run. */
async function listOf(count: number, failing: readonly number[], execution: object, output = {}) {
  const mark = `l${lists++}`;
  const tool = await echoTool(ada, rest.origin, '/flaky', {
    operation: {
      type: 'rest_call',
      method: 'GET',
      path: '/flaky',
      query: { key: '{{q}}', fails: '{{fails}}' },
    },
    inputSchema: { type: 'object', required: ['q'], properties: { q: {}, fails: {} } },
  });
  const inputs = { q: '{item.q}', fails: '{item.fails}' };
  const once = { forEach: 'context.list', retry: { maximumAttempts: 1 }, ...execution };
  const process = await own.createProcess({
    initialContext: ['list'],
    steps: [step('every', tool.id, inputs, once, output)],
    outputTemplate: '{{json every}}',
  });
  const list = Array.from({ length: count }, (_, n) => ({
    q: `${mark}-${n}`,
    fails: failing.includes(n) ? 1 : 0,
  }));
  const calls = () =>
    rest.requests.flatMap(({ query }) => {
      const [of, n] = (query.get('key') ?? '').split('-');
      return of === mark ? [Number(n)] : [];
    });
  return { process, list, calls };
}

const valuesOf = ({ output }: { readonly output: Json }) =>
  (JSON.parse(String(output)) as ({ failed: number } | null)[]).map(
    (value) => value?.failed ?? null,
  );

describe('a forEach (S4-EXEC-03)', () => {
  it.each([
    ['in number', { failedItemsMax: 2 }],
    ['as a share', { failedShareMax: 0.25 }],
  ])('goes on while no more items fail than may, %s', async (_how, execution) => {
    const { process, list, calls } = await listOf(8, [1, 6], execution);
    const run = await own.run(process, { list });
    expect(run).toMatchObject({ status: 'completed', error: null });
    expect(valuesOf(run)).toEqual([0, null, 0, 0, 0, 0, null, 0]);
    expect(calls().sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it.each([
    ['fails with the next one, and says how many failed', true],
    ['goes on after the step where its output is optional', false],
  ])('%s', async (_what, required) => {
    const execution = { maxConcurrency: 1, failedItemsMax: 5, failedShareMax: 0.3 };
    const { process, list, calls } = await listOf(4, [0, 2], execution, { required });
    const run = await own.run(process, { list });
    expect(calls()).toEqual([0, 1, 2]);
    const [failed] = (await own.steps(run.id)).filter(({ index }) => index === 2);
    expect(failed?.status).toBe('failed');
    if (!required) expect(valuesOf(run)).toEqual([null, 0, null]);
    else {
      expect(run.status).toBe('failed');
      expect(run.error?.message).toMatch(/^2 of the 4 items of step every failed, and 1 may\. /);
    }
  });

  it('runs again the items that failed or never ran, and no other', async () => {
    const { process, list, calls } = await listOf(18, [12], { maxConcurrency: 1 });
    const { id: runId, status } = await own.run(process, { list });
    expect(status).toBe('failed');
    expect(calls()).toEqual(Array.from({ length: 13 }, (_, n) => n));
    const run = await own.wait(await own.retry(runId, { keepItems: true }));
    expect(run).toMatchObject({ status: 'completed', error: null });
    expect(valuesOf(run)).toEqual(list.map(({ fails }) => fails));
    const again = Array.from({ length: 6 }, (_, n) => 12 + n);
    expect(calls().slice(13)).toEqual(again);
    // The kept ones count in the first run.
    expect(run.usage.toolCalls).toBe(6);
  });

  it('runs again its items where the run was cancelled between two of them', async () => {
    const gate = await openGate();
    const release = gate.hold('/0');
    const tool = await echoTool(ada, gate.origin, '/held', {
      operation: { type: 'rest_call', method: 'GET', path: '/{{q}}' },
    });
    const execution = { forEach: 'context.list', maxConcurrency: 1 };
    const process = await own.createProcess({
      initialContext: ['list'],
      steps: [step('every', tool.id, { q: '{item}' }, execution)],
      outputTemplate: '{{every.length}}',
    });
    const list = ['0', '1', '2'];
    const { id } = await own.start(process, { list });
    await gate.reached('/0');
    await pauseProcessRun(engine.deps, ada.viewer, { id });
    release();
    // All records that there are of the step are completed.
    await expect
      .poll(async () => (await own.steps(id)).map(({ status }) => status))
      .toEqual(['completed']);
    await cancelProcessRun(engine.deps, ada.viewer, { id });
    expect(await own.wait(id)).toMatchObject({ status: 'cancelled' });
    const asks = () => list.map((path) => gate.asks(`/${path}`));
    const kept = await own.wait(await own.retry(id, { keepItems: true }));
    expect([kept.output, asks()]).toEqual(['3', [1, 1, 1]]);
    const run = await own.wait(await own.retry(id));
    expect([run.output, asks()]).toEqual(['3', [2, 2, 2]]);
    await gate.close();
  });

  it('begins anew where the step was changed since, or without keepItems', async () => {
    const { process, list, calls } = await listOf(3, [1], { maxConcurrency: 1 });
    const { id: runId } = await own.run(process, { list });
    expect(await own.wait(await own.retry(runId))).toMatchObject({ status: 'completed' });
    expect(calls()).toEqual([0, 1, 0, 1, 2]);
  });
});

it('calls each item where the limit is raised between count and reservation', async () => {
  // The count reads the limit once; the reservation reads it next, and waits until it is raised.
  const [raised, raise] = [Promise.withResolvers<void>(), () => raised.resolve()];
  const asked = Promise.withResolvers<void>();
  let reads: number | null = null;
  const set = (forEachItemsMax: number) => ({ ...SETTINGS_DEFAULT, forEachItemsMax });
  const settings: SettingsSource = {
    forget: () => {},
    async current() {
      if (reads === null || reads++ === 0) return set(10);
      asked.resolve();
      await raised.promise;
      return set(20);
    },
  };
  const limited = await openEngine({ settings });
  try {
    const mine = runsOf(limited, ada);
    const gate = await openGate();
    const held = gate.hold('/before');
    const before = await echoTool(ada, gate.origin, '/before');
    const every = await echoTool(ada, rest.origin);
    // Above 256 KiB, so that the list is read by an activity.
    const pad = 'x'.repeat(20_000);
    const list = Array.from({ length: 15 }, (_, n) => ({ q: `${n}`, pad }));
    const process = await mine.createProcess({
      initialContext: ['list'],
      steps: [
        step('before', before.id, { q: 'before' }),
        step('every', every.id, { q: '{item.q}' }, { forEach: 'context.list' }),
      ],
      outputTemplate: '{{every.length}}',
    });
    const run = await mine.start(process, { list });
    await gate.reached('/before');
    reads = 0;
    held();
    await asked.promise;
    raise();
    expect(await mine.wait(run.id)).toMatchObject({
      status: 'completed',
      error: null,
      output: '15',
    });
    const { events } = await limited.temporal.client.workflow.getHandle(run.id).fetchHistory();
    const activities = (events ?? []).map(
      ({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name,
    );
    expect(activities.filter((name) => name === 'evaluateExpression')).toHaveLength(2);
    await gate.close();
  } finally {
    await limited.close();
  }
});
