import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import { afterAll, describe, expect, it } from 'vitest';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { type Fleet, startFleet } from '../../src/platform/temporal/fleet.ts';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle.ts';
import { eventually, newId, quiet } from '../testkit/outbox.ts';

const ENTRY = new URL('../testkit/fleet-workflow.ts', import.meta.url);
const settings = { address: process.env['TEMPORAL_ADDRESS'] ?? '', namespace: 'default' };
const cacheFolder = await mkdtemp(join(tmpdir(), 'aiden-bundles-'));
const temporal = openTemporal(settings);
afterAll(async () => {
  await temporal.close();
  await rm(cacheFolder, { recursive: true });
});
const bundle = () => loadWorkflowBundle({ entry: ENTRY, madeOf: [ENTRY], cacheFolder });

/**
 * Workers on queues of their own, with one activity that takes its time and notes its calls.
 */
async function fleet(size: number, drainMs?: number) {
  const queue = `test-${newId()}`;
  const seen = { started: 0, ended: 0, cancelled: 0, atOnce: 0, atOnceMost: 0 };
  const work = async (ms: number) => {
    seen.started += 1;
    seen.atOnce += 1;
    seen.atOnceMost = Math.max(seen.atOnceMost, seen.atOnce);
    const { cancellationSignal } = Context.current();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      cancellationSignal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
    seen.atOnce -= 1;
    if (cancellationSignal.aborted) seen.cancelled += 1;
    else seen.ended += 1;
    return 'done';
  };
  const open = async (): Promise<Fleet> =>
    startFleet({
      temporal: settings,
      log: quiet,
      workflows: { taskQueue: queue, bundle: await bundle(), activities: {} },
      pools: [{ taskQueue: `${queue}-pool`, size, activities: { work } }],
      ...(drainMs === undefined ? {} : { drainMs }),
    });
  const start = (ms: number) =>
    temporal.client.workflow.start('callOnce', {
      workflowId: newId(),
      taskQueue: queue,
      args: [`${queue}-pool`, ms],
    });
  return { open, start, seen };
}

describe('the Temporal workers of a process', () => {
  it('execute at most as many steps at once as their pool has Workers (S4-WRK-04)', async () => {
    const { open, start, seen } = await fleet(2);
    const opened = await open();
    const handles = await Promise.all(Array.from({ length: 6 }, () => start(150)));
    expect(await Promise.all(handles.map((handle) => handle.result()))).toEqual(
      Array(6).fill('done'),
    );
    expect(seen.atOnceMost).toBe(2);
    await opened.stop();
  });

  it('let the steps in work end when they are stopped, and the run goes on elsewhere', async () => {
    const { open, start, seen } = await fleet(2);
    const first = await open();
    const handle = await start(1_000);
    await eventually('the step is in work', () => seen.started === 1);
    await first.stop();
    expect(seen).toMatchObject({ ended: 1, cancelled: 0 });
    const second = await open();
    expect(await handle.result()).toBe('done');
    expect(seen.started).toBe(1);
    await second.stop();
  });

  it('cancel a step that outlasts the drain, rather than hang', async () => {
    const { open, start, seen } = await fleet(1, 300);
    const opened = await open();
    await start(600_000);
    await eventually('the step is in work', () => seen.started === 1);
    const startedMs = performance.now();
    await opened.stop();
    expect(performance.now() - startedMs).toBeLessThan(120_000);
    expect(seen.cancelled).toBe(1);
  });
});

describe('the workflow bundle', () => {
  it('is built once per content, and by many at once into one file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aiden-bundles-'));
    const source = { entry: ENTRY, madeOf: [ENTRY], cacheFolder: folder };
    const [one, other] = await Promise.all([
      loadWorkflowBundle(source),
      loadWorkflowBundle(source),
    ]);
    expect(one).toEqual(other);
    expect(await readdir(folder)).toHaveLength(1);
    const written = await stat(one.codePath);
    expect(await loadWorkflowBundle(source)).toEqual(one);
    expect((await stat(one.codePath)).mtimeMs).toBe(written.mtimeMs);
    const input = { ...source, madeOf: [ENTRY, new URL('../testkit/outbox.ts', import.meta.url)] };
    const changed = await loadWorkflowBundle(input);
    expect(changed.codePath).not.toBe(one.codePath);
    await rm(folder, { recursive: true });
  });
});

describe('the Temporal client', () => {
  it('says which server answers, and fails soon where none does', async () => {
    expect((await temporal.verify()).serverVersion).toMatch(/\d+\.\d+/);
    const nowhere = openTemporal({ address: '127.0.0.1:1', namespace: 'default' });
    const startedMs = performance.now();
    await expect(nowhere.verify()).rejects.toThrow();
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    await nowhere.close();
  });

  it('fails to find a namespace that is not there', async () => {
    const elsewhere = openTemporal({ ...settings, namespace: 'nobody-made-this' });
    await expect(elsewhere.verify()).rejects.toThrow();
    await elsewhere.close();
  });
});
